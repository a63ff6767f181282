#include "tailcost/backtest/exchange.hpp"

#include <algorithm>
#include <limits>

namespace tailcost {
namespace {

constexpr PriceTicks below_all{std::numeric_limits<std::int64_t>::min()};
constexpr PriceTicks above_all{std::numeric_limits<std::int64_t>::max()};

/// Bid first, where a row names both sides; nothing where it names none.
constexpr std::optional<Side> side_of(std::uint8_t kind) noexcept {
  if ((kind & EventFlags::buy) != 0) return Side::buy;
  if ((kind & EventFlags::sell) != 0) return Side::sell;
  return std::nullopt;
}

}  // namespace

Exchange::Exchange(const ExchangeSetup& setup, std::span<const QueueModel* const> models, std::span<const LaneSetup> lanes)
    : book_{setup.ladder, setup.book},
      mode_{setup.mode},
      quirks_{setup.quirks},
      shares_trades_{!setup.quirks.has(Quirk::own_orders_share_trade)},
      lot_size_{setup.lot_size},
      luck_{.seed = setup.seed, .instrument = setup.instrument, .row = 0},
      own_buys_{{0}, {static_cast<std::int64_t>(setup.ladder.size()) - 1}},
      own_sells_{{0}, {static_cast<std::int64_t>(setup.ladder.size()) - 1}},
      reaches_sells_from_{setup.ladder.size()} {
  if (setup.l3) feed_orders_.emplace();
  groups_.reserve(models.size());
  for (const QueueModel* model : models) groups_.push_back({.model = model, .buys = {}, .sells = {}});
  lanes_.reserve(lanes.size());
  for (const LaneSetup& lane : lanes) {
    lanes_.push_back({.orders = {}, .setup = lane});
    lanes_.back().orders.reserve(16);
  }
}

void Exchange::start_from(const MarketEvent& level) noexcept {
  if (const auto side = side_of(level.kind)) book_.start_from(*side, level.price, level.qty);
}

template <class Lots, class Rank>
bool Exchange::play_rows(const Dataset& data, const Lots* lots, const Rank* ranks, std::int64_t& row, SimTime limit,
                         ExchangeReplies& replies) {
  const std::int64_t* const at = data.exch_ns().data();
  const std::uint8_t* const kinds = data.kind().data();
  const std::size_t prices = book_.ladder().size();
  const std::int64_t last = limit.time_since_epoch().count();
  bool is_wary = book_.has_range() || !book_.ladder().is(data.prices()) || feed_orders_ || !taken_.empty() ||
                 !cleared_.empty();  // every row has its consequences
  const std::int64_t rows = data.rows();
  replied_ = false;
  std::int64_t i = row;
  for (; i < rows; ++i) {
    const std::uint8_t kind = kinds[i];
    if ((kind & EventFlags::exchange) == 0) continue;
    if (at[i] > last) break;
    const std::size_t rank = ranks[i];
    switch (rank < prices && !is_wary ? row_classes[kind] : RowClass::other) {
      case RowClass::bid:
        if (rank >= reaches_sells_from_ || own_buys_.contains({static_cast<std::int64_t>(rank)})) break;
        book_.apply<Side::buy>(rank, {std::int64_t{lots[i]}});
        continue;
      case RowClass::ask:
        if (rank < reaches_buys_below_ || own_sells_.contains({static_cast<std::int64_t>(rank)})) break;
        book_.apply<Side::sell>(rank, {std::int64_t{lots[i]}});
        continue;
      case RowClass::trade:
        if ((kind & EventFlags::buy) != 0 ? rank < reaches_sells_from_ : rank >= reaches_buys_below_) continue;
        break;
      case RowClass::other: break;
    }
    on_row(data.event(i), i, replies);
    is_wary = is_wary || !cleared_.empty();
    if (replied_) {
      ++i;
      break;
    }
  }
  row = i;
  return replied_;
}

bool Exchange::play(const Dataset& data, std::int64_t& row, SimTime limit, ExchangeReplies& replies) {
  const auto with_lots = [&](const auto* lots) {
    if (data.narrow_rank().empty()) return play_rows(data, lots, data.wide_rank().data(), row, limit, replies);
    return play_rows(data, lots, data.narrow_rank().data(), row, limit, replies);
  };
  if (data.narrow_lots().empty()) return with_lots(data.wide_lots().data());
  return with_lots(data.narrow_lots().data());
}

void Exchange::on_row(const MarketEvent& event, std::int64_t row, ExchangeReplies& replies) {
  const std::optional<Side> side = side_of(event.kind);
  switch (kind_of(event.kind)) {
    case EventKind::depth:
    case EventKind::snapshot:
      if (side && !feed_orders_) on_depth(*side, event, row, replies);
      break;
    case EventKind::trade:
      if (side && !feed_orders_) on_trade(*side, event.price, event.qty, event.exch_time, replies);
      break;
    case EventKind::clear:
    case EventKind::clear_all: on_clear(event, replies); break;
    case EventKind::add_order:
    case EventKind::cancel_order:
    case EventKind::modify_order:
      if (feed_orders_) on_feed_order(event, replies);
      break;
    case EventKind::fill_order:
      if (feed_orders_) on_feed_fill(event, replies);
      break;
    case EventKind::other:
    case EventKind::best_quote: break;
  }
}

void Exchange::on_depth(Side side, const MarketEvent& event, std::int64_t row, ExchangeReplies& replies) {
  const PriceTicks tick = event.price;
  const DepthChange change = book_.set(side, tick, event.qty);
  luck_.row = row;
  for (Group& group : groups_) {
    if (RestingOrders::Level* level = group.half(side).at(tick)) {
      group.model->on_depth(level->positions, change.before, change.after, luck_);
    }
  }
  const std::int64_t displayed_before = mode_ == Mode::strict ? shown_before(side, event, change) : change.before.value;
  if (!taken_.empty()) {
    taken_.on_depth(side, tick, {displayed_before}, change.after);
    if (change.best_after != change.best_before && change.after > QtyLots{}) taken_.forget_crossed(opposite(side), tick);
  }
  on_level(side, tick, change, displayed_before, event.exch_time, replies);
}

/// strict: what a level displayed before a row: a snapshot shows again what a clear of the same instant removed.
std::int64_t Exchange::shown_before(Side side, const MarketEvent& event, const DepthChange& change) {
  if (cleared_.empty()) return change.before.value;
  if (event.exch_time != cleared_at_) forget_cleared();
  const auto was = std::find_if(cleared_.begin(), cleared_.end(),
                                [&](const ClearedLevel& level) { return level.side == side && level.tick == event.price; });
  if (was == cleared_.end()) return change.before.value;
  const std::int64_t again = kind_of(event.kind) == EventKind::snapshot ? was->qty.value : 0;
  cleared_.erase(was);
  return std::max(change.before.value, again);
}

/// The instant of a clear is over: what it removed is gone.
void Exchange::forget_cleared() noexcept {
  for (const ClearedLevel& level : cleared_) taken_.on_depth(level.side, level.tick, {}, {});
  cleared_.clear();
}

/// A level of `side` has changed: own orders of the other side that it reaches are filled by it.
void Exchange::on_level(Side side, PriceTicks tick, const DepthChange& change, std::int64_t displayed_before, SimTime now,
                        ExchangeReplies& replies) {
  if (mode_ == Mode::strict) {
    const QtyLots grown{change.after.value - displayed_before};
    if (grown.value <= 0) return;
    ++event_;
    for (Group& group : groups_) {
      serve_through(group, opposite(side), tick, true, {.qty = grown, .scan = std::nullopt, .displayed_at = tick}, now, replies);
    }
    return;
  }
  if (!change.best_after || (change.best_before && !is_better(side, *change.best_after, *change.best_before))) return;
  const PriceTicks best = *change.best_after;
  std::optional<Scan> scan;
  if (change.best_before) scan = beyond(side, *change.best_before, best);
  if (scan && feed_orders_ && side == Side::sell) scan->ticks = 0;  // its asks of single orders never lead to a scan of all
  for (Group& group : groups_) serve_through(group, opposite(side), best, true, {.qty = {}, .scan = scan}, now, replies);
}

void Exchange::on_trade(Side aggressor, PriceTicks tick, QtyLots qty, SimTime now, ExchangeReplies& replies) {
  const Side side = opposite(aggressor);  // of the resting orders that may be reached
  const std::optional<PriceTicks> other_best = book_.best(aggressor);
  std::optional<Scan> scan;
  if (mode_ == Mode::compat && other_best) {
    scan = beyond(aggressor, *other_best, tick);
    if (scan->ticks <= 0) return;
  }
  ++event_;
  const std::optional<QtyLots> offered = shares_trades_ ? std::optional{qty} : std::nullopt;
  for (Group& group : groups_) {
    serve_through(group, side, tick, false, {.qty = offered, .scan = scan}, now, replies);
    RestingOrders::Level* level = group.half(side).at(tick);
    if (level == nullptr) continue;
    trade_at_level(group, *level, qty, now, replies);
    close_up(group, side, *level);
  }
}

std::int64_t Exchange::used_by(Lane& lane) const noexcept {
  if (lane.event != event_) {
    lane.event = event_;
    lane.used = 0;
    lane.has_waiting = false;
  }
  return lane.used;
}

/// What an order gets of the quantity that a market event offers to all orders of its lane, and notes that it had it. Nothing offered:
/// whatever it wants.
QtyLots Exchange::granted(Lane& lane, const Order& order, std::optional<QtyLots> offered) const noexcept {
  if (!offered) return order.leaves;
  const QtyLots left{offered->value - used_by(lane)};
  if (left.value <= 0) return {};
  const QtyLots got = lane.setup.fill == FillRule::traded_quantity ? std::min(order.leaves, left) : order.leaves;
  lane.used += got.value;
  return got;
}

void Exchange::trade_at_level(Group& group, RestingOrders::Level& level, QtyLots qty, SimTime now, ExchangeReplies& replies) {
  group.model->on_trade(level.positions, qty);
  for (std::size_t place = 0; place < level.orders.size(); ++place) {
    if (!level.orders[place].live) continue;
    QueuePosition& position = level.positions[place];
    Lane& lane = lanes_[level.orders[place].lane];
    if (shares_trades_) position.ahead += static_cast<double>(used_by(lane));  // that much of the trade did not come to the feed's orders
    // Inferred positions of two own orders may pass each other; the orders do not.
    const bool must_wait = shares_trades_ && lane.has_waiting;
    const QtyLots passed = must_wait ? QtyLots{} : passed_by_trades(position);
    if (passed.value <= 0) {
      lane.has_waiting = true;
      continue;
    }
    ExchangeOrder* found = lane.orders.find(level.orders[place].id);
    TAILCOST_ASSERT(found != nullptr);
    const bool is_partial = lane.setup.fill == FillRule::traded_quantity;
    bool stays_when_done = false;
    if (is_partial) {
      const double passed_qty = static_cast<double>(passed.value) * lot_size_;
      stays_when_done = passed_qty <= found->leaves_qty && quirks_.has(Quirk::exact_partial_zombie);
      found->leaves_qty -= std::min(passed_qty, found->leaves_qty);
    }
    QtyLots got = is_partial ? std::min(found->order.leaves, passed) : found->order.leaves;
    if (shares_trades_) {
      // What passed the queue, of what is left of the trade.
      const QtyLots reached{is_partial ? std::min(qty.value, lane.used + passed.value) : qty.value};
      got = granted(lane, found->order, reached);
      if (got.value <= 0) continue;
      lane.has_waiting = got < found->order.leaves;
    }
    fill_resting(group, level, place, got, stays_when_done, now, replies);
  }
}

/// The scan of own orders that stand against `side`, after its best or a trade has moved from one tick to another.
Exchange::Scan Exchange::beyond(Side side, PriceTicks from, PriceTicks to) noexcept {
  if (side == Side::buy) return {.ticks = to.value - from.value, .lowest = {from.value + 1}, .highest = above_all};
  return {.ticks = from.value - to.value, .lowest = below_all, .highest = {from.value - 1}};
}

bool Exchange::is_scanned(const Scan& scan, PriceTicks tick, std::uint32_t lane) const noexcept {
  return static_cast<std::int64_t>(lanes_[lane].orders.size()) < scan.ticks || (tick >= scan.lowest && tick <= scan.highest);
}

void Exchange::serve_through(Group& group, Side side, PriceTicks limit, bool at_limit_too, const Offer& offer, SimTime now,
                             ExchangeReplies& replies) {
  RestingOrders& resting = group.half(side);
  if (resting.empty()) return;
  const auto next = [&](std::optional<PriceTicks> after) {  // the best own price first, then away from it
    if (side == Side::buy) return resting.at_or_below(after ? PriceTicks{after->value - 1} : above_all);
    return resting.at_or_above(after ? PriceTicks{after->value + 1} : below_all);
  };
  for (auto tick = next(std::nullopt); tick && (is_better(side, *tick, limit) || (at_limit_too && *tick == limit)); tick = next(tick)) {
    RestingOrders::Level& level = *resting.at(*tick);
    for (std::size_t place = 0; place < level.orders.size(); ++place) {
      if (!level.orders[place].live || (offer.scan && !is_scanned(*offer.scan, *tick, level.orders[place].lane))) continue;
      if (offer.displayed_at) level.positions[place] = {};
      Lane& lane = lanes_[level.orders[place].lane];
      const QtyLots got = granted(lane, lane.orders.find(level.orders[place].id)->order, offer.qty);
      if (offer.qty && got.value <= 0) continue;
      if (offer.displayed_at && lane.setup.fill == FillRule::traded_quantity) {
        note_had(level.orders[place].lane, opposite(side), *offer.displayed_at, got);
      }
      fill_resting(group, level, place, got, false, now, replies);
    }
    close_up(group, side, level);
  }
}

void Exchange::close_up(Group& group, Side side, RestingOrders::Level& level) noexcept {
  const PriceTicks tick = level.tick;
  if (group.half(side).close_up(level)) unwatch(side, tick);
}

void Exchange::fill_resting(Group& group, RestingOrders::Level& level, std::size_t place, QtyLots qty, bool stays_when_done, SimTime now,
                            ExchangeReplies& replies) {
  const RestingOrder resting = level.orders[place];
  Lane& lane = lanes_[resting.lane];
  ExchangeOrder* found = lane.orders.find(resting.id);
  TAILCOST_ASSERT(found != nullptr);
  if (!execute(resting.lane, found->order, qty, found->order.price, true, now, replies)) return;
  if (found->order.leaves.value > 0 || stays_when_done) {
    answer(resting.lane, *found, ReplyKind::execution, now, replies);
    return;
  }
  group.half(found->order.side).remove_at(level, place);
  --resting_;
  ExchangeOrder filled = *found;
  lane.orders.erase(resting.id);
  answer(resting.lane, filled, ReplyKind::execution, now, replies);
}

void Exchange::on_clear(const MarketEvent& event, ExchangeReplies& replies) {
  const std::optional<Side> named = side_of(event.kind);
  for (const Side side : {Side::buy, Side::sell}) {
    if (named && *named != side) continue;
    if (feed_orders_) {
      feed_orders_->clear(book_, side);
      taken_.clear(side);
      for (std::uint32_t number = 0; number < lanes_.size(); ++number) {
        const auto orders = lanes_[number].orders.items();
        const std::vector<ExchangeOrder> kept{orders.begin(), orders.end()};
        for (ExchangeOrder item : kept) {
          if (item.order.side != side) continue;
          leave(number, item);
          item.order.leaves = {};
          item.order.executed = {};
          expire(number, item, event.exch_time, replies);
        }
      }
      continue;
    }
    if (mode_ == Mode::strict && (resting_ > 0 || !taken_.empty())) {
      if (event.exch_time != cleared_at_) forget_cleared();
      cleared_at_ = event.exch_time;
      const bool whole_side = !named || kind_of(event.kind) == EventKind::clear_all;
      for (auto tick = book_.best(side); tick && (whole_side || !is_better(side, event.price, *tick)); tick = book_.next(side, *tick)) {
        cleared_.push_back({.side = side, .tick = *tick, .qty = book_.qty(side, *tick)});
      }
    }
  }
  if (!feed_orders_) book_.clear_by(event.kind, event.price);
}

void Exchange::senseless(std::int64_t error, SimTime now, ExchangeReplies& replies) {
  ++senseless_rows_;
  if (mode_ == Mode::strict) return;
  for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) replies.abort(lane, error, now);
  replied_ = true;
}

