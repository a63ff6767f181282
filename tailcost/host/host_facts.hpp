#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "tailcost/profile/host_facts.hpp"

namespace tailcost {

/// Reads what /proc and /sys tell of a machine; what is not readable stays empty. `root` is where those folders are looked for (a recorded
/// tree in a test), `governor_of` the core whose frequency governor counts. Leaves the hypervisor and, but for its source, the clock empty.
HostFacts read_host_facts(const std::filesystem::path& root, std::int64_t governor_of);

/// The name that a hypervisor gives itself in CPUID ("KVMKVMKVM"); empty on bare metal.
std::string hypervisor_name();

}  // namespace tailcost
