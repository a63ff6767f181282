#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

namespace tailcost {

/// The lines of a gzip file, unpacked piece by piece, so that its size needs no memory. Several gzip members, one after the other, are read
/// as one text.
class GzipLines {
 public:
  /// Throws Error where the file cannot be read.
  explicit GzipLines(const std::filesystem::path& path);
  ~GzipLines();
  GzipLines(GzipLines&&) noexcept;
  GzipLines& operator=(GzipLines&&) noexcept;

  /// The next line without its end, valid until the next call; nothing behind the last. Throws Error naming file and line for bytes that
  /// are not gzip, a file that is cut short, a checksum that does not fit, and a line beyond 16 MiB.
  std::optional<std::string_view> next();

  /// Of the line that `next` gave last, counted from 1.
  std::int64_t number() const noexcept;

  /// Packed bytes read so far, and all of them.
  std::uint64_t consumed() const noexcept;
  std::uint64_t size() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tailcost
