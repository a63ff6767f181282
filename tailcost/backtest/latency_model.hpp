#pragma once

#include <compare>
#include <cstdint>
#include <memory>

#include "tailcost/backtest/order.hpp"
#include "tailcost/core/time.hpp"

namespace tailcost {

/// Where an event's time goes.
enum class Hop : std::uint8_t {
  feed,      ///< Exchange event to our network card, beyond what the data say.
  reaction,  ///< Network card to the strategy's decision: the measured machine.
  entry,     ///< Order leaves us, reaches the exchange.
  response   ///< Exchange to us.
};

/// What made the strategy run.
enum class CauseKind : std::uint8_t {
  start,
  timer,         ///< `number` is the due time.
  market_event,  ///< `number` is the row in its dataset, the first that waited where several were merged.
  response       ///< `number` is the id of its order.
};

/// Names one message or reaction, the same in every lane and run, so that lanes that decide differently still meet the same luck for the
/// same message.
struct MessageKey {
  std::uint32_t instrument{};
  CauseKind cause{};
  Request request{};        ///< none for a reaction.
  std::uint16_t ordinal{};  ///< Which request within that reaction.
  std::uint64_t number{};   ///< Of the cause.
  std::uint32_t message{};  ///< Which response to that request.
  friend constexpr auto operator<=>(const MessageKey&, const MessageKey&) = default;
};

struct Delay {
  Nanos duration{};
  bool rejected{false};  ///< The message does not arrive; the sender learns of it after `duration`.
};

/// Answers how long one hop takes for one message. A pure function of (seed, hop, key, start): models keep no state that a call changes, so
/// that lanes can share one.
class LatencyModel {
 public:
  virtual ~LatencyModel() = default;

  /// For Hop::reaction, `start` is when the strategy thread is free and has something to do; the duration runs to its first instruction.
  virtual Delay delay(Hop hop, const MessageKey& key, SimTime start) const noexcept = 0;

  /// When `service` of the strategy's own work, begun at `begin`, is done: later than begin + service where the machine stalls in between.
  virtual SimTime finish(SimTime begin, Nanos service) const noexcept { return begin + service; }
};

}  // namespace tailcost
