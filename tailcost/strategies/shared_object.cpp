#include "tailcost/strategies/shared_object.hpp"

#include <dlfcn.h>
#include <elf.h>

#include <algorithm>
#include <cstring>

#include "tailcost/core/digest.hpp"
#include "tailcost/core/error.hpp"
#include "tailcost/core/json.hpp"

namespace tailcost {
namespace {

#if defined(__x86_64__)
constexpr std::uint16_t this_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr std::uint16_t this_machine = EM_AARCH64;
#else
constexpr std::uint16_t this_machine = EM_NONE;
#endif

constexpr std::string_view entry = "tailcost_strategy";

[[noreturn]] void refuse(const std::string& file, const std::string& fault) {
  throw Error{"strategy " + file + ": " + fault};
}

template <class Header>
Header header_at(std::string_view bytes, std::uint64_t offset) noexcept {
  Header header;
  std::memcpy(&header, bytes.data() + offset, sizeof header);
  return header;
}

bool holds(std::string_view bytes, std::uint64_t offset, std::uint64_t size) noexcept {
  return offset <= bytes.size() && size <= bytes.size() - offset;
}

/// The loader maps what the headers promise, and a promise beyond the end of the file would end the process when it is touched.
bool is_cut_short(std::string_view bytes, const Elf64_Ehdr& header) noexcept {
  if (!holds(bytes, header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr))) return true;
  if (!holds(bytes, header.e_shoff, std::uint64_t{header.e_shnum} * header.e_shentsize)) return true;
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto part = header_at<Elf64_Phdr>(bytes, header.e_phoff + i * sizeof(Elf64_Phdr));
    if (!holds(bytes, part.p_offset, part.p_filesz)) return true;
  }
  return false;
}

void check_file(std::string_view bytes, const std::string& file) {
  const std::string advice = "; build the strategy with tailcost_strategy() of the CMake package (docs/own-strategy.md)";
  if (!bytes.starts_with(std::string_view{ELFMAG, SELFMAG})) refuse(file, "not a shared object" + advice);
  if (bytes.size() < sizeof(Elf64_Ehdr)) refuse(file, "cut short after " + std::to_string(bytes.size()) + " bytes; build it again");
  const auto header = header_at<Elf64_Ehdr>(bytes, 0);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != this_machine)
    refuse(file, "made for another processor; build it on this machine");
  if (header.e_type != ET_DYN || header.e_phentsize != sizeof(Elf64_Phdr)) refuse(file, "not a shared object" + advice);
  if (is_cut_short(bytes, header)) refuse(file, "cut short after " + std::to_string(bytes.size()) + " bytes; build it again");
}

std::shared_ptr<void> load(const std::filesystem::path& path, const std::string& file) {
  // A name without a slash would be looked for in the system's folders.
  void* library = dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* why = dlerror();
    refuse(file, "cannot be loaded: " + std::string{why == nullptr ? "no reason given" : why} + "; link what it needs and build it again");
  }
  return {library, [](void* loaded) { dlclose(loaded); }};
}

void check_build(const StrategyPlugin& plugin, const std::string& file) {
  const std::string advice = "; build it again against this installation";
  if (plugin.abi_version != strategy_abi_version) {
    refuse(file, "built for version " + std::to_string(plugin.abi_version) + " of the strategy interface, this program has version " +
                     std::to_string(strategy_abi_version) + advice);
  }
  if (std::string_view{plugin.library} != standard_library) {
    refuse(file, "built with " + std::string{plugin.library} + ", this program with " + standard_library +
                     "; build it with a compiler and flags that use the same");
  }
  const auto ours = strategy_layout();
  const auto same = [](const LayoutFact& a, const LayoutFact& b) { return a.value == b.value; };
  const auto [theirs, wanted] = std::mismatch(plugin.layout.begin(), plugin.layout.end(), ours.begin(), same);
  if (wanted != ours.end()) {
    refuse(file, "built with another layout of " + std::string{wanted->what} + " (" + std::to_string(theirs->value) + " there, " +
                     std::to_string(wanted->value) + " here)" + advice);
  }
  if (plugin.name == nullptr || plugin.parameters == nullptr || plugin.make == nullptr) {
    refuse(file, "its tailcost_strategy leaves out .name, .parameters or .make; give all three");
  }
}

}  // namespace

bool is_shared_object_name(std::string_view strategy) noexcept {
  return strategy.find('/') != std::string_view::npos || strategy.ends_with(".so");
}

SharedObject::SharedObject(const std::filesystem::path& path) {
  const std::string file = path.string();
  const std::string bytes = read_file(path);
  check_file(bytes, file);
  digest_ = digest_of(bytes);
  library_ = load(path, file);
  plugin_ = static_cast<const StrategyPlugin*>(dlsym(library_.get(), std::string{entry}.c_str()));
  if (plugin_ == nullptr) {
    refuse(file,
           "no strategy of Tailcost: it defines no " + std::string{entry} + "; define one as tailcost/backtest/strategy_plugin.hpp says");
  }
  check_build(*plugin_, file);
}

}  // namespace tailcost