void Exchange::on_feed_order(const MarketEvent& event, ExchangeReplies& replies) {
  const std::optional<Side> named = side_of(event.kind);
  const FeedOrder* old = feed_orders_->find(event.order_id);
  const auto note_taken = [&](Side side, PriceTicks tick, QtyLots before) {
    if (!taken_.empty()) taken_.on_depth(side, tick, before, book_.qty(side, tick));
  };
  if (kind_of(event.kind) == EventKind::cancel_order) {
    if (old == nullptr) return senseless(EngineError::not_found, event.exch_time, replies);
    const FeedOrder canceled = *old;
    const QtyLots before = book_.qty(canceled.side, canceled.tick);
    feed_orders_->cancel(book_, event.order_id);
    return note_taken(canceled.side, canceled.tick, before);
  }
  if (kind_of(event.kind) == EventKind::add_order) {
    if (!named || old != nullptr) return senseless(EngineError::id_exists, event.exch_time, replies);
    const auto change =
        feed_orders_->add(book_, {.id = event.order_id, .tick = event.price, .qty = event.qty, .arrival = ++arrivals_, .side = *named});
    note_taken(*named, event.price, change->before);
    return on_level(*named, event.price, *change, change->before.value, event.exch_time, replies);
  }
  if (old == nullptr) return senseless(EngineError::not_found, event.exch_time, replies);
  const Side side = old->side;
  const PriceTicks left = old->tick;
  const QtyLots before = book_.qty(side, left);
  const auto change = feed_orders_->modify(book_, event.order_id, event.price, event.qty, ++arrivals_);
  note_taken(side, left, before);
  if (left != event.price) note_taken(side, event.price, change->before);
  on_level(side, event.price, *change, change->before.value, event.exch_time, replies);
}

