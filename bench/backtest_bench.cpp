// backtest_bench DATA --mode replay|grid [--lanes N] [--repeat R]: times the engine on one core. DATA is an .npz of two-clock events
// (imported first, untimed) or an imported dataset. Seconds run from opening the dataset to the result. Prints one JSON line a repeat, then
// one with the median and the spread.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "tailcost/backtest/backtest.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/market/npz_importer.hpp"
#include "tailcost/strategies/grid.hpp"
#include "tests/support/scratch_folder.hpp"

namespace tailcost {
namespace {

struct Arguments {
  std::filesystem::path data;
  std::string mode{"replay"};
  std::int64_t lanes{1};
  int repeat{5};
};

/// Reads the book every 100 ms and does nothing: the sum of bid tick + 3 ask tick + 5 bid lots + 7 ask lots shows that it was the right
/// book.
class Replay final : public Strategy {
 public:
  explicit Replay(std::int64_t& checksum) : checksum_{checksum} {}
  Wake on_wake(const View& view, Orders&) override {
    if (view.reason() == WakeReason::end) return {};
    if (view.reason() == WakeReason::time) note(view.book());
    return {.at = view.now() + Nanos{100'000'000}};
  }

 private:
  void note(const OrderBook& book) noexcept {
    const auto bid = book.best(Side::buy);
    const auto ask = book.best(Side::sell);
    if (bid && ask) checksum_ += bid->value + 3 * ask->value + 5 * book.qty(Side::buy, *bid).value + 7 * book.qty(Side::sell, *ask).value;
  }
  std::int64_t& checksum_;
};

RunSpec spec_of(const Arguments& arguments) {
  RunSpec spec;
  spec.mode = Mode::compat;
  spec.datasets = {"bench"};
  for (std::int64_t lane = 0; lane < arguments.lanes; ++lane) {
    LaneSpec& added = spec.lanes.emplace_back();
    added.name = std::to_string(lane);
    // One lane: 10 ms, the reference run; many: spread evenly over 0.1 .. 100 ms.
    const Nanos wire{arguments.lanes == 1 ? 10'000'000 : 100'000 + 99'900'000 * lane / (arguments.lanes - 1)};
    added.latency = {.entry = wire, .response = wire, .reaction = {}};
    added.fees = {.maker = -0.00005, .taker = 0.0007};
  }
  return spec;
}

void run(const Arguments& arguments, const std::filesystem::path& folder) {
  const RunSpec spec = spec_of(arguments);
  std::vector<double> rates;
  for (int i = 0; i < arguments.repeat; ++i) {
    std::int64_t checksum = 0;
    const auto begin = std::chrono::high_resolution_clock::now();
    const Dataset data{folder};
    RunInputs inputs;
    inputs.datasets = {&data};
    inputs.make_strategy = [&](const StrategySpec&, const InstrumentFacts&) -> std::unique_ptr<Strategy> {
      if (arguments.mode == "grid") return std::make_unique<Grid>(GridOptions{});
      return std::make_unique<Replay>(checksum);
    };
    const RunResult result = run_backtest(spec, inputs);
    const std::chrono::duration<double> seconds = std::chrono::high_resolution_clock::now() - begin;
    const LaneResult& lane = result.lanes.front();
    const double rate = static_cast<double>(data.rows()) / seconds.count();
    rates.push_back(rate);
    std::printf(
        "{\"mode\": \"%s\", \"lanes\": %lld, \"rows\": %lld, \"seconds\": %.6f, \"rows_per_s\": %.0f, \"checksum\": %lld, \"submits\": "
        "%lld, \"trades\": %lld}\n",
        arguments.mode.c_str(), static_cast<long long>(arguments.lanes), static_cast<long long>(data.rows()), seconds.count(), rate,
        static_cast<long long>(checksum), static_cast<long long>(lane.counts.submits),
        static_cast<long long>(lane.instruments.front().trades));
    std::fflush(stdout);
  }
  std::sort(rates.begin(), rates.end());
  std::printf("{\"median_rows_per_s\": %.0f, \"min\": %.0f, \"max\": %.0f}\n", rates[rates.size() / 2], rates.front(), rates.back());
}

Arguments read(int count, char** words) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const bool has_value = i + 1 < count;
    if (word == "--mode" && has_value) {
      arguments.mode = words[++i];
    } else if (word == "--lanes" && has_value) {
      arguments.lanes = std::stoll(words[++i]);
    } else if (word == "--repeat" && has_value) {
      arguments.repeat = std::stoi(words[++i]);
    } else if (!word.starts_with("--") && arguments.data.empty()) {
      arguments.data = word;
    } else {
      throw UsageError{"\"" + word + "\": usage: backtest_bench DATA --mode replay|grid [--lanes N] [--repeat R]"};
    }
  }
  if (arguments.data.empty() || (arguments.mode != "replay" && arguments.mode != "grid") || arguments.lanes < 1 || arguments.repeat < 1) {
    throw UsageError{"usage: backtest_bench DATA --mode replay|grid [--lanes N] [--repeat R]"};
  }
  return arguments;
}

}  // namespace
}  // namespace tailcost

int main(int count, char** words) {
  try {
    const tailcost::Arguments arguments = tailcost::read(count, words);
    if (std::filesystem::is_directory(arguments.data)) {
      tailcost::run(arguments, arguments.data);
      return 0;
    }
    const tailcost::testing::ScratchFolder scratch;
    const std::filesystem::path file = arguments.data;
    tailcost::import_npz({&file, 1}, scratch.path() / "data",
                         {.instrument = {.symbol = "BTCUSDT", .currency = "USDT", .tick_size = 0.1, .lot_size = 0.001}});
    tailcost::run(arguments, scratch.path() / "data");
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "backtest_bench: %s\n", error.what());
    return 2;
  }
}
