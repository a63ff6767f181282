#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tailcost {

enum class Tone : std::uint8_t { plain, strong, faint, good, bad };

/// `text` in a colour of the terminal, or as it is.
std::string toned(const std::string& text, Tone tone, bool colour);

/// A table of text: the first column to the left, the others to the right unless they are words.
class TextTable {
 public:
  struct Cell {
    std::string text;
    Tone tone{Tone::plain};
  };

  /// `words` are the columns, beside the first, that stand to the left.
  explicit TextTable(std::vector<std::string> heads, std::vector<std::size_t> words = {});

  /// Requires as many cells as heads.
  void add(std::vector<Cell> row);

  /// Lines of at most `width` characters, as far as cutting the first column allows.
  std::string render(int width, bool colour) const;

 private:
  std::vector<std::size_t> column_widths(std::size_t width) const;
  std::string line(const std::vector<Cell>& row, const std::vector<std::size_t>& widths, bool colour) const;

  std::vector<Cell> heads_;
  std::vector<bool> left_;
  std::vector<std::vector<Cell>> rows_;
};

/// Breaks a sentence at blanks into lines of at most `width`; later lines begin under the text after `first`, as in a list.
std::string wrapped(const std::string& text, int width, const std::string& first = "");

}  // namespace tailcost
