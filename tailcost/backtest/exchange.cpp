#include "tailcost/backtest/exchange.hpp"

#include <limits>

namespace tailcost {
namespace {

constexpr std::int64_t error_id_exists = 10;

constexpr bool is_better(Side side, PriceTicks a, PriceTicks b) noexcept {
  return side == Side::buy ? a > b : a < b;
}

void execute(Order& order, PriceTicks price, bool maker, SimTime now) noexcept {
  order.executed = order.leaves;
  order.executed_price = price;
  order.leaves = {};
  order.maker = maker;
  order.status = OrderStatus::filled;
  order.at_exchange = now;
}

}  // namespace

Exchange::Exchange(PriceTicks lowest, PriceTicks highest, Mode mode, std::span<const QueueModel* const> models,
                   std::span<const LaneSetup> lanes)
    : book_{lowest, highest, mode == Mode::compat ? CrossedLevels::keep : CrossedLevels::purge}, mode_{mode} {
  groups_.reserve(models.size());
  for (const QueueModel* model : models) groups_.push_back({.model = model, .buys = {lowest, highest}, .sells = {lowest, highest}});
  lanes_.reserve(lanes.size());
  for (const LaneSetup& lane : lanes) {
    lanes_.push_back({.orders = {}, .group = lane.queue_group});
    lanes_.back().orders.reserve(32);
  }
}

void Exchange::on_row(std::uint8_t kind, PriceTicks tick, QtyLots qty, SimTime now, ExchangeReplies& replies) {
  const bool buy = (kind & EventFlags::buy) != 0;
  const bool sell = (kind & EventFlags::sell) != 0;
  switch (kind_of(kind)) {
    case EventKind::depth:
    case EventKind::snapshot:
      if (buy || sell) on_depth(buy ? Side::buy : Side::sell, tick, qty, now, replies);
      break;
    case EventKind::trade:
      if (buy || sell) on_trade(buy ? Side::buy : Side::sell, tick, qty, now, replies);
      break;
    case EventKind::clear:
    case EventKind::clear_all: book_.clear_by(kind, tick); break;
    case EventKind::other:
    case EventKind::best_quote:
    case EventKind::add_order:
    case EventKind::cancel_order:
    case EventKind::modify_order:
    case EventKind::fill_order: break;
  }
}

void Exchange::on_depth(Side side, PriceTicks tick, QtyLots qty, SimTime now, ExchangeReplies& replies) {
  const DepthChange change = book_.set(side, tick, qty);
  for (Group& group : groups_) {
    if (RestingOrders::Level* level = group.half(side).at(tick)) group.model->on_depth(level->positions, change.before, change.after);
  }
  if (!change.best_after || (change.best_before && !is_better(side, *change.best_after, *change.best_before))) return;
  const PriceTicks best = *change.best_after;
  const std::int64_t ticks = change.best_before ? sign(side) * (best.value - change.best_before->value) : 0;
  for (Group& group : groups_) fill_through(group, opposite(side), best, true, {.from = change.best_before, .ticks = ticks}, now, replies);
}

void Exchange::on_trade(Side aggressor, PriceTicks tick, QtyLots qty, SimTime now, ExchangeReplies& replies) {
  const Side side = opposite(aggressor);  // of the resting orders that may be reached
  const std::optional<PriceTicks> other_best = book_.best(aggressor);
  const Scan scan{.from = other_best, .ticks = other_best ? sign(aggressor) * (tick.value - other_best->value) : 0};
  if (mode_ == Mode::compat && other_best && scan.ticks <= 0) return;
  for (Group& group : groups_) {
    fill_through(group, side, tick, false, scan, now, replies);
    RestingOrders::Level* level = group.half(side).at(tick);
    if (level == nullptr) continue;
    group.model->on_trade(level->positions, qty);
    for (std::size_t place = 0; place < level->orders.size(); ++place) {
      if (level->orders[place].live && passed_by_trades(level->positions[place]).value > 0) fill_resting(*level, place, now, replies);
    }
    group.half(side).close_up(*level);
  }
}

bool Exchange::is_scanned(const Scan& scan, Side side, PriceTicks tick, std::uint32_t lane) const noexcept {
  if (mode_ == Mode::strict || !scan.from) return true;
  if (static_cast<std::int64_t>(lanes_[lane].orders.size()) < scan.ticks) return true;
  return side == Side::sell ? tick > *scan.from : tick < *scan.from;
}

void Exchange::fill_through(Group& group, Side side, PriceTicks limit, bool at_limit_too, const Scan& scan, SimTime now,
                            ExchangeReplies& replies) {
  RestingOrders& resting = group.half(side);
  const TickSet& ticks = resting.ticks();
  if (ticks.empty()) return;
  constexpr PriceTicks lowest{std::numeric_limits<std::int64_t>::min()};
  constexpr PriceTicks highest{std::numeric_limits<std::int64_t>::max()};
  const auto next = [&](std::optional<PriceTicks> after) {  // the best own price first, then away from it
    if (side == Side::buy) return ticks.at_or_below(after ? PriceTicks{after->value - 1} : highest);
    return ticks.at_or_above(after ? PriceTicks{after->value + 1} : lowest);
  };
  for (auto tick = next(std::nullopt); tick && (is_better(side, *tick, limit) || (at_limit_too && *tick == limit)); tick = next(tick)) {
    RestingOrders::Level* level = resting.at(*tick);
    for (std::size_t place = 0; place < level->orders.size(); ++place) {
      if (level->orders[place].live && is_scanned(scan, side, *tick, level->orders[place].lane)) fill_resting(*level, place, now, replies);
    }
    resting.close_up(*level);
  }
}

void Exchange::fill_resting(RestingOrders::Level& level, std::size_t place, SimTime now, ExchangeReplies& replies) {
  const RestingOrder resting = level.orders[place];
  level.orders[place].live = false;
  --level.live;
  Lane& lane = lanes_[resting.lane];
  ExchangeOrder* found = lane.orders.find(resting.id);
  TAILCOST_ASSERT(found != nullptr);
  execute(found->order, found->order.price, true, now);
  const ExchangeOrder filled = *found;
  lane.orders.erase(resting.id);
  replies.reply(resting.lane, filled.order, filled.key, filled.replies, false);
}

void Exchange::on_request(std::uint32_t lane, const Message& request, SimTime now, ExchangeReplies& replies) {
  switch (request.key.request) {
    case Request::submit: {
      ExchangeOrder order{.order = request.order, .key = request.key};
      order.order.request = Request::none;
      if (lanes_[lane].orders.find(order.order.id) == nullptr) {
        submit(lane, order, now, replies);
      } else if (mode_ == Mode::compat) {
        replies.abort(lane, error_id_exists);
      } else {
        reject(lane, request, now, replies);
      }
      break;
    }
    case Request::modify: modify(lane, request, now, replies); break;
    case Request::cancel: cancel(lane, request, now, replies); break;
    case Request::none: TAILCOST_ASSERT(false);
  }
}

void Exchange::reject(std::uint32_t lane, const Message& request, SimTime now, ExchangeReplies& replies) {
  Order order = request.order;
  order.at_exchange = now;
  replies.reply(lane, order, request.key, 0, true);
}

/// Executes or expires an order that does not rest; true when it is done with.
bool Exchange::take(Order& order, SimTime now) const noexcept {
  const std::optional<PriceTicks> touch = book_.best(opposite(order.side));
  const bool expires_unfilled = order.time_in_force == TimeInForce::ioc || order.time_in_force == TimeInForce::fok;
  const bool marketable = order.type == OrderType::market || (touch && !is_better(order.side, *touch, order.price));
  order.at_exchange = now;
  if (!marketable && !expires_unfilled) return false;
  const bool post_only = order.type == OrderType::limit && order.time_in_force == TimeInForce::gtx;
  if (!marketable || post_only || (!touch && mode_ == Mode::strict)) {
    order.status = OrderStatus::expired;
    return true;
  }
  constexpr PriceTicks no_ask{std::numeric_limits<std::int64_t>::max()};  // quirk Q9: an empty book still executes market orders
  constexpr PriceTicks no_bid{std::numeric_limits<std::int64_t>::min()};
  execute(order, touch.value_or(order.side == Side::buy ? no_ask : no_bid), false, now);
  return true;
}

void Exchange::submit(std::uint32_t lane, ExchangeOrder order, SimTime now, ExchangeReplies& replies) {
  Lane& own = lanes_[lane];
  if (!take(order.order, now)) {
    order.order.status = OrderStatus::active;
    const auto ahead = static_cast<double>(book_.qty(order.order.side, order.order.price).value);
    groups_[own.group].half(order.order.side).add(order.order.price, lane, order.order.id, {.ahead = ahead, .traded = 0});
    ExchangeOrder resting = order;
    ++resting.replies;
    own.orders.insert(resting);
  }
  replies.reply(lane, order.order, order.key, order.replies, false);
}

void Exchange::modify(std::uint32_t lane, const Message& request, SimTime now, ExchangeReplies& replies) {
  Lane& own = lanes_[lane];
  ExchangeOrder* found = own.orders.find(request.order.id);
  if (found == nullptr) return reject(lane, request, now, replies);
  if (request.order.price == found->order.price && request.order.qty <= found->order.leaves) {
    found->order.qty = request.order.qty;
    found->order.leaves = request.order.qty;
    found->order.status = OrderStatus::active;
    found->order.at_exchange = now;
    replies.reply(lane, found->order, request.key, 0, false);
    return;
  }
  groups_[own.group].half(found->order.side).remove(found->order.price, lane, found->order.id);
  own.orders.erase(request.order.id);
  ExchangeOrder moved{.order = request.order, .key = request.key};
  moved.order.request = Request::none;
  if (mode_ == Mode::strict) moved.order.leaves = moved.order.qty;  // quirk Q5: the old remainder
  submit(lane, moved, now, replies);
}

void Exchange::cancel(std::uint32_t lane, const Message& request, SimTime now, ExchangeReplies& replies) {
  Lane& own = lanes_[lane];
  ExchangeOrder* found = own.orders.find(request.order.id);
  if (found == nullptr) return reject(lane, request, now, replies);
  groups_[own.group].half(found->order.side).remove(found->order.price, lane, found->order.id);
  Order canceled = found->order;
  own.orders.erase(request.order.id);
  canceled.status = OrderStatus::canceled;
  canceled.at_exchange = now;
  replies.reply(lane, canceled, request.key, 0, false);
}

void Exchange::forget(std::uint32_t lane) noexcept {
  Lane& own = lanes_[lane];
  for (const ExchangeOrder& item : own.orders.items()) {
    groups_[own.group].half(item.order.side).remove(item.order.price, lane, item.order.id);
  }
  own.orders.erase_if([](const ExchangeOrder&) { return true; });
}

}  // namespace tailcost
