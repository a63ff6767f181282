#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tailcost::parity {

/// One case of the adversarial feeds (backtest-parity.md, appendix A.2): CASE_events.csv, CASE_script.csv and the case's line of cases.csv
/// in `folder`, and latency_intp.csv where that line asks for it.
struct ScriptCase {
  std::filesystem::path folder;
  std::string name;  ///< Stem of the case's files: case07, l3case3.
};

/// Plays the case in Mode::compat and answers the lines of its CASE_expected.csv, header first.
/// Throws Error or UsageError naming the file and line that cannot be read.
std::vector<std::string> run_script(const ScriptCase& which);

}  // namespace tailcost::parity
