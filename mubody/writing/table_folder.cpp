#include "mubody/writing/table_folder.h"

#include "mubody/text/target.h"
#include "mubody/writing/table_names.h"

namespace mubody::io {
namespace {
namespace fs = std::filesystem;

/// Files of an earlier run; a report only if `page`, since it stays where none is written.
FileNames earlier_files(const fs::path& folder, const TableFolder& tables, bool page) {
  FileNames names;
  std::error_code none;
  for (std::size_t k = 0; k < tables.files.size(); ++k) {
    const fs::path file = folder / tables.files[k];
    if (!fs::is_regular_file(fs::symlink_status(file, none))) continue;
    const std::string beginning = beginning_of(file).value_or("");
    if (beginning.empty() || first_line(beginning) == tables.headers[k])
      names.insert(std::string(tables.files[k]));
  }
  const fs::path report = folder / usual_report_name;
  if (page && fs::is_regular_file(fs::symlink_status(report, none))) {
    const std::string beginning = beginning_of(report).value_or("");
    if (beginning.empty() || is_page(beginning)) names.insert(std::string(usual_report_name));
  }
  return names;
}

FolderKind kind_of(const TableFolder& tables, bool page) {
  return {.known = is_known_name,
          .ours = [tables, page](const fs::path& folder) { return earlier_files(folder, tables, page); },
          .head = std::string(tables.files[0]),
          .stand_in = {}};
}
}  // namespace

void check_table_folder(const fs::path& folder, const TableFolder& tables, const Replacing& how,
                        bool with_page) {
  check_writable(folder);
  FileNames names(tables.files.begin(), tables.files.end());
  if (with_page) names.insert(std::string(usual_report_name));
  refuse_others(folder, kind_of(tables, with_page), names, how);
}

void write_table_folder(const fs::path& folder, const TableFolder& tables, std::span<const std::string> texts,
                        const std::string& page, const Replacing& how, const GoesOn& goes_on) {
  WholeFolder whole(folder, kind_of(tables, !page.empty()));
  std::vector<FileText> files;
  for (std::size_t k = 0; k < tables.files.size(); ++k)
    files.push_back({whole.workshop() / tables.files[k], texts[k]});
  if (!page.empty()) files.push_back({whole.workshop() / usual_report_name, page});
  try {
    write_files(files, goes_on);
  } catch (const WriteError& e) {
    throw WriteError(folder, e.why);
  }
  whole.put_in_place(how);
}
}  // namespace mubody::io
