#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "tailcost/core/json.hpp"
#include "tailcost/core/time.hpp"
#include "tailcost/report/report.hpp"

namespace tailcost::cli {

/// Where a console writes and what it may show there.
struct ConsoleOptions {
  std::ostream* out{};                 ///< Results.
  std::ostream* err{};                 ///< Everything else.
  bool live{false};                    ///< `err` is a terminal: one line is redrawn in place.
  TextStyle style;                     ///< Of texts on `out`.
  std::function<MonoTime()> now;       ///< For progress.
  std::function<WallTime()> wall_now;  ///< For the store's time stamps.
};

/// The process's own streams. Colour where standard output is a terminal and NO_COLOR is not set; width from the terminal.
ConsoleOptions process_console();

/// Standard output for results; standard error for progress and remarks. One thread at a time.
class Console {
 public:
  explicit Console(ConsoleOptions options) : options_{std::move(options)} {}

  /// No progress, no remarks.
  void be_quiet() noexcept { quiet_ = true; }

  void print(std::string_view text);
  /// Pretty-printed, with a line end.
  void print_json(const Json& value);

  /// One line on standard error, unless quiet.
  void remark(std::string_view sentence);

  /// "tailcost: sentence" on standard error, quiet or not.
  void complain(std::string_view sentence);

  /// Throws Error where what was printed could not be written.
  void flush();

  const TextStyle& style() const noexcept { return options_.style; }
  MonoTime now() const { return options_.now(); }
  WallTime wall_now() const { return options_.wall_now(); }

 private:
  friend class Progress;
  void clear_live_line();

  ConsoleOptions options_;
  bool quiet_{false};
  bool live_line_shown_{false};
};

/// Tells how far something is, once it lasts longer than a second: a live line on a terminal, a plain line every five seconds elsewhere.
/// The cursor is never hidden, so that there is nothing to restore on any way out.
class Progress {
 public:
  Progress(Console& console, std::string what) : console_{console}, what_{std::move(what)}, started_{console.now()} {}
  ~Progress() { console_.clear_live_line(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `share` is 0 to 1; `detail` is shown behind it.
  void update(double share, std::string_view detail = {});

 private:
  std::string line(MonoTime now, double share, std::string_view detail) const;

  Console& console_;
  std::string what_;
  MonoTime started_;
  std::optional<MonoTime> shown_;
};

}  // namespace tailcost::cli
