#include "tailcost/core/digest.hpp"

#include <openssl/evp.h>

#include <array>

#include "tailcost/core/assert.hpp"

namespace tailcost {

struct Digest::State {
  EVP_MD_CTX* context{EVP_MD_CTX_new()};
  State() {
    TAILCOST_ASSERT(context != nullptr);
    TAILCOST_ASSERT(EVP_DigestInit_ex(context, EVP_sha256(), nullptr) == 1);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { EVP_MD_CTX_free(context); }
};

Digest::Digest() : state_{std::make_unique<State>()} {}
Digest::~Digest() = default;
Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;

void Digest::add(std::span<const std::byte> bytes) {
  TAILCOST_ASSERT(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) == 1);
}

void Digest::add(std::string_view text) {
  add(std::as_bytes(std::span{text.data(), text.size()}));
}

std::string Digest::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned int size = 0;
  TAILCOST_ASSERT(EVP_DigestFinal_ex(state_->context, bytes.data(), &size) == 1);
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 15U];
  }
  return text;
}

std::string digest_of(std::string_view text) {
  Digest digest;
  digest.add(text);
  return digest.hex();
}

}  // namespace tailcost
