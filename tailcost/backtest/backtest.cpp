#include "tailcost/backtest/backtest.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

#include "tailcost/backtest/exchange.hpp"
#include "tailcost/backtest/lane.hpp"
#include "tailcost/backtest/lane_latency.hpp"
#include "tailcost/backtest/lane_schedule.hpp"
#include "tailcost/core/digest.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/core/possible_times.hpp"
#include "tailcost/core/version.hpp"

namespace tailcost {
namespace {

constexpr SimTime never = SimTime::max();
constexpr std::int64_t most_wakes_at_once = 100'000;
constexpr std::int64_t most_points = 100'000'000;  ///< Of all equity paths of a run: 7 GB.

/// More lanes than these do not fit the second cache together: another pass over the data costs less than fetching each lane from afar at
/// each of its events (measured: 2.4 ms a lane of the bench's grid with 64, 3.8 with 1000).
constexpr std::size_t lanes_at_once = 64;

/// The run itself: one market timeline, all lanes against it.
///
/// Rows that nobody can feel yet are played late: the local book is brought up when a strategy looks at it, the exchange's when an order
/// arrives, or row by row while own orders rest.
class Engine final : public ExchangeReplies {
 public:
  /// Runs some of the spec's lanes.
  Engine(const RunSpec& spec, std::span<const LaneSpec> lanes, const RunInputs& inputs);
  RunResult run(const RunProgress& progress);

  void reply(std::uint32_t lane, const Order& order, const MessageKey& key, std::uint32_t nth, ReplyKind kind, SimTime now) override;
  void abort(std::uint32_t lane, std::int64_t error, SimTime now) override;

 private:
  struct Instrument {
    const Dataset* data;
    Exchange exchange;
    SimTime ends{};        ///< Last moment of this instrument: nothing about it happens later.
    bool is_eager{false};  ///< Rows may end the run, so that they are played in their time.
    std::int64_t local_row{0};
    std::int64_t exchange_row{0};
  };

  void make_instruments();
  void make_instrument(std::size_t number, std::span<const Exchange::LaneSetup> setups, std::span<const QueueSpec> kinds);
  void make_lanes();
  void make_paths();
  void start_lanes();
  void start_strategies();
  Moment next_feed() noexcept;
  bool play_exchanges(const Moment& until);
  void play_exchange(std::size_t instrument, SimTime limit);
  void see_until(SimTime limit);
  void wake_feed_waiters(const Moment& feed);
  void happen(std::uint32_t lane, const Moment& moment);
  void deliver_responses(std::uint32_t lane, std::size_t instrument);
  void deliver_requests(std::uint32_t lane, std::size_t instrument);
  void run_strategy(std::uint32_t lane, SimTime seen);
  void send(std::uint32_t lane, SimTime leaves);
  void reschedule(std::uint32_t lane) noexcept { schedule_.set(lane, lanes_[lane].next()); }
  bool nothing_comes(const Lane& lane) const noexcept;
  void end_lane(std::uint32_t lane);
  void end_aborted_lanes();
  void report(const RunProgress& progress);
  void sample();
  RunResult result() const;
  Json shared_identity() const;

