#include "mubody/text/columns/column_file.h"

#include <fmt/format.h>

#include "mubody/model/units.h"
#include "mubody/text/columns/csv_file.h"
#include "mubody/text/columns/npy_file.h"
#include "mubody/text/text_file.h"
#include "mubody/text/trimmed.h"

namespace mubody::io {
namespace {
// The position of the bracket that opens the unit at the end of a name; the end of the name if it has no unit.
std::size_t start_of_unit(std::string_view title) {
  if (!title.ends_with(']') && !title.ends_with(')')) return title.size();
  const char closing = title.back(), opening = closing == ']' ? '[' : '(';
  int depth = 0;
  for (std::size_t k = title.size(); k > 0; --k) {
    if (title[k - 1] == closing) ++depth;
    if (title[k - 1] == opening && --depth == 0) return k - 1;
  }
  return title.size();
}

StoredColumns columns_in(const std::string& name, const std::string& path, Quotes quotes, Blanks blanks) {
  const bool binary = is_npy(beginning_of(path).value_or(""));
  FileKind kind = blanks == Blanks::not_finite ? files::results : files::data;
  kind.text = !binary;
  std::string content;
  try {
    content = read_file(path, kind);
  } catch (const FileError& e) {
    throw FileError(fmt::format("{}: {}", name, e.what()));
  }
  return binary ? read_npy(name, content, blanks) : read_csv(name, content, quotes, blanks);
}
}  // namespace

ColumnFile::ColumnFile(std::string name, const std::string& path, Quotes quotes, Blanks blanks)
    : name_(std::move(name)), quotes_(quotes), stored_(columns_in(name_, path, quotes, blanks)) {
  for (const std::string_view title : stored_.titles) {
    const std::size_t bracket = start_of_unit(title);
    names_.emplace_back(trimmed(title.substr(0, bracket)));
    const bool has_unit = bracket < title.size();
    units_.emplace_back(has_unit ? trimmed(title.substr(bracket + 1, title.size() - bracket - 2)) : "");
  }
}

std::string ColumnFile::place_of_names() const {
  return stored_.line_of_titles > 0 ? fmt::format("{}:{}", name_, stored_.line_of_titles) : name_;
}

void ColumnFile::fail_at_names(const std::string& message) const {
  throw FileError(fmt::format("{}: {}", place_of_names(), message));
}

void ColumnFile::fail_at_row(std::size_t row, const std::string& message) const {
  if (stored_.lines.empty()) throw FileError(fmt::format("{}: row {}: {}", name_, row + 1, message));
  throw FileError(fmt::format("{}:{}: {}", name_, stored_.lines[row], message));
}

void ColumnFile::expect_names() const {
  if (!names_.empty()) return;
  if (stored_.lines.empty())
    throw FileError(name_ + ": the names of the columns are missing; expected a table that mubody wrote");
  fail_at_row(0, "the first row must hold the names of the columns");
}

void ColumnFile::expect_times(const std::vector<double>& times) const {
  for (std::size_t row = 1; row < times.size(); ++row)
    if (times[row] <= times[row - 1])
      fail_at_row(row, told(quotes_, fmt::format("time {} does not come after {}", times[row], times[row - 1]),
                            "the time does not come after the one before") +
                           ": times must increase");
}

std::vector<double> ColumnFile::column(std::size_t k, const std::string& expected) const {
  std::vector<double> numbers = stored_.data.columns[k];
  if (expected.empty() || k >= units_.size() || units_[k].empty()) return numbers;
  const double factor = factor_of(k, expected);
  for (double& x : numbers) x *= factor;
  return numbers;
}

double ColumnFile::factor_of(std::size_t k, const std::string& expected) const {
  const std::string& unit = units_[k];
  constexpr std::size_t longest = 100;
  if (unit.size() > longest) fail_at_names("column " + std::to_string(k + 1) + " has no unit but a long text");
  try {
    return to_si("1 " + (unit == "-" ? "1" : unit), expected);
  } catch (const UnitError& e) {
    // The name of the column says more than "unit 'g' is a mass, expected ...".
    if (quotes_ == Quotes::hidden)
      fail_at_names(fmt::format("the unit of column {} is unknown, or not one of '{}'", k + 1, expected));
    fail_at_names(e.kind == UnitError::other_quantity
                      ? fmt::format("column {} {}{}", k + 1, in_quotes(stored_.titles[k]), e.more)
                      : e.what());
  }
}
}  // namespace mubody::io
