#include "tailcost/cli/keep.hpp"

#include <cstdlib>
#include <string>

#include "tailcost/core/error.hpp"
#include "tailcost/store/store.hpp"

namespace tailcost::cli {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string{} : std::string{value};
}

}  // namespace

std::vector<Option> keep_options(KeepOptions& options) {
  return {flag("--keep", "Keep the result in the default store (see tailcost profiles list --help)", options.keep),
          option("--store", "FILE.sqlite", "Keep the result in this store", options.file)};
}

std::filesystem::path default_store_path() {
  if (const std::string data = environment("XDG_DATA_HOME"); !data.empty())
    return std::filesystem::path{data} / "tailcost" / "store.sqlite";
  if (const std::string home = environment("HOME"); !home.empty()) {
    return std::filesystem::path{home} / ".local" / "share" / "tailcost" / "store.sqlite";
  }
  throw UsageError{"no place for the default store: neither XDG_DATA_HOME nor HOME is set; name a file with --store"};
}

void keep(const KeepOptions& options, const Json& value, std::string_view name, Console& console) {
  if (!options.keep && !options.file) return;
  const std::filesystem::path file = options.file ? *options.file : default_store_path();
  const std::int64_t id = open_sqlite_store(file)->put(value, name, console.wall_now());
  console.remark("kept as number " + std::to_string(id) + " in " + file.string());
}

}  // namespace tailcost::cli