  const RunSpec& spec_;
  std::span<const LaneSpec> lane_specs_;
  const RunInputs& inputs_;
  const Quirks quirks_;
  SimTime until_{never};
  SimTime start_{};
  SimTime now_{};
  SimTime last_row_{};  ///< Of all instruments, on either clock.
  std::vector<std::unique_ptr<QueueModel>> queues_;
  std::vector<std::unique_ptr<LatencyModel>> latencies_;
  std::vector<std::vector<std::int32_t>> joined_prices_;  ///< Of instruments that start from a snapshot.
  std::vector<LocalMarket> local_;
  std::vector<Instrument> instruments_;
  std::vector<Lane> lanes_;
  std::vector<std::vector<std::vector<EquityPoint>>> paths_;  ///< lane, instrument, point
  LaneSchedule schedule_;
  std::vector<std::uint32_t> feed_waiters_;
  struct Aborted {
    std::uint32_t lane;
    SimTime at;
  };
  std::vector<Aborted> aborted_;
  bool is_eager_{false};  ///< One of the instruments is.
  SimTime next_sample_{never};
  std::size_t replying_instrument_{0};
  std::size_t lanes_left_{0};
  bool replied_{false};
  std::int64_t reported_{0};
  std::int64_t work_{0};  ///< Rows and lane events so far: what takes time.
};

void check(const RunSpec& spec, const RunInputs& inputs) {
  if (spec.lanes.empty()) throw UsageError{"run spec: lanes: empty; give at least one lane"};
  if (inputs.datasets.empty() || inputs.datasets.size() != spec.datasets.size())
    throw UsageError{"run spec: datasets: give at least one, each opened"};
  if (!spec.snapshots.empty() && (spec.snapshots.size() != spec.datasets.size() || inputs.snapshots.size() != spec.datasets.size()))
    throw UsageError{"run spec: snapshots: give one for each dataset, or none"};
  for (const Dataset* data : inputs.datasets) {
    if (data->rows() == 0) throw UsageError{"dataset " + data->facts().instrument.symbol + ": no rows; import or generate data first"};
    const bool is_partial = std::any_of(spec.lanes.begin(), spec.lanes.end(),
                                        [&](const LaneSpec& lane) { return fill_rule_of(lane, spec.mode) == FillRule::traded_quantity; });
    if (spec.mode == Mode::compat && !data->order_id().empty() && is_partial) {
      throw UsageError{"run spec: fill: the reference engine has no partial fills on L3 data; use whole_order, or mode strict"};
    }
  }
  if (spec.mode == Mode::strict && spec.book_range) {
    throw UsageError{"run spec: book_range: a rule of the reference engine's; leave it out, or use mode compat"};
  }
}

SimTime earliest_row(const RunSpec& spec, const RunInputs& inputs) {
  if (!quirks_of(spec).has(Quirk::clock_origin)) return inputs.datasets.front()->facts().first;
  SimTime first = never;
  for (const Dataset* data : inputs.datasets) first = std::min(first, data->facts().first);
  return first;
}

Engine::Engine(const RunSpec& spec, std::span<const LaneSpec> lanes, const RunInputs& inputs)
    : spec_{spec}, lane_specs_{lanes}, inputs_{inputs}, quirks_{quirks_of(spec)}, schedule_{lanes.size()} {
  const SimTime first = earliest_row(spec, inputs);
  SimTime last = SimTime::min();
  for (const Dataset* data : inputs.datasets) last = std::max(last, data->facts().last);
  start_ = spec.start.value_or(first);
  if (start_ < earliest_time) throw UsageError{"run spec: start: before the year 1824; give nanoseconds since 1970"};
  until_ = std::min(spec.until.value_or(last), last);
  if (until_ <= start_)
    throw UsageError{"run spec: start and until leave no data; the data run from " + format_utc(WallTime{first.time_since_epoch()}) +
                     " to " + format_utc(WallTime{last.time_since_epoch()})};
  make_instruments();
  make_lanes();
  make_paths();
}

/// The last time at which a row is seen by anybody, not after `until`.
SimTime last_row_until(const Dataset& data, SimTime until) noexcept {
  if (data.facts().last <= until) return data.facts().last;
  SimTime last = SimTime::min();
  const auto kinds = data.kind();
  for (std::int64_t row = 0; row < data.rows(); ++row) {
    const std::uint8_t kind = kinds[static_cast<std::size_t>(row)];
    const SimTime exch = data.exch_time(row);
    const SimTime local = data.local_time(row);
    if ((kind & EventFlags::exchange) != 0 && exch <= until) last = std::max(last, exch);
    if ((kind & EventFlags::local) != 0 && local <= until) last = std::max(last, local);
  }
  return last;
}

void Engine::make_instruments() {
  // Lanes with equal queue specs share a model, and their orders one index.
  std::vector<QueueSpec> kinds;
  std::vector<Exchange::LaneSetup> setups;
  for (const LaneSpec& lane : lane_specs_) {
    const auto same = [&](const QueueSpec& kind) { return kind.kind == lane.queue.kind && kind.exponent == lane.queue.exponent; };
    const auto at = std::find_if(kinds.begin(), kinds.end(), same);
    setups.push_back({.queue_group = static_cast<std::uint32_t>(at - kinds.begin()),
                      .fill = fill_rule_of(lane, spec_.mode),
                      .self_trade = lane.self_trade});
    if (at == kinds.end()) kinds.push_back(lane.queue);
  }
  local_.reserve(inputs_.datasets.size());
  joined_prices_.reserve(inputs_.datasets.size());
  instruments_.reserve(inputs_.datasets.size());
  for (std::size_t i = 0; i < inputs_.datasets.size(); ++i) make_instrument(i, setups, kinds);
}

std::vector<std::int32_t> joined(std::span<const std::int32_t> a, std::span<const std::int32_t> b) {
  std::vector<std::int32_t> both;
  std::ranges::set_union(a, b, std::back_inserter(both));
  return both;
}

void Engine::make_instrument(std::size_t number, std::span<const Exchange::LaneSetup> setups, std::span<const QueueSpec> kinds) {
  const Dataset& data = *inputs_.datasets[number];
  const DatasetFacts& facts = data.facts();
  const Dataset* snapshot = inputs_.snapshots.empty() ? nullptr : inputs_.snapshots[number];
  const bool is_l3 = !data.order_id().empty();
  std::vector<const QueueModel*> models;
  for (const QueueSpec& kind : kinds) models.push_back(queues_.emplace_back(make_queue_model(kind, facts.instrument.lot_size)).get());
  std::span<const std::int32_t> prices = data.prices();
  if (!std::ranges::is_sorted(prices))
    throw Error{"dataset " + facts.instrument.symbol + ": its prices are not in ascending order; import it again"};
  if (snapshot != nullptr) prices = joined_prices_.emplace_back(joined(data.prices(), snapshot->prices()));
  ExchangeSetup setup{.ladder = PriceLadder{prices},
                      .mode = spec_.mode,
                      .quirks = quirks_,
                      .book = {.crossed = quirks_.has(Quirk::stale_levels) ? CrossedLevels::keep
                                          : is_l3                          ? CrossedLevels::show
                                                                           : CrossedLevels::purge,
                               .clear_skips_a_level = quirks_.has(Quirk::clear_offbyone),
                               .range = spec_.book_range},
                      .lot_size = facts.instrument.lot_size,
                      .l3 = is_l3,
                      .seed = spec_.seed,
                      .instrument = static_cast<std::uint32_t>(number)};
  LocalMarket& local = local_.emplace_back(LocalMarket{.facts = facts.instrument, .book = {setup.ladder, setup.book}});
  if (is_l3) local.feed_orders.emplace();
  is_eager_ = is_eager_ || (is_l3 && spec_.mode == Mode::compat);
  local.trades.reserve(static_cast<std::size_t>(facts.trades));
  last_row_ = std::max(last_row_, last_row_until(data, until_));
  Instrument& made =
      instruments_.emplace_back(Instrument{.data = &data,
                                           .exchange = {setup, models, setups},
                                           .ends = spec_.mode == Mode::strict ? std::min(until_, facts.last) : spec_.until.value_or(never),
                                           .is_eager = is_l3 && spec_.mode == Mode::compat});
  if (snapshot == nullptr) return;
  for (std::int64_t row = 0; row < snapshot->rows(); ++row) {
    const MarketEvent level = snapshot->event(row);
    made.exchange.start_from(level);
    local.book.start_from((level.kind & EventFlags::buy) != 0 ? Side::buy : Side::sell, level.price, level.qty);
  }
}

void Engine::make_lanes() {
  lanes_.reserve(lane_specs_.size());
  latencies_.reserve(lane_specs_.size());
  for (const LaneSpec& lane : lane_specs_) {
    const auto profile = inputs_.profiles.find(lane.latency.reaction.profile);
    const auto wires = inputs_.order_latencies.find(lane.latency.recorded);
    const RecordedWires recorded{.latency = wires == inputs_.order_latencies.end() ? nullptr : wires->second,
                                 .zero = quirks_.has(Quirk::zero_latency_reject) ? ZeroReject::accepted : ZeroReject::rejected};
    latencies_.push_back(
        make_latency_model(lane.latency, profile == inputs_.profiles.end() ? nullptr : profile->second, spec_.seed, recorded));
    lanes_.emplace_back(inputs_.make_strategy(lane.strategy.value_or(spec_.strategy), local_.front().facts), *latencies_.back(), local_,
                        spec_.record,
                        Lane::Setup{.service = lane.latency.reaction.service,
                                    .fees = lane.fees,
                                    .mode = spec_.mode,
                                    .quirks = quirks_,
                                    .keep_reactions = !is_instant(lane.latency.reaction)});
  }
  lanes_left_ = lanes_.size();
  feed_waiters_.reserve(lanes_.size());
  aborted_.reserve(lanes_.size());
}

void Engine::make_paths() {
  if (!spec_.record.equity_every) return;
  if (*spec_.record.equity_every <= Nanos{}) throw UsageError{"run spec: record: equity_every must be positive"};
  next_sample_ = start_;
  const std::int64_t times = (until_ - start_) / *spec_.record.equity_every + 2;
  const auto paths = static_cast<std::int64_t>(spec_.lanes.size() * local_.size());
  if (times > most_points / paths) {
    throw UsageError{"run spec: record: equity_every: " + std::to_string(times) + " points for each of " + std::to_string(paths) +
                     " paths are more than " + std::to_string(most_points) + "; record more seldom, a shorter time or fewer lanes"};
  }
  const auto points = static_cast<std::size_t>(times);
  paths_.assign(lanes_.size(), std::vector<std::vector<EquityPoint>>(local_.size()));
  for (auto& lane : paths_) {
    for (auto& path : lane) path.reserve(points);
  }
}

/// When the next row of any instrument reaches us.
Moment Engine::next_feed() noexcept {
  Moment next;
  for (std::size_t i = 0; i < instruments_.size(); ++i) {
    const SimTime at = LocalMarket::next_at(*instruments_[i].data, instruments_[i].local_row);
    if (at <= instruments_[i].ends) next = std::min(next, Moment{.at = at, .slot = Slot::local_data(i)});
  }
  return next;
}

/// Plays an exchange's rows up to `limit` or its first reply; lanes that ended by it are taken out.
void Engine::play_exchange(std::size_t number, SimTime limit) {
  Instrument& instrument = instruments_[number];
  const std::int64_t before = instrument.exchange_row;
  replying_instrument_ = number;
  instrument.exchange.play(*instrument.data, instrument.exchange_row, std::min(limit, instrument.ends), *this);
  work_ += instrument.exchange_row - before;
  end_aborted_lanes();
}

constexpr SimTime just_before(SimTime at) noexcept {
  return at == SimTime::min() ? at : at - Nanos{1};
}

/// Plays the rows before `until` that own orders may feel, in their order. True once one of them made a reply: what comes next may have
/// changed.
bool Engine::play_exchanges(const Moment& until) {
  for (;;) {
    // The instrument whose next row is the earliest plays up to the next row of the others.
    std::optional<std::size_t> first;
    Moment first_row;
    Moment bound = until;
    for (std::size_t i = 0; i < instruments_.size(); ++i) {
      Instrument& instrument = instruments_[i];
      if (!instrument.exchange.is_watched() && !instrument.is_eager) continue;
      const auto kinds = instrument.data->kind();
      const std::int64_t rows = instrument.data->rows();
      std::int64_t& row = instrument.exchange_row;
      while (row < rows && (kinds[static_cast<std::size_t>(row)] & EventFlags::exchange) == 0) ++row;
      if (row == rows || instrument.data->exch_time(row) > instrument.ends) continue;
      const Moment at{.at = instrument.data->exch_time(row), .slot = Slot::exchange_data(i)};
      if (at >= until) continue;
      if (!first || at < first_row) {
        if (first) bound = std::min(bound, first_row);
        first = i;
        first_row = at;
      } else {
        bound = std::min(bound, at);
      }
    }
    if (!first) return false;
    const SimTime limit = Slot::exchange_data(*first) < bound.slot ? bound.at : just_before(bound.at);
    replied_ = false;
    play_exchange(*first, limit);
    if (replied_) return true;
  }
}

/// Brings every local book up to `limit`.
void Engine::see_until(SimTime limit) {
  for (std::size_t i = 0; i < instruments_.size(); ++i) {
    Instrument& instrument = instruments_[i];
    const std::int64_t before = instrument.local_row;
    local_[i].play(*instrument.data, instrument.local_row, std::min(limit, instrument.ends));
    work_ += instrument.local_row - before;
    if (instrument.is_eager && local_[i].senseless_rows > 0) {
      for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) abort(lane, EngineError::not_found, limit);
    }
  }
  end_aborted_lanes();
}

void Engine::wake_feed_waiters(const Moment& feed) {
  now_ = feed.at;
  const std::size_t number = feed.slot.value / 4;
  const auto row = static_cast<std::uint64_t>(instruments_[number].local_row);
  for (const std::uint32_t lane : feed_waiters_) {
    lanes_[lane].in_feed_list = false;
    if (!lanes_[lane].waiting.feed || lanes_[lane].error != 0) continue;
    lanes_[lane].trigger(WakeReason::feed, CauseKind::market_event, row, static_cast<std::uint32_t>(number), now_);
    reschedule(lane);
  }
  feed_waiters_.clear();
}

void Engine::reply(std::uint32_t number, const Order& order, const MessageKey& key, std::uint32_t nth, ReplyKind kind, SimTime now) {
  Lane& lane = lanes_[number];
  replied_ = true;
  if (lane.ended || lane.error != 0) return;
  MessageKey response_key = key;
  response_key.message = nth + 1;
  const Delay delay = lane.latency.delay(Hop::response, response_key, now);
  lane.markets[replying_instrument_].responses.push({.at = now + delay.duration, .key = response_key, .kind = kind, .order = order});
  reschedule(number);
}

void Engine::abort(std::uint32_t number, std::int64_t error, SimTime now) {
  replied_ = true;
  if (lanes_[number].ended || lanes_[number].error != 0) return;
  lanes_[number].error = error;
  aborted_.push_back({.lane = number, .at = now});
}

void Engine::end_aborted_lanes() {
  while (!aborted_.empty()) {
    const Aborted aborted = aborted_.back();
    aborted_.pop_back();
    // It sees the rows of its last instant, which must not be lost on those who wait for one.
    for (Moment feed = next_feed(); !feed_waiters_.empty() && feed.at <= aborted.at; feed = next_feed()) wake_feed_waiters(feed);
    see_until(aborted.at);
    end_lane(aborted.lane);
  }
}

void Engine::happen(std::uint32_t number, const Moment& moment) {
  Lane& lane = lanes_[number];
  now_ = moment.at;
  ++work_;
  if (moment.slot == Slot::timers()) {
    lane.trigger(WakeReason::time, CauseKind::timer, static_cast<std::uint64_t>(lane.waiting.at->time_since_epoch().count()), 0, now_);
    if (lane.run_at == now_) return run_strategy(number, now_);  // nothing of this lane's can come in between
    return reschedule(number);
  }
  if (moment.slot == Slot::strategies()) return run_strategy(number, now_);
  const std::size_t instrument = moment.slot.value / 4;
  if (moment.slot == Slot::responses(instrument)) return deliver_responses(number, instrument);
  deliver_requests(number, instrument);
}

void Engine::deliver_responses(std::uint32_t number, std::size_t instrument) {
  Lane& lane = lanes_[number];
  MessageQueue& queue = lane.markets[instrument].responses;
  while (queue.next_at() == now_) {
    const Message& message = queue.front();
    if (now_ <= instruments_[instrument].ends && lane.deliver(instrument, message, now_)) {
      lane.trigger(WakeReason::response, CauseKind::response, message.order.id.value, static_cast<std::uint32_t>(instrument), now_);
    }
    queue.pop();
  }
  reschedule(number);
}

void Engine::deliver_requests(std::uint32_t number, std::size_t instrument) {
  Lane& lane = lanes_[number];
  MessageQueue& queue = lane.markets[instrument].requests;
  // The rows before the request, which no own order could feel, are played now.
  const SimTime before = now_;  // exchange data come before requests at the same instant
  Instrument& venue = instruments_[instrument];
  if (!venue.exchange.is_watched()) play_exchange(instrument, before);
  replying_instrument_ = instrument;
  while (!lane.ended && lane.error == 0 && queue.next_at() == now_) {
    const Message message = queue.front();
    queue.pop();
    if (now_ <= venue.ends) venue.exchange.on_request(number, message, now_, *this);
  }
  end_aborted_lanes();
  reschedule(number);
}

/// Runs a strategy, which sees the rows received until `seen`.
void Engine::run_strategy(std::uint32_t number, SimTime seen) {
  Lane& lane = lanes_[number];
  see_until(seen);
  if (lane.ended) return;
  if (quirks_.has(Quirk::end_of_data_clock) && nothing_comes(lane)) return end_lane(number);
  lane.wakes_at_now = lane.now() == now_ ? lane.wakes_at_now + 1 : 0;
  if (lane.wakes_at_now > most_wakes_at_once) {
    throw UsageError{"lane " + lane_specs_[number].name + ": its strategy was woken " + std::to_string(most_wakes_at_once) +
                     " times at one instant, " + format_utc(WallTime{now_.time_since_epoch()}) +
                     ": it answers its own responses without time passing; give the wires or the strategy some time"};
  }
  send(number, lane.run(now_));
  if (lane.waiting.feed && !lane.in_feed_list) {
    lane.in_feed_list = true;
    feed_waiters_.push_back(number);
  }
  reschedule(number);
}

/// What the strategy asked for leaves for the exchange.
void Engine::send(std::uint32_t number, SimTime leaves) {
  Lane& lane = lanes_[number];
  for (const Lane::Outgoing& out : lane.outbox) {
    const Delay delay = lane.latency.delay(Hop::entry, out.key, leaves);
    LaneMarket& market = lane.markets[out.instrument];
    MessageQueue& queue = delay.rejected ? market.responses : market.requests;
    queue.push({.at = leaves + delay.duration,
                .key = out.key,
                .kind = delay.rejected ? ReplyKind::rejection : ReplyKind::answer,
                .order = out.order});
  }
  lane.outbox.clear();
}

/// True when no market data are left and nothing of this lane is on its way.
bool Engine::nothing_comes(const Lane& lane) const noexcept {
  if (last_row_ > now_) return false;
  return std::all_of(lane.markets.begin(), lane.markets.end(),
                     [](const LaneMarket& market) { return market.requests.empty() && market.responses.empty(); });
}

void Engine::end_lane(std::uint32_t number) {
  Lane& lane = lanes_[number];
  if (lane.ended) return;
  lane.finish(quirks_.has(Quirk::end_of_data_clock) ? std::nullopt : std::optional{now_});
  for (Instrument& instrument : instruments_) instrument.exchange.forget(number);
  reschedule(number);
  --lanes_left_;
}

void Engine::sample() {
  see_until(next_sample_);
  for (std::size_t i = 0; i < local_.size(); ++i) {
    LocalMarket& market = local_[i];
    if (next_sample_ > instruments_[i].ends) continue;
    const std::optional<double> mid = market.mid();
    if (mid) market.last_mid = mid;
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      const Account& account = lanes_[lane].markets[i].account;
      paths_[lane][i].push_back({.time = next_sample_,
                                 .mid = mid.value_or(0),
                                 .position = account.position(),
                                 .balance = account.balance(),
                                 .fee = account.fee(),
                                 .equity = account.equity(market.last_mid.value_or(0)),
                                 .trades = account.trades(),
                                 .volume = account.volume(),
                                 .value = account.value()});
    }
  }
  next_sample_ += std::min(*spec_.record.equity_every, until_ - next_sample_ + Nanos{1});
}

