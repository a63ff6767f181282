#include "tailcost/backtest/backtest.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "tailcost/backtest/event_queue.hpp"
#include "tailcost/backtest/exchange.hpp"
#include "tailcost/backtest/lane.hpp"
#include "tailcost/backtest/lane_latency.hpp"
#include "tailcost/core/digest.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/core/version.hpp"

namespace tailcost {
namespace {

constexpr SimTime never = SimTime::max();
constexpr std::int64_t most_wakes_at_once = 100'000;

/// One reader of a dataset: the rows that one side sees, in its order.
class Cursor {
 public:
  Cursor(const Dataset& data, bool exchange, SimTime until) noexcept
      : data_{&data}, flag_{exchange ? EventFlags::exchange : EventFlags::local}, exchange_{exchange}, until_{until} {
    settle();
  }
  SimTime at() const noexcept { return at_; }
  std::int64_t row() const noexcept { return row_; }
  void advance() noexcept {
    ++row_;
    settle();
  }

 private:
  void settle() noexcept {
    const auto kinds = data_->kind();
    const auto rows = static_cast<std::int64_t>(kinds.size());
    while (row_ < rows && (kinds[static_cast<std::size_t>(row_)] & flag_) == 0) ++row_;
    at_ = row_ == rows ? never : exchange_ ? data_->exch_time(row_) : data_->local_time(row_);
    if (at_ > until_) at_ = never;
  }

  const Dataset* data_;
  std::uint8_t flag_;
  bool exchange_;
  SimTime until_;
  std::int64_t row_{0};
  SimTime at_{never};
};

/// The run itself: one market timeline, all lanes against it.
class Engine final : public ExchangeReplies {
 public:
  Engine(const RunSpec& spec, const RunInputs& inputs);
  RunResult run(const RunProgress& progress);

  void reply(std::uint32_t lane, const Order& order, const MessageKey& key, std::uint32_t nth, bool rejected) override;
  void abort(std::uint32_t lane, std::int64_t error) override;

 private:
  struct Instrument {
    const Dataset* data;
    Cursor local;
    Cursor exchange_side;
    Exchange exchange;
  };
  struct NextRow {
    SimTime at{never};
    Slot slot{Slot::strategies()};
    std::size_t instrument{0};
  };

  void make_instruments();
  void make_lanes();
  void start_lanes();
  NextRow next_row() const noexcept;
  void play_row(const NextRow& next);
  void see_locally(std::size_t instrument);
  void happen(const LaneEvent& event);
  void deliver_responses(std::uint32_t lane, std::size_t instrument);
  void deliver_requests(std::uint32_t lane, std::size_t instrument);
  void run_strategy(std::uint32_t lane);
  void schedule(std::uint32_t lane, std::optional<SimTime> run_at);
  void wait_for(std::uint32_t lane);
  bool nothing_comes(const Lane& lane) const noexcept;
  void end_lane(std::uint32_t lane);
  void sample_until(SimTime now);
  void sample();
  RunResult result() const;
  Json shared_identity() const;

