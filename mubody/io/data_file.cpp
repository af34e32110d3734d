#include "mubody/io/data_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "mubody/io/text_file.h"
#include "mubody/math/suggest.h"
#include "mubody/model/units.h"

namespace mubody::io {
namespace {
constexpr std::size_t most_megabytes = 256;

/// A CSV file as it is read; its messages begin with the file's name and the line.
class CsvFile {
 public:
  CsvFile(std::string name, const std::string& path) : name_(std::move(name)) {
    std::string text;
    try {
      text = read_text_file(path, most_megabytes, "a data file");
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

  const Data& data() const { return data_; }
  const std::vector<std::string>& names() const { return names_; }

  /// The numbers of a column in SI units; its own unit must fit the one that is expected.
  std::vector<double> column(std::size_t k, const std::string& expected) const {
    std::vector<double> numbers = data_.columns[k];
    if (expected.empty() || k >= units_.size() || units_[k].empty()) return numbers;
    const double factor = factor_of(k, expected);
    for (double& x : numbers) x *= factor;
    return numbers;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { fail(line_, message); }
  [[noreturn]] void fail(int line, const std::string& message) const {
    throw FileError(fmt::format("{}:{}: {}", name_, line, message));
  }

  double factor_of(std::size_t k, const std::string& expected) const {
    const std::string& unit = units_[k];
    constexpr std::size_t longest = 100;
    if (unit.size() > longest) fail(line_of_names_, in_quotes(unit) + " is not a unit");
    try {
      return to_si("1 " + (unit == "-" ? "1" : unit), expected);
    } catch (const UnitError& e) {
      // "unit 'g' is a mass, expected ...": whose unit it is says more.
      std::string message = e.what();
      if (message.find(", expected ") != std::string::npos)
        message =
            fmt::format("column {} {}{}", k + 1, in_quotes(titles_[k]), message.substr(message.find(" is ")));
      fail(line_of_names_, message);
    }
  }

  static std::string_view trimmed(std::string_view s) {
    constexpr std::string_view blank = " \t\r";
    while (!s.empty() && blank.find(s.front()) != std::string_view::npos) s.remove_prefix(1);
    while (!s.empty() && blank.find(s.back()) != std::string_view::npos) s.remove_suffix(1);
    return s;
  }

  static std::vector<std::string_view> cells_of(std::string_view line) {
    std::vector<std::string_view> cells;
    // Where there are semicolons, commas may be decimal ones.
    const char* const separators[] = {";", ",", "\t", " "};
    std::string_view separator = " ";
    for (const char* s : separators)
      if (line.find(s) != std::string_view::npos) {
        separator = s;
        break;
      }
    for (std::size_t begin = 0; begin <= line.size();) {
      const std::size_t end = std::min(line.find(separator, begin), line.size());
      const std::string_view cell = trimmed(line.substr(begin, end - begin));
      begin = end + 1;
      const bool by_spaces = separator == " ";
      if (by_spaces && cell.empty()) continue;
      if (by_spaces && !cells.empty() && continues(cells.back(), cell))
        cells.back() =
            std::string_view(cells.back().data(), static_cast<std::size_t>(cell.end() - cells.back().begin()));
      else
        cells.push_back(cell);
    }
    return cells;
  }

  // "moment (N m)" is one name even if spaces separate the names.
  static bool continues(std::string_view before, std::string_view cell) {
    const auto is_open = [&](char opening, char closing) {
      return std::ranges::count(before, opening) > std::ranges::count(before, closing);
    };
    return cell.starts_with('[') || cell.starts_with('(') || is_open('[', ']') || is_open('(', ')');
  }

  // Where the unit at the end of a name begins with its bracket; the end of the name if there is none.
  static std::size_t start_of_unit(std::string_view title) {
    if (!title.ends_with(']') && !title.ends_with(')')) return title.size();
    const char closing = title.back(), opening = closing == ']' ? '[' : '(';
    int depth = 0;
    for (std::size_t k = title.size(); k > 0; --k) {
      if (title[k - 1] == closing) ++depth;
      if (title[k - 1] == opening && --depth == 0) return k - 1;
    }
    return title.size();
  }

  static std::optional<double> number_of(std::string_view cell) {
    if (cell.starts_with('+')) cell.remove_prefix(1);
    double value = 0;
    const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc{} || stop != cell.data() + cell.size()) return {};
    return value;
  }

  static std::string hint(std::string_view cell) {
    return cell.find(',') == std::string_view::npos ? "" : "; decimals are written with a point";
  }

  void add(std::string_view line) {
    if (line.empty() || line.starts_with('#')) return;
    const std::vector<std::string_view> cells = cells_of(line);
    const auto is_name = [](std::string_view c) {
      return !number_of(c) && c.find_first_not_of("+-.,0123456789") != std::string_view::npos;
    };
    if (data_.columns.empty() && names_.empty() && std::ranges::all_of(cells, is_name)) return add_names(cells);
    if (data_.columns.empty()) data_.columns.resize(names_.empty() ? cells.size() : names_.size());
    if (cells.size() != data_.columns.size())
      fail(fmt::format("{} number{}, expected {}", cells.size(), cells.size() == 1 ? "" : "s",
                       data_.columns.size()));
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const std::optional<double> value = number_of(cells[k]);
      if (!value)
        fail(cells[k].empty() ? "a number is missing"
                              : in_quotes(cells[k]) + " is not a number" + hint(cells[k]));
      if (!std::isfinite(*value)) fail(in_quotes(cells[k]) + ": must be finite");
      data_.columns[k].push_back(*value);
    }
  }

  void add_names(const std::vector<std::string_view>& cells) {
    for (std::string_view cell : cells) {
      if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
      const std::size_t bracket = start_of_unit(cell);
      titles_.emplace_back(cell);
      names_.emplace_back(trimmed(cell.substr(0, bracket)));
      const bool has_unit = bracket < cell.size();
      units_.emplace_back(has_unit ? trimmed(cell.substr(bracket + 1, cell.size() - bracket - 2)) : "");
    }
    line_of_names_ = line_;
  }

  std::string name_;
  int line_ = 0, line_of_names_ = 0;
  std::vector<std::string> titles_, names_, units_;  // "angle[deg]", "angle", "deg"
  Data data_;                                        // as it is in the file
};

std::size_t column_of(const Node& chosen, const Scope& scope, const CsvFile& file, std::size_t count,
                      const Known& known) {
  if (chosen.is(Node::Kind::string)) {
    const auto name = std::ranges::find(file.names(), chosen.text);
    if (name == file.names().end())
      scope.fail(chosen,
                 fmt::format("no column {}{}", in_quotes(chosen.text), suggestion(chosen.text, file.names())));
    return static_cast<std::size_t>(name - file.names().begin());
  }
  const int k = read_integer(chosen, scope, known);
  if (k < 0 || static_cast<std::size_t>(k) >= count)
    scope.fail(chosen, fmt::format("no column {}: the file has columns 0 to {}", k, count - 1));
  return static_cast<std::size_t>(k);
}

// The unit that a column should have; "" if nobody uses it.
std::string unit_at(const std::vector<std::string>& units, std::size_t k) {
  return k < units.size() ? units[k] : "";
}

Data read_file(const Node& file, const Node* columns, const Scope& scope, const std::vector<std::string>& units,
               const Known& known) {
  const std::string name = read_string(file, scope);
  if (name.empty() || name.find('\0') != std::string::npos)
    scope.fail(file, in_quotes(name) + " is no file name");
  try {
    const CsvFile csv(name, (known.folder / name).string());
    const std::size_t count = csv.data().columns.size();
    Data data;
    const auto add = [&](std::size_t k) {
      data.columns.push_back(csv.column(k, unit_at(units, data.columns.size())));
    };
    if (!columns) {
      for (std::size_t k = 0; k < count; ++k) add(k);
      return data;
    }
    const Scope inner = scope / "columns";
    if (!columns->is(Node::Kind::array)) inner.expected("an array of names or numbers of columns", *columns);
    for (const Node& c : columns->items) add(column_of(c, inner, csv, count, known));
    return data;
  } catch (const FileError& e) {
    scope.fail(file, e.what());
  }
}

Data read_rows(const Node& node, const Scope& scope, const std::vector<std::string>& units,
               const Known& known) {
  Data data;
  for (std::size_t k = 0; k < node.items.size(); ++k) {
    const Node& row = node.items[k];
    if (!row.is(Node::Kind::array)) scope.expected(fmt::format("row {} to be an array of numbers", k + 1), row);
    if (k == 0) data.columns.resize(row.items.size());
    if (row.items.size() != data.columns.size())
      scope.fail(row, fmt::format("row {} has {} number{}, expected {}", k + 1, row.items.size(),
                                  row.items.size() == 1 ? "" : "s", data.columns.size()));
    for (std::size_t c = 0; c < row.items.size(); ++c)
      data.columns[c].push_back(read_number(row.items[c], scope, unit_at(units, c), known));
  }
  return data;
}
}  // namespace

Data read_data(const Node& node, const Scope& scope, const std::vector<std::string>& units,
               const Known& known) {
  if (node.is(Node::Kind::array)) return read_rows(node, scope, units, known);
  if (node.is(Node::Kind::string)) return read_file(node, nullptr, scope, units, known);
  if (!node.is(Node::Kind::table)) scope.expected("rows [[...], [...], ...] or the name of a CSV file", node);
  const std::string_view keys[] = {"file", "columns"};
  expect_keys(node, scope, keys);
  const Node* file = node.find("file");
  if (!file) scope.fail(node, "missing 'file': name of a CSV file, relative to the model file");
  return read_file(*file, node.find("columns"), scope, units, known);
}
}  // namespace mubody::io
