#include "mubody/writing/read_tables.h"

#include <filesystem>

#include "mubody/model/errors.h"
#include "mubody/model/shown_units.h"
#include "mubody/text/columns/column_file.h"
#include "mubody/text/columns/table_format.h"
#include "mubody/text/text_file.h"
#include "mubody/writing/table_names.h"

namespace mubody::io {
namespace fs = std::filesystem;
namespace {
Table read_table(const std::string& name, const std::string& path, bool untrusted) {
  const ColumnFile file(path, path, quotes_of(untrusted), Blanks::not_finite);
  file.expect_names();
  Table table{name, {}, {}};
  // Tables may have been written in other units; inside there is SI alone.
  std::vector<double> factors;
  for (std::size_t k = 0; k < file.names().size(); ++k) {
    constexpr std::size_t longest = 100;
    const std::string& unit = file.units()[k];
    const ShownUnit si = unit.size() > longest ? ShownUnit{unit} : in_si(unit);
    table.columns.push_back({file.names()[k], si.unit});
    factors.push_back(si.factor);
  }
  const std::vector<std::vector<double>>& columns = file.data().columns;
  table.values.reserve(columns.size() * columns[0].size());
  for (std::size_t row = 0; row < columns[0].size(); ++row)
    for (std::size_t k = 0; k < columns.size(); ++k) table.values.push_back(factors[k] * columns[k][row]);
  return table;
}
}  // namespace

void check_inside(const fs::path& file, const fs::path& folder, bool untrusted) {
  if (untrusted && !lies_below(file, folder))
    throw ModelError(Place{file.string()},
                     "is a link that leads out of the folder, which --untrusted does not follow");
}

std::vector<Table> read_tables(const std::string& folder, bool untrusted) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) throw ModelError(Place{folder}, "no such folder of results");
  std::vector<Table> tables;
  for (const std::string_view known : table_names()) {
    const std::string name(known);
    const fs::path path = table_file(folder, name);
    if (!fs::exists(path, ignored)) continue;
    try {
      check_inside(path, folder, untrusted);
      tables.push_back(read_table(name, path.string(), untrusted));
    } catch (const FileError& e) {
      throw ModelError(e.what());
    }
  }
  if (tables.empty() || tables[0].name != "bodies")
    throw ModelError(
        Place{folder},
        "there is no bodies.csv and no bodies.npy in it; expected the folder that 'mubody run' wrote");
  return tables;
}
}  // namespace mubody::io
