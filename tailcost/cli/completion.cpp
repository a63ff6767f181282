#include "tailcost/cli/completion.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace tailcost::cli {
namespace {

/// "-o,--output" as {"-o", "--output"}; nothing for an argument.
std::vector<std::string> names_of(const Option& option) {
  std::vector<std::string> names;
  if (option.is_argument()) return names;
  for (std::size_t from = 0; from <= option.names.size();) {
    const std::size_t comma = std::min(option.names.find(',', from), option.names.size());
    names.push_back(option.names.substr(from, comma - from));
    from = comma + 1;
  }
  return names;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// Each command's words: "" -> measure data ..., "data" -> import generate inspect.
std::map<std::string, std::vector<std::string>> subcommands(std::span<const Command> commands) {
  std::map<std::string, std::vector<std::string>> children;
  for (const Command& command : commands) {
    const auto space = command.name.find(' ');
    auto& top = children[""];
    const std::string first = command.name.substr(0, space);
    if (std::find(top.begin(), top.end(), first) == top.end()) top.push_back(first);
    if (space != std::string::npos) children[first].push_back(command.name.substr(space + 1));
  }
  return children;
}

/// The body that bash and zsh share: sets `words_here` from `tailcost_path` (the command's words) and `previous` (the word before).
std::string choose_words(std::span<const Command> commands) {
  std::string text = "  case \"$tailcost_path:$previous\" in\n";
  for (const Command& command : commands) {
    for (const Option& option : command.options) {
      if (option.is_argument() || option.choices.empty()) continue;
      for (const std::string& name : names_of(option)) {
        text += "    \"" + command.name + ":" + name + "\") words_here=\"" + joined(option.choices) + "\"; return;;\n";
      }
    }
  }
  text += "  esac\n  case \"$tailcost_path\" in\n";
  for (const auto& [parent, children] : subcommands(commands))
    text += "    \"" + parent + "\") words_here=\"" + joined(children) + " --help\";;\n";
  for (const Command& command : commands) {
    std::vector<std::string> words;
    for (const Option& option : command.options) {
      const auto names = names_of(option);
      words.insert(words.end(), names.begin(), names.end());
      if (option.is_argument()) words.insert(words.end(), option.choices.begin(), option.choices.end());
    }
    words.emplace_back("--help");
    text += "    \"" + command.name + "\") words_here=\"" + joined(words) + "\";;\n";
  }
  return text + "  esac\n";
}

/// A pattern of the groups, for a shell's case: "data|profiles".
std::string group_pattern(std::span<const Command> commands) {
  std::string pattern;
  for (const auto& [parent, children] : subcommands(commands)) {
    if (!parent.empty()) pattern += (pattern.empty() ? "" : "|") + parent;
  }
  return pattern;
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string{"\\'"} : std::string{c};
  return result + "'";
}

}  // namespace

std::string bash_completion(std::span<const Command> commands) {
  return "# bash completion of tailcost: source it, or put it into /usr/share/bash-completion/completions/tailcost\n"
         "_tailcost_words() {\n" +
         choose_words(commands) +
         "}\n"
         "_tailcost() {\n"
         "  local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\" tailcost_path=\"\" words_here=\"\"\n"
         "  if [ \"$COMP_CWORD\" -gt 1 ]; then\n"
         "    tailcost_path=\"${COMP_WORDS[1]}\"\n"
         "    case \"$tailcost_path\" in " +
         group_pattern(commands) +
         ") [ \"$COMP_CWORD\" -gt 2 ] && tailcost_path=\"$tailcost_path ${COMP_WORDS[2]}\";; esac\n"
         "  fi\n"
         "  _tailcost_words\n"
         "  COMPREPLY=($(compgen -W \"$words_here\" -- \"$current\"))\n"
         "}\n"
         "complete -o default -F _tailcost tailcost\n";
}

std::string zsh_completion(std::span<const Command> commands) {
  return "#compdef tailcost\n"
         "# zsh completion of tailcost: put it as _tailcost into a folder of $fpath\n"
         "_tailcost_words() {\n" +
         choose_words(commands) +
         "}\n"
         "_tailcost() {\n"
         "  local previous=\"${words[CURRENT-1]}\" tailcost_path=\"\" words_here=\"\"\n"
         "  if (( CURRENT > 2 )); then\n"
         "    tailcost_path=\"${words[2]}\"\n"
         "    case \"$tailcost_path\" in " +
         group_pattern(commands) +
         ") (( CURRENT > 3 )) && tailcost_path=\"$tailcost_path ${words[3]}\";; esac\n"
         "  fi\n"
         "  _tailcost_words\n"
         "  compadd -- ${=words_here}\n"
         "  _files\n"
         "}\n"
         "if [ \"$funcstack[1]\" = \"_tailcost\" ]; then _tailcost \"$@\"; else compdef _tailcost tailcost; fi\n";
}

std::string fish_completion(std::span<const Command> commands) {
  std::string text = "# fish completion of tailcost: put it into ~/.config/fish/completions/tailcost.fish\n";
  const auto children = subcommands(commands);
  for (const std::string& word : children.at("")) {
    const auto command = std::find_if(commands.begin(), commands.end(), [&word](const Command& c) { return c.name == word; });
    text += "complete -c tailcost -n __fish_use_subcommand -f -a " + word +
            (command == commands.end() ? std::string{} : " -d " + quoted(command->summary)) + "\n";
  }
  for (const Command& command : commands) {
    const auto space = command.name.find(' ');
    const std::string first = command.name.substr(0, space);
    std::string condition = "__fish_seen_subcommand_from " + first;
    if (space != std::string::npos) {
      const std::string second = command.name.substr(space + 1);
      text += "complete -c tailcost -n '" + condition + "; and not __fish_seen_subcommand_from " + joined(children.at(first)) + "' -f -a " +
              second + " -d " + quoted(command.summary) + "\n";
      condition += "; and __fish_seen_subcommand_from " + second;
    }
    for (const Option& option : command.options) {
      std::string line = "complete -c tailcost -n '" + condition + "'";
      for (const std::string& name : names_of(option)) line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.is_flag() && !option.is_argument()) line += " -r";
      if (!option.choices.empty()) line += " -f -a " + quoted(joined(option.choices));
      if (option.is_argument() && option.choices.empty()) continue;  // file names, as fish offers by itself
      text += line + " -d " + quoted(option.help) + "\n";
    }
  }
  return text;
}

}  // namespace tailcost::cli
