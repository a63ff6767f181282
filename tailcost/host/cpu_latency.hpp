#pragma once

#include <filesystem>
#include <string>

namespace tailcost {

/// Asks the kernel for the shallowest idle states on all cores (/dev/cpu_dma_latency held open at 0), if it lets us; the request ends with
/// the guard, or with the process however that ends.
class CpuLatencyRequest {
 public:
  explicit CpuLatencyRequest(const std::filesystem::path& device = "/dev/cpu_dma_latency");
  ~CpuLatencyRequest();
  CpuLatencyRequest(const CpuLatencyRequest&) = delete;
  CpuLatencyRequest& operator=(const CpuLatencyRequest&) = delete;

  /// Why the request was refused; empty where it was granted.
  const std::string& refusal() const noexcept { return refusal_; }

 private:
  int file_{-1};
  std::string refusal_;
};

}  // namespace tailcost