void Engine::start_lanes() {
  now_ = start_;
  for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) {
    lanes_[lane].trigger(WakeReason::start, CauseKind::start, 0, 0, start_);
    reschedule(lane);
  }
}

/// Those that run at once, before any row of that instant.
void Engine::start_strategies() {
  for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) {
    if (lanes_[lane].run_at == start_) run_strategy(lane, just_before(start_));
  }
}

void Engine::report(const RunProgress& progress) {
  constexpr std::int64_t between_reports = 1 << 18;
  if (!progress || work_ < reported_ + between_reports) return;
  reported_ = work_;
  std::int64_t rows = 0;
  std::int64_t total = 0;
  for (const Instrument& instrument : instruments_) {
    rows += std::max(instrument.local_row, instrument.exchange_row);
    total += instrument.data->rows();
  }
  if (!progress(static_cast<double>(rows) / static_cast<double>(total)))
    throw Error{"backtest: stopped before the end of the data; nothing was written"};
}

RunResult Engine::run(const RunProgress& progress) {
  // Rows before the start only build the books. At the start itself the strategies are called before any row (as the reference engine sets
  // its clock).
  see_until(just_before(start_));
  for (std::size_t i = 0; i < instruments_.size(); ++i) play_exchange(i, just_before(start_));
  start_lanes();
  start_strategies();
  while (lanes_left_ > 0) {
    report(progress);
    Moment next = schedule_.first();
    const bool has_feed = !feed_waiters_.empty() || is_eager_;
    const Moment feed = has_feed ? next_feed() : Moment{};
    const bool feed_first = has_feed && feed < next;
    if (feed_first) next = feed;
    const Moment sampling{.at = next_sample_, .slot = Slot::strategies()};
    const bool sample_first = next_sample_ <= until_ && sampling < next;
    if (sample_first) next = sampling;
    if (play_exchanges(next)) continue;
    if (next.at == never || (!quirks_.has(Quirk::end_of_data_clock) && next.at > until_)) break;
    if (sample_first) {
      sample();
    } else if (feed_first) {
      wake_feed_waiters(feed);
      if (is_eager_) see_until(feed.at);
    } else {
      happen(schedule_.first_lane(), next);
    }
  }
  while (next_sample_ <= until_) sample();
  see_until(until_);
  if (!quirks_.has(Quirk::end_of_data_clock)) now_ = until_;
  for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) end_lane(lane);
  if (progress) progress(1);
  return result();
}

