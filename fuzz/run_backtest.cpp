#include "tailcost/backtest/backtest.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "fuzz/fuzz_test.hpp"
#include "fuzz/scratch.hpp"
#include "tailcost/core/assert.hpp"
#include "tailcost/core/error.hpp"

using namespace tailcost;

namespace {

/// Bytes one after the other; zeros once they are used up.
class Bytes {
 public:
  explicit Bytes(std::span<const std::byte> left) : left_{left} {}
  bool empty() const noexcept { return left_.empty(); }
  std::uint8_t next() noexcept {
    if (left_.empty()) return 0;
    const auto byte = std::to_integer<std::uint8_t>(left_.front());
    left_ = left_.subspan(1);
    return byte;
  }
  std::size_t below(std::size_t bound) noexcept { return next() % bound; }
  /// Small around `middle`, and now and then something at the end of the range.
  std::int64_t number(std::int64_t middle, std::int64_t lowest, std::int64_t highest) noexcept {
    const std::uint8_t byte = next();
    if (byte == 255) return highest;
    if (byte == 254) return lowest;
    if (byte == 253) return highest / 2 + 1;
    return middle + byte % 16 - 8;
  }
  std::span<const std::byte> take(std::size_t count) noexcept {
    const auto taken = left_.first(std::min(count, left_.size()));
    left_ = left_.subspan(taken.size());
    return taken;
  }

 private:
  std::span<const std::byte> left_;
};

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

/// Does what its bytes say at each wake, whether or not it makes sense; also at the end.
class Unruly final : public Strategy {
 public:
  explicit Unruly(std::span<const std::byte> script) : bytes_{script} {}

  Wake on_wake(const View& view, Orders& orders) override {
    if (--wakes_left_ < 0) return {};  // a message may be a day on its way, and compat waits for it
    for (std::size_t calls = bytes_.below(4); calls > 0; --calls) act(view, orders);
    const std::int64_t wait = bytes_.number(12, -5, most / 2);
    switch (bytes_.below(5)) {
      case 0: return {.at = view.now() + Nanos{wait}, .feed = true};
      case 1: return {.at = view.now() + Nanos{wait}, .any_response = true};
      case 2: return {.at = SimTime{Nanos{bytes_.number(1000, least, most)}}, .feed = true};
      case 3: return {.at = view.now() + Nanos{wait}, .response = id()};
      default: return {.at = view.now() + Nanos{1 + std::abs(wait)}};
    }
  }

 private:
  OrderId id() noexcept {
    const std::uint8_t byte = bytes_.next();
    return OrderId{byte == 255 ? std::numeric_limits<std::uint64_t>::max() : byte % 8U};
  }

  void act(const View& view, Orders& orders) {
    const std::size_t instrument = bytes_.next() == 255 ? most : bytes_.below(view.instruments());
    const OrderId which = id();
    switch (bytes_.below(6)) {
      case 0: orders.cancel(which, instrument); break;
      case 1: orders.modify(which, {bytes_.number(100, least, most)}, {bytes_.number(12, least, most)}, instrument); break;
      case 2: orders.clear_inactive(instrument); break;
      default: {
        OrderRequest request{.side = bytes_.below(2) == 0 ? Side::buy : Side::sell,
                             .price = {bytes_.number(100, least, most)},
                             .qty = {bytes_.number(12, least, std::int64_t{1} << 53)},
                             .time_in_force = static_cast<TimeInForce>(bytes_.below(4)),
                             .type = bytes_.below(6) == 0 ? OrderType::market : OrderType::limit,
                             .instrument = instrument};
        if (bytes_.below(3) > 0) request.id = which;
        orders.submit(request);
      }
    }
  }

