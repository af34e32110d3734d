#pragma once
// A file of columns that has been read: numbers under names with units, from text or from a binary table.
//
// What the file is tells its beginning and not its name: text is read by csv_file.h, binary tables by npy_file.h.  A name may
// end with a unit: "angle[deg]" or "angle (deg)".
#include <string>
#include <string_view>
#include <vector>

#include "mubody/model/fields.h"
#include "mubody/text/quotes.h"

namespace mubody::io {
/// What an empty cell stands for, and a number that is not finite.
enum class Blanks { mistakes, not_finite };

/// What stands in a file of columns.
struct StoredColumns {
  std::vector<std::string> titles;  // "angle[deg]"; none if the columns have no names
  Data data;
  int line_of_titles = 0;
  std::vector<int> lines{};  // where each row of numbers stands; none if the file has no lines
};

/// Its messages begin with the file's name and the line.
class ColumnFile {
 public:
  /// Messages call the file `name`.  Throws FileError.
  ColumnFile(std::string name, const std::string& path, Quotes, Blanks = Blanks::mistakes);

  const std::string& name() const { return name_; }
  /// Whether messages quote what is wrong, or only say where it stands.
  Quotes quotes() const { return quotes_; }
  /// The numbers as they stand in the file, in its own units.
  const Data& data() const { return stored_.data; }
  /// The names without their units; empty if the file does not name its columns.
  const std::vector<std::string>& names() const { return names_; }
  /// The unit of each name, "" where it has none.
  const std::vector<std::string>& units() const { return units_; }

  /// The numbers of a column in SI units; its unit must be convertible to the expected one.
  std::vector<double> column(std::size_t k, const std::string& expected) const;

  /// Refuses a file that does not name its columns.  Throws FileError.
  void expect_names() const;
  /// Refuses numbers of the rows that do not increase, as times do.  Throws FileError.
  void expect_times(const std::vector<double>& times) const;

  /// Where the names stand: "motion.csv:3", and the name of the file alone if it has no lines.
  std::string place_of_names() const;
  /// These throw FileError with the place of the names, or that of a row.
  [[noreturn]] void fail_at_names(const std::string& message) const;
  [[noreturn]] void fail_at_row(std::size_t row, const std::string& message) const;

 private:
  double factor_of(std::size_t k, const std::string& expected) const;

  std::string name_;
  Quotes quotes_;
  StoredColumns stored_;
  std::vector<std::string> names_, units_;  // "angle", "deg"
};
}  // namespace mubody::io
