#include "mubody/reading/data_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/math/suggest.h"
#include "mubody/model/units.h"
#include "mubody/text/columns/column_file.h"
#include "mubody/text/property_file.h"
#include "mubody/text/text_file.h"

namespace mubody::io {
namespace {
std::size_t column_of(const Node& chosen, const Scope& scope, const ColumnFile& file, std::size_t count,
                      const Known& known) {
  if (chosen.is(Node::Kind::string)) {
    const auto name = std::ranges::find(file.names(), chosen.text);
    if (name == file.names().end())
      scope.fail(chosen, fmt::format("no column {}{}", in_quotes(chosen.text),
                                     told(file.quotes(), suggestion(chosen.text, file.names()))));
    return static_cast<std::size_t>(name - file.names().begin());
  }
  const int k = read_integer(chosen, scope, known);
  if (k < 0 || static_cast<std::size_t>(k) >= count)
    scope.fail(chosen, fmt::format("no column {}: the file has columns 0 to {}", k, count - 1));
  return static_cast<std::size_t>(k);
}

// The unit that a column should have; "" if none is asked for, or if the column is not used.
std::string unit_at(const std::vector<std::string>& units, std::size_t k) {
  return k < units.size() ? units[k] : "";
}

// A column of which no unit is asked for, as that of a signal without one: SI by the unit in its name.  What nobody uses may have
// any name.
std::vector<double> in_own_unit(const ColumnFile& csv, std::size_t k) {
  std::vector<double> numbers = csv.data().columns[k];
  if (k >= csv.units().size() || csv.units()[k].empty() || csv.units()[k] == "-") return numbers;
  try {
    const double factor = parse_unit(csv.units()[k]).si;
    for (double& x : numbers) x *= factor;
  } catch (const UnitError&) {
  }
  return numbers;
}

// Who calls three columns x, y and z means these.
void expect_order(const ColumnFile& csv, const Scope& scope, const Node& file) {
  std::vector<std::string> names = csv.names();
  if (names.size() != 3 || std::ranges::is_sorted(names)) return;
  const std::string given = fmt::format("{}", fmt::join(names, ", "));
  std::ranges::sort(names);
  if (names == std::vector<std::string>{"x", "y", "z"})
    scope.fail(file, fmt::format("{} has the columns {}; say in which order they are wanted, as in "
                                 "{{file = {}, columns = [\"x\", \"y\", \"z\"]}}",
                                 in_quotes(file.text), given, in_quotes(file.text)));
}

Data read_file(const Node& file, const Node* columns, const Scope& scope, const std::vector<std::string>& units,
               const Known& known) {
  const std::string name = read_file_name(file, scope, known);
  try {
    const ColumnFile csv(name, (known.folder / name).string(), quotes_of(known.untrusted));
    const std::size_t count = csv.data().columns.size();
    Data data;
    const auto add = [&](std::size_t k) {
      const std::string unit = unit_at(units, data.columns.size());
      data.columns.push_back(unit.empty() ? in_own_unit(csv, k) : csv.column(k, unit));
    };
    if (!columns) {
      expect_order(csv, scope, file);
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

// Coefficients of other formulas have the same names.
void expect_format(const Node& table, const Scope& scope, const Node& named) {
  const Node* const format = table.find("PROPERTY_FILE_FORMAT");
  if (!format || !format->is(Node::Kind::string)) return;
  constexpr std::string_view known[] = {"PAC2002", "MF05", "MF_05", "MF-TYRE"};
  const auto fits = [&](std::string_view name) { return format->text.starts_with(name); };
  if (std::ranges::none_of(known, fits))
    scope.fail(named,
               fmt::format("{}:{}: the format is {}; expected PAC2002 or MF05, whose coefficients these are",
                           format->mark.place().file, format->mark.line, in_quotes(format->text)));
}

void expect_si(const Node& table, const Scope& scope, const Node& named) {
  constexpr std::pair<std::string_view, std::string_view> units[] = {
      {"LENGTH", "meter"}, {"FORCE", "newton"}, {"ANGLE", "radian"}, {"TIME", "sec"}, {"MASS", "kg"}};
  for (const auto& [quantity, unit] : units) {
    const Node* given = table.find(quantity);
    if (given && given->is(Node::Kind::string) && !given->text.starts_with(unit))
      scope.fail(named, fmt::format("{}:{}: {} is not in '{}': write the file in SI units",
                                    given->mark.place().file, given->mark.line, quantity, unit));
  }
}
}  // namespace

std::string read_file_name(const Node& file, const Scope& scope, const Known& known, std::string_view within) {
  std::string name = read_string(file, scope);
  if (name.empty() || name.find('\0') != std::string::npos)
    scope.fail(file, in_quotes(name) + " is no file name");
  if (!within.empty()) name = (std::filesystem::path(name) / within).string();
  if (known.untrusted && !lies_below(known.folder / name, known.folder))
    scope.fail(file,
               in_quotes(name) + " lies outside of the folder of the model, which --untrusted does not allow");
  if (known.data_files) known.data_files->push_back(known.folder / name);
  return name;
}

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

Node property_table(const Node& node, const Scope& scope, std::span<const std::string_view> keys,
                    const Known& known) {
  const Node* file = node.is(Node::Kind::string)  ? &node
                     : node.is(Node::Kind::table) ? node.find("file")
                                                  : nullptr;
  if (!file || std::ranges::find(keys, "file") != keys.end()) return node;
  const std::string name = read_file_name(*file, scope, known);
  Node out{.mark = node.mark};
  for (std::size_t k = 0; k < node.keys.size(); ++k)
    if (&node.items[k] != file) out.keys.push_back(node.keys[k]), out.items.push_back(node.items[k]);
  const std::size_t written = out.keys.size();
  try {
    const Node all = read_property_file(name, (known.folder / name).string());
    expect_si(all, scope, *file);
    expect_format(all, scope, *file);
    for (std::size_t k = 0; k < all.keys.size(); ++k) {
      const std::string& key = all.keys[k].name;
      if (std::ranges::find(keys, key) == keys.end()) continue;
      if (!all.items[k].is(Node::Kind::number))
        scope.fail(*file, fmt::format("{}:{}: '{}' must be a number", name, all.keys[k].mark.line, key));
      const Node::Key* before = out.key(key);
      if (before && before->mark.file == all.mark.file)
        scope.fail(*file, fmt::format("{}:{}: '{}' is given twice, first in line {}", name,
                                      all.keys[k].mark.line, key, before->mark.line));
      if (!before) out.keys.push_back(all.keys[k]), out.items.push_back(all.items[k]);
    }
  } catch (const FileError& e) {
    scope.fail(*file, e.what());
  }
  if (out.keys.size() == written)
    scope.fail(*file, fmt::format("{} has none of the names that are expected, such as '{}'", in_quotes(name),
                                  keys.empty() ? "" : keys.front()));
  return out;
}
}  // namespace mubody::io
