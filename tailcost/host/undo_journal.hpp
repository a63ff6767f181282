#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tailcost {

/// A process that cannot be mistaken for a later one with the same number.
struct ProcessIdentity {
  pid_t id{};
  std::uint64_t started{};  ///< In clock ticks since the machine's boot.

  bool operator==(const ProcessIdentity&) const = default;
};

/// Nothing where no such process lives; one that is dead but not yet waited for does not live.
std::optional<ProcessIdentity> identity_of(pid_t process);

/// /run/tailcost for root, tailcost below XDG_RUNTIME_DIR for others, empty where that is not set: both are forgotten when the machine
/// restarts, as are the settings.
std::filesystem::path usual_undo_folder();

/// Whether an open file is a setting of the kernel: below /proc/sys, or in sysfs, debugfs or a control group's file system.
bool is_kernel_setting(int file) noexcept;

/// Where changes are noted, and which files may be put back from there.
struct UndoPlace {
  std::filesystem::path folder{usual_undo_folder()};
  bool (*accepts)(int file) noexcept {is_kernel_setting};
};

/// What is noted of a change, in a file of its own.
struct SettingChange {
  ProcessIdentity process;
  std::uint64_t number{};  ///< Of the process's changes, in order.
  std::filesystem::path path;
  std::string before;
  std::string written;
};

/// A system-wide setting that has another value while the guard lives. Path, old and new value are on disk before the change, so that a
/// killed process's change can be put back by others. Where somebody else changed the value meanwhile, it is left alone, and said.
class ChangedSetting {
 public:
  /// Does nothing where the value is there already. Throws Error where the file may not be written, is no setting of the kernel, does not
  /// take the value, or is changed by another living process of ours.
  ChangedSetting(std::filesystem::path file, std::string value, UndoPlace place = {});
  ~ChangedSetting();
  ChangedSetting(const ChangedSetting&) = delete;
  ChangedSetting& operator=(const ChangedSetting&) = delete;

 private:
  UndoPlace place_;
  std::optional<SettingChange> change_;
};

/// Puts back what `process` changed, the last change first; one sentence for each that was put back or could not be. A hostile folder or
/// note (a symbolic link, another owner, writable by others, a path that is no setting) is not obeyed, and said.
std::vector<std::string> restore_changes_of(const ProcessIdentity& process, const UndoPlace& place = {});

/// The same for all processes that are gone. Looks into one folder; skips it while another process puts back.
std::vector<std::string> restore_leftovers(const UndoPlace& place = {});

}  // namespace tailcost
