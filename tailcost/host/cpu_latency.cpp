#include "tailcost/host/cpu_latency.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace tailcost {

CpuLatencyRequest::CpuLatencyRequest(const std::filesystem::path& device) {
  const std::int32_t tolerated_us = 0;
  file_ = open(device.c_str(), O_WRONLY | O_CLOEXEC);
  if (file_ >= 0 && write(file_, &tolerated_us, sizeof tolerated_us) == sizeof tolerated_us) return;
  const int error = errno;
  refusal_ = "idle states could not be kept shallow: cannot write " + device.string() + ": " + strerrordesc_np(error);
  if (error == EACCES || error == EPERM) refusal_ += "; run as root or allow this user to write it";
}

CpuLatencyRequest::~CpuLatencyRequest() {
  if (file_ >= 0) close(file_);
}

}  // namespace tailcost
