#include <doctest/doctest.h>
#include <zlib.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "tailcost/market/npz_importer.hpp"
#include "tests/parity/grid_run.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/shared_data.hpp"

using namespace tailcost;
using namespace tailcost::parity;

namespace {

std::string unpacked(const std::filesystem::path& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  REQUIRE(file != nullptr);
  std::string text;
  std::vector<char> part(1 << 16);
  for (int got = 0; (got = gzread(file, part.data(), static_cast<unsigned>(part.size()))) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  gzclose(file);
  return text;
}

std::vector<double> numbers(const std::string& line) {
  std::vector<double> values;
  std::istringstream in{line};
  for (std::string cell; std::getline(in, cell, ',');) values.push_back(std::stod(cell));
  return values;
}

bool is_close(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)) + 1e-12;
}

void check_against(const std::string& golden, const GridOutcome& outcome) {
  CAPTURE(golden);
  const auto path = testing::shared_data("parity/golden/" + golden + ".csv.gz");
  if (!path) return;
  std::istringstream lines{unpacked(*path)};
  std::string line;
  std::getline(lines, line);
  std::size_t row = 0;
  for (; std::getline(lines, line); ++row) {
    REQUIRE(row < outcome.steps.size());
    const Step& step = outcome.steps[row];
    const std::vector<double> expected = numbers(line);
    const std::vector<double> found{static_cast<double>(step.timestamp), step.price,  step.position, step.balance, step.fee,
                                    static_cast<double>(step.trades),    step.volume, step.value};
    for (std::size_t i = 0; i < found.size(); ++i) {
      CAPTURE(row);
      CAPTURE(i);
      REQUIRE(is_close(found[i], expected[i]));
    }
  }
  CHECK(row == outcome.steps.size());
}

struct Expected {
  std::string golden;
  QueueSpec queue;
  std::int64_t submits;
  std::int64_t cancels;
};

}  // namespace

TEST_CASE("the parity grid in compat mode matches the reference engine row by row, under every queue model") {
  const auto file = testing::shared_data("parity/converted/usdm_btcusdt_20240808.npz");
  if (!file) return;
  const testing::ScratchFolder scratch;
  GridRun run;
  import_npz({&*file, 1}, scratch.path() / "data", {.instrument = run.instrument});
  const Dataset data{scratch.path() / "data"};
  for (const Expected& expected : {Expected{"btcusdt_hash_ra_np_c10ms", {}, 3461, 1844},
                                   Expected{"btcusdt_hash_pow1_2_np_c10ms", {.kind = QueueKind::power1, .exponent = 2}, 3481, 1847},
                                   Expected{"btcusdt_hash_pow3_3_np_c10ms", {.kind = QueueKind::power3, .exponent = 3}, 3468, 1850},
                                   Expected{"btcusdt_hash_log1_np_c10ms", {.kind = QueueKind::log1}, 3505, 1856},
                                   Expected{"btcusdt_hash_log2_np_c10ms", {.kind = QueueKind::log2}, 3491, 1869}}) {
    run.lane.queue = expected.queue;
    const GridOutcome outcome = run_grid(data, run);
    CHECK(outcome.submits == expected.submits);
    CHECK(outcome.cancels == expected.cancels);
    CHECK(outcome.error == 0);
    check_against(expected.golden, outcome);
  }
  run.lane.queue = {.kind = QueueKind::power3, .exponent = 3};
  run.grid.half_spread = 0;
  run.grid.quotes = 1;
  run.grid.time_in_force = TimeInForce::gtc;
  check_against("btcusdt_hash_pow3_3_np_c10ms_GTC_hs0_gn1", run_grid(data, run));
}

TEST_CASE("two chained days of an inverse contract match the reference engine") {
  const auto first = testing::shared_data("parity/converted/cm_btcusd_perp_20240808.npz");
  const auto second = testing::shared_data("parity/converted/cm_btcusd_perp_20240809.npz");
  if (!first || !second) return;
  GridRun run;
  run.instrument = {
      .symbol = "BTCUSD", .currency = "BTC", .tick_size = 0.1, .lot_size = 1, .contract = ContractKind::inverse, .contract_size = 100};
  run.lane.queue = {.kind = QueueKind::power3, .exponent = 3};
  run.lane.fees = {.maker = -0.00005, .taker = 0.0005};
  run.grid.qty = {1};
  run.grid.max_position = {20};
  check_against("cm_btcusd_inverse_hash_pow3_3_np_c10ms_2days", run_grid({*first, *second}, run));
}
