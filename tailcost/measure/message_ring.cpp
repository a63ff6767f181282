#include "tailcost/measure/message_ring.hpp"

#include <sys/mman.h>

#include <cerrno>

#include "tailcost/core/error.hpp"

namespace tailcost {

SharedMemory::SharedMemory(std::size_t bytes) : bytes_{bytes} {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED)
    throw Error{"cannot share " + std::to_string(bytes) + " bytes of memory between two processes: " + strerrordesc_np(errno)};
  data_ = static_cast<std::byte*>(memory);
}

SharedMemory::~SharedMemory() {
  munmap(data_, bytes_);
}

}  // namespace tailcost
