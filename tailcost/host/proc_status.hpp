#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tailcost {

/// A small file of the kernel without its last line end; nothing where it is missing or forbidden.
std::optional<std::string> read_kernel_file(const std::filesystem::path& path);

/// The value of "key: value" or "key<tab>: value", the first of that key; empty where it is not there.
std::string value_of(std::string_view text, std::string_view key);

/// This process's effective capabilities as a bit set; zero where unreadable. `root` is where /proc is looked for.
std::uint64_t effective_capabilities(const std::filesystem::path& root = "/");

/// Bytes of this process that are locked in memory; zero where unreadable.
std::int64_t locked_bytes(const std::filesystem::path& root = "/");

/// This process's control group of the cpu controller (of version 1 where it has one, otherwise of version 2); empty where unreadable.
std::string cpu_control_group(const std::filesystem::path& root = "/");

}  // namespace tailcost
