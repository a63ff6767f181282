#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tailcost {

/// SHA-256 over what was added, in order.
class Digest {
 public:
  Digest();
  ~Digest();
  Digest(Digest&&) noexcept;
  Digest& operator=(Digest&&) noexcept;

  void add(std::span<const std::byte> bytes);
  void add(std::string_view text);

  /// 64 lower-case hexadecimal digits. The digest is spent afterwards.
  std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The digest of one text.
std::string digest_of(std::string_view text);

}  // namespace tailcost
