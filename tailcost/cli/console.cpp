#include "tailcost/cli/console.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "tailcost/core/error.hpp"
#include "tailcost/host/clocks.hpp"

namespace tailcost::cli {
namespace {

using namespace std::chrono_literals;

constexpr Nanos silent_for = 1s;
constexpr Nanos live_every = 200ms;
constexpr Nanos plain_every = 5s;
constexpr std::string_view erase_line = "\r\x1b[K";

int terminal_width(int descriptor) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return TextStyle{}.width;
  return std::max(60, static_cast<int>(size.ws_col));
}

}  // namespace

ConsoleOptions process_console() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal != nullptr && std::string_view{terminal} == "dumb";
  const bool out_is_terminal = isatty(STDOUT_FILENO) == 1;
  const bool coloured = out_is_terminal && !dumb && (no_colour == nullptr || *no_colour == '\0');
  return {.out = &std::cout,
          .err = &std::cerr,
          .live = isatty(STDERR_FILENO) == 1 && !dumb,
          .style = {.width = out_is_terminal ? terminal_width(STDOUT_FILENO) : TextStyle{}.width, .colour = coloured},
          .now = [] { return MonoTimer{}.now(); },
          .wall_now = [] { return wall_now(); }};
}

void Console::print(std::string_view text) {
  clear_live_line();
  *options_.out << text;
  if (!text.ends_with('\n')) *options_.out << '\n';
}

void Console::print_json(const Json& value) {
  print(value.dump(2));
}

void Console::remark(std::string_view sentence) {
  if (quiet_) return;
  clear_live_line();
  *options_.err << sentence << std::endl;
}

void Console::complain(std::string_view sentence) {
  clear_live_line();
  *options_.err << "tailcost: " << sentence << std::endl;
}

void Console::flush() {
  options_.out->flush();
  if (!*options_.out) throw Error{"cannot write to standard output; is the disk full, or was the reader closed?"};
}

void Console::clear_live_line() {
  if (!live_line_shown_) return;
  *options_.err << erase_line << std::flush;
  live_line_shown_ = false;
}

void Progress::update(double share, std::string_view detail) {
  if (console_.quiet_) return;
  const MonoTime now = console_.now();
  const bool live = console_.options_.live;
  const Nanos since_shown = now - shown_.value_or(started_);
  const Nanos wait = live ? (shown_ ? live_every : silent_for) : (shown_ ? plain_every : silent_for);
  if (since_shown < wait) return;
  shown_ = now;
  if (live) {
    *console_.options_.err << erase_line << line(now, share, detail) << std::flush;
    console_.live_line_shown_ = true;
  } else {
    *console_.options_.err << line(now, share, detail) << std::endl;
  }
}

std::string Progress::line(MonoTime now, double share, std::string_view detail) const {
  const double done = std::clamp(share, 0.0, 1.0);
  const double elapsed = std::chrono::duration<double>(now - started_).count();
  std::string text = fmt::format("{} {:3.0f} %", what_, 100 * done);
  if (done > 0.02 && done < 1) text += fmt::format(", {:.0f} s left", elapsed * (1 - done) / done);
  if (!detail.empty()) text += fmt::format(", {}", detail);
  return text;
}

}  // namespace tailcost::cli
