#include "tailcost/backtest/lane.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "tailcost/core/error.hpp"
#include "tailcost/core/possible_times.hpp"

namespace tailcost {
namespace {

/// Beyond it a double is not exact, and sums of a few orders leave 64 bits.
constexpr std::int64_t largest_number = std::int64_t{1} << 53;

std::string call(const char* what) {
  return std::string{"strategy: "} + what + ": ";
}

void check_instrument(const char* what, std::size_t instrument, std::size_t instruments) {
  if (instrument >= instruments)
    throw UsageError{call(what) + "instrument " + std::to_string(instrument) + " of " + std::to_string(instruments) + " (counted from 0)"};
}

void check_qty(const char* what, QtyLots qty) {
  if (qty.value <= 0) throw UsageError{call(what) + "a quantity of " + std::to_string(qty.value) + " lots; at least 1 is needed"};
  if (qty.value > largest_number)
    throw UsageError{call(what) + "a quantity of " + std::to_string(qty.value) + " lots; at most 2^53 are possible"};
}

void check_price(const char* what, PriceTicks price) {
  if (price.value < -largest_number || price.value > largest_number)
    throw UsageError{call(what) + "a price of " + std::to_string(price.value) + " ticks; at most 2^53 are possible"};
}

}  // namespace

Lane::Lane(std::unique_ptr<Strategy> strategy, const LatencyModel& model, std::span<LocalMarket> local, const RecordSpec& record,
           const Setup& setup)
    : latency{model}, strategy_{std::move(strategy)}, setup_{setup}, local_{local}, record_{record} {
  markets.reserve(local.size());
  for (const LocalMarket& market : local) {
    markets.push_back({.account = {market.facts, setup.fees, setup.mode}, .orders = {}, .requests = {}, .responses = {}});
    markets.back().orders.reserve(16);
    markets.back().received.reserve(16);
  }
  outbox.reserve(16);
  if (setup.keep_reactions) reactions_.emplace();
}

void Lane::send(std::size_t instrument, Request request, Order& order) {
  order.request = request;
  MessageKey key = cause_;
  key.instrument = static_cast<std::uint32_t>(instrument);
  key.request = request;
  key.ordinal = static_cast<std::uint16_t>(outbox.size());
  outbox.push_back({.instrument = static_cast<std::uint32_t>(instrument), .key = key, .order = order});
  if (record_.orders && !ended) order_events.push_back(sent_event(order, request, key.instrument));
}

Submission Lane::submit(const OrderRequest& request) {
  check_instrument("submit", request.instrument, markets.size());
  check_qty("submit", request.qty);
  if (request.type == OrderType::limit) check_price("submit", request.price);
  LaneMarket& market = markets[request.instrument];
  if (!request.id && market.largest_id == std::numeric_limits<std::uint64_t>::max())
    throw UsageError{call("submit") + "no id is left above the largest one used, 2^64 - 1; choose the ids"};
  const OrderId id = request.id.value_or(OrderId{market.largest_id + 1});
  if (market.orders.find(id) != nullptr) return {Outcome::id_exists, id};
  market.largest_id = std::max(market.largest_id, id.value);
  Order& order = market.orders.insert({.id = id,
                                       .side = request.side,
                                       .type = request.type,
                                       .time_in_force = request.time_in_force,
                                       .price = request.price,
                                       .qty = request.qty,
                                       .leaves = request.qty,
                                       .sent = now_});
  ++counts.submits;
  send(request.instrument, Request::submit, order);
  return {Outcome::accepted, id};
}

Outcome Lane::modify(OrderId id, PriceTicks price, QtyLots qty, std::size_t instrument) {
  check_instrument("modify", instrument, markets.size());
  check_qty("modify", qty);
  check_price("modify", price);
  Order* order = markets[instrument].orders.find(id);
  if (order == nullptr) return Outcome::not_found;
  if (order->request != Request::none) return Outcome::in_flight;
  if (!setup_.quirks.has(Quirk::modify_reject_keeps_local)) {
    std::erase_if(markets[instrument].replaced, [id](const LaneMarket::Replaced& item) { return item.id == id; });
    markets[instrument].replaced.push_back({.id = id, .price = order->price, .qty = order->qty});
  }
  order->price = price;
  order->qty = qty;
  order->sent = now_;
  ++counts.modifies;
  send(instrument, Request::modify, *order);
  return Outcome::accepted;
}

Outcome Lane::cancel(OrderId id, std::size_t instrument) {
  check_instrument("cancel", instrument, markets.size());
  Order* order = markets[instrument].orders.find(id);
  if (order == nullptr) return Outcome::not_found;
  if (order->request != Request::none) return Outcome::in_flight;
  order->sent = now_;
  ++counts.cancels;
  send(instrument, Request::cancel, *order);
  return Outcome::accepted;
}

void Lane::clear_inactive(std::size_t instrument) {
  check_instrument("clear_inactive", instrument, markets.size());
  markets[instrument].orders.erase_if([](const Order& order) { return order.is_inactive(); });
}

bool Lane::trigger(WakeReason reason, CauseKind cause, std::uint64_t number, std::uint32_t instrument, SimTime now) noexcept {
  if (ended) return false;
  if (run_pending) {
    if (run_at == now) reason_ = reason;  // the last of what happened at that instant is what it is told
    return false;
  }
  run_pending = true;
  reason_ = reason;
  cause_ = {.instrument = instrument, .cause = cause, .number = number};
  const SimTime start = std::max(now, free_);
  run_at = start + latency.delay(Hop::reaction, cause_, start).duration;
  if (reactions_) {
    const Nanos total = run_at - now;
    reactions_->record(total);
    reaction_total_ns_ += total.count();
  }
  return true;
}

SimTime Lane::run(SimTime now) {
  now_ = now;
  run_pending = false;
  ++counts.wakes;
  waiting = strategy_->on_wake(*this, *this);
  if (waiting.at && *waiting.at != SimTime::max()) waiting.at = std::min(*waiting.at, latest_time);  // delays are added to it
  for (std::size_t i = 0; i < markets.size(); ++i) {
    markets[i].trades_seen = local_[i].trades.size();
    markets[i].received.clear();
  }
  free_ = latency.finish(now, setup_.service);
  return free_;
}

Moment Lane::next() const noexcept {
  Moment next;
  if (ended) return next;
  for (std::size_t i = 0; i < markets.size(); ++i) {
    next = std::min(next, Moment{.at = markets[i].responses.next_at(), .slot = Slot::responses(i)});
    next = std::min(next, Moment{.at = markets[i].requests.next_at(), .slot = Slot::requests(i)});
  }
  if (run_pending) return std::min(next, Moment{.at = run_at, .slot = Slot::strategies()});
  if (waiting.at) return std::min(next, Moment{.at = std::max(*waiting.at, now_), .slot = Slot::timers()});
  return next;
}

/// Books one execution and notes it.
void Lane::book(std::size_t instrument, const Order& said, SimTime now) {
  Account& account = markets[instrument].account;
  const double before = account.fee();
  account.book({.side = said.side, .price = said.executed_price, .qty = said.executed, .maker = said.maker});
  if (!record_.fills) return;
  fills.push_back({.exch_time = said.at_exchange,
                   .local_time = now,
                   .order = said.id,
                   .instrument = static_cast<std::uint32_t>(instrument),
                   .side = said.side,
                   .maker = said.maker,
                   .price = said.executed_price,
                   .qty = said.executed,
                   .fee = account.fee() - before});
}

void Lane::restore(LaneMarket& market, Order& own) noexcept {
  const auto found =
      std::find_if(market.replaced.begin(), market.replaced.end(), [&](const LaneMarket::Replaced& item) { return item.id == own.id; });
  if (found == market.replaced.end()) return;
  own.price = found->price;
  own.qty = found->qty;
  market.replaced.erase(found);
}

/// Brings the strategy's copy of an order up to a response.
void Lane::follow(LaneMarket& market, const Message& message) noexcept {
  const Order& said = message.order;
  Order* own = market.orders.find(said.id);
  if (message.kind == ReplyKind::rejection) {
    if (own == nullptr || own->sent != said.sent) return;
    if (own->request == Request::submit) own->status = OrderStatus::expired;
    if (own->request == Request::modify) restore(market, *own);
    own->request = Request::none;
    return;
  }
  if (own == nullptr) {
    market.orders.insert(said);  // a fill of an order that the strategy has forgotten shows again
    return;
  }
  const Order mine = *own;
  *own = said;
  own->sent = mine.sent;
  const bool is_about_another_request = said.sent != mine.sent && mine.request != Request::none;
  if (setup_.mode == Mode::strict && message.kind == ReplyKind::execution && is_about_another_request) {
    // A modify or cancel is still under way; the reference engine forgets that here.
    own->request = mine.request;
    own->price = mine.price;
    own->qty = mine.qty;
  } else if (!market.replaced.empty()) {
    std::erase_if(market.replaced, [&](const LaneMarket::Replaced& item) { return item.id == said.id; });
  }
}

bool Lane::deliver(std::size_t instrument, const Message& message, SimTime now) {
  LaneMarket& market = markets[instrument];
  const Order& said = message.order;
  // With the quirk whatever says "filled" is booked: also the rejection of a request about an order that was filled before, a second time.
  const bool is_booked =
      setup_.quirks.has(Quirk::partial_fill_not_booked) ? said.status == OrderStatus::filled : message.kind == ReplyKind::execution;
  if (is_booked) book(instrument, said, now);
  market.received.push_back(
      {.order = said, .rejected = message.kind == ReplyKind::rejection, .execution = message.kind == ReplyKind::execution});
  if (said.at_exchange > SimTime{}) market.last_response = {.sent = said.sent, .at_exchange = said.at_exchange, .received = now};
  ++counts.responses;
  if (message.kind == ReplyKind::execution) ++counts.executions;
  if (message.kind == ReplyKind::rejection) ++counts.rejected;
  if (message.kind == ReplyKind::answer && said.status == OrderStatus::expired) ++counts.expired;
  if (record_.orders) {
    order_events.push_back(received_event(said, message.key.request, message.kind, static_cast<std::uint32_t>(instrument), now));
  }
  follow(market, message);
  return waiting.any_response || waiting.response == said.id;
}

void Lane::finish(std::optional<SimTime> now) {
  if (now) now_ = *now;
  reason_ = WakeReason::end;
  ended = true;
  strategy_->on_wake(*this, *this);
  outbox.clear();
}

ReactionSummary Lane::reactions() const {
  ReactionSummary summary{.count = counts.wakes};
  if (!reactions_ || reactions_->count() == 0) return summary;
  return {.count = reactions_->count(),
          .total = Nanos{reaction_total_ns_},
          .p50 = reactions_->quantile(0.5),
          .p99 = reactions_->quantile(0.99),
          .p99_9 = reactions_->quantile(0.999),
          .max = reactions_->max()};
}

}  // namespace tailcost
