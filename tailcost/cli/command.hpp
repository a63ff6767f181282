#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tailcost/core/time.hpp"

namespace tailcost::cli {

class Console;

/// What the program tells its caller; `crossed` where a threshold was.
enum class ExitCode : std::uint8_t { good = 0, failed = 1, usage = 2, crossed = 3, interrupted = 130 };

/// One flag, option or argument: how it is written, and where its text goes.
struct Option {
  std::string names;  ///< "-o,--output"; for an argument the word that stands for it: "SPEC".
  std::string value;  ///< What stands for the value in the help: "FILE". Empty for a flag.
  std::string help;
  std::function<void(const std::string&)> set;  ///< Called once per value, "" for a flag; throws UsageError.
  bool required{false};
  bool repeated{false};                ///< May be given more than once.
  std::vector<std::string> choices{};  ///< The words that are allowed, where they are few.

  bool is_argument() const noexcept { return !names.starts_with('-'); }
  bool is_flag() const noexcept { return value.empty() && !is_argument(); }
  /// "--output", or the first name where there is no long one.
  std::string long_name() const;
};

/// One command as data: the parser, the help and the shell completions all walk this.
struct Command {
  std::string name;     ///< "measure"; two words for a member of a group: "data import".
  std::string summary;  ///< One line.
  std::string example;  ///< What a user may type, one command a line.
  std::vector<Option> options;
  bool takes_any_words{false};            ///< Words that no option knows are not refused.
  std::function<ExitCode(Console&)> run;  ///< Owns what the options write to. Throws Error.
};

void assign(bool& field, const std::string& text, const std::string& what);
void assign(std::int64_t& field, const std::string& text, const std::string& what);
void assign(std::uint64_t& field, const std::string& text, const std::string& what);
void assign(double& field, const std::string& text, const std::string& what);
void assign(Nanos& field, const std::string& text, const std::string& what);
void assign(std::string& field, const std::string& text, const std::string& what);
void assign(std::filesystem::path& field, const std::string& text, const std::string& what);
template <class T>
void assign(std::optional<T>& field, const std::string& text, const std::string& what) {
  assign(field.emplace(), text, what);
}
template <class T>
void assign(std::vector<T>& field, const std::string& text, const std::string& what) {
  assign(field.emplace_back(), text, what);
}

/// " (default 10s)", or nothing where a default would say nothing.
std::string default_text(std::int64_t value);
std::string default_text(std::uint64_t value);
std::string default_text(double value);
std::string default_text(Nanos value);
std::string default_text(const std::string& value);
template <class T>
std::string default_text(const T&) {
  return {};
}

template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;

/// An option or, where `names` is a bare word, an argument, whose text goes to `field`. `field` must outlive the command's `run`.
template <class T>
Option option(std::string names, std::string value, std::string help, T& field) {
  Option made{.names = std::move(names),
              .value = std::move(value),
              .help = std::move(help) + default_text(field),
              .set = {},
              .repeated = is_list<T>};
  made.set = [&field, what = made.long_name()](const std::string& text) { assign(field, text, what); };
  return made;
}

/// Sets `field` to `to` when given.
Option flag(std::string names, std::string help, bool& field, bool to = true);

/// One of a few words, each with its value.
template <class T>
struct Choice {
  std::string word;
  T value;
};
template <class T>
Option choice(std::string names, std::string value, std::string help, T& field, std::vector<Choice<T>> choices);

/// Throws UsageError listing `words`.
[[noreturn]] void refuse_choice(const std::string& text, const std::string& what, const std::vector<std::string>& words);

template <class T>
Option choice(std::string names, std::string value, std::string help, T& field, std::vector<Choice<T>> choices) {
  Option made{.names = std::move(names), .value = std::move(value), .help = std::move(help), .set = {}};
  for (const auto& [word, meaning] : choices) {
    made.choices.push_back(word);
    if (meaning == field) made.help += " (default " + word + ")";
  }
  made.set = [&field, choices, words = made.choices, what = made.long_name()](const std::string& text) {
    for (const auto& [word, meaning] : choices) {
      if (word == text) {
        field = meaning;
        return;
      }
    }
    refuse_choice(text, what, words);
  };
  return made;
}

/// The same option, refused when it is missing.
Option required(Option option);

}  // namespace tailcost::cli
