#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tailcost {

/// Something that an observer of this machine may have.
struct Ability {
  std::string name{};  ///< "CAP_PERFMON", "tracefs".
  bool is_there{};
  std::string unseen{};  ///< What stays hidden without it.
  std::string remedy{};  ///< What would give it.
};

/// What this process can see and do here.
struct Ladder {
  std::string level{};  ///< "root in a guest", "unprivileged in a container".
  std::vector<Ability> abilities{};
};

/// Reads /proc and /sys below `root`. Changes nothing.
Ladder read_ladder(const std::filesystem::path& root = "/");

/// Whether a short-lived thread of this process is given SCHED_FIFO; the sentence of the refusal, or empty.
std::string try_fifo();

}  // namespace tailcost
