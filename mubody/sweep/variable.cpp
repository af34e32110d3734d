#include "mubody/sweep/variable.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "mubody/math/suggest.h"
#include "mubody/model/units.h"
#include "mubody/text/columns/column_file.h"
#include "mubody/text/node.h"
#include "mubody/text/text_file.h"
#include "mubody/text/trimmed.h"

namespace mubody {
namespace {
constexpr double most_values = 1e7;

[[noreturn]] void fail(const std::string& message) { throw std::invalid_argument(message); }

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    parts.push_back(io::trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

/// Reads a number; its unit becomes that of the variable.
double number_of(std::string_view text, SweptVariable& v) {
  text = io::trimmed(text);
  std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  double x = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), x);
  if (error != std::errc() || !std::isfinite(x))
    fail(fmt::format("expected a number, got {}", io::in_quotes(text)));
  const std::string unit(io::trimmed(digits.substr(std::size_t(end - digits.data()))));
  if (!unit.empty()) {
    if (!v.unit.empty() && v.unit != unit)
      fail(fmt::format("'{}' and '{}': one unit for all numbers, please", v.unit, unit));
    v.unit = unit;
  }
  return x;
}

void read_distribution(std::string_view text, std::size_t bracket, SweptVariable& v) {
  if (!text.ends_with(')')) fail(fmt::format("the closing bracket of {} is missing", io::in_quotes(text)));
  std::vector<double> numbers;
  const std::string_view inside = text.substr(bracket + 1, text.size() - bracket - 2);
  if (!io::trimmed(inside).empty())
    for (const std::string_view part : split(inside, ',')) numbers.push_back(number_of(part, v));
  v.distribution.emplace(io::trimmed(text.substr(0, bracket)), std::move(numbers));
}

void read_range(const std::vector<std::string_view>& parts, SweptVariable& v) {
  const double low = number_of(parts[0], v), high = number_of(parts[1], v);
  const bool log = parts.size() == 4;
  if (parts.size() > 4 || (log && parts[3] != "log")) fail("expected lo:hi:n, lo:hi:n:log or lo:hi");
  if (parts.size() == 2) {
    v.distribution.emplace("uniform", std::vector{low, high});
    return;
  }
  SweptVariable count;
  const double n = number_of(parts[2], count);
  if (!count.unit.empty() || n != std::floor(n) || n < 1 || n > most_values)
    fail(fmt::format("expected lo:hi:n with a number n of values, got {}", io::in_quotes(parts[2])));
  if (n == 1 && low != high)
    fail("a single value between lo and hi is not determined; write lo:hi:2, or the value alone");
  if (log && !(low > 0 && high > 0)) fail("a logarithmic range needs positive ends");
  for (double k = 0; k < n; ++k) {
    const double rest = n - 1 - k, last = std::max(n - 1, 1.0);
    // Both ends are exact, and steps of a tenth give the nearest numbers to tenths.
    v.values.push_back(k == 0      ? low
                       : rest == 0 ? high
                       : log       ? low * std::pow(high / low, k / last)
                                   : (low * rest + high * k) / last);
  }
}

// A unit that is none would be quoted by the model that gets it.
void expect_unit(const io::ColumnFile& file, std::size_t column) {
  try {
    (void)parse_unit(file.units()[column]);
  } catch (const UnitError& e) {
    file.fail_at_names(
        io::told(file.quotes(), e.what(), fmt::format("the unit of column {} is unknown", column + 1)));
  }
}

void read_file(std::string_view text, SweptVariable& v, io::Quotes quotes) {
  const std::size_t colon = text.rfind(':');
  const bool named = colon != std::string_view::npos && colon > 0;
  const std::string path(text.substr(0, named ? colon : text.size()));
  const std::string last = v.key.substr(v.key.rfind('.') + 1);
  if (quotes == io::Quotes::hidden && !io::lies_below(path, std::filesystem::path(path).parent_path()))
    fail(fmt::format("{} is reached by a link, which --untrusted does not follow", path));
  const io::ColumnFile file(path, path, quotes);
  const std::vector<std::string>& names = file.names();
  const auto find = [&](std::string_view name) {
    return std::size_t(std::ranges::find(names, name) - names.begin());
  };
  std::size_t column = 0;
  if (named) {
    const std::string wanted(text.substr(colon + 1));
    column = find(wanted);
    if (column == names.size())
      fail(fmt::format("no column '{}' in {}{}", wanted, path, io::told(quotes, suggestion(wanted, names))));
  } else if (!names.empty()) {
    column = std::min(find(v.key), find(last));
    if (column >= names.size() && names.size() > 1)
      fail(fmt::format("no column '{}' in {}; name one, as in {}=@{}:{}", v.key, path, v.key, path,
                       io::told(quotes, names.front(), "NAME")));
    column = column >= names.size() ? 0 : column;
  }
  const auto& columns = file.data().columns;
  if (column >= columns.size() || columns[column].empty()) fail(fmt::format("{} has no numbers", path));
  v.values = columns[column];
  for (const double x : v.values)
    if (!std::isfinite(x)) fail(fmt::format("{} has a number that is not finite", path));
  if (!names.empty() && !file.units()[column].empty()) {
    expect_unit(file, column);
    v.unit = file.units()[column];
  }
  v.together = path;
}
}  // namespace

std::string SweptVariable::setting(double value) const {
  return fmt::format("{}={}{}{}", key, value, unit.empty() ? "" : " ", unit);
}

SweptVariable read_variable(const std::string& text, io::Quotes quotes) {
  const std::size_t equals = text.find('=');
  SweptVariable v;
  if (equals == std::string::npos || !io::is_setting(text))
    fail("expected key=lo:hi:n, key=1,2,5, key=@file.csv or key=normal(1, 0.1)");
  v.key = io::trimmed(std::string_view(text).substr(0, equals));
  const std::string_view what = io::trimmed(std::string_view(text).substr(equals + 1));
  if (what.empty()) fail("nothing follows the '='");
  if (what == "@") fail("the name of a file is missing behind the '@'");
  if (what.starts_with('@')) {
    read_file(what.substr(1), v, quotes);
  } else if (const std::size_t bracket = what.find('('); bracket != std::string_view::npos) {
    read_distribution(what, bracket, v);
  } else if (const auto parts = split(what, ':'); parts.size() > 1) {
    read_range(parts, v);
  } else {
    for (const std::string_view part : split(what, ',')) v.values.push_back(number_of(part, v));
  }
  return v;
}
}  // namespace mubody