  Bytes bytes_;
  int wakes_left_{500};
};

Dataset written_market(const fuzz::Scratch& scratch, const char* name, Bytes bytes) {
  constexpr std::array kinds{EventKind::depth,      EventKind::depth,     EventKind::depth,        EventKind::trade,
                             EventKind::snapshot,   EventKind::clear,     EventKind::clear_all,    EventKind::add_order,
                             EventKind::add_order,  EventKind::add_order, EventKind::cancel_order, EventKind::modify_order,
                             EventKind::fill_order, EventKind::other};
  DatasetWriter writer{scratch.path() / name, {.symbol = name, .currency = "USD", .tick_size = 1, .lot_size = 1}, "made by a fuzzer"};
  std::int64_t exch = 1000;
  std::int64_t local = 1000;
  while (!bytes.empty()) {
    const EventKind kind = kinds[bytes.below(kinds.size())];
    const std::uint8_t flags = bytes.next();
    exch += flags % 4 == 3 ? 20 : flags % 4;
    local = std::max(local, exch + static_cast<std::int64_t>(flags / 4 % 4) * 5 - 5);
    const std::size_t seen = flags / 16 % 8;
    const std::uint8_t clocks = seen == 0 ? EventFlags::exchange : seen == 1 ? EventFlags::local : EventFlags::exchange | EventFlags::local;
    const std::size_t sides = bytes.below(8);
    const std::uint8_t side = sides == 7 ? 0 : sides % 2 == 0 ? EventFlags::buy : EventFlags::sell;
    writer.add({.exch_time = SimTime{Nanos{exch}},
                .local_time = SimTime{Nanos{local}},
                .order_id = bytes.below(12),
                .price = {bytes.number(100, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max())},
                .qty = {std::max<std::int64_t>(0, bytes.number(10, 0, most))},
                .kind = static_cast<std::uint8_t>(static_cast<std::uint8_t>(kind) | clocks | side)});
  }
  writer.finish();
  return Dataset{scratch.path() / name};
}

RunSpec chosen_spec(Bytes& bytes, std::size_t instruments) {
  RunSpec spec;
  spec.mode = bytes.below(2) == 0 ? Mode::strict : Mode::compat;
  for (std::size_t i = 0; i < instruments; ++i) spec.datasets.push_back("fuzz");
  if (bytes.below(3) == 0) spec.quirks[static_cast<Quirk>(bytes.below(quirk_count))] = bytes.below(2) == 0;
  if (bytes.below(8) == 0) spec.start = SimTime{Nanos{bytes.number(1010, least, most)}};
  if (bytes.below(8) == 0) spec.until = SimTime{Nanos{bytes.number(1040, least, most)}};
  spec.record = {.equity_every = std::nullopt, .fills = true, .orders = true};
  if (bytes.below(4) == 0) spec.record.equity_every = Nanos{bytes.number(9, least, most)};
  const std::size_t lanes = 1 + (bytes.next() == 255 ? 70 : bytes.below(4));
  for (std::size_t number = 0; number < lanes; ++number) {
    LaneSpec& lane = spec.lanes.emplace_back();
    lane.name = std::to_string(number);
    lane.strategy = StrategySpec{.name = "unruly", .parameters = {{"lane", number}}};
    lane.latency.entry = Nanos{bytes.number(8, -20, 86'400'000'000'000)};
    lane.latency.response = Nanos{bytes.number(8, 0, 86'400'000'000'000)};
    lane.queue.kind = static_cast<QueueKind>(bytes.below(7));
    if (bytes.below(2) == 0) lane.fill = static_cast<FillRule>(bytes.below(2));
    lane.self_trade = static_cast<SelfTrade>(bytes.below(4));
    lane.latency.reaction.service = Nanos{static_cast<std::int64_t>(bytes.below(3))};
  }
  return spec;
}

/// No fill is empty, none is more than its order asked for at last, and money is that of the fills.
void check_lane(const LaneResult& lane, const RunSpec& spec) {
  std::map<std::uint32_t, double> position;
  for (const Fill& fill : lane.fills) {
    TAILCOST_ASSERT(fill.qty > QtyLots{0});
    TAILCOST_ASSERT(fill.local_time >= fill.exch_time);
    position[fill.instrument] += static_cast<double>(sign(fill.side)) * static_cast<double>(fill.qty.value);
  }
  if (spec.mode == Mode::compat) return;
  for (std::uint32_t i = 0; i < lane.instruments.size(); ++i) {
    const double size = std::max(1.0, lane.instruments[i].volume);
    TAILCOST_ASSERT(std::abs(lane.instruments[i].position - position[i]) <= 1e-12 * size);
  }
}

}  // namespace

/// A spec, one or two small markets and what a strategy does at each wake, in that order. A run must end well or in an Error, give each
/// lane the bytes that it gives alone, and book what it says was filled.
TAILCOST_FUZZ_TEST(run_backtest, bytes) {
  static const fuzz::Scratch scratch{"run_backtest"};
  Bytes all{bytes};
  const std::size_t instruments = 1 + all.below(2);
  Bytes head{all.take(48)};
  const RunSpec spec = chosen_spec(head, instruments);
  const std::size_t of_market = all.next();
  try {
    std::vector<Dataset> markets;
    RunInputs inputs;
    for (std::size_t i = 0; i < instruments; ++i)
      markets.push_back(written_market(scratch, i == 0 ? "one" : "two", Bytes{all.take(6 * of_market)}));
    for (const Dataset& market : markets) inputs.datasets.push_back(&market);
    const std::span<const std::byte> script = all.take(4096);
    inputs.make_strategy = [&](const StrategySpec& strategy, const InstrumentFacts&) -> std::unique_ptr<Strategy> {
      const auto lane = strategy.parameters["lane"].get<std::size_t>();
      return std::make_unique<Unruly>(script.subspan(std::min(lane * 3, script.size())));
    };
    const RunResult together = run_backtest(spec, inputs);
    for (std::size_t lane = 0; lane < spec.lanes.size(); lane += 1 + spec.lanes.size() / 4) {
      check_lane(together.lanes[lane], spec);
      RunSpec alone = spec;
      alone.lanes = {spec.lanes[lane]};
      TAILCOST_ASSERT(to_json(run_backtest(alone, inputs).lanes.front()).dump() == to_json(together.lanes[lane]).dump());
    }
  } catch (const Error&) {
  }
}
