#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "tailcost/backtest/strategy_plugin.hpp"

namespace tailcost {

/// Whether the name of a strategy means a file: it has a slash or ends in ".so".
bool is_shared_object_name(std::string_view strategy) noexcept;

/// A strategy of a user's own, loaded from a file. What it makes is valid while this lives.
/// A file that is replaced while it is loaded is not read again in the same process.
class SharedObject {
 public:
  /// Throws Error saying what is wrong with a file that is missing, cut short, made for another processor or by another version of
  /// Tailcost, or no strategy at all. Runs none of the strategy's functions, only what the object itself does when it is loaded.
  explicit SharedObject(const std::filesystem::path& file);

  const StrategyPlugin& plugin() const noexcept { return *plugin_; }
  /// SHA-256 of the file.
  const std::string& digest() const noexcept { return digest_; }

 private:
  std::string digest_;
  std::shared_ptr<void> library_;
  const StrategyPlugin* plugin_{nullptr};
};

}  // namespace tailcost
