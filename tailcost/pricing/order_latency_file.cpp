#include "tailcost/pricing/order_latency_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tailcost/core/error.hpp"
#include "tailcost/core/json.hpp"
#include "tailcost/market/npz_rows.hpp"

namespace tailcost {
namespace {

static_assert(std::endian::native == std::endian::little, "records are read as they lie in the file");

/// A row as it lies in the file.
struct LatencyRecord {
  std::int64_t req_ts;
  std::int64_t exch_ts;
  std::int64_t resp_ts;
  std::int64_t padding;
};
static_assert(sizeof(LatencyRecord) == 32);

const std::array<NpyField, 4> layout{{{"req_ts", "<i8"}, {"exch_ts", "<i8"}, {"resp_ts", "<i8"}, {"_padding", "<i8"}}};

constexpr std::string_view csv_header = "req_ts,exch_ts,resp_ts";

OrderLatencyRow row_of(std::int64_t sent, std::int64_t at_exchange, std::int64_t received) noexcept {
  return {SimTime{Nanos{sent}}, SimTime{Nanos{at_exchange}}, SimTime{Nanos{received}}};
}

std::vector<OrderLatencyRow> rows_of_npz(const std::filesystem::path& file) {
  constexpr std::size_t rows_at_once = 4096;
  NpzRows source{file, layout, sizeof(LatencyRecord)};
  std::vector<LatencyRecord> records(rows_at_once);
  std::vector<OrderLatencyRow> rows;
  while (const std::size_t count = source.read(std::as_writable_bytes(std::span{records}))) {
    for (const LatencyRecord& record : std::span{records}.first(count))
      rows.push_back(row_of(record.req_ts, record.exch_ts, record.resp_ts));
  }
  return rows;
}

/// The line's three whole numbers, or nothing.
std::optional<OrderLatencyRow> row_of_line(std::string_view line) noexcept {
  std::array<std::int64_t, 3> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t end = i + 1 < numbers.size() ? line.find(',') : line.size();
    if (end == std::string_view::npos) return std::nullopt;
    const auto [stop, fault] = std::from_chars(line.data(), line.data() + end, numbers[i]);
    if (fault != std::errc{} || stop != line.data() + end) return std::nullopt;
    line.remove_prefix(i + 1 < numbers.size() ? end + 1 : end);
  }
  return row_of(numbers[0], numbers[1], numbers[2]);
}

std::vector<OrderLatencyRow> rows_of_csv(const std::filesystem::path& file) {
  const std::string text = read_file(file);
  std::vector<OrderLatencyRow> rows;
  std::int64_t number = 0;
  for (std::string_view left = text; !left.empty();) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    std::string_view line = left.substr(0, end);
    left.remove_prefix(std::min(end + 1, left.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number;
    const auto refuse = [&](const std::string& fault) { throw Error{file.string() + ": line " + std::to_string(number) + ": " + fault}; };
    if (number == 1) {
      if (line != csv_header) refuse("is not the header " + std::string{csv_header} + "; give a file of order latencies");
      continue;
    }
    const auto row = row_of_line(line);
    if (!row) refuse("expected three whole numbers req_ts,exch_ts,resp_ts; write the line again or leave it out");
    rows.push_back(*row);
  }
  return rows;
}

}  // namespace

RecordedLatency read_order_latencies(const std::filesystem::path& file, Nanos exchange_offset) {
  std::vector<OrderLatencyRow> rows = file.extension() == ".csv" ? rows_of_csv(file) : rows_of_npz(file);
  for (OrderLatencyRow& row : rows) {
    if (row.is_rejected()) continue;
    row.at_exchange += exchange_offset;
    row.received += 2 * exchange_offset;
  }
  return RecordedLatency{std::move(rows), file.string()};
}

}  // namespace tailcost