/// What all lanes share of their identity, without the lanes themselves: a lane among others has the digest that it has alone.
Json Engine::shared_identity() const {
  RunSpec shared = spec_;
  shared.lanes.clear();
  Json identity = to_json(shared);
  identity["code_version"] = code_version();
  for (const Instrument& instrument : instruments_) identity["data"].push_back(instrument.data->facts().fingerprint);
  return identity;
}

RunResult Engine::result() const {
  RunResult result;
  result.code_version = code_version();
  result.start = start_;
  result.end = until_;
  for (const Instrument& instrument : instruments_) {
    result.data_fingerprints.push_back(instrument.data->facts().fingerprint);
    result.rows += instrument.data->rows();
    result.senseless_rows += instrument.exchange.senseless_rows();
  }
  Json identity = shared_identity();
  for (std::size_t number = 0; number < lanes_.size(); ++number) {
    const Lane& lane = lanes_[number];
    LaneResult& out = result.lanes.emplace_back();
    out.name = lane_specs_[number].name;
    identity["lane"] = to_json(lane_specs_[number]);
    out.lane_digest = digest_of(identity.dump());
    out.end = {.error = lane.error};
    out.counts = lane.counts;
    out.reaction = lane.reactions();
    out.fills = lane.fills;
    out.orders = lane.order_events;
    for (std::size_t i = 0; i < local_.size(); ++i) {
      const Account& account = lane.markets[i].account;
      const double mid = local_[i].mid().value_or(local_[i].last_mid.value_or(0));
      out.instruments.push_back({.symbol = local_[i].facts.symbol,
                                 .currency = local_[i].facts.currency,
                                 .position = account.position(),
                                 .balance = account.balance(),
                                 .fee = account.fee(),
                                 .trades = account.trades(),
                                 .volume = account.volume(),
                                 .value = account.value(),
                                 .mid = mid,
                                 .equity = account.equity(mid),
                                 .path = paths_.empty() ? std::vector<EquityPoint>{} : paths_[number][i]});
    }
  }
  return result;
}

}  // namespace