void Exchange::on_feed_fill(const MarketEvent& event, ExchangeReplies& replies) {
  const FeedOrder* found = feed_orders_->find(event.order_id);
  if (found == nullptr) return senseless(EngineError::not_found, event.exch_time, replies);
  const FeedOrder filled = *found;
  const Side side = filled.side;
  const std::optional<PriceTicks> best = book_.best(side);
  ++event_;
  const std::optional<QtyLots> offered = shares_trades_ ? std::optional{event.qty} : std::nullopt;
  // Own orders at better prices come first. Quirk Q14: none where the fill is at the best, and how far depends on how many there are.
  const bool branches = quirks_.has(Quirk::l3_branch_dependent_fill);
  const std::int64_t width = best ? sign(side) * (best->value - event.price.value) : 0;
  for (Group& group : groups_) {
    if (!branches) {
      serve_through(group, side, event.price, false, {.qty = offered, .scan = std::nullopt}, event.exch_time, replies);
    } else if (width > 0) {
      const Scan scan{.ticks = width, .lowest = side == Side::buy ? below_all : *best, .highest = side == Side::buy ? *best : above_all};
      serve_through(group, side, event.price, false, {.qty = offered, .scan = scan}, event.exch_time, replies);
    }
    RestingOrders::Level* level = group.half(side).at(filled.tick);
    if (level == nullptr) continue;
    for (std::size_t place = 0; place < level->orders.size() && level->orders[place].arrival < filled.arrival; ++place) {
      if (!level->orders[place].live) continue;
      Lane& lane = lanes_[level->orders[place].lane];
      const QtyLots got = granted(lane, lane.orders.find(level->orders[place].id)->order, offered);
      if (offered && got.value <= 0) continue;
      fill_resting(group, *level, place, got, false, event.exch_time, replies);
    }
    close_up(group, side, *level);
  }
}

