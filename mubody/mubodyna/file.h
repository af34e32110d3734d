#pragma once
// What a MUBODYNA input file says, number by number.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "mubody/mubodyna/sections.h"
#include "mubody/text/quotes.h"

namespace mubody::io::mubodyna {
/// The numbers of one line, in the order of the columns of its section.
struct Row {
  int line = 0;  // where it stands; 0 if it does not come from a file
  std::vector<double> values;
  std::string name{};  // from a comment, "! name": MUBODYNA itself has none
  int place = 0;  // from a comment, "! name (3)": the place among all constraints, if not in the file's order

  double operator[](int column) const { return values[static_cast<std::size_t>(column)]; }
  int whole(int column) const { return static_cast<int>((*this)[column]); }
};
using Rows = std::vector<Row>;

/// The sections of the constraints, in the order of their equations.
inline constexpr std::string_view constraint_letters = "ehijkl";

struct File {
  std::string path;               // for messages
  std::string title;              // from a comment in the first line: the name of the model
  std::array<Rows, 17> sections;  // (a) stays empty: the counts are the sizes of the others
  Rows guiding_data;              // section (l): time and a value for each guiding constraint
  Rows force_data;                // section (o): time and Fx, Fy, x, y for each body

  Rows& operator[](char letter) { return sections[static_cast<std::size_t>(letter - 'a')]; }
  const Rows& operator[](char letter) const { return sections[static_cast<std::size_t>(letter - 'a')]; }
  /// One of the numbers of section (a).
  std::size_t count(Count) const;
};

/// Names of all elements as model files have them: those of the comments where they are valid, otherwise
/// "body_1", "revolute_2".  A body that does not move and lies in the origin is the "ground", unless a force
/// acts on it.
struct Names {
  std::string model;
  std::array<std::vector<std::string>, 17>
      sections;  // names of the rows of each section; bodies at 'b', moments of (d) at 'c'

  const std::string& operator()(char letter, std::size_t row) const {
    return sections[static_cast<std::size_t>(letter - 'a')][row];
  }
  /// The name of a body by its number, which counts from 1.
  const std::string& body(int number) const { return (*this)('b', static_cast<std::size_t>(number - 1)); }
};
Names names_of(const File&);

/// Whether a text is for MUBODYNA: it begins with a heading, or the path ends with .mub and it is not TOML.
bool is_mubodyna(std::string_view text, std::string_view path);

/// The file that a text states.  Throws ModelError with file:line, the letter of the section and the field; what is wrong
/// there is quoted or not.
File read_file(std::string_view text, const std::string& path, Quotes = Quotes::shown);

/// The text of a file, with all digits.
std::string text_of(const File&);
}  // namespace mubody::io::mubodyna
