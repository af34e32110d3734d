#include "mubody/writing/read_positions.h"

#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "mubody/results/position_error.h"
#include "mubody/system/build.h"
#include "mubody/text/columns/column_file.h"
#include "mubody/text/columns/table_format.h"
#include "mubody/text/node.h"
#include "mubody/text/text_file.h"
#include "mubody/writing/read_tables.h"

namespace mubody::io {
namespace {
std::set<std::string> positions_of(const Mechanism& mechanism) {
  std::set<std::string> names;
  const auto system = build_system(mechanism);
  for (const Channel& c : system->channels)
    if ((c.group == Channel::bodies || c.group == Channel::points) && !unit_of_position(c.name).empty())
      names.insert(c.name);
  return names;
}

Table read_file(const std::string& path, const std::set<std::string>& wanted, Quotes quotes) {
  const ColumnFile file(path, path, quotes);
  file.expect_names();
  Table table{"positions", {{"time", "s"}}, {}};
  std::vector<std::vector<double>> columns{file.column(0, "s")};
  file.expect_times(columns[0]);
  for (std::size_t k = 1; k < file.names().size(); ++k) {
    const std::string& name = file.names()[k];
    if (!wanted.contains(name)) continue;
    if (table.find(name) >= 0)
      file.fail_at_names(fmt::format("two columns are called {}", quoted(quotes, name, "the same")));
    const std::string unit(unit_of_position(name));
    table.columns.push_back({name, unit});
    columns.push_back(file.column(k, unit));
  }
  if (table.columns.size() < 2)
    file.fail_at_names(
        fmt::format("no position of this model; expected columns such as {}", in_quotes(*wanted.begin())));
  for (std::size_t row = 0; row < columns[0].size(); ++row)
    for (const std::vector<double>& column : columns) table.values.push_back(column[row]);
  return table;
}
}  // namespace

std::filesystem::path file_of_positions(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path named(path);
  return std::filesystem::is_directory(named, ignored) ? table_file(named, "bodies") : named;
}

Table read_positions(const std::string& path, const Mechanism& mechanism, bool untrusted) {
  const std::filesystem::path file = file_of_positions(path);
  check_inside(file, file.parent_path(), untrusted);
  try {
    return read_file(file.string(), positions_of(mechanism), quotes_of(untrusted));
  } catch (const FileError& e) {
    throw ModelError(e.what());
  }
}
}  // namespace mubody::io
