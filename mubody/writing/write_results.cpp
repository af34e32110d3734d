#include "mubody/writing/write_results.h"

#include <map>

#include <fmt/format.h>

#include "mubody/model/shown_units.h"
#include "mubody/text/json.h"
#include "mubody/text/write_file.h"
#include "mubody/text/write_table.h"
#include "mubody/writing/table_names.h"
#include "mubody/writing/whole_folder.h"
#include "mubody/writing/write_summary.h"

namespace mubody::io {
namespace {
namespace fs = std::filesystem;

bool is_plain_file(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(fs::symlink_status(path, none));
}

/// Whether a run goes along with the report in the folder: it writes one, or removes that of an earlier run.
enum class Page { written, none };

/// Whether the report in a folder is ours to replace or, where none is written, to remove.
bool has_own_report(const fs::path& folder, Page page) {
  const fs::path file = folder / usual_report_name;
  if (!is_plain_file(file)) return false;
  const std::string beginning = beginning_of(file).value_or("");
  return page == Page::written ? beginning.empty() || is_page(beginning) : is_page_of("run", beginning);
}

/// The marks that a summary has for each table that the program knows.  There are several while files are replaced, for the
/// old one and for the new one; what else somebody lists costs nothing but memory.
std::map<std::string, std::vector<std::string>> marks_in(const Json& summary) {
  std::map<std::string, std::vector<std::string>> marks;
  for (const std::string& name : result_names())
    if (name != summary_name) marks[name];
  for (const Json& entry : summary["files"].elements())
    if (const auto table = marks.find(entry["name"].text()); table != marks.end())
      table->second.push_back(entry["content"].text());
  return marks;
}

/// The files of an earlier run: the tables that its summary lists and that nobody has changed, the summary and the report.
FileNames results_in(const fs::path& folder, Page page, const GoesOn& goes_on) {
  FileNames names;
  constexpr std::size_t largest_summary = 64'000'000;
  const fs::path file = folder / summary_name;
  const std::string text = is_plain_file(file) ? beginning_of(file, largest_summary).value_or("") : "";
  const Json summary = Json::parse(text).value_or(Json());
  if (summary["program"].text() == "mubody") {
    names.insert(std::string(summary_name));
    for (const auto& [name, marks] : marks_in(summary))
      if (has_content(folder / name, files::results, marks, goes_on)) names.insert(name);
  }
  if (has_own_report(folder, page)) names.insert(std::string(usual_report_name));
  return names;
}

// A run that is killed while its files are moved in leaves this summary, so that the next one knows them for its own.
std::string unfinished_summary(std::span<const fs::path> all, const GoesOn& goes_on) {
  Json files = Json::array();
  for (const fs::path& file : all)
    files.push_back(
        {{"name", file.filename().string()}, {"content", content_mark(file, goes_on).value_or("")}});
  const Json summary{
      {"program", "mubody"},
      {"outcome", {{"word", unfinished_word}}},
      {"trusted", false},
      {"verdict", "these files are being replaced, some are old and some are new: run the model again"},
      {"files", files}};
  return summary.dump(2) + '\n';
}

FolderKind folder_of_results(Page page, const GoesOn& goes_on = {}) {
  return {.known = is_known_name,
          .ours = [page, goes_on](const fs::path& folder) { return results_in(folder, page, goes_on); },
          .head = std::string(summary_name),
          .stand_in = [goes_on](std::span<const fs::path> all) { return unfinished_summary(all, goes_on); }};
}

Table in_units(Table table, const ShownUnits& units) {
  NamedList<Column> columns;
  columns.reserve(table.columns.size());
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const ShownUnit shown = units.of(table.columns.unit(c));
    columns.push_back(Column::of(std::string(table.columns.name(c)), shown.unit, table.columns.rest(c)));
    if (shown.factor == 1) continue;
    for (std::size_t at = c; at < table.values.size(); at += table.columns.size())
      table.values[at] *= shown.factor;
  }
  table.columns = std::move(columns);
  return table;
}

void write_in_formats(const Table& table, const ShownUnits& units, const fs::path& folder,
                      const BesideResults& beside) {
  const Table converted = units.any() ? in_units(table, units) : Table{};
  for (const TableFormat& format : formats_named(beside.format))
    format.write(units.any() ? converted : table, folder / format.file_of(table.name), beside.goes_on);
}

/// Returns the summary.
std::string write_into(const fs::path& folder, const Results& results, const std::vector<std::string>& changes,
                       const BesideResults& beside) {
  const GoesOn& on = beside.goes_on;
  const ShownUnits units(beside.units);
  for (const Table& t : results.tables) write_in_formats(t, units, folder, beside);
  if (!results.events.empty()) write_events(results.events, folder / "events.csv", on);
  if (!results.reactions.empty()) write_reactions(results.reactions, folder / "reactions.csv", on);
  if (!results.extremes.empty()) write_extremes(results.extremes, folder / "extremes.csv", on);
  if (!results.contacts.empty()) write_contacts(results.contacts, folder / "contacts.csv", on);
  if (results.accuracy && !results.accuracy->channels.empty())
    write_accuracy(*results.accuracy, folder / "accuracy.csv", on);
  if (!beside.page.empty()) write_file(folder / usual_report_name, beside.page, on);
  Json summary = summary_json(results, changes, beside.format);
  Json& files = summary["files"];
  for (std::size_t k = 0; k < files.size(); ++k)
    files[k].add("content", content_mark(folder / files[k]["name"].text(), on).value_or(""));
  std::string text = summary.dump(2) + '\n';
  write_file(folder / summary_name, text, on);
  return text;
}
}  // namespace

void check_folder(const fs::path& folder, const Replacing& how, bool with_page) {
  check_writable(folder);
  FileNames names;
  for (std::string& name : result_names()) names.insert(std::move(name));
  if (with_page) names.insert(std::string(usual_report_name));
  refuse_others(folder, folder_of_results(with_page ? Page::written : Page::none), names, how);
}

WrittenResults write_results(const Results& results, const fs::path& folder,
                             const std::vector<std::string>& changes, const BesideResults& beside) {
  const Page page = beside.page.empty() ? Page::none : Page::written;
  WholeFolder whole(folder, folder_of_results(page, beside.goes_on));
  WrittenResults written;
  try {
    written.summary = write_into(whole.workshop(), results, changes, beside);
  } catch (const WriteError& e) {
    throw WriteError(folder, e.why);
  }
  written.removed_page = page == Page::none && has_own_report(folder, page);
  whole.put_in_place(beside.replacing);
  return written;
}
}  // namespace mubody::io
