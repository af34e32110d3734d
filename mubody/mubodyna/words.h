#pragma once
// Lines of a MUBODYNA file as words, and numbers as FORTRAN writes them.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mubody::io::mubodyna {
struct Word {
  std::string_view text;
  int column;  // from 1
};

/// A line, divided at "!" into its text and a comment.
struct Line {
  int number = 0;
  std::string_view text;     // trimmed
  std::string_view comment;  // trimmed
  std::vector<Word> words;   // the text, split at blanks
};

/// The lines that are not empty.
std::vector<Line> lines_of(std::string_view text);

/// 1.0D-3, .5, -4.200, 1., +2E4, 1.5-3; none if the word is not a number, infinite if it is too large.
std::optional<double> fortran_number(std::string_view word);

/// The text in capitals, with one blank for each run of blanks, underscores and hyphens.
std::string normal(std::string_view text);

/// Whether normal `text` begins with the words of normal `start`.
bool begins_with(std::string_view text, std::string_view start);
}  // namespace mubody::io::mubodyna
