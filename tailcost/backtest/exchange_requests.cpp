// What the exchange does with requests: arriving orders take, rest or expire.

#include <algorithm>
#include <limits>

#include "tailcost/backtest/exchange.hpp"

namespace tailcost {
namespace {

constexpr std::int64_t market_order_ticks = 100;  ///< How far the reference engine's market order looks.

bool is_immediate(const Order& order) noexcept {
  return order.type == OrderType::market || order.time_in_force == TimeInForce::ioc || order.time_in_force == TimeInForce::fok;
}

/// Whether an order would trade against `price` on the other side.
bool reaches(const Order& order, PriceTicks price) noexcept {
  return order.type == OrderType::market || !is_better(order.side, price, order.price);
}

}  // namespace

/// False where the reference engine refuses because the order is done already: the lane is aborted.
bool Exchange::execute(std::uint32_t lane, Order& order, QtyLots qty, PriceTicks price, bool maker, SimTime now,
                       ExchangeReplies& replies) noexcept {
  if (order.is_inactive()) {
    replies.abort(lane, EngineError::invalid_status, now);
    replied_ = true;
    return false;
  }
  order.executed = qty;
  order.executed_price = price;
  order.leaves -= qty;
  order.maker = maker;
  order.status = order.leaves.value > 0 ? OrderStatus::partially_filled : OrderStatus::filled;
  order.at_exchange = now;
  return true;
}

void Exchange::answer(std::uint32_t lane, ExchangeOrder& item, ReplyKind kind, SimTime now, ExchangeReplies& replies) {
  replies.reply(lane, item.order, item.key, item.replies++, kind, now);
  replied_ = true;
}

void Exchange::expire(std::uint32_t lane, ExchangeOrder& item, SimTime now, ExchangeReplies& replies) {
  item.order.status = OrderStatus::expired;
  item.order.at_exchange = now;
  answer(lane, item, ReplyKind::answer, now, replies);
}

void Exchange::reject(std::uint32_t lane, const Message& request, SimTime now, ExchangeReplies& replies) {
  ExchangeOrder refused{.order = request.order, .key = request.key};
  refused.order.at_exchange = now;
  answer(lane, refused, ReplyKind::rejection, now, replies);
}

void Exchange::on_request(std::uint32_t lane, const Message& request, SimTime now, ExchangeReplies& replies) {
  switch (request.key.request) {
    case Request::submit: {
      ExchangeOrder item{.order = request.order, .key = request.key};
      item.order.request = Request::none;
      if (lanes_[lane].orders.find(item.order.id) == nullptr) {
        submit(lane, item, now, replies);
      } else if (mode_ == Mode::compat) {
        replies.abort(lane, EngineError::id_exists, now);
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

void Exchange::submit(std::uint32_t lane, ExchangeOrder& item, SimTime now, ExchangeReplies& replies) {
  if (meets_itself(lane, item, now, replies) || take(lane, item, now, replies)) return;
  const bool told = item.order.status == OrderStatus::partially_filled && item.replies > 0;
  if (!told) {
    item.order.status = OrderStatus::active;
    item.order.at_exchange = now;
    answer(lane, item, ReplyKind::answer, now, replies);
  }
  rest(lane, item);
}

void Exchange::rest(std::uint32_t lane, const ExchangeOrder& item) {
  Lane& own = lanes_[lane];
  const Order& order = item.order;
  ExchangeOrder& resting = own.orders.insert(item);
  resting.arrival = ++arrivals_;
  resting.leaves_qty = static_cast<double>(order.leaves.value) * lot_size_;
  const bool is_known = book_.is_kept(order.price);  // the reference engine knows no queue outside its book's range
  const double ahead = is_known ? static_cast<double>(book_.qty(order.side, order.price).value) : std::numeric_limits<double>::quiet_NaN();
  groups_[own.setup.queue_group]
      .half(order.side)
      .add(order.price, {.lane = lane, .live = true, .id = order.id, .arrival = resting.arrival}, {.ahead = ahead, .traded = 0});
  ++resting_;
  watch(order.side, order.price);
}

/// Takes an order out of the queues and the lane's table.
void Exchange::leave(std::uint32_t lane, const ExchangeOrder& item) noexcept {
  Lane& own = lanes_[lane];
  const Order order = item.order;
  if (groups_[own.setup.queue_group].half(order.side).remove(order.price, item.arrival)) unwatch(order.side, order.price);
  own.orders.erase(order.id);
  --resting_;
}

/// Expires what the lane's rule for self-trades says; true when the arriving order is among it.
bool Exchange::meets_itself(std::uint32_t lane, ExchangeOrder& item, SimTime now, ExchangeReplies& replies) {
  Lane& own = lanes_[lane];
  if (own.setup.self_trade == SelfTrade::ignore) return false;
  std::vector<ExchangeOrder> met;
  for (const ExchangeOrder& resting : own.orders.items()) {
    if (resting.order.side != item.order.side && reaches(item.order, resting.order.price)) met.push_back(resting);
  }
  if (met.empty()) return false;
  if (own.setup.self_trade != SelfTrade::expire_taker) {
    for (ExchangeOrder& resting : met) {
      leave(lane, resting);
      expire(lane, resting, now, replies);
    }
  }
  if (own.setup.self_trade == SelfTrade::expire_maker) return false;
  expire(lane, item, now, replies);
  return true;
}

/// Lets an arriving order trade or expire; false when it rests, with what is left of it.
bool Exchange::take(std::uint32_t lane, ExchangeOrder& item, SimTime now, ExchangeReplies& replies) {
  Order& order = item.order;
  const std::optional<PriceTicks> touch = book_.best(opposite(order.side));
  const bool is_market = order.type == OrderType::market;
  if (!is_market && (!touch || !reaches(order, *touch))) {
    if (!is_immediate(order)) return false;
    expire(lane, item, now, replies);
    return true;
  }
  if (!is_market && order.time_in_force == TimeInForce::gtx) {
    expire(lane, item, now, replies);
    return true;
  }
  const bool walks = lanes_[lane].setup.fill == FillRule::traded_quantity;
  if (touch) return walks ? walk(lane, item, *touch, now, replies) : take_whole(lane, item, *touch, now, replies);
  if (walks && mode_ == Mode::compat) {  // the reference engine finds no level to walk
    expire(lane, item, now, replies);
    return true;
  }
  if (!walks && quirks_.has(Quirk::empty_book_market_order)) {
    constexpr PriceTicks no_ask{std::numeric_limits<std::int64_t>::max()};
    constexpr PriceTicks no_bid{std::numeric_limits<std::int64_t>::min()};
    return take_whole(lane, item, order.side == Side::buy ? no_ask : no_bid, now, replies);
  }
  order.at_exchange = now;
  answer(lane, item, ReplyKind::rejection, now, replies);
  return true;
}

bool Exchange::take_whole(std::uint32_t lane, ExchangeOrder& item, PriceTicks price, SimTime now, ExchangeReplies& replies) {
  if (execute(lane, item.order, item.order.leaves, price, false, now, replies)) answer(lane, item, ReplyKind::execution, now, replies);
  return true;
}

/// The last price that a taker walks to.
PriceTicks Exchange::walk_end(const Order& order, PriceTicks touch) const noexcept {
  if (order.type == OrderType::limit) return order.price;
  if (mode_ == Mode::strict) return order.side == Side::buy ? book_.ladder().highest() : book_.ladder().lowest();
  return {order.side == Side::buy ? touch.value + market_order_ticks - 1 : touch.value - market_order_ticks};
}

/// strict: these displayed lots are not there for the lane again.
void Exchange::note_had(std::uint32_t lane, Side side, PriceTicks tick, QtyLots qty) {
  const auto may_return = [&](Side of, PriceTicks level) {
    return std::ranges::any_of(cleared_, [&](const ClearedLevel& was) { return was.side == of && was.tick == level; });
  };
  taken_.make_room([&](Side of, PriceTicks level) { return book_.qty(of, level).value == 0 && !may_return(of, level); });
  taken_.add(lane, side, tick, qty);
}

/// Takes the displayed levels in turn, as far as the order's price allows.
bool Exchange::walk(std::uint32_t lane, ExchangeOrder& item, PriceTicks touch, SimTime now, ExchangeReplies& replies) {
  Order& order = item.order;
  const Side other = opposite(order.side);
  const bool reference = mode_ == Mode::compat;
  const PriceTicks end = walk_end(order, touch);
  const auto available = [&](PriceTicks tick) { return book_.qty(other, tick) - (reference ? QtyLots{} : taken_.of(lane, other, tick)); };
  const auto is_within = [&](std::optional<PriceTicks> tick) { return tick && !is_better(order.side, *tick, end); };
  const bool dumps_rest = reference && !is_immediate(order);  // the reference engine fills the rest at the limit price
  if (order.type == OrderType::limit && order.time_in_force == TimeInForce::fok) {
    QtyLots sum;
    for (std::optional tick{touch}; is_within(tick) && sum < order.leaves; tick = book_.next(other, *tick)) {
      sum += std::min(available(*tick), order.leaves - sum);
    }
    if (sum < order.leaves) {
      expire(lane, item, now, replies);
      return true;
    }
  }
  bool untold = false;
  const auto trade = [&](PriceTicks tick, QtyLots qty) {
    if (!execute(lane, order, qty, tick, false, now, replies)) return false;
    untold = quirks_.has(Quirk::sweep_last_level_only);
    if (!untold) answer(lane, item, ReplyKind::execution, now, replies);
    return true;
  };
  for (std::optional tick{touch}; is_within(tick) && order.leaves.value > 0; tick = book_.next(other, *tick)) {
    if (dumps_rest && order.side == Side::buy && *tick == end) break;  // its sells walk their own limit too
    const QtyLots got = std::min(available(*tick), order.leaves);
    if (got.value <= 0) continue;
    if (!trade(*tick, got)) return true;
    if (!reference) note_had(lane, other, *tick, got);
  }
  if (dumps_rest && order.leaves.value > 0 && !trade(order.price, order.leaves)) return true;
  const bool expires = order.leaves.value > 0 && is_immediate(order);
  if (untold && !(expires && quirks_.has(Quirk::ioc_partial_lost))) answer(lane, item, ReplyKind::execution, now, replies);
  if (expires) expire(lane, item, now, replies);
  return expires || order.leaves.value == 0;
}

void Exchange::modify(std::uint32_t lane, const Message& request, SimTime now, ExchangeReplies& replies) {
  Lane& own = lanes_[lane];
  ExchangeOrder* found = own.orders.find(request.order.id);
  if (found == nullptr) return reject(lane, request, now, replies);
  if (request.order.price == found->order.price && request.order.qty <= found->order.leaves) {
    found->order.qty = request.order.qty;
    found->order.leaves = request.order.qty;
    found->leaves_qty = static_cast<double>(request.order.qty.value) * lot_size_;
    found->order.status = OrderStatus::active;
    found->order.at_exchange = now;
    ExchangeOrder changed{.order = found->order, .key = request.key};
    return answer(lane, changed, ReplyKind::answer, now, replies);
  }
  leave(lane, *found);
  ExchangeOrder moved{.order = request.order, .key = request.key};
  moved.order.request = Request::none;
  const bool keeps_stale_leaves = quirks_.has(Quirk::modify_stale_leaves) && !feed_orders_;
  if (!keeps_stale_leaves) moved.order.leaves = moved.order.qty;
  if (feed_orders_ && quirks_.has(Quirk::l3_modify_may_cross)) {
    moved.order.status = OrderStatus::active;
    moved.order.at_exchange = now;
    answer(lane, moved, ReplyKind::answer, now, replies);
    return rest(lane, moved);
  }
  if (mode_ == Mode::strict) moved.order.status = OrderStatus::none;
  submit(lane, moved, now, replies);
}

void Exchange::cancel(std::uint32_t lane, const Message& request, SimTime now, ExchangeReplies& replies) {
  const ExchangeOrder* found = lanes_[lane].orders.find(request.order.id);
  if (found == nullptr) return reject(lane, request, now, replies);
  ExchangeOrder canceled = *found;
  leave(lane, canceled);
  canceled.key = request.key;
  canceled.replies = 0;
  canceled.order.status = OrderStatus::canceled;
  canceled.order.at_exchange = now;
  answer(lane, canceled, ReplyKind::answer, now, replies);
}

void Exchange::forget(std::uint32_t lane) noexcept {
  Lane& own = lanes_[lane];
  while (own.orders.size() > 0) leave(lane, own.orders.items().front());
  taken_.forget(lane);
}

}  // namespace tailcost
