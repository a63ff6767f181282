#pragma once

#include <zlib.h>

#include <string>
#include <string_view>

namespace tailcost::testing {

/// How deflated text is wrapped, in zlib's numbers.
enum class Wrapping : int { none = -MAX_WBITS, gzip = MAX_WBITS + 16 };

inline std::string deflated(std::string_view text, Wrapping wrapping = Wrapping::none) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, static_cast<int>(wrapping), 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, static_cast<uLong>(text.size())) + 64, '\0');
  std::string copy{text};
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace tailcost::testing
