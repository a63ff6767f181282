#include <doctest/doctest.h>
#include <zlib.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "tailcost/market/npz_importer.hpp"
#include "tests/parity/grid_run.hpp"
#include "tests/parity/script_run.hpp"
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

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream in{path};
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in{text};
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

/// What a golden run's name says, such as btcusdt_hash_pow3_3_np_intp; its second part is the book.
GridRun run_named(const std::string& name) {
  GridRun run;
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  if (has("_pow1_2")) run.lane.queue = {.kind = QueueKind::power1, .exponent = 2};
  if (has("_pow2_2")) run.lane.queue = {.kind = QueueKind::power2, .exponent = 2};
  if (has("_pow3_3")) run.lane.queue = {.kind = QueueKind::power3, .exponent = 3};
  if (has("_log1")) run.lane.queue = {.kind = QueueKind::log1};
  if (has("_log2")) run.lane.queue = {.kind = QueueKind::log2};
  if (has("_pf_")) run.lane.fill = FillRule::traded_quantity;
  if (has("_roi_")) run.book_range = {.lowest = {500'000}, .highest = {700'000}};
  if (has("GTC_hs0_gn1")) {
    run.grid.half_spread = 0;
    run.grid.quotes = 1;
    run.grid.time_in_force = TimeInForce::gtc;
  }
  if (has("inverse")) {
    run.instrument = {
        .symbol = "BTCUSD", .currency = "BTC", .tick_size = 0.1, .lot_size = 1, .contract = ContractKind::inverse, .contract_size = 100};
    run.lane.fees = {.maker = -0.00005, .taker = 0.0005};
    run.grid.qty = {1};
    run.grid.max_position = {20};
  }
  if (has("_intp")) {
    if (const auto file = testing::shared_data("parity/golden/intp_latency_btcusdt_20240808.csv")) run.latency_file = *file;
  }
  return run;
}

std::int64_t error_named(const std::string& end) {
  if (end.find("OrderIdExist") != std::string::npos) return 10;
  return end.find("InvalidOrderStatus") != std::string::npos ? 14 : 0;
}

/// Equal cell by cell, numbers as numbers.
bool is_same_line(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto left = split(a, ',');
  const auto right = split(b, ',');
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i] == right[i]) continue;
    char* end_a = nullptr;
    char* end_b = nullptr;
    const double x = std::strtod(left[i].c_str(), &end_a);
    const double y = std::strtod(right[i].c_str(), &end_b);
    if (*end_a != 0 || *end_b != 0 || left[i].empty() || right[i].empty() || x != y) return false;
  }
  return true;
}

/// Every case whose files are unpacked in `folder`.
int check_cases(const std::filesystem::path& folder) {
  int cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    const std::string file = entry.path().filename().string();
    const auto end = file.find("_expected.csv");
    if (end == std::string::npos) continue;
    ++cases;
    const std::string name = file.substr(0, end);
    CAPTURE(name);
    const std::vector<std::string> expected = lines_of(entry.path());
    const std::vector<std::string> found = run_script({.folder = folder, .name = name});
    REQUIRE(found.size() == expected.size());
    for (std::size_t line = 0; line < found.size(); ++line) {
      CAPTURE(line);
      CHECK_MESSAGE(is_same_line(found[line], expected[line]), found[line] << "\n" << expected[line]);
      if (!is_same_line(found[line], expected[line])) break;
    }
  }
  return cases;
}

void unpack(const std::filesystem::path& archive, const std::filesystem::path& folder) {
  REQUIRE(std::system(("tar -xJf '" + archive.string() + "' -C '" + folder.string() + "'").c_str()) == 0);
}

}  // namespace

