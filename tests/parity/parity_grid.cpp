// parity_grid FILE.npz... [options]: runs the parity grid in compat mode; the per-step csv of the golden runs on standard output,
// "steps submits cancels end" on standard error.

#include <cmath>
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tailcost/core/error.hpp"
#include "tests/parity/grid_run.hpp"

namespace tailcost::parity {
namespace {

double number(const std::string& option, const std::string& text) {
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used == 0 || used != text.size()) throw UsageError{option + ": \"" + text + "\" is not a number"};
  return value;
}

std::int64_t whole(const std::string& option, const std::string& text) {
  const double value = number(option, text);
  if (value != std::floor(value)) throw UsageError{option + ": \"" + text + "\" is not a whole number"};
  return static_cast<std::int64_t>(value);
}

/// "a/b" in two.
std::pair<std::string, std::string> two_of(const std::string& option, const std::string& text, char between) {
  const auto at = text.find(between);
  if (at == std::string::npos) throw UsageError{option + ": \"" + text + "\" lacks a '" + std::string{between} + "'"};
  return {text.substr(0, at), text.substr(at + 1)};
}

QueueSpec queue(const std::string& text) {
  static const std::map<std::string, QueueKind> kinds{
      {"risk-averse", QueueKind::risk_averse}, {"power1", QueueKind::power1}, {"power2", QueueKind::power2},
      {"power3", QueueKind::power3},           {"log1", QueueKind::log1},     {"log2", QueueKind::log2}};
  const auto colon = text.find(':');
  const auto kind = kinds.find(text.substr(0, colon));
  if (kind == kinds.end()) throw UsageError{"--queue: \"" + text + "\" is none of risk-averse, power1:N, power2:N, power3:N, log1, log2"};
  QueueSpec spec{.kind = kind->second};
  if (colon != std::string::npos) spec.exponent = number("--queue", text.substr(colon + 1));
  return spec;
}

TimeInForce time_in_force(const std::string& text) {
  static const std::map<std::string, TimeInForce> names{
      {"GTC", TimeInForce::gtc}, {"GTX", TimeInForce::gtx}, {"IOC", TimeInForce::ioc}, {"FOK", TimeInForce::fok}};
  const auto name = names.find(text);
  if (name == names.end()) throw UsageError{"--tif: \"" + text + "\" is none of GTC, GTX, IOC, FOK"};
  return name->second;
}

struct Arguments {
  std::vector<std::filesystem::path> files;
  std::map<std::string, std::string> options{{"--queue", "risk-averse"},
                                             {"--exchange", "no-partial"},
                                             {"--latency", "10ms/10ms"},
                                             {"--latency-file", ""},
                                             {"--snapshot", ""},
                                             {"--tif", "GTX"},
                                             {"--hs", "2"},
                                             {"--gi", "1"},
                                             {"--gn", "5"},
                                             {"--skew", "0.5"},
                                             {"--qty", "0.02"},
                                             {"--maxpos", "0.4"},
                                             {"--step", "100ms"},
                                             {"--tick", "0.1"},
                                             {"--lot", "0.001"},
                                             {"--contract", "linear:1"},
                                             {"--fees", "-0.00005/0.0007"}};
};

Arguments read(int count, char** words) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    std::string word = words[i];
    if (!word.starts_with("--")) {
      arguments.files.emplace_back(word);
      continue;
    }
    std::string value;
    if (const auto equals = word.find('='); equals != std::string::npos) {
      value = word.substr(equals + 1);
      word.resize(equals);
    } else if (++i < count) {
      value = words[i];
    } else {
      throw UsageError{word + ": lacks its value"};
    }
    if (!arguments.options.contains(word)) throw UsageError{word + ": unknown option"};
    arguments.options[word] = value;
  }
  if (arguments.files.empty()) {
    std::string known;
    for (const auto& [name, value] : arguments.options) known += " [" + name + (value.empty() ? " FILE" : " " + value) + "]";
    throw UsageError{"usage: parity_grid FILE.npz..." + known};
  }
  return arguments;
}

GridRun run_of(std::map<std::string, std::string>& options) {
  GridRun run;
  run.instrument.tick_size = number("--tick", options["--tick"]);
  run.instrument.lot_size = number("--lot", options["--lot"]);
  const auto [kind, size] = two_of("--contract", options["--contract"], ':');
  if (kind != "linear" && kind != "inverse") throw UsageError{"--contract: \"" + kind + "\" is neither linear nor inverse"};
  run.instrument.contract = kind == "inverse" ? ContractKind::inverse : ContractKind::linear;
  run.instrument.contract_size = number("--contract", size);
  if (options["--exchange"] != "no-partial" && options["--exchange"] != "partial")
    throw UsageError{"--exchange: \"" + options["--exchange"] + "\" is neither no-partial nor partial"};
  run.lane.fill = options["--exchange"] == "partial" ? FillRule::traded_quantity : FillRule::whole_order;
  run.latency_file = options["--latency-file"];
  run.snapshot = options["--snapshot"];
  const auto [entry, response] = two_of("--latency", options["--latency"], '/');
  run.lane.latency.entry = parse_duration(entry, "--latency");
  run.lane.latency.response = parse_duration(response, "--latency");
  const auto [maker, taker] = two_of("--fees", options["--fees"], '/');
  run.lane.fees = {.maker = number("--fees", maker), .taker = number("--fees", taker)};
  run.lane.queue = queue(options["--queue"]);
  const auto lots = [&](const char* option) { return QtyLots{std::llround(number(option, options[option]) / run.instrument.lot_size)}; };
  run.grid = {.step = parse_duration(options["--step"], "--step"),
              .half_spread = number("--hs", options["--hs"]),
              .interval = whole("--gi", options["--gi"]),
              .quotes = whole("--gn", options["--gn"]),
              .skew = number("--skew", options["--skew"]),
              .qty = lots("--qty"),
              .max_position = lots("--maxpos"),
              .time_in_force = time_in_force(options["--tif"])};
  if (run.grid.step <= Nanos{} || run.grid.interval < 1 || run.grid.quotes < 1 || run.grid.qty.value < 1) {
    throw UsageError{"--step, --gi, --gn and --qty must be positive"};
  }
  return run;
}

void print(const GridOutcome& outcome) {
  std::puts("timestamp,price,position,balance,fee,num_trades,trading_volume,trading_value");
  for (const Step& step : outcome.steps) {
    std::printf("%lld,%.17g,%.17g,%.17g,%.17g,%lld,%.17g,%.17g\n", static_cast<long long>(step.timestamp), step.price, step.position,
                step.balance, step.fee, static_cast<long long>(step.trades), step.volume, step.value);
  }
  const std::string end = outcome.error == 0 ? "end_of_data" : "error_" + std::to_string(outcome.error);
  std::fprintf(stderr, "%zu %lld %lld %s\n", outcome.steps.size(), static_cast<long long>(outcome.submits),
               static_cast<long long>(outcome.cancels), end.c_str());
}

}  // namespace
}  // namespace tailcost::parity

int main(int count, char** words) {
  try {
    tailcost::parity::Arguments arguments = tailcost::parity::read(count, words);
    tailcost::parity::print(tailcost::parity::run_grid(arguments.files, tailcost::parity::run_of(arguments.options)));
    return 0;
  } catch (const tailcost::UsageError& error) {
    std::fprintf(stderr, "parity_grid: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "parity_grid: %s\n", error.what());
    return 1;
  }
}