  const RunSpec& spec_;
  const RunInputs& inputs_;
  SimTime until_{never};
  SimTime start_{};
  SimTime now_{};
  std::vector<std::unique_ptr<QueueModel>> queues_;
  std::vector<std::unique_ptr<LatencyModel>> latencies_;
  std::vector<LocalMarket> local_;
  std::vector<Instrument> instruments_;
  std::vector<Lane> lanes_;
  std::vector<std::vector<std::vector<EquityPoint>>> paths_;  ///< lane, instrument, point
  EventQueue events_;
  std::vector<std::uint32_t> feed_waiters_;
  SimTime next_sample_{never};
  std::size_t replying_instrument_{0};
  std::size_t lanes_left_{0};
};

void check(const RunSpec& spec, const RunInputs& inputs) {
  if (spec.lanes.empty()) throw UsageError{"run spec: lanes: empty; give at least one lane"};
  if (inputs.datasets.empty() || inputs.datasets.size() != spec.datasets.size())
    throw UsageError{"run spec: datasets: give at least one, each opened"};
  for (const Dataset* data : inputs.datasets) {
    if (data->rows() == 0) throw UsageError{"dataset " + data->facts().instrument.symbol + ": no rows; import or generate data first"};
  }
}

Engine::Engine(const RunSpec& spec, const RunInputs& inputs) : spec_{spec}, inputs_{inputs} {
  check(spec, inputs);
  SimTime first = never;
  SimTime last = SimTime::min();
  for (const Dataset* data : inputs.datasets) {
    first = std::min(first, data->facts().first);
    last = std::max(last, data->facts().last);
  }
  start_ = spec.start.value_or(first);
  until_ = std::min(spec.until.value_or(last), last);
  if (until_ <= start_)
    throw UsageError{"run spec: start and until leave no data; the data run from " + format_utc(WallTime{first.time_since_epoch()}) +
                     " to " + format_utc(WallTime{last.time_since_epoch()})};
  make_instruments();
  make_lanes();
}

void Engine::make_instruments() {
  // Lanes with equal queue specs share a model, and their orders one index.
  std::vector<QueueSpec> kinds;
  std::vector<Exchange::LaneSetup> groups;
  for (const LaneSpec& lane : spec_.lanes) {
    const auto same = [&](const QueueSpec& kind) { return kind.kind == lane.queue.kind && kind.exponent == lane.queue.exponent; };
    const auto at = std::find_if(kinds.begin(), kinds.end(), same);
    groups.push_back({.queue_group = static_cast<std::uint32_t>(at - kinds.begin())});
    if (at == kinds.end()) kinds.push_back(lane.queue);
  }
  local_.reserve(inputs_.datasets.size());
  instruments_.reserve(inputs_.datasets.size());
  for (const Dataset* data : inputs_.datasets) {
    const DatasetFacts& facts = data->facts();
    std::vector<const QueueModel*> models;
    for (const QueueSpec& kind : kinds) models.push_back(queues_.emplace_back(make_queue_model(kind, facts.instrument.lot_size)).get());
    const CrossedLevels crossed = spec_.mode == Mode::compat ? CrossedLevels::keep : CrossedLevels::purge;
    local_.push_back({.facts = facts.instrument, .book = {facts.lowest, facts.highest, crossed}, .trades = {}, .last_mid = {}});
    local_.back().trades.reserve(static_cast<std::size_t>(facts.trades));
    instruments_.push_back({.data = data,
                            .local = {*data, false, until_},
                            .exchange_side = {*data, true, until_},
                            .exchange = {facts.lowest, facts.highest, spec_.mode, models, groups}});
  }
}

void Engine::make_lanes() {
  lanes_.reserve(spec_.lanes.size());
  latencies_.reserve(spec_.lanes.size());
  for (const LaneSpec& lane : spec_.lanes) {
    const auto profile = inputs_.profiles.find(lane.latency.reaction.profile);
    latencies_.push_back(make_latency_model(lane.latency, profile == inputs_.profiles.end() ? nullptr : profile->second, spec_.seed));
    lanes_.emplace_back(inputs_.make_strategy(lane.strategy.value_or(spec_.strategy), local_.front().facts), *latencies_.back(),
                        lane.latency.reaction.service, local_, lane.fees, spec_.mode, spec_.record, !is_instant(lane.latency.reaction));
  }
  lanes_left_ = lanes_.size();
  feed_waiters_.reserve(lanes_.size());
  events_.reserve(lanes_.size() * (2 * local_.size() + 4));
  if (spec_.record.equity_every) {
    if (*spec_.record.equity_every <= Nanos{}) throw UsageError{"run spec: record: equity_every must be positive"};
    next_sample_ = start_;
    const auto points = static_cast<std::size_t>((until_ - start_) / *spec_.record.equity_every) + 2;
    paths_.assign(lanes_.size(), std::vector<std::vector<EquityPoint>>(local_.size()));
    for (auto& lane : paths_) {
      for (auto& path : lane) path.reserve(points);
    }
  }
}

Engine::NextRow Engine::next_row() const noexcept {
  NextRow next;
  for (std::size_t i = 0; i < instruments_.size(); ++i) {
    const Instrument& instrument = instruments_[i];
    if (instrument.local.at() < next.at) next = {.at = instrument.local.at(), .slot = Slot::local_data(i), .instrument = i};
    if (instrument.exchange_side.at() < next.at)
      next = {.at = instrument.exchange_side.at(), .slot = Slot::exchange_data(i), .instrument = i};
  }
  return next;
}

void Engine::play_row(const NextRow& next) {
  Instrument& instrument = instruments_[next.instrument];
  now_ = next.at;
  if (next.slot == Slot::local_data(next.instrument)) return see_locally(next.instrument);
  const std::int64_t row = instrument.exchange_side.row();
  const auto i = static_cast<std::size_t>(row);
  replying_instrument_ = next.instrument;
  instrument.exchange.on_row(instrument.data->kind()[i], {instrument.data->tick()[i]}, instrument.data->lots(row), now_, *this);
  instrument.exchange_side.advance();
}

void Engine::see_locally(std::size_t number) {
  Instrument& instrument = instruments_[number];
  LocalMarket& market = local_[number];
  const std::int64_t row = instrument.local.row();
  const auto i = static_cast<std::size_t>(row);
  const std::uint8_t kind = instrument.data->kind()[i];
  const PriceTicks tick{instrument.data->tick()[i]};
  const bool buy = (kind & EventFlags::buy) != 0;
  const bool sided = buy || (kind & EventFlags::sell) != 0;
  switch (kind_of(kind)) {
    case EventKind::depth:
    case EventKind::snapshot:
      if (sided) market.book.set(buy ? Side::buy : Side::sell, tick, instrument.data->lots(row));
      break;
    case EventKind::trade:
      market.trades.push_back({.exch_time = instrument.data->exch_time(row),
                               .local_time = now_,
                               .aggressor = buy ? Side::buy : Side::sell,
                               .price = tick,
                               .qty = instrument.data->lots(row)});
      break;
    case EventKind::clear:
    case EventKind::clear_all: market.book.clear_by(kind, tick); break;
    case EventKind::other:
    case EventKind::best_quote:
    case EventKind::add_order:
    case EventKind::cancel_order:
    case EventKind::modify_order:
    case EventKind::fill_order: break;
  }
  market.last_feed = {.exch_time = instrument.data->exch_time(row), .local_time = now_};
  instrument.local.advance();
  if (feed_waiters_.empty()) return;
  for (const std::uint32_t lane : feed_waiters_) {
    lanes_[lane].in_feed_list = false;
    if (!lanes_[lane].waiting.feed) continue;
    schedule(lane, lanes_[lane].trigger(WakeReason::feed, CauseKind::market_event, static_cast<std::uint64_t>(row),
                                        static_cast<std::uint32_t>(number), now_));
  }
  feed_waiters_.clear();
}

void Engine::reply(std::uint32_t number, const Order& order, const MessageKey& key, std::uint32_t nth, bool rejected) {
  Lane& lane = lanes_[number];
  MessageKey response_key = key;
  response_key.message = nth + 1;
  const Delay delay = lane.latency.delay(Hop::response, response_key, now_);
  MessageQueue& queue = lane.markets[replying_instrument_].responses;
  const bool was_empty = queue.empty();
  queue.push({.at = now_ + delay.duration, .key = response_key, .rejected = rejected, .order = order});
  if (was_empty) events_.push({.at = queue.front().at, .slot = Slot::responses(replying_instrument_), .lane = number, .serial = 0});
}

void Engine::abort(std::uint32_t number, std::int64_t error) {
  lanes_[number].error = error;
  end_lane(number);
}

void Engine::happen(const LaneEvent& event) {
  Lane& lane = lanes_[event.lane];
  if (lane.ended) return;
  if (event.slot == Slot::timers()) {
    if (event.serial != lane.serial || lane.run_pending) return;
    now_ = event.at;
    schedule(event.lane, lane.trigger(WakeReason::time, CauseKind::timer,
                                      static_cast<std::uint64_t>(lane.waiting.at->time_since_epoch().count()), 0, now_));
    return;
  }
  now_ = event.at;
  if (event.slot == Slot::strategies()) return run_strategy(event.lane);
  const std::size_t instrument = event.slot.value / 4;
  if (event.slot == Slot::responses(instrument)) return deliver_responses(event.lane, instrument);
  deliver_requests(event.lane, instrument);
}

void Engine::deliver_responses(std::uint32_t number, std::size_t instrument) {
  Lane& lane = lanes_[number];
  MessageQueue& queue = lane.markets[instrument].responses;
  while (!queue.empty() && queue.front().at == now_) {
    const Message message = queue.front();
    queue.pop();
    if (lane.deliver(instrument, message, now_)) {
      schedule(number, lane.trigger(WakeReason::response, CauseKind::response, message.order.id.value,
                                    static_cast<std::uint32_t>(instrument), now_));
    }
  }
  if (!queue.empty()) events_.push({.at = queue.front().at, .slot = Slot::responses(instrument), .lane = number, .serial = 0});
}

void Engine::deliver_requests(std::uint32_t number, std::size_t instrument) {
  Lane& lane = lanes_[number];
  MessageQueue& queue = lane.markets[instrument].requests;
  replying_instrument_ = instrument;
  while (!lane.ended && !queue.empty() && queue.front().at == now_) {
    const Message message = queue.front();
    queue.pop();
    instruments_[instrument].exchange.on_request(number, message, now_, *this);
  }
  if (!lane.ended && !queue.empty())
    events_.push({.at = queue.front().at, .slot = Slot::requests(instrument), .lane = number, .serial = 0});
}

void Engine::schedule(std::uint32_t number, std::optional<SimTime> run_at) {
  if (!run_at) return;
  events_.push({.at = *run_at, .slot = Slot::strategies(), .lane = number, .serial = lanes_[number].serial});
}

void Engine::run_strategy(std::uint32_t number) {
  Lane& lane = lanes_[number];
  if (spec_.mode == Mode::compat && nothing_comes(lane)) return end_lane(number);  // quirk Q12
  lane.wakes_at_now = lane.now() == now_ ? lane.wakes_at_now + 1 : 0;
  if (lane.wakes_at_now > most_wakes_at_once) {
    throw UsageError{"lane " + spec_.lanes[number].name + ": its strategy was woken " + std::to_string(most_wakes_at_once) +
                     " times at one instant, " + format_utc(WallTime{now_.time_since_epoch()}) +
                     ": it answers its own responses without time passing; give the wires or the strategy some time"};
  }
  const SimTime leaves = lane.run(now_);
  for (Lane::Outgoing& out : lane.outbox) {
    const Delay delay = lane.latency.delay(Hop::entry, out.key, leaves);
    LaneMarket& market = lane.markets[out.instrument];
    MessageQueue& queue = delay.rejected ? market.responses : market.requests;
    const bool was_empty = queue.empty();
    queue.push({.at = leaves + delay.duration, .key = out.key, .rejected = delay.rejected, .order = out.order});
    const Slot slot = delay.rejected ? Slot::responses(out.instrument) : Slot::requests(out.instrument);
    if (was_empty) events_.push({.at = queue.front().at, .slot = slot, .lane = number, .serial = 0});
  }
  lane.outbox.clear();
  wait_for(number);
}

void Engine::wait_for(std::uint32_t number) {
  Lane& lane = lanes_[number];
  if (lane.waiting.at)
    events_.push({.at = std::max(*lane.waiting.at, now_), .slot = Slot::timers(), .lane = number, .serial = lane.serial});
  if (lane.waiting.feed && !lane.in_feed_list) {
    lane.in_feed_list = true;
    feed_waiters_.push_back(number);
  }
}

/// True when no market data are left and nothing of this lane is on its way.
bool Engine::nothing_comes(const Lane& lane) const noexcept {
  if (next_row().at != never) return false;
  return std::all_of(lane.markets.begin(), lane.markets.end(),
                     [](const LaneMarket& market) { return market.requests.empty() && market.responses.empty(); });
}

void Engine::end_lane(std::uint32_t number) {
  Lane& lane = lanes_[number];
  if (lane.ended) return;
  lane.finish(spec_.mode == Mode::compat ? std::nullopt : std::optional{now_});
  for (Instrument& instrument : instruments_) instrument.exchange.forget(number);
  --lanes_left_;
}

void Engine::sample_until(SimTime now) {
  while (next_sample_ < now && next_sample_ <= until_) {
    sample();
    next_sample_ += *spec_.record.equity_every;
  }
}

void Engine::sample() {
  for (std::size_t i = 0; i < local_.size(); ++i) {
    LocalMarket& market = local_[i];
    const auto bid = market.book.best(Side::buy);
    const auto ask = market.book.best(Side::sell);
    double mid = 0;
    if (bid && ask) {
      mid = (static_cast<double>(bid->value) * market.facts.tick_size + static_cast<double>(ask->value) * market.facts.tick_size) / 2;
      market.last_mid = mid;
    }
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      const Account& account = lanes_[lane].markets[i].account;
      paths_[lane][i].push_back({.time = next_sample_,
                                 .mid = mid,
                                 .position = account.position(),
                                 .balance = account.balance(),
                                 .fee = account.fee(),
                                 .equity = account.equity(market.last_mid.value_or(0)),
                                 .trades = account.trades(),
                                 .volume = account.volume(),
                                 .value = account.value()});
    }
  }
}

void Engine::start_lanes() {
  now_ = start_;
  for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) {
    schedule(lane, lanes_[lane].trigger(WakeReason::start, CauseKind::start, 0, 0, start_));
  }
}

