#pragma once

#include <filesystem>

#include "tailcost/backtest/recorded_latency.hpp"
#include "tailcost/core/time.hpp"

namespace tailcost {

/// Reads recorded order latencies: an .npz (member `data`) or .npy of records `req_ts exch_ts resp_ts _padding`, or a .csv whose first line
/// is `req_ts,exch_ts,resp_ts`. `exchange_offset` corrects an exchange clock: it is added to every exch_ts and, twice, to every resp_ts,
/// but for rejected rows, whose exch_ts is no time. Throws Error naming the file and the row or line: a truncated file, text that is no
/// number, rows out of order or against time.
RecordedLatency read_order_latencies(const std::filesystem::path& file, Nanos exchange_offset = {});

}  // namespace tailcost
