#include "tailcost/cli/parser.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <new>
#include <numeric>
#include <optional>

#include "tailcost/cli/interrupt.hpp"
#include "tailcost/core/error.hpp"

namespace tailcost::cli {
namespace {

constexpr const char* about =
    "Tailcost measures a machine's latency tail and prices it in profit and loss, with error bars.\n"
    "Results go to standard output, progress and remarks to standard error. Durations need a unit: 200us, 10s.\n"
    "Exit codes: 0 good, 1 failed, 2 bad usage, 130 interrupted.";

/// One command as CLI11 knows it, and the words that it found for each option.
struct Bound {
  const Command* command;
  CLI::App* app;
  std::vector<std::vector<std::string>> words;  ///< As command->options.
};

void bind(Bound& bound, std::size_t index) {
  const Option& option = bound.command->options[index];
  auto& words = bound.words[index];
  if (option.is_flag()) {
    bound.app->add_flag_callback(option.names, [&words] { words.emplace_back(); }, option.help);
    return;
  }
  CLI::Option* made = bound.app->add_option(
      option.names,
      [&words](const CLI::results_t& found) {
        words.insert(words.end(), found.begin(), found.end());
        return true;
      },
      option.help);
  std::string placeholder = option.is_argument() ? std::string{} : option.value;
  if (!option.choices.empty()) {
    placeholder = std::accumulate(option.choices.begin() + 1, option.choices.end(), option.choices.front(),
                                  [](std::string list, const std::string& word) { return std::move(list) + "|" + word; });
  }
  made->type_name(placeholder);
  made->required(option.required);
  if (option.repeated && option.is_argument()) made->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args();
  if (option.repeated && !option.is_argument()) made->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

std::string indented(const std::string& text) {
  std::string result = "  ";
  for (const char c : text) result += c == '\n' ? std::string{"\n  "} : std::string{c};
  return result;
}

/// The smallest number of letters to add, drop or change.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const auto closest = std::min_element(known.begin(), known.end(), [&word](const std::string& a, const std::string& b) {
    return edit_distance(word, a) < edit_distance(word, b);
  });
  if (closest == known.end() || edit_distance(word, *closest) > std::max<std::size_t>(1, word.size() / 3)) return {};
  return "; did you mean " + *closest + "?";
}

/// All commands as one CLI11 parser.
class Parser {
 public:
  explicit Parser(std::span<const Command> commands) : app_{about, "tailcost"} {
    app_.require_subcommand(0, 1);
    app_.allow_extras();
    app_.get_formatter()->column_width(38);
    bound_.reserve(commands.size());
    for (const Command& command : commands) add(command);
  }

  /// Returns the command to run; nothing where help was printed. Throws UsageError.
  std::optional<Bound*> parse(std::vector<std::string> words, Console& console) {
    std::reverse(words.begin(), words.end());
    try {
      app_.parse(std::move(words));
    } catch (const CLI::CallForHelp&) {
      console.print(app_.help());  // goes down to the command that was named, with the way there
      return std::nullopt;
    } catch (const CLI::ParseError& error) {
      refuse_unknown_words();
      throw UsageError{sentence(error) + see_help()};
    }
    for (Bound& bound : bound_) {
      if (bound.app->parsed() && bound.command->takes_any_words) return &bound;
    }
    refuse_unknown_words();
    for (Bound& bound : bound_) {
      if (bound.app->parsed()) return &bound;
    }
    throw UsageError{
        (deepest_app() == &app_ ? std::string{"no command given"} : "\"" + deepest_app()->get_name() + "\" needs a second word") +
        see_help()};
  }

 private:
  void add(const Command& command) {
    const auto space = command.name.find(' ');
    CLI::App* parent = &app_;
    if (space != std::string::npos) parent = group(command.name.substr(0, space));
    if (parent != &app_) parent->description(parent->get_description() + (parent->get_description().empty() ? "" : ", ") + command.name);
    CLI::App* app = parent->add_subcommand(command.name.substr(space == std::string::npos ? 0 : space + 1), command.summary);
    app->footer("Example:\n" + indented(command.example));
    app->allow_extras();
    app->get_formatter()->column_width(38);
    bound_.push_back({.command = &command, .app = app, .words = std::vector<std::vector<std::string>>(command.options.size())});
    for (std::size_t i = 0; i < command.options.size(); ++i) bind(bound_.back(), i);
  }

  CLI::App* group(const std::string& name) {
    auto& found = groups_[name];
    if (found == nullptr) {
      found = app_.add_subcommand(name);
      found->require_subcommand(0, 1);
      found->allow_extras();
    }
    return found;
  }

  CLI::App* deepest_app() {
    CLI::App* app = &app_;
    while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
    return app;
  }

  std::string path_of(const CLI::App* app) const {
    std::string path;
    for (; app != nullptr && app != &app_; app = app->get_parent()) path = " " + app->get_name() + path;
    return "tailcost" + path;
  }

  std::string see_help() { return "; see " + path_of(deepest_app()) + " --help"; }

  std::string sentence(const CLI::ParseError& error) {
    std::string text = error.what();
    if (const auto end = text.find('\n'); end != std::string::npos) text.resize(end);
    while (text.ends_with('.')) text.pop_back();
    return text;
  }

  void refuse_unknown_words() {
    CLI::App* app = deepest_app();
    const std::vector<std::string> extras = app->remaining();
    if (extras.empty()) return;
    const std::string& word = extras.front();
    std::vector<std::string> known;
    if (word.starts_with('-')) {
      for (const CLI::Option* option : app->get_options()) {
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
      }
      const std::string name = word.substr(0, word.find('='));
      throw UsageError{"unknown option " + name + did_you_mean(name, known) + see_help()};
    }
    for (const CLI::App* child : app->get_subcommands({})) known.push_back(child->get_name());
    const bool expects_command = !known.empty();
    throw UsageError{(expects_command ? "unknown command \"" : "unexpected argument \"") + word + "\"" + did_you_mean(word, known) +
                     see_help()};
  }

  CLI::App app_;
  std::map<std::string, CLI::App*> groups_;
  std::vector<Bound> bound_;
};

ExitCode parse_and_run(std::span<const Command> commands, std::vector<std::string> words, Console& console) {
  Parser parser{commands};
  const auto bound = parser.parse(std::move(words), console);
  if (!bound) return ExitCode::good;
  const Command& command = *(*bound)->command;
  for (std::size_t i = 0; i < command.options.size(); ++i) {
    for (const std::string& word : (*bound)->words[i]) command.options[i].set(word);
  }
  return command.run(console);
}

}  // namespace

ExitCode run_command_line(std::span<const Command> commands, std::vector<std::string> words, Console& console) {
  try {
    const ExitCode code = parse_and_run(commands, std::move(words), console);
    console.flush();
    return code;
  } catch (const Interrupted& error) {
    console.complain(error.what());
    return ExitCode::interrupted;
  } catch (const UsageError& error) {
    console.complain(error.what());
    return ExitCode::usage;
  } catch (const Error& error) {
    console.complain(error.what());
    return ExitCode::failed;
  } catch (const std::bad_alloc&) {
    console.complain("out of memory; --dry-run tells how much a run needs");
    return ExitCode::failed;
  } catch (const std::exception& error) {
    console.complain(std::string{"a fault in tailcost itself: "} + error.what() + "; please report it with the command line");
    return ExitCode::failed;
  }
}

}  // namespace tailcost::cli
