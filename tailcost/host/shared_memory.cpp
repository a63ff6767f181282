#include "tailcost/host/shared_memory.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "tailcost/core/error.hpp"

namespace tailcost {

SharedMemory::SharedMemory(std::size_t bytes, Pages pages) : bytes_{bytes} {
  const int flags = MAP_SHARED | MAP_ANONYMOUS | (pages == Pages::touched ? MAP_POPULATE : 0);
  void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (mapped == MAP_FAILED)
    throw Error{"cannot get " + std::to_string(bytes) + " bytes of memory to share between processes: " + strerrordesc_np(errno) +
                "; raise the limits of this process or its control group"};
  data_ = static_cast<std::byte*>(mapped);
}

SharedMemory::~SharedMemory() {
  munmap(data_, bytes_);
}

}  // namespace tailcost
