#include "tailcost/market/npz_events.hpp"

#include <array>
#include <span>
#include <string>
#include <vector>

#include "tailcost/core/error.hpp"
#include "tailcost/market/npz_rows.hpp"

namespace tailcost {
namespace {

const std::array<NpyField, 8> layout{{{"ev", "<u8"},
                                      {"exch_ts", "<i8"},
                                      {"local_ts", "<i8"},
                                      {"px", "<f8"},
                                      {"qty", "<f8"},
                                      {"order_id", "<u8"},
                                      {"ival", "<i8"},
                                      {"fval", "<f8"}}};

constexpr std::size_t rows_at_once = 2048;  // 128 KiB: stays in the processor's second cache between unpacking and reading

}  // namespace

void read_npz_events(const std::filesystem::path& file, RecordReader& reader, const std::function<void(const MarketEvent&)>& emit,
                     const std::function<void(std::uint64_t)>& consumed) {
  NpzRows source{file, layout, sizeof(EventRecord)};
  std::vector<EventRecord> records(rows_at_once);
  MarketEvent event;
  std::int64_t row = 0;
  while (const std::size_t count = source.read(std::as_writable_bytes(std::span{records}))) {
    for (const EventRecord& record : std::span{records}.first(count)) {
      const RowFault fault = reader.read(record, event);
      if (fault != RowFault::none)
        throw Error{source.what() + ": row " + std::to_string(row) + " (counted from 0): " + sentence(fault, record)};
      emit(event);
      ++row;
    }
    if (consumed) consumed(source.consumed());
  }
}

}  // namespace tailcost
