#include "mubody/text/columns/table_format.h"

#include <ranges>

#include "mubody/text/columns/npy_file.h"
#include "mubody/text/write_table.h"

namespace mubody::io {
std::vector<TableFormat> table_formats() {
  return {{usual_format, write_table, true}, {"npy", write_npy, false}};
}

std::vector<TableFormat> formats_named(std::string_view word) {
  std::vector<TableFormat> all = table_formats();
  if (word == "both") return all;
  std::erase_if(all, [&](const TableFormat& f) { return f.name != word; });
  if (all.empty())
    throw ModelError("tables are written as csv, npy or both, and not as '" + std::string(word) + "'");
  return all;
}

std::filesystem::path table_file(const std::filesystem::path& folder, std::string_view table) {
  std::error_code ignored;
  const std::vector<TableFormat> all = table_formats();
  for (const TableFormat& f : all | std::views::reverse)
    if (std::filesystem::exists(folder / f.file_of(table), ignored)) return folder / f.file_of(table);
  return folder / all[0].file_of(table);
}
}  // namespace mubody::io
