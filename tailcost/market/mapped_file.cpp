#include "tailcost/market/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "tailcost/core/error.hpp"

namespace tailcost {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& reason) {
  throw Error{"cannot read " + path.string() + ": " + reason + "; check the path"};
}

std::string last_failure() {
  return std::generic_category().message(errno);
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) refuse(path, last_failure());
  struct stat facts{};
  std::string fault;
  if (::fstat(file, &facts) != 0) {
    fault = last_failure();
  } else if (!S_ISREG(facts.st_mode)) {
    fault = "not a file";
  } else if (facts.st_size > 0) {  // nothing can be mapped of an empty file
    const auto size = static_cast<std::size_t>(facts.st_size);
    void* memory = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) {
      fault = last_failure();
    } else {
      bytes_ = {static_cast<const std::byte*>(memory), size};
    }
  }
  ::close(file);
  if (!fault.empty()) refuse(path, fault);
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_{std::exchange(other.bytes_, {})} {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace tailcost
