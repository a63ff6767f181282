#include "tailcost/cli/dataset_summary.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tailcost/cli/console.hpp"
#include "tailcost/cli/interrupt.hpp"
#include "tailcost/cli/work_estimate.hpp"
#include "tailcost/core/error.hpp"

namespace tailcost::cli {
namespace {

std::string utc(SimTime time) {
  return format_utc(WallTime{time.time_since_epoch()});
}

std::string text_or(const std::string& text, const char* otherwise) {
  return text.empty() ? otherwise : text;
}

}  // namespace

std::string to_text(const DatasetFacts& facts, const std::filesystem::path& folder) {
  const InstrumentFacts& instrument = facts.instrument;
  std::string text = folder.string() + "\n";
  text += fmt::format("  instrument   {} in {}, tick {}, lot {}, {} contract of {}\n", text_or(instrument.symbol, "(no symbol)"),
                      text_or(instrument.currency, "(no currency)"), instrument.tick_size, instrument.lot_size,
                      instrument.contract == ContractKind::linear ? "linear" : "inverse", instrument.contract_size);
  text +=
      fmt::format("  rows         {}, {} of them trades that the local clock sees\n", format_count(facts.rows), format_count(facts.trades));
  text += fmt::format("  time         {} to {}, {}\n", utc(facts.first), utc(facts.last), format_duration(facts.last - facts.first));
  text += fmt::format("  prices       {:.10g} to {:.10g}\n", static_cast<double>(facts.lowest.value) * instrument.tick_size,
                      static_cast<double>(facts.highest.value) * instrument.tick_size);
  return text + fmt::format("  origin       {}\n  fingerprint  {}\n", facts.origin, facts.fingerprint);
}

std::string steps_text(std::span<const CollectorFileImport> files) {
  std::string text;
  for (const CollectorFileImport& file : files) {
    const std::string clock = file.local_shift ? fmt::format("local times moved by {} ns", file.local_shift->count()) : "off";
    const std::string order =
        file.split_rows ? fmt::format("{} split into a row for each clock", counted(*file.split_rows, "record")) : "off";
    const std::string valid =
        file.valid_rows ? fmt::format("{} in order on both clocks, none received before it was sent", counted(*file.valid_rows, "row"))
                        : "off";
    text += fmt::format("  file         {}: {}, {}\n  clock        {}\n  order        {}\n  validation   {}\n", file.file.string(),
                        counted(file.lines, "line"), counted(file.records, "record"), clock, order, valid);
  }
  return text;
}

Json steps_json(std::span<const CollectorFileImport> files) {
  Json list = Json::array();
  for (const CollectorFileImport& file : files) {
    list.push_back({{"file", file.file.string()},
                    {"lines", file.lines},
                    {"records", file.records},
                    {"local_shift_ns", file.local_shift ? Json(file.local_shift->count()) : Json()},
                    {"split_rows", file.split_rows ? Json(*file.split_rows) : Json()},
                    {"valid_rows", file.valid_rows ? Json(*file.valid_rows) : Json()}});
  }
  return list;
}

Option contract_option(InstrumentFacts& instrument) {
  return {.names = "--contract",
          .value = "KIND:SIZE",
          .help = "linear:1 (money is price times quantity) or inverse:100 (money is quantity over price) (default linear:1)",
          .set = [&instrument](const std::string& text) {
            const auto colon = text.find(':');
            const std::string kind = text.substr(0, colon);
            if (colon == std::string::npos || (kind != "linear" && kind != "inverse")) {
              throw UsageError{"--contract: expected linear:SIZE or inverse:SIZE, found \"" + text + "\""};
            }
            instrument.contract = kind == "linear" ? ContractKind::linear : ContractKind::inverse;
            assign(instrument.contract_size, text.substr(colon + 1), "--contract");
          }};
}

ImportProgress import_progress(Progress& progress) {
  return [&progress](double share) {
    if (stop_requested()) throw Interrupted{"interrupted; nothing was written"};
    progress.update(share);
  };
}

}  // namespace tailcost::cli
