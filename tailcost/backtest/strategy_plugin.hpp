#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "tailcost/backtest/strategy.hpp"

namespace tailcost {

/// Raised by one whenever something that a shared object sees changes its meaning or its place: a member or a function of View, Orders,
/// Strategy, Parameters, StrategyPlugin or of a type that they hand out.
inline constexpr std::uint32_t strategy_abi_version = 1;

/// What the user wrote under "parameters". The plugin's schema has been checked: a key that it allows has a value that it allows.
class Parameters {
 public:
  virtual ~Parameters() = default;
  virtual std::int64_t integer(std::string_view key, std::int64_t otherwise) const = 0;
  virtual double number(std::string_view key, double otherwise) const = 0;
  virtual bool truth(std::string_view key, bool otherwise) const = 0;
  virtual std::string text(std::string_view key, std::string_view otherwise) const = 0;
  /// All of it as JSON, for what is not flat. Valid as long as this.
  virtual std::string_view json() const = 0;
};

/// A size in bytes, or a place in a table of functions, by which two builds can tell that they mean the same.
struct LayoutFact {
  const char* what;
  std::uint64_t value;
};

/// The standard library whose types cross the border; compilers that share it may be mixed.
#if defined(_GLIBCXX_DEBUG)
inline constexpr const char* standard_library = "libstdc++ with debug containers";
#elif defined(_GLIBCXX_USE_CXX11_ABI) && _GLIBCXX_USE_CXX11_ABI
inline constexpr const char* standard_library = "libstdc++";
#elif defined(_GLIBCXX_USE_CXX11_ABI)
inline constexpr const char* standard_library = "libstdc++ with strings from before C++11";
#elif defined(_LIBCPP_VERSION)
inline constexpr const char* standard_library = "libc++";
#else
inline constexpr const char* standard_library = "another standard library";
#endif

/// Where a virtual function stands: a pointer to it holds its place in the table (Itanium C++ ABI).
template <class Function>
std::uint64_t place_of(Function function) noexcept {
  std::uint64_t place = 0;
  static_assert(sizeof function >= sizeof place);
  std::memcpy(&place, &function, sizeof place);
  return place;
}

/// As the compiler of this call sees it. The last function of a class tells of any that was added, lost or moved before it.
inline std::array<LayoutFact, 14> strategy_layout() noexcept {
  return {{{"Wake", sizeof(Wake)},
           {"Order", sizeof(Order)},
           {"OrderRequest", sizeof(OrderRequest)},
           {"Submission", sizeof(Submission)},
           {"Response", sizeof(Response)},
           {"Trade", sizeof(Trade)},
           {"OrderTimes", sizeof(OrderTimes)},
           {"Account", sizeof(Account)},
           {"OrderBook", sizeof(OrderBook)},
           {"InstrumentFacts", sizeof(InstrumentFacts)},
           {"View", place_of(&View::last_response)},
           {"Orders", place_of(&Orders::clear_inactive)},
           {"Strategy", place_of(&Strategy::on_wake)},
           {"Parameters", place_of(&Parameters::json)}}};
}

/// A strategy that can be loaded from a shared object, and linked into a program as well. The object defines one:
///
///     const tailcost::StrategyPlugin tailcost_strategy{.name = "join_bid", .parameters = R"({...})", .make = ...};
///
/// `make` is called once a lane, from several threads at a time; every lane has its own object, which one thread at a time wakes. So a
/// strategy must not share anything that changes with other objects: no globals, no statics. What `make` or the strategy throws ends the
/// run with one sentence that names it.
struct StrategyPlugin {
  std::uint32_t abi_version{strategy_abi_version};  ///< Stays first: nothing else is looked at before it is known to be equal.
  const char* library{standard_library};
  std::array<LayoutFact, 14> layout{strategy_layout()};
  const char* name{};
  /// JSON Schema (draft 7) of the parameters; what it does not allow is refused before `make` is called. Without it there are none.
  const char* parameters{R"({"type": "object", "additionalProperties": false})"};
  std::unique_ptr<Strategy> (*make)(const Parameters& parameters, const InstrumentFacts& instrument){};
};

}  // namespace tailcost

/// The one name that is looked up in a shared object.
extern "C" __attribute__((visibility("default"))) const tailcost::StrategyPlugin tailcost_strategy;