RunResult Engine::run(const RunProgress& progress) {
  std::int64_t total = 0;
  for (const Instrument& instrument : instruments_) total += 2 * instrument.data->rows();
  std::int64_t played = 0;  // rows
  std::int64_t done = 0;    // rows and lane events: what takes time
  constexpr std::int64_t between_reports = 1 << 18;

  // Rows before the start only build the books. At the start itself the strategies are called before any row (as the reference engine sets
  // its clock).
  for (NextRow next = next_row(); next.at < start_; next = next_row()) play_row(next);
  start_lanes();
  while (!events_.empty() && events_.top().at == start_ && events_.top().slot == Slot::strategies()) happen(events_.pop());

  while (lanes_left_ > 0) {
    const NextRow next = next_row();
    const bool lane_first = !events_.empty() && std::pair{events_.top().at, events_.top().slot} < std::pair{next.at, next.slot};
    const SimTime at = lane_first ? events_.top().at : next.at;
    if (at == never || (spec_.mode == Mode::strict && at > until_)) break;
    if (next_sample_ < at) sample_until(at);
    if (lane_first) {
      happen(events_.pop());
    } else {
      play_row(next);
      ++played;
    }
    if (++done % between_reports == 0 && progress && !progress(static_cast<double>(played) / static_cast<double>(total))) {
      throw Error{"backtest: stopped before the end of the data; nothing was written"};
    }
  }
  if (spec_.mode == Mode::strict) now_ = until_;
  for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) end_lane(lane);
  if (next_sample_ != never) sample_until(until_ + Nanos{1});
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
  result.spec_digest = digest_of(to_json(spec_).dump());
  result.code_version = code_version();
  result.start = start_;
  result.end = until_;
  for (const Instrument& instrument : instruments_) {
    result.data_fingerprints.push_back(instrument.data->facts().fingerprint);
    result.rows += instrument.data->rows();
  }
  Json identity = shared_identity();
  for (std::size_t number = 0; number < lanes_.size(); ++number) {
    const Lane& lane = lanes_[number];
    LaneResult& out = result.lanes.emplace_back();
    out.name = spec_.lanes[number].name;
    identity["lane"] = to_json(spec_.lanes[number]);
    out.lane_digest = digest_of(identity.dump());
    out.end = {.error = lane.error};
    out.counts = lane.counts;
    out.reaction = lane.reactions();
    out.fills = lane.fills;
    out.orders = lane.order_events;
    for (std::size_t i = 0; i < local_.size(); ++i) {
      const Account& account = lane.markets[i].account;
      const auto bid = local_[i].book.best(Side::buy);
      const auto ask = local_[i].book.best(Side::sell);
      const double tick = local_[i].facts.tick_size;
      const double mid = bid && ask ? (static_cast<double>(bid->value) * tick + static_cast<double>(ask->value) * tick) / 2
                                    : local_[i].last_mid.value_or(0);
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

RunResult run_backtest(const RunSpec& spec, const RunInputs& inputs, const RunProgress& progress) {
  Engine engine{spec, inputs};
  return engine.run(progress);
}

}  // namespace tailcost
