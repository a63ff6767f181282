#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tailcost {

/// Reads the kernel's form of a set of cores, "0-3,7". Empty for an empty text. Throws Error naming `what` for anything else.
std::vector<std::int64_t> parse_cpu_list(std::string_view text, std::string_view what);

/// Writes the kernel's form: "0-3,7". Requires ascending cores.
std::string format_cpu_list(const std::vector<std::int64_t>& cpus);

/// The cores that run now. `root` is where /sys is looked for. Throws Error where it cannot be read.
std::vector<std::int64_t> online_cpus(const std::filesystem::path& root = "/");

/// The cores that the calling thread may run on, ascending.
std::vector<std::int64_t> allowed_cpus();

}  // namespace tailcost
