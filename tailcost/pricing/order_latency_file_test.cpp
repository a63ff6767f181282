#include "tailcost/pricing/order_latency_file.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "tailcost/core/error.hpp"
#include "tests/support/npz_bytes.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/shared_data.hpp"

using namespace tailcost;
using namespace tailcost::testing;
using namespace std::chrono_literals;

namespace {

std::string npz_of(const std::vector<std::vector<std::int64_t>>& records) {
  std::string rows;
  for (const auto& record : records) {
    for (const std::int64_t number : record) rows += little_endian(number);
    rows += little_endian(std::int64_t{0});
  }
  return zip_bytes(std::vector<ZipBytesMember>{
      {"data.npy", npy_bytes("{'descr': [('req_ts', '<i8'), ('exch_ts', '<i8'), ('resp_ts', '<i8'), ('_padding', '<i8')], "
                             "'fortran_order': False, 'shape': (" +
                                 std::to_string(records.size()) + ",), }",
                             rows)}});
}

void refused(const char* name, const std::string& bytes, const char* part) {
  const ScratchFolder scratch{"latency_file"};
  CHECK_THROWS_WITH_AS(read_order_latencies(scratch.with(name, bytes)), doctest::Contains(part), Error);
}

}  // namespace

TEST_CASE("an .npz and a .csv of the same orders give the same rows") {
  const ScratchFolder scratch{"latency_file"};
  const auto npz = read_order_latencies(scratch.with("o.npz", npz_of({{1000, 1100, 1150}, {2000, 0, 2260}})));
  const auto csv = read_order_latencies(scratch.with("o.csv", "req_ts,exch_ts,resp_ts\r\n1000,1100,1150\r\n2000,0,2260\n"));
  CHECK(npz.rows() == csv.rows());
  CHECK(npz.rows().back() == OrderLatencyRow{SimTime{2000ns}, SimTime{}, SimTime{2260ns}});
}

TEST_CASE("an offset of the exchange's clock moves arrivals once and answers twice, and leaves rejected rows alone") {
  const ScratchFolder scratch{"latency_file"};
  const auto file = scratch.with("o.csv", "req_ts,exch_ts,resp_ts\n1000,900,950\n2000,0,2260\n");
  CHECK_THROWS_WITH_AS(read_order_latencies(file), doctest::Contains("before"), Error);
  const auto rows = read_order_latencies(file, 200ns).rows();
  CHECK(rows.front() == OrderLatencyRow{SimTime{1000ns}, SimTime{1100ns}, SimTime{1350ns}});
  CHECK(rows.back() == OrderLatencyRow{SimTime{2000ns}, SimTime{}, SimTime{2260ns}});
}

TEST_CASE("a wrong file of order latencies is refused with its name and line") {
  refused("o.csv", "", "o.csv: holds no recorded order");
  refused("o.csv", "1000,1100,1150\n", "o.csv: line 1: is not the header");
  refused("o.csv", "req_ts,exch_ts,resp_ts\n1000,1100\n", "o.csv: line 2: expected three whole numbers");
  refused("o.csv", "req_ts,exch_ts,resp_ts\n1,2,3\n1000,1100,11x\n", "o.csv: line 3: expected three whole numbers");
  refused("o.csv", "req_ts,exch_ts,resp_ts\n1,2,3\n\n", "o.csv: line 3: expected three whole numbers");
  refused("o.csv", "req_ts,exch_ts,resp_ts\n5,6,7\n4,8,9\n", "row 1 (counted from 0): the order was sent before the one above it");
  refused("o.npz", npz_of({{1, 2, 3}}).substr(0, 150), "o.npz: not a whole .npz");
  refused("o.txt", "req_ts,exch_ts,resp_ts\n", "neither .npz nor .npy");
}

TEST_CASE("the recorded order latencies of a real market are read whole") {
  const auto file = shared_data("parity/golden/intp_latency_btcusdt_20240808.csv");
  if (!file) return;
  const RecordedLatency latency = read_order_latencies(*file);
  CHECK(latency.rows().size() > 300);
  const OrderLatencyRow& first = latency.rows().front();
  CHECK(latency.entry(first.sent, ZeroReject::rejected).duration == first.at_exchange - first.sent);
}
