#pragma once

#include <string_view>
#include <vector>

#include "tailcost/backtest/latency_model.hpp"
#include "tailcost/core/time.hpp"

namespace tailcost {

/// One recorded order: sent by us, seen by the exchange, its answer seen by us.
struct OrderLatencyRow {
  SimTime sent{};
  SimTime at_exchange{};  ///< Zero or below: the exchange rejected it; `received` is when we learned that.
  SimTime received{};

  bool is_rejected() const noexcept { return at_exchange <= SimTime{}; }
  friend bool operator==(const OrderLatencyRow&, const OrderLatencyRow&) = default;
};

/// What to make of a rejection whose interpolated time is zero.
enum class ZeroReject : std::uint8_t {
  rejected,
  accepted  ///< Quirk Q13 of the reference engine, `zero_latency_reject`: it has only the sign of the latency to tell the two apart.
};

/// Wire latencies between recorded orders, interpolated on a straight line in the reference engine's arithmetic: the slope first, in
/// doubles, the product truncated toward zero. Pure functions of time; safe for all lanes and threads to share.
class RecordedLatency {
 public:
  /// Requires rows in order of `sent`, those that were not rejected in order of `at_exchange` too, and no order that arrives before it was
  /// sent. Throws Error (naming `what` and the row) otherwise, and where there is no row.
  RecordedLatency(std::vector<OrderLatencyRow> rows, std::string_view what);

  /// Of a request that leaves at `sent`. Before the first row: as the first; after the last: as the last. Between two rows of which one was
  /// rejected, the request is rejected and the duration is the time until we know. O(log rows).
  Delay entry(SimTime sent, ZeroReject zero) const noexcept;

  /// Of an answer that leaves the exchange at `sent`. A rejected row counts as the point (its at_exchange, received - at_exchange), as in
  /// the reference engine: answers between it and the next row that arrived wait about until that one. O(log rows).
  Nanos response(SimTime sent) const noexcept;

  const std::vector<OrderLatencyRow>& rows() const noexcept { return rows_; }

 private:
  struct Arrival {
    SimTime at_exchange;
    std::size_t row;
  };

  std::vector<OrderLatencyRow> rows_;
  std::vector<Arrival> arrivals_;  ///< The rows that were not rejected.
};

}  // namespace tailcost
