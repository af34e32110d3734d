#include "mubody/text/csv_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "mubody/model/escape.h"
#include "mubody/model/units.h"
#include "mubody/text/node.h"
#include "mubody/text/text_file.h"
#include "mubody/text/trimmed.h"

namespace mubody::io {
namespace {
// The position of the next separator outside quotes; the end of the line if there is none.
std::size_t find_separator(std::string_view line, char separator, std::size_t begin = 0) {
  bool quoted = false;
  for (std::size_t k = begin; k < line.size(); ++k) {
    if (line[k] == '"') quoted = !quoted;
    if (line[k] == separator && !quoted) return k;
  }
  return line.size();
}

// "moment (N m)" is one name even if spaces separate the names.
bool continues(std::string_view before, std::string_view cell) {
  const auto is_open = [&](char opening, char closing) {
    return std::ranges::count(before, opening) > std::ranges::count(before, closing);
  };
  return cell.starts_with('[') || cell.starts_with('(') || is_open('[', ']') || is_open('(', ')');
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  // In a line with semicolons, a comma may be a decimal comma.
  char separator = ' ';
  for (const char s : {';', ',', '\t', ' '})
    if (find_separator(line, s) < line.size()) {
      separator = s;
      break;
    }
  const bool by_spaces = separator == ' ';
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = find_separator(line, separator, begin);
    const std::string_view cell = trimmed(line.substr(begin, end - begin));
    begin = end + 1;
    if (by_spaces && cell.empty()) continue;
    if (by_spaces && !cells.empty() && continues(cells.back(), cell))
      cells.back() =
          std::string_view(cells.back().data(), static_cast<std::size_t>(cell.end() - cells.back().begin()));
    else
      cells.push_back(cell);
  }
  return cells;
}

// A cell without its quotes, which are doubled inside it.
std::string unquoted(std::string_view cell) {
  if (cell.size() < 2 || cell.front() != '"' || cell.back() != '"') return std::string(cell);
  std::string text;
  for (std::size_t k = 1; k + 1 < cell.size(); ++k) {
    text += cell[k];
    if (cell[k] == '"' && cell[k + 1] == '"' && k + 2 < cell.size()) ++k;
  }
  return text;
}

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

std::optional<double> number_of(std::string_view cell) {
  if (cell.starts_with('+')) cell.remove_prefix(1);
  double value = 0;
  const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || stop != cell.data() + cell.size()) return {};
  return value;
}

std::string hint(std::string_view cell) {
  return cell.find(',') == std::string_view::npos ? "" : "; decimals are written with a point";
}
}  // namespace

CsvFile::CsvFile(std::string name, const std::string& path, Quotes quotes, Blanks blanks)
    : name_(std::move(name)), blanks_(blanks), quotes_(quotes) {
  const FileKind& kind = blanks == Blanks::not_finite ? files::results : files::data;
  std::string text;
  try {
    text = read_file(path, kind);
  } catch (const FileError& e) {
    throw FileError(fmt::format("{}: {}", name_, e.what()));
  }
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  while (!rest.empty()) {
    ++line_;
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    add(trimmed(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (data_.columns.empty()) throw FileError(name_ + ": no numbers");
}

void CsvFile::fail(int line, const std::string& message) const {
  throw FileError(fmt::format("{}:{}: {}", name_, line, message));
}

void CsvFile::expect_times(const std::vector<double>& times) const {
  for (std::size_t row = 1; row < times.size(); ++row)
    if (times[row] <= times[row - 1])
      fail(lines_[row], told(quotes_, fmt::format("time {} does not come after {}", times[row], times[row - 1]),
                             "the time does not come after the one before") +
                            ": times must increase");
}

std::vector<double> CsvFile::column(std::size_t k, const std::string& expected) const {
  std::vector<double> numbers = data_.columns[k];
  if (expected.empty() || k >= units_.size() || units_[k].empty()) return numbers;
  const double factor = factor_of(k, expected);
  for (double& x : numbers) x *= factor;
  return numbers;
}

double CsvFile::factor_of(std::size_t k, const std::string& expected) const {
  const std::string& unit = units_[k];
  constexpr std::size_t longest = 100;
  if (unit.size() > longest)
    fail(line_of_names_, "column " + std::to_string(k + 1) + " has no unit but a long text");
  try {
    return to_si("1 " + (unit == "-" ? "1" : unit), expected);
  } catch (const UnitError& e) {
    // The name of the column says more than "unit 'g' is a mass, expected ...".
    if (quotes_ == Quotes::hidden)
      fail(line_of_names_,
           fmt::format("the unit of column {} is unknown, or not one of '{}'", k + 1, expected));
    fail(line_of_names_, e.kind == UnitError::other_quantity
                             ? fmt::format("column {} {}{}", k + 1, in_quotes(titles_[k]), e.more)
                             : e.what());
  }
}

// A cell in messages.
std::string CsvFile::named(std::string_view cell, std::size_t k) const {
  return quoted(quotes_, cell, fmt::format("number {}", k + 1));
}

void CsvFile::add(std::string_view line) {
  if (line.empty() || line.starts_with('#')) return;
  constexpr std::size_t most_columns = 4'000'000;
  const std::vector<std::string_view> cells = cells_of(line);
  if (cells.size() > most_columns) fail(line_, fmt::format("more than {} columns", most_columns));
  const auto is_name = [](std::string_view c) {
    return !number_of(c) && c.find_first_not_of("+-.,0123456789") != std::string_view::npos;
  };
  if (data_.columns.empty() && names_.empty() && std::ranges::all_of(cells, is_name)) return add_names(cells);
  if (data_.columns.empty()) data_.columns.resize(names_.empty() ? cells.size() : names_.size());
  if (cells.size() != data_.columns.size())
    fail(line_, fmt::format("{} number{}, expected {}", cells.size(), cells.size() == 1 ? "" : "s",
                            data_.columns.size()));
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (cells[k].empty() && blanks_ == Blanks::not_finite) {
      data_.columns[k].push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const std::optional<double> value = number_of(cells[k]);
    if (!value)
      fail(line_,
           cells[k].empty() ? "a number is missing" : named(cells[k], k) + " is not a number" + hint(cells[k]));
    if (!std::isfinite(*value)) fail(line_, named(cells[k], k) + ": must be finite");
    data_.columns[k].push_back(*value);
  }
  lines_.push_back(line_);
}

void CsvFile::add_names(const std::vector<std::string_view>& cells) {
  for (const std::string_view cell : cells) {
    const std::string& title = titles_.emplace_back(from_csv(unquoted(cell)));
    const std::string_view all = title;
    const std::size_t bracket = start_of_unit(all);
    names_.emplace_back(trimmed(all.substr(0, bracket)));
    const bool has_unit = bracket < all.size();
    units_.emplace_back(has_unit ? trimmed(all.substr(bracket + 1, all.size() - bracket - 2)) : "");
  }
  line_of_names_ = line_;
}
}  // namespace mubody::io