TEST_CASE("every golden run of the reference engine comes out: counts, end and state, and row by row where its rows are kept") {
  const auto summary = testing::shared_data("parity/golden/summary.csv");
  const auto file = testing::shared_data("parity/converted/usdm_btcusdt_20240808.npz");
  const auto inverse_1 = testing::shared_data("parity/converted/cm_btcusd_perp_20240808.npz");
  const auto inverse_2 = testing::shared_data("parity/converted/cm_btcusd_perp_20240809.npz");
  if (!summary || !file || !inverse_1 || !inverse_2) return;
  const testing::ScratchFolder scratch;
  import_npz({&*file, 1}, scratch.path() / "data", {.instrument = GridRun{}.instrument});
  const Dataset data{scratch.path() / "data"};
  const std::vector<std::string> lines = lines_of(*summary);
  REQUIRE(lines.size() == 25);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> cells = split(lines[i], ',');
    const std::string& name = cells[0];
    CAPTURE(name);
    const GridRun run = run_named(name);
    const GridOutcome outcome =
        run.instrument.contract == ContractKind::inverse ? run_grid({*inverse_1, *inverse_2}, run) : run_grid(data, run);
    CHECK(static_cast<std::int64_t>(outcome.steps.size()) == std::stoll(cells[1]));
    CHECK(outcome.submits == std::stoll(cells[2]));
    CHECK(outcome.cancels == std::stoll(cells[3]));
    CHECK(outcome.error == error_named(cells[4]));
    const Step& last = outcome.steps.back();
    CHECK(last.timestamp == std::stoll(cells[5]));
    CHECK(last.trades == std::stoll(cells[9]));
    const std::array found{last.position, last.balance, last.fee, last.volume, last.value};
    const std::array columns{6, 7, 8, 10, 11};
    for (std::size_t k = 0; k < found.size(); ++k) {
      CHECK_MESSAGE(is_close(found[k], std::stod(cells[static_cast<std::size_t>(columns[k])])),
                    found[k] << " " << cells[static_cast<std::size_t>(columns[k])]);
    }
    const auto rows = summary->parent_path() / (name + ".csv.gz");
    if (std::filesystem::exists(rows)) check_against(name, outcome);
  }
}

TEST_CASE("the adversarial feeds give the reference engine's state after every action of their scripts, exactly") {
  const auto l2 = testing::shared_data("parity/fuzz_l2/events.tar.xz");
  const auto l3 = testing::shared_data("parity/fuzz_l3/all.tar.xz");
  if (!l2 || !l3) return;
  const testing::ScratchFolder scratch;
  const auto prepare = [&](const char* name, const std::filesystem::path& from, std::initializer_list<const char*> archives) {
    const auto folder = scratch.path() / name;
    std::filesystem::create_directory(folder);
    for (const char* archive : archives) unpack(from / archive, folder);
    for (const char* table : {"cases.csv", "latency_intp.csv"}) {
      if (!std::filesystem::exists(from / table) || std::filesystem::exists(folder / table)) continue;
      std::filesystem::copy_file(from / table, folder / table);
    }
    return folder;
  };
  CHECK(check_cases(prepare("l2", l2->parent_path(), {"events.tar.xz", "script.tar.xz", "expected.tar.xz"})) == 37);
  CHECK(check_cases(prepare("l3", l3->parent_path(), {"all.tar.xz"})) == 6);
}

TEST_CASE("every queue model follows the reference engine's trace of trades and level changes") {
  const auto traces = testing::shared_data("parity/golden/queue_model_traces.csv");
  if (!traces) return;
  constexpr double lot = 0.001;
  const std::map<std::string, QueueSpec> models{{"risk_adverse", {}},
                                                {"power_n2", {.kind = QueueKind::power1, .exponent = 2}},
                                                {"power_n3", {.kind = QueueKind::power1, .exponent = 3}},
                                                {"power2_n2", {.kind = QueueKind::power2, .exponent = 2}},
                                                {"power3_n3", {.kind = QueueKind::power3, .exponent = 3}},
                                                {"log", {.kind = QueueKind::log1}},
                                                {"log2", {.kind = QueueKind::log2}}};
  const auto lots = [&](const std::string& text) { return QtyLots{std::llround(std::stod(text) / lot)}; };
  std::unique_ptr<QueueModel> model;
  QueuePosition position;
  const std::vector<std::string> lines = lines_of(*traces);
  REQUIRE(lines.size() > 500);
  for (std::size_t line = 1; line < lines.size(); ++line) {
    const std::vector<std::string> cells = split(lines[line], ',');
    CAPTURE(lines[line]);
    if (cells[2] == "new") {
      model = make_queue_model(models.at(cells[0]), lot);
      position = {.ahead = std::stod(cells[5]) / lot, .traded = 0};
    } else if (cells[2] == "trade") {
      model->on_trade({&position, 1}, lots(cells[3]));
      REQUIRE(is_close(static_cast<double>(passed_by_trades(position).value) * lot, std::stod(cells[7])));
      REQUIRE(is_close(position.ahead * lot, std::stod(cells[5])));
    } else {
      model->on_depth({&position, 1}, lots(cells[3]), lots(cells[4]), {});
      REQUIRE(is_close(position.ahead * lot, std::stod(cells[5])));
      REQUIRE(is_close(position.traded * lot, std::stod(cells[6])));
    }
  }
}
