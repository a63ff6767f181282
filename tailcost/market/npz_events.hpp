#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "tailcost/market/event_record.hpp"

namespace tailcost {

/// Gives every row of an .npz (member `data`) or .npy of the two-clock event layout to `emit`, and how many bytes of the file are read to
/// `consumed`, which may be empty. Throws Error naming file and row as import_npz does.
void read_npz_events(const std::filesystem::path& file, RecordReader& reader, const std::function<void(const MarketEvent&)>& emit,
                     const std::function<void(std::uint64_t)>& consumed);

}  // namespace tailcost
