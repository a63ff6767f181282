#include "tailcost/market/replaced_folder.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ranges>
#include <system_error>

#include "tailcost/core/error.hpp"

namespace tailcost {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& target, const std::string& reason) {
  throw Error{"cannot write " + target.string() + ": " + reason + "; choose another place"};
}

/// The place itself, so that a link to a folder stays a link.
std::filesystem::path place_of(const std::filesystem::path& target) {
  std::error_code failed;
  std::filesystem::path place = std::filesystem::weakly_canonical(target, failed);
  if (failed || place.empty()) refuse(target, failed ? failed.message() : "the name is empty");
  if (!place.has_filename()) place = place.parent_path();
  if (!place.has_filename()) refuse(target, "it is no name for a folder");
  return place.is_absolute() ? place : std::filesystem::absolute(place);
}

/// Swaps two folders in one step where the system can; false where it cannot.
bool exchange(const std::filesystem::path& a, const std::filesystem::path& b) noexcept {
#if defined(RENAME_EXCHANGE)
  return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
#else
  static_cast<void>(a), static_cast<void>(b);
  return false;
#endif
}

}  // namespace

ReplacedFolder::ReplacedFolder(const std::filesystem::path& target) : target_{place_of(target)} {
  std::error_code failed;
  std::vector<std::filesystem::path> missing;
  for (std::filesystem::path above = target_.parent_path(); !std::filesystem::exists(above, failed) && above.has_filename();
       above = above.parent_path()) {
    missing.push_back(above);
  }
  for (const auto& folder : std::views::reverse(missing)) {
    if (!std::filesystem::create_directory(folder, failed) && failed) break;
    made_.push_back(folder);
  }
  for (int serial = 0; !failed && partial_.empty(); ++serial) {
    std::filesystem::path free_name = target_;
    free_name += ".part" + std::to_string(serial);
    if (std::filesystem::create_directory(free_name, failed)) partial_ = free_name;
  }
  if (!partial_.empty()) return;
  for (const auto& folder : std::views::reverse(made_)) {
    std::error_code unused;
    std::filesystem::remove(folder, unused);
  }
  refuse(target, failed.message());
}

ReplacedFolder::~ReplacedFolder() {
  std::error_code unused;
  std::filesystem::remove_all(partial_, unused);
  if (is_done_) return;
  for (const auto& folder : std::views::reverse(made_)) std::filesystem::remove(folder, unused);
}

void ReplacedFolder::replace() {
  std::error_code failed;
  if (std::filesystem::exists(target_) && exchange(partial_, target_)) {
    std::filesystem::remove_all(partial_, failed);
  } else {
    std::filesystem::path old = target_;
    old += ".old";
    const bool is_there = std::filesystem::exists(target_);
    if (is_there) std::filesystem::rename(target_, old, failed);
    if (!failed) std::filesystem::rename(partial_, target_, failed);
    if (failed) {
      const std::string reason = failed.message();
      if (is_there) std::filesystem::rename(old, target_, failed);
      refuse(target_, reason);
    }
    if (is_there) std::filesystem::remove_all(old, failed);
  }
  is_done_ = true;
}

}  // namespace tailcost
