#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tailcost/core/time.hpp"
#include "tailcost/profile/latency_profile.hpp"

namespace tailcost {

/// The lines of a foreign text, one after the other. Keeps views into the text, which must outlive it.
class ImportLines {
 public:
  ImportLines(std::string_view text, std::string_view what) : rest_{text}, what_{what} {}

  /// Moves to the next line; false behind the last one.
  bool next() noexcept;
  /// Without its end, be it "\n" or "\r\n".
  std::string_view line() const noexcept { return line_; }
  /// What stands between blanks and `separators`.
  std::vector<std::string_view> words(std::string_view separators = {}) const;

  /// A whole number, not negative. Throws Error naming the line where `word` is none.
  std::int64_t whole(std::string_view word) const;
  /// A decimal number of `unit`, rounded to the nanosecond. Throws Error where it is none or, without its sign, above an hour.
  Nanos duration(std::string_view word, Nanos unit) const;

  /// Throws Error: the file, the line, the fault.
  [[noreturn]] void refuse(std::string_view fault) const;

 private:
  std::string_view rest_;
  std::string_view line_{};
  std::string_view what_;
  std::int64_t number_{0};
};

/// The number that the word is, or nothing.
std::optional<std::int64_t> whole_number(std::string_view word) noexcept;
std::optional<double> decimal_number(std::string_view word) noexcept;

/// Gathers what another tool saw into a profile. Its limits keep a hostile text from taking memory without bound.
class ImportedProfile {
 public:
  explicit ImportedProfile(std::string_view what) : what_{what} {}

  /// A new result, valid while this lives. Where that core has one of the same name the variant gets a number: "spin.2". Throws Error
  /// above 2048 results.
  ProbeResult& add(std::int64_t cpu, Probe probe, std::string_view source, std::string_view variant = {});

  /// Throws Error above what a histogram holds: an hour, or values that add up to 126 years.
  void record(ProbeResult& result, Nanos value, std::int64_t count) const;

  /// Adds the next quantile, which must be above the last one. Zeros, which say "below the source's resolution", are left out.
  void publish(ProbeResult& result, Quantile q, Nanos latency) const;

  /// A sentence for `cannot`; the same one only once.
  void say(std::string sentence);

  /// Throws Error where there is no result with a value.
  LatencyProfile take() &&;

 private:
  struct Entry {
    std::int64_t cpu;
    ProbeResult result;
  };
  std::string_view what_;
  std::deque<Entry> entries_{};
  std::map<std::string, std::int64_t> names_{};
  std::vector<std::string> sentences_{};
};

}  // namespace tailcost
