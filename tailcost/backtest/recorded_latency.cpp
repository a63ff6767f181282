#include "tailcost/backtest/recorded_latency.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "tailcost/core/error.hpp"

namespace tailcost {
namespace {

/// A latency at a time.
struct Point {
  SimTime at;
  Nanos latency;
};

Point sent_to_exchange(const OrderLatencyRow& row) noexcept {
  return {row.sent, row.at_exchange - row.sent};
}
Point sent_to_received(const OrderLatencyRow& row) noexcept {
  return {row.sent, row.received - row.sent};
}
Point exchange_to_received(const OrderLatencyRow& row) noexcept {
  return {row.at_exchange, row.received - row.at_exchange};
}

/// Requires a.at < b.at.
Nanos interpolated(SimTime at, Point a, Point b) noexcept {
  const double rise = static_cast<double>((b.latency - a.latency).count());
  const double run = static_cast<double>((b.at - a.at).count());
  const double slope = rise / run;  // divided first: multiplying first gives other last digits
  return a.latency + Nanos{static_cast<std::int64_t>(slope * static_cast<double>((at - a.at).count()))};
}

Delay signed_delay(Nanos latency) noexcept {
  return {.duration = std::chrono::abs(latency), .rejected = latency < Nanos{}};
}

std::optional<std::string> fault_of(const OrderLatencyRow& row) {
  if (row.received < row.sent) return "the answer was received before the order was sent";
  if (row.is_rejected()) return std::nullopt;
  if (row.at_exchange < row.sent) return "the order reached the exchange before it was sent";
  if (row.received < row.at_exchange) return "the answer was received before the order reached the exchange";
  return std::nullopt;
}

}  // namespace

RecordedLatency::RecordedLatency(std::vector<OrderLatencyRow> rows, std::string_view what) : rows_{std::move(rows)} {
  if (rows_.empty()) throw Error{std::string{what} + ": holds no recorded order; give a file with order latencies"};
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    std::optional<std::string> fault = fault_of(rows_[i]);
    if (i > 0 && rows_[i].sent < rows_[i - 1].sent) fault = "the order was sent before the one above it";
    if (!rows_[i].is_rejected()) {
      if (!arrivals_.empty() && rows_[i].at_exchange < arrivals_.back().at_exchange)
        fault = "the order reached the exchange before one that was sent earlier";
      arrivals_.push_back({rows_[i].at_exchange, i});
    }
    if (fault) {
      throw Error{std::string{what} + ": row " + std::to_string(i) + " (counted from 0): " + *fault +
                  "; sort the rows by req_ts, correct the exchange's clock by an offset or leave the row out"};
    }
  }
}

Delay RecordedLatency::entry(SimTime sent, ZeroReject zero) const noexcept {
  const auto after = std::ranges::upper_bound(rows_, sent, {}, &OrderLatencyRow::sent);
  if (after == rows_.begin()) return signed_delay(sent_to_exchange(rows_.front()).latency);
  if (after == rows_.end()) return signed_delay(sent_to_exchange(rows_.back()).latency);
  const OrderLatencyRow& before = *std::prev(after);
  if (!before.is_rejected() && !after->is_rejected())
    return signed_delay(interpolated(sent, sent_to_exchange(before), sent_to_exchange(*after)));
  const Nanos known_after = interpolated(sent, sent_to_received(before), sent_to_received(*after));
  return {.duration = known_after, .rejected = known_after != Nanos{} || zero == ZeroReject::rejected};
}

Nanos RecordedLatency::response(SimTime sent) const noexcept {
  const OrderLatencyRow& first = rows_.front();
  if (sent < first.at_exchange) return exchange_to_received(first).latency;
  const auto next = std::ranges::upper_bound(arrivals_, sent, {}, &Arrival::at_exchange);
  if (next == arrivals_.end()) return exchange_to_received(rows_.back()).latency;
  if (next->row == 0) return exchange_to_received(first).latency;
  return interpolated(sent, exchange_to_received(rows_[next->row - 1]), exchange_to_received(rows_[next->row]));
}

}  // namespace tailcost
