#include "tailcost/profile/hdr_histogram.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <vector>

#include "tailcost/core/assert.hpp"
#include "tailcost/core/error.hpp"

namespace tailcost {
namespace {

constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint32_t cookie_v0 = 0x1c849308, cookie_v1 = 0x1c849301, cookie_v2 = 0x1c849303;
constexpr std::uint32_t compressed_v0 = 0x1c849309, compressed_v1 = 0x1c849302, compressed_v2 = 0x1c849304;
constexpr std::uint32_t without_word_size = 0xffffff0f;
constexpr std::int64_t longest = 3'600'000'000'000;  // as LatencyHistogram
constexpr int own_digits = 3;

std::string from_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char letter : text) {
    const std::size_t value = letters.find(letter);
    if (value == std::string_view::npos) throw Error{"the histogram is not base64"};
    bits = (bits << 6U) | static_cast<std::uint32_t>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>((bits >> static_cast<unsigned>(held)) & 0xffU);
  }
  return bytes;
}

std::string to_base64(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t given = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) bits = (bits << 8U) | (k < given ? static_cast<std::uint8_t>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= given ? letters[(bits >> (18U - 6U * k)) & 63U] : '=';
  }
  return text;
}

std::string inflated(std::string_view packed) {
  constexpr std::size_t most = std::size_t{8} << 20U;
  std::string bytes;
  std::array<char, 1U << 14U> piece;
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) throw Error{"zlib cannot start; free some memory"};
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  int status = Z_OK;
  while (status == Z_OK && bytes.size() <= most) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = piece.size();
    status = inflate(&stream, Z_NO_FLUSH);
    bytes.append(piece.data(), piece.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (bytes.size() > most) throw Error{"the histogram is larger than 8 MiB"};
  if (status != Z_STREAM_END) throw Error{"the compressed histogram is damaged or cut short"};
  return bytes;
}

/// Numbers in network order; every read is checked.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : bytes_{bytes} {}
  bool is_at_end() const noexcept { return bytes_.empty(); }
  std::string_view rest() const noexcept { return bytes_; }

  std::uint64_t number(std::size_t size) {
    if (size > bytes_.size()) throw Error{"the histogram is cut short"};
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value = (value << 8U) | static_cast<std::uint8_t>(bytes_[i]);
    bytes_.remove_prefix(size);
    return value;
  }
  std::int64_t signed_number() { return static_cast<std::int64_t>(number(8)); }

  /// ZigZag LEB128 in which a ninth byte carries eight bits.
  std::int64_t zigzag() {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < 9; ++i) {
      const std::uint64_t byte = number(1);
      value |= (i == 8 ? byte : byte & 0x7fU) << (7 * i);
      if (i == 8 || (byte & 0x80U) == 0) break;
    }
    return static_cast<std::int64_t>((value >> 1U) ^ (~(value & 1U) + 1));
  }

 private:
  std::string_view bytes_;
};

/// Which values the indices of counts stand for.
struct Layout {
  int half_bits;  ///< Of half the sub-buckets.
  int unit_bits;

  static Layout of(std::int64_t lowest, std::int64_t digits) {
    if (digits < 0 || digits > 5 || lowest < 1) throw Error{"the histogram has a precision that none can have"};
    std::uint64_t needed = 2;
    for (std::int64_t i = 0; i < digits; ++i) needed *= 10;
    return {.half_bits = static_cast<int>(std::bit_width(needed - 1)) - 1,
            .unit_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(lowest))) - 1};
  }
  int shift_of(std::int64_t index) const noexcept {
    return static_cast<int>(std::min<std::int64_t>(std::max<std::int64_t>((index >> half_bits) - 1, 0) + unit_bits, 63));
  }
  /// Nothing above an hour.
  std::optional<std::int64_t> low_of(std::int64_t index) const noexcept {
    const std::int64_t half = std::int64_t{1} << half_bits;
    const std::int64_t sub = index < half ? index : (index & (half - 1)) + half;
    const int shift = shift_of(index);
    if (shift > 62 || sub > (longest >> shift)) return std::nullopt;
    return sub << shift;
  }
  std::int64_t index_of(std::int64_t value) const noexcept {
    const int bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value)));
    const int bucket = std::max(0, bits - unit_bits - (half_bits + 1));
    return (std::int64_t{bucket} << half_bits) + (value >> (bucket + unit_bits));
  }
};

void put(std::string& bytes, std::uint64_t value, unsigned size) {
  for (unsigned i = size; i-- > 0;) bytes += static_cast<char>((value >> (8 * i)) & 0xffU);
}

void put_zigzag(std::string& bytes, std::int64_t number) {
  std::uint64_t value = (static_cast<std::uint64_t>(number) << 1U) ^ (number < 0 ? ~std::uint64_t{0} : 0);
  for (unsigned i = 0; i < 8 && value > 0x7fU; ++i) {
    bytes += static_cast<char>((value & 0x7fU) | 0x80U);
    value >>= 7U;
    if (i == 7) {
      bytes += static_cast<char>(value);
      return;
    }
  }
  bytes += static_cast<char>(value);
}

