#pragma once
// A CSV file that has been read: columns of numbers under names with units.
//
// Numbers are separated by commas, semicolons, tabs or spaces.  The first row may hold names, in quotes if they
// contain separators.  A name may end with a unit: "angle[deg]" or "angle (deg)".  Empty lines and lines that
// begin with '#' are skipped.
#include <string>
#include <string_view>
#include <vector>

#include "mubody/model/fields.h"
#include "mubody/text/quotes.h"

namespace mubody::io {
/// Its messages begin with the file's name and the line.
class CsvFile {
 public:
  /// What an empty cell stands for.
  enum class Blanks { mistakes, not_finite };
  /// Messages call the file `name`.  Throws FileError.
  CsvFile(std::string name, const std::string& path, Quotes, Blanks = Blanks::mistakes);

  const std::string& name() const { return name_; }
  /// Whether messages quote what is wrong, or only say where it stands.
  Quotes quotes() const { return quotes_; }
  /// The numbers as they stand in the file, in its own units.
  const Data& data() const { return data_; }
  /// The names without their units; empty if the file has no row of names.
  const std::vector<std::string>& names() const { return names_; }
  /// The unit of each name, "" where it has none.
  const std::vector<std::string>& units() const { return units_; }
  int line_of_names() const { return line_of_names_; }
  int line_of_row(std::size_t row) const { return lines_[row]; }

  /// The numbers of a column in SI units; its unit must be convertible to the expected one.
  std::vector<double> column(std::size_t k, const std::string& expected) const;

  /// Refuses numbers of the rows that do not increase, as times do.  Throws FileError.
  void expect_times(const std::vector<double>& times) const;

  /// Throws FileError with the name of the file and a line.
  [[noreturn]] void fail(int line, const std::string& message) const;

 private:
  void add(std::string_view line);
  void add_names(const std::vector<std::string_view>& cells);
  double factor_of(std::size_t k, const std::string& expected) const;
  std::string named(std::string_view cell, std::size_t k) const;

  std::string name_;
  Blanks blanks_;
  Quotes quotes_;
  int line_ = 0, line_of_names_ = 0;
  std::vector<std::string> titles_, names_, units_;  // "angle[deg]", "angle", "deg"
  std::vector<int> lines_;                           // where each row of numbers stands
  Data data_;
};
}  // namespace mubody::io
