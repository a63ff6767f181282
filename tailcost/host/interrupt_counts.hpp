#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tailcost {

struct InterruptCount {
  std::string kind;  ///< "LOC", "RES"; of a device its number and name: "36 virtio1-req.0".
  std::int64_t count{};
  friend bool operator==(const InterruptCount&, const InterruptCount&) = default;
};

/// The columns of one core in a text as of /proc/interrupts, in its order. Empty where the core has no column. Safe for any text.
std::vector<InterruptCount> parse_interrupts(std::string_view text, std::int64_t cpu);

/// Interrupts on a core since the machine started; empty where unreadable. About 100 us.
std::vector<InterruptCount> interrupt_counts(std::int64_t cpu, const std::filesystem::path& root = "/");

}  // namespace tailcost
