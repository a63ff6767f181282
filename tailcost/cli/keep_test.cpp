#include "tailcost/cli/keep.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <optional>

#include "tailcost/core/error.hpp"

using namespace tailcost;
using namespace tailcost::cli;

namespace {

/// Sets or removes a variable and puts the old value back.
class Variable {
 public:
  Variable(const char* name, std::optional<std::string> value) : name_{name} {
    if (const char* old = std::getenv(name)) old_ = old;
    set(value);
  }
  ~Variable() { set(old_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const std::optional<std::string>& value) { value ? setenv(name_, value->c_str(), 1) : unsetenv(name_); }

  const char* name_;
  std::optional<std::string> old_;
};

}  // namespace

TEST_CASE("the default store follows the desktop's rule for data") {
  const Variable home{"HOME", "/home/ann"};
  {
    const Variable data{"XDG_DATA_HOME", std::nullopt};
    CHECK(default_store_path() == "/home/ann/.local/share/tailcost/store.sqlite");
  }
  const Variable data{"XDG_DATA_HOME", "/data"};
  CHECK(default_store_path() == "/data/tailcost/store.sqlite");
}

TEST_CASE("without a home there is no default store, and that is said") {
  const Variable home{"HOME", std::nullopt};
  const Variable data{"XDG_DATA_HOME", std::nullopt};
  CHECK_THROWS_AS(default_store_path(), UsageError);
}

TEST_CASE("naming a store is asking to keep") {
  KeepOptions options;
  for (const Option& option : keep_options(options)) {
    if (option.long_name() == "--store") option.set("s.sqlite");
  }
  CHECK(options.file == "s.sqlite");
  CHECK_FALSE(options.keep);
}