/// Calls `visit` for the counts of a payload whose words have `word_size` bytes, or, at 9, are ZigZag with runs of zeros.
void visit_counts(Cursor counts, std::size_t word_size, const Layout& layout,
                  const std::function<void(std::int64_t, std::int64_t, std::int64_t)>& visit) {
  constexpr std::int64_t most_indices = std::int64_t{1} << 31U;
  for (std::int64_t index = 0; !counts.is_at_end() && index < most_indices; ++index) {
    const std::int64_t count = word_size == 9 ? counts.zigzag() : static_cast<std::int64_t>(counts.number(word_size));
    if (count == 0) continue;
    if (count < 0 && (word_size != 9 || count < -most_indices)) throw Error{"the histogram has a negative count"};
    if (count < 0) {
      index -= count + 1;
      continue;
    }
    const auto low = layout.low_of(index);
    if (!low) throw Error{"the histogram has a value above one hour"};
    visit(*low, std::int64_t{1} << layout.shift_of(index), count);
  }
}

}  // namespace

void visit_hdr_histogram(std::string_view base64, const std::function<void(std::int64_t, std::int64_t, std::int64_t)>& visit) {
  const std::string packed = from_base64(base64);
  Cursor outer{packed};
  const auto compressed = static_cast<std::uint32_t>(outer.number(4)) & without_word_size;
  if (compressed != compressed_v0 && compressed != compressed_v1 && compressed != compressed_v2)
    throw Error{"the histogram is in none of the encodings V0, V1 and V2"};
  const std::uint64_t packed_size = outer.number(4);
  if (packed_size > outer.rest().size()) throw Error{"the histogram is cut short"};
  const std::string bytes = inflated(outer.rest().substr(0, packed_size));

  Cursor cursor{bytes};
  const auto cookie = static_cast<std::uint32_t>(cursor.number(4));
  const std::uint32_t version = cookie & without_word_size;
  const std::size_t word_size = version == cookie_v2 ? 9 : (cookie >> 4U) & 0xfU;
  const bool word_fits = word_size == 2 || word_size == 4 || word_size == 8 || (word_size == 9 && version != cookie_v0);
  if ((version != cookie_v0 && version != cookie_v1 && version != cookie_v2) || !word_fits)
    throw Error{"the histogram is in none of the encodings V0, V1 and V2"};
  if (version == cookie_v0) {
    const auto digits = static_cast<std::int64_t>(cursor.number(4));
    const std::int64_t lowest = cursor.signed_number();
    cursor.number(8);  // highest value
    cursor.number(8);  // total count
    visit_counts(cursor, word_size, Layout::of(lowest, digits), visit);
    return;
  }
  const std::uint64_t payload = cursor.number(4);
  if (cursor.number(4) != 0) throw Error{"the histogram is shifted, which is not read"};
  const auto digits = static_cast<std::int64_t>(cursor.number(4));
  const std::int64_t lowest = cursor.signed_number();
  cursor.number(8);  // highest value
  if (std::bit_cast<double>(cursor.number(8)) != 1.0) throw Error{"the histogram is one of fractions, which is not read"};
  if (payload > cursor.rest().size()) throw Error{"the histogram is cut short"};
  visit_counts(Cursor{cursor.rest().substr(0, payload)}, word_size, Layout::of(lowest, digits), visit);
}

std::string hdr_histogram_text(const LatencyHistogram& histogram) {
  TAILCOST_ASSERT(histogram.count() > 0);
  const Layout layout = Layout::of(1, own_digits);
  std::vector<std::pair<std::int64_t, std::int64_t>> counts;  // index, count
  const auto count_at = [&](Nanos value, std::int64_t count) {
    if (count == 0) return;
    const std::int64_t index = layout.index_of(value.count());
    if (counts.empty() || counts.back().first != index) counts.emplace_back(index, 0);
    counts.back().second += count;
  };
  histogram.for_each_clipped([&](const LatencyHistogram::Bucket& bucket) {
    const bool is_last = bucket.high == histogram.max();
    count_at(bucket.low, bucket.count - (is_last ? 1 : 0));
    if (is_last) count_at(histogram.max(), 1);
  });
  std::string payload;
  std::int64_t next = 0;
  for (const auto& [index, count] : counts) {
    if (index > next) put_zigzag(payload, next - index);
    put_zigzag(payload, count);
    next = index + 1;
  }
  std::string bytes;
  put(bytes, cookie_v2 | 0x10U, 4);
  put(bytes, payload.size(), 4);
  put(bytes, 0, 4);
  put(bytes, own_digits, 4);
  put(bytes, 1, 8);
  put(bytes, static_cast<std::uint64_t>(std::max<std::int64_t>(longest, histogram.max().count())), 8);
  put(bytes, std::bit_cast<std::uint64_t>(1.0), 8);
  bytes += payload;

  std::string packed(compressBound(static_cast<uLong>(bytes.size())), '\0');
  uLongf size = static_cast<uLongf>(packed.size());
  const int status = compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                              static_cast<uLong>(bytes.size()));
  if (status != Z_OK) throw Error{"zlib cannot compress a histogram; free some memory"};
  packed.resize(size);
  std::string outer;
  put(outer, compressed_v2 | 0x10U, 4);
  put(outer, packed.size(), 4);
  return to_base64(outer + packed);
}

}  // namespace tailcost