void Exchange::watch(Side side, PriceTicks price) noexcept {
  const PriceLadder& ladder = book_.ladder();
  if (const auto rank = book_.rank_of(side, price)) {
    (side == Side::buy ? own_buys_ : own_sells_).insert({static_cast<std::int64_t>(*rank)});
    if (side == Side::buy) {
      reaches_buys_below_ = std::max(reaches_buys_below_, *rank + 1);
    } else {
      reaches_sells_from_ = std::min(reaches_sells_from_, *rank);
    }
  } else if (side == Side::buy) {
    reaches_buys_below_ = std::max(reaches_buys_below_, ladder.at_or_above(price));
  } else {
    reaches_sells_from_ = std::min(reaches_sells_from_, ladder.at_or_above(price));
  }
}

/// Called when an order at a price has left: other orders may still be there.
void Exchange::unwatch(Side side, PriceTicks price) noexcept {
  for (Group& group : groups_) {
    if (group.half(side).at(price) != nullptr) return;
  }
  const auto rank = book_.rank_of(side, price);
  if (rank) (side == Side::buy ? own_buys_ : own_sells_).erase({static_cast<std::int64_t>(*rank)});
  const bool was_first = side == Side::buy ? !rank || *rank + 1 >= reaches_buys_below_ : !rank || *rank <= reaches_sells_from_;
  if (was_first) look_for_reach(side);
}

/// Finds the own order that the other side reaches first.
void Exchange::look_for_reach(Side side) noexcept {
  std::optional<PriceTicks> first;
  for (Group& group : groups_) {
    const RestingOrders& resting = group.half(side);
    const auto own = side == Side::buy ? resting.at_or_below(above_all) : resting.at_or_above(below_all);
    if (own && (!first || is_better(side, *own, *first))) first = own;
  }
  const PriceLadder& ladder = book_.ladder();
  const auto rank = first ? book_.rank_of(side, *first) : std::nullopt;
  if (side == Side::buy) {
    reaches_buys_below_ = !first ? 0 : rank ? *rank + 1 : ladder.at_or_above({first->value + 1});
  } else {
    reaches_sells_from_ = !first ? ladder.size() : rank ? *rank : ladder.at_or_above(*first);
  }
}

}  // namespace tailcost
