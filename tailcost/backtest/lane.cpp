#include "tailcost/backtest/lane.hpp"

#include <algorithm>
#include <utility>

namespace tailcost {

Lane::Lane(std::unique_ptr<Strategy> strategy, const LatencyModel& model, Nanos service, std::span<LocalMarket> local, const FeeRates& fees,
           Mode mode, const RecordSpec& record, bool keep_reactions)
    : latency{model}, strategy_{std::move(strategy)}, service_{service}, local_{local}, record_{record}, fees_{fees} {
  markets.reserve(local.size());
  for (const LocalMarket& market : local) {
    markets.push_back({.account = {market.facts, fees, mode}, .orders = {}, .requests = {}, .responses = {}});
    markets.back().orders.reserve(64);
  }
  outbox.reserve(64);
  if (keep_reactions) reactions_.emplace();
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
  LaneMarket& market = markets[request.instrument];
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
  Order* order = markets[instrument].orders.find(id);
  if (order == nullptr) return Outcome::not_found;
  if (order->request != Request::none) return Outcome::in_flight;
  order->price = price;
  order->qty = qty;
  order->sent = now_;
  ++counts.modifies;
  send(instrument, Request::modify, *order);
  return Outcome::accepted;
}

Outcome Lane::cancel(OrderId id, std::size_t instrument) {
  Order* order = markets[instrument].orders.find(id);
  if (order == nullptr) return Outcome::not_found;
  if (order->request != Request::none) return Outcome::in_flight;
  order->sent = now_;
  ++counts.cancels;
  send(instrument, Request::cancel, *order);
  return Outcome::accepted;
}

void Lane::clear_inactive(std::size_t instrument) {
  markets[instrument].orders.erase_if([](const Order& order) { return order.is_inactive(); });
}

std::optional<SimTime> Lane::trigger(WakeReason reason, CauseKind cause, std::uint64_t number, std::uint32_t instrument,
                                     SimTime now) noexcept {
  if (run_pending || ended) return std::nullopt;
  run_pending = true;
  reason_ = reason;
  cause_ = {.instrument = instrument, .cause = cause, .number = number};
  const SimTime start = std::max(now, free_);
  const Nanos reaction = latency.delay(Hop::reaction, cause_, start).duration;
  if (reactions_) {
    const Nanos total = start + reaction - now;
    reactions_->record(total);
    reaction_total_ns_ += total.count();
  }
  return start + reaction;
}

SimTime Lane::run(SimTime now) {
  now_ = now;
  run_pending = false;
  ++serial;
  ++counts.wakes;
  waiting = strategy_->on_wake(*this, *this);
  for (std::size_t i = 0; i < markets.size(); ++i) markets[i].trades_seen = local_[i].trades.size();
  for (LaneMarket& market : markets) market.received.clear();
  free_ = latency.finish(now, service_);
  return free_;
}

bool Lane::deliver(std::size_t instrument, const Message& message, SimTime now) {
  LaneMarket& market = markets[instrument];
  const Order& said = message.order;
  if (said.status == OrderStatus::filled && !message.rejected) {
    const Execution execution{.side = said.side, .price = said.executed_price, .qty = said.executed, .maker = said.maker};
    const double before = market.account.fee();
    market.account.book(execution);
    if (record_.fills) {
      fills.push_back({.exch_time = said.at_exchange,
                       .local_time = now,
                       .order = said.id,
                       .instrument = static_cast<std::uint32_t>(instrument),
                       .side = said.side,
                       .maker = said.maker,
                       .price = said.executed_price,
                       .qty = said.executed,
                       .fee = market.account.fee() - before});
    }
  }
  market.received.push_back({.order = said, .rejected = message.rejected, .execution = said.status == OrderStatus::filled});
  if (said.at_exchange > SimTime{}) market.last_response = {.sent = said.sent, .at_exchange = said.at_exchange, .received = now};
  ++counts.responses;
  if (market.received.back().execution && !message.rejected) ++counts.executions;
  if (record_.orders) {
    order_events.push_back(received_event(said, message.key.request, message.rejected, static_cast<std::uint32_t>(instrument), now));
  }
  Order* own = market.orders.find(said.id);
  if (message.rejected) {
    ++counts.rejected;
    if (own != nullptr && own->sent == said.sent) {
      if (own->request == Request::submit) own->status = OrderStatus::expired;
      own->request = Request::none;
    }
  } else {
    if (said.status == OrderStatus::expired) ++counts.expired;
    if (own == nullptr) {
      market.orders.insert(said);  // a fill of an order that the strategy has forgotten shows again
    } else {
      const SimTime sent = own->sent;
      *own = said;
      own->sent = sent;
    }
  }
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