namespace {

/// SHA-256 of the spec's JSON, a lane at a time: the whole document of a thousand lanes would take more memory than their run.
std::string digest_of_spec(const RunSpec& spec) {
  RunSpec shared = spec;
  shared.lanes.clear();
  const std::string text = to_json(shared).dump();
  constexpr std::string_view no_lanes = "\"lanes\":[";
  const std::size_t at = text.find(no_lanes) + no_lanes.size();
  Digest digest;
  digest.add(std::string_view{text}.substr(0, at));
  for (std::size_t i = 0; i < spec.lanes.size(); ++i) {
    if (i > 0) digest.add(std::string_view{","});
    digest.add(to_json(spec.lanes[i]).dump());
  }
  digest.add(std::string_view{text}.substr(at));
  return digest.hex();
}

}  // namespace

RunResult run_backtest(const RunSpec& spec, const RunInputs& inputs, const RunProgress& progress) {
  check(spec, inputs);
  const std::span<const LaneSpec> all{spec.lanes};
  RunResult result;
  for (std::size_t first = 0; first < all.size(); first += lanes_at_once) {
    const auto lanes = all.subspan(first, std::min(lanes_at_once, all.size() - first));
    const auto part = [&](double share) {
      return progress((static_cast<double>(first) + share * static_cast<double>(lanes.size())) / static_cast<double>(all.size()));
    };
    RunResult of_these = Engine{spec, lanes, inputs}.run(progress ? RunProgress{part} : RunProgress{});
    if (first == 0) {
      result = std::move(of_these);
    } else {
      std::ranges::move(of_these.lanes, std::back_inserter(result.lanes));
    }
  }
  result.spec_digest = digest_of_spec(spec);
  return result;
}

}  // namespace tailcost
