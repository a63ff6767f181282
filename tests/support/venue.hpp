#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "tailcost/backtest/exchange.hpp"

namespace tailcost::testing {

constexpr std::uint8_t row_kind(EventKind kind, Side side) noexcept {
  return static_cast<std::uint8_t>(static_cast<std::uint8_t>(kind) | EventFlags::exchange |
                                   (side == Side::buy ? EventFlags::buy : EventFlags::sell));
}
inline constexpr std::uint8_t bid_depth = row_kind(EventKind::depth, Side::buy);
inline constexpr std::uint8_t ask_depth = row_kind(EventKind::depth, Side::sell);
inline constexpr std::uint8_t buy_trade = row_kind(EventKind::trade, Side::buy);
inline constexpr std::uint8_t sell_trade = row_kind(EventKind::trade, Side::sell);

/// What a test's exchange is made of; prices 90 to 110.
struct VenueRules {
  Mode mode{Mode::strict};
  FillRule fill{FillRule::whole_order};
  QueueSpec queue{};
  SelfTrade self_trade{SelfTrade::ignore};
  std::vector<std::pair<Quirk, bool>> quirks{};  ///< Switched against the mode.
  bool l3{false};
};

/// An exchange with book 100 x 10 / 102 x 10 (L2) or an empty one (L3) and two lanes, whose replies are kept. Every call is a nanosecond
/// later.
struct Venue final : ExchangeReplies {
  struct Reply {
    std::uint32_t lane;
    Order order;
    ReplyKind kind;
  };
  std::unique_ptr<QueueModel> model;
  std::array<const QueueModel*, 1> models;
  std::array<Exchange::LaneSetup, 2> lanes;
  Exchange exchange;
  std::vector<Reply> replies;
  std::int64_t error = 0;
  std::int64_t clock = 0;

  explicit Venue(const VenueRules& rules = {})
      : model{make_queue_model(rules.queue, 1)},
        models{model.get()},
        lanes{Exchange::LaneSetup{.queue_group = 0, .fill = rules.fill, .self_trade = rules.self_trade},
              Exchange::LaneSetup{.queue_group = 0, .fill = rules.fill, .self_trade = rules.self_trade}},
        exchange{setup(rules), models, lanes} {
    if (rules.l3) return;
    row(bid_depth, 100, 10);
    row(ask_depth, 102, 10);
  }
  explicit Venue(Mode mode) : Venue{VenueRules{.mode = mode}} {}

  void reply(std::uint32_t lane, const Order& order, const MessageKey&, std::uint32_t, ReplyKind kind, SimTime) override {
    replies.push_back({lane, order, kind});
  }
  void abort(std::uint32_t, std::int64_t code, SimTime) override { error = code; }

  void row(std::uint8_t kind, std::int64_t tick, std::int64_t qty, std::uint64_t order_id = 0) {
    exchange.on_row({.exch_time = now(), .local_time = {}, .order_id = order_id, .price = {tick}, .qty = {qty}, .kind = kind}, clock,
                    *this);
  }
  void send(Request request, const Order& order, std::uint32_t lane = 0) {
    exchange.on_request(lane, {.at = {}, .key = {.request = request}, .kind = ReplyKind::answer, .order = order}, now(), *this);
  }
  const Order& last() const { return replies.back().order; }
  SimTime now() { return SimTime{Nanos{++clock}}; }

 private:
  static ExchangeSetup setup(const VenueRules& rules) {
    Quirks quirks{rules.mode};
    for (const auto& [quirk, on] : rules.quirks) quirks.set(quirk, on);
    return {.ladder = PriceLadder{PriceTicks{90}, PriceTicks{110}},
            .mode = rules.mode,
            .quirks = quirks,
            .book = {.crossed = quirks.has(Quirk::stale_levels) ? CrossedLevels::keep
                                : rules.l3                      ? CrossedLevels::show
                                                                : CrossedLevels::purge,
                     .clear_skips_a_level = quirks.has(Quirk::clear_offbyone)},
            .l3 = rules.l3};
  }
};

inline Order new_order(std::uint64_t id, Side side, std::int64_t price, std::int64_t qty, TimeInForce tif = TimeInForce::gtc,
                       OrderType type = OrderType::limit) {
  return {.id = {id}, .side = side, .type = type, .time_in_force = tif, .price = {price}, .qty = {qty}, .leaves = {qty}};
}

}  // namespace tailcost::testing
