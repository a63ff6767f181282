#include "tailcost/backtest/recorded_latency.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <random>
#include <utility>

#include "tailcost/core/error.hpp"

using namespace tailcost;

namespace {

OrderLatencyRow row(std::int64_t sent, std::int64_t at_exchange, std::int64_t received) {
  return {SimTime{Nanos{sent}}, SimTime{Nanos{at_exchange}}, SimTime{Nanos{received}}};
}

/// Table B17 of the reference engine's verified scenarios: the third order was rejected.
RecordedLatency table() {
  return {{row(1000, 1100, 1150), row(2000, 2200, 2260), row(3000, 0, 3500), row(4000, 4090, 4120)}, "table"};
}

std::int64_t entry(const RecordedLatency& latency, std::int64_t sent) {
  const Delay delay = latency.entry(SimTime{Nanos{sent}}, ZeroReject::rejected);
  return delay.rejected ? -delay.duration.count() : delay.duration.count();
}

std::int64_t response(const RecordedLatency& latency, std::int64_t sent) {
  return latency.response(SimTime{Nanos{sent}}).count();
}

/// The reference engine's own way: a scan from the first row.
std::int64_t scanned_response(const std::vector<OrderLatencyRow>& rows, std::int64_t t) {
  const auto exch = [&](std::size_t i) { return rows[i].at_exchange.time_since_epoch().count(); };
  const auto latency = [&](std::size_t i) { return (rows[i].received - rows[i].at_exchange).count(); };
  if (t < exch(0)) return latency(0);
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    if (exch(i) > t || t >= exch(i + 1)) continue;
    const double slope = static_cast<double>(latency(i + 1) - latency(i)) / static_cast<double>(exch(i + 1) - exch(i));
    return latency(i) + static_cast<std::int64_t>(slope * static_cast<double>(t - exch(i)));
  }
  return latency(rows.size() - 1);
}

void refused(std::vector<OrderLatencyRow> rows, const char* part) {
  CHECK_THROWS_WITH_AS(RecordedLatency(std::move(rows), "orders.csv"), doctest::Contains(part), Error);
}

}  // namespace

TEST_CASE("entry latencies between recorded orders are those of the reference engine, rejections negative") {
  const RecordedLatency latency = table();
  const std::array<std::pair<std::int64_t, std::int64_t>, 9> expected{
      {{500, 100}, {1333, 133}, {1999, 199}, {2000, -260}, {2500, -380}, {3000, -500}, {3500, -310}, {3999, -121}, {4000, 90}}};
  for (const auto& [sent, delay] : expected) CHECK_MESSAGE(entry(latency, sent) == delay, sent);
  CHECK(entry(latency, 900'000) == 90);
}

TEST_CASE("response latencies between recorded orders are those of the reference engine, around a rejected one too") {
  const RecordedLatency latency = table();
  const std::array<std::pair<std::int64_t, std::int64_t>, 7> expected{
      {{500, 50}, {1500, 53}, {2199, 59}, {2200, 1634}, {3000, 955}, {4089, 31}, {4090, 30}}};
  for (const auto& [sent, delay] : expected) CHECK_MESSAGE(response(latency, sent) == delay, sent);
  CHECK(response(latency, 900'000) == 30);
}

TEST_CASE("a rejection that takes no time is a rejection, and accepted where the quirk is on") {
  const RecordedLatency latency{{row(1000, 0, 1000), row(2000, 0, 2000), row(3000, 3010, 3020)}, "table"};
  const SimTime sent{Nanos{1500}};
  CHECK(latency.entry(sent, ZeroReject::rejected).rejected);
  CHECK(latency.entry(sent, ZeroReject::rejected).duration == Nanos{0});
  CHECK_FALSE(latency.entry(sent, ZeroReject::accepted).rejected);
  CHECK(latency.entry(SimTime{Nanos{2900}}, ZeroReject::accepted).rejected);
}

TEST_CASE("the response latency found by search is that of a scan from the first row") {
  std::mt19937_64 random{7};
  for (int round = 0; round < 200; ++round) {
    std::vector<OrderLatencyRow> rows;
    std::int64_t sent = 1000;
    for (int i = 0; i < 12; ++i) {
      sent += 100 + static_cast<std::int64_t>(random() % 50);
      const std::int64_t at_exchange = random() % 3 == 0 ? 0 : sent + static_cast<std::int64_t>(random() % 90);
      rows.push_back(row(sent, at_exchange, sent + 90 + static_cast<std::int64_t>(random() % 200)));
    }
    const RecordedLatency latency{rows, "random"};
    for (std::int64_t t = 900; t < sent + 400; t += 7) CHECK(response(latency, t) == scanned_response(rows, t));
  }
}

TEST_CASE("rows that no two clocks can have recorded are refused with their number") {
  refused({}, "orders.csv: holds no recorded order");
  refused({row(1000, 1100, 1150), row(900, 1200, 1250)}, "row 1 (counted from 0): the order was sent before the one above it");
  refused({row(1000, 1100, 1150), row(1010, 1050, 1250)}, "row 1 (counted from 0): the order reached the exchange before one");
  refused({row(1000, 990, 1150)}, "reached the exchange before it was sent; sort the rows");
  refused({row(1000, 1100, 1050)}, "received before the order reached");
  refused({row(1000, 0, 950)}, "received before the order was sent");
}
