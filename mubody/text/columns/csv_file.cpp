#include "mubody/text/columns/csv_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "mubody/model/escape.h"
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
/// Reads line by line.
class CsvReader {
 public:
  CsvReader(const std::string& name, Quotes quotes, Blanks blanks)
      : name_(name), quotes_(quotes), blanks_(blanks) {}

  StoredColumns read(std::string_view rest) {
    if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
    while (!rest.empty()) {
      ++line_;
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      add(trimmed(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (stored_.data.columns.empty()) throw FileError(name_ + ": no numbers");
    return std::move(stored_);
  }

 private:
  void add(std::string_view line) {
    if (line.empty() || line.starts_with('#')) return;
    constexpr std::size_t most_columns = 4'000'000;
    const std::vector<std::string_view> cells = cells_of(line);
    if (cells.size() > most_columns) fail(fmt::format("more than {} columns", most_columns));
    const auto is_name = [](std::string_view c) {
      return !number_of(c) && c.find_first_not_of("+-.,0123456789") != std::string_view::npos;
    };
    if (stored_.data.columns.empty() && stored_.titles.empty() && std::ranges::all_of(cells, is_name))
      return add_titles(cells);
    if (stored_.data.columns.empty())
      stored_.data.columns.resize(stored_.titles.empty() ? cells.size() : stored_.titles.size());
    if (cells.size() != stored_.data.columns.size())
      fail(fmt::format("{} number{}, expected {}", cells.size(), cells.size() == 1 ? "" : "s",
                       stored_.data.columns.size()));
    for (std::size_t k = 0; k < cells.size(); ++k) {
      if (cells[k].empty() && blanks_ == Blanks::not_finite) {
        stored_.data.columns[k].push_back(std::numeric_limits<double>::quiet_NaN());
        continue;
      }
      const std::optional<double> value = number_of(cells[k]);
      if (!value)
        fail(cells[k].empty() ? "a number is missing"
                              : named(cells[k], k) + " is not a number" + hint(cells[k]));
      if (!std::isfinite(*value)) fail(named(cells[k], k) + ": must be finite");
      stored_.data.columns[k].push_back(*value);
    }
    stored_.lines.push_back(line_);
  }

  void add_titles(const std::vector<std::string_view>& cells) {
    for (const std::string_view cell : cells) stored_.titles.emplace_back(from_csv(unquoted(cell)));
    stored_.line_of_titles = line_;
  }

  // A cell in messages.
  std::string named(std::string_view cell, std::size_t k) const {
    return quoted(quotes_, cell, fmt::format("number {}", k + 1));
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw FileError(fmt::format("{}:{}: {}", name_, line_, message));
  }

  const std::string& name_;
  Quotes quotes_;
  Blanks blanks_;
  int line_ = 0;
  StoredColumns stored_;
};
}  // namespace

StoredColumns read_csv(const std::string& name, std::string_view text, Quotes quotes, Blanks blanks) {
  return CsvReader(name, quotes, blanks).read(text);
}
}  // namespace mubody::io
