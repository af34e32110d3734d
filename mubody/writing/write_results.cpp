#include "mubody/writing/write_results.h"

#include <fmt/format.h>

#include "mubody/text/json.h"
#include "mubody/text/write_file.h"
#include "mubody/text/write_table.h"
#include "mubody/writing/table_names.h"
#include "mubody/writing/whole_folder.h"
#include "mubody/writing/write_summary.h"

namespace mubody::io {
namespace {
namespace fs = std::filesystem;
constexpr std::size_t largest_page = 1 << 30;  // bytes

bool is_plain_file(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(fs::symlink_status(path, none));
}

/// Whether a page is the report of a run.
bool is_report_of_run(const fs::path& file) {
  const std::string page = is_plain_file(file) ? beginning_of(file, largest_page).value_or("") : "";
  return is_page(std::string_view(page).substr(0, 4096)) &&
         page.find(R"(id="data">{"kind":"run")") != page.npos;
}

/// The files of an earlier run: those that its summary lists, the summary and the report.
FileNames results_in(const fs::path& folder) {
  FileNames names;
  constexpr std::size_t largest_summary = 64'000'000;
  const fs::path file = folder / summary_name;
  const std::string text = is_plain_file(file) ? beginning_of(file, largest_summary).value_or("") : "";
  const Json summary = Json::parse(text).value_or(Json());
  if (summary["program"].text() == "mubody") {
    names.insert(std::string(summary_name));
    for (const Json& entry : summary["files"].elements()) {
      const fs::path name = entry["name"].text();
      if (name.has_filename() && !name.has_parent_path() && is_plain_file(folder / name))
        names.insert(name.string());
    }
  }
  if (is_report_of_run(folder / usual_report_name)) names.insert(std::string(usual_report_name));
  return names;
}

// A run that is killed while its files are moved in leaves this summary, so that the next one knows them for its own.
std::string unfinished_summary(const FileNames& names) {
  Json files = Json::array();
  for (const std::string& name : names)
    if (name != summary_name && name != usual_report_name) files.push_back({{"name", name}});
  const Json summary{
      {"program", "mubody"},
      {"outcome", {{"word", unfinished_word}}},
      {"trusted", false},
      {"verdict", "these files are being replaced, some are old and some are new: run the model again"},
      {"files", files}};
  return summary.dump(2) + '\n';
}

FolderKind folder_of_results() {
  return {.known = is_known_name,
          .ours = results_in,
          .head = std::string(summary_name),
          .stand_in = unfinished_summary};
}

void write_into(const fs::path& folder, const Results& results, const std::vector<std::string>& changes,
                const std::string& page) {
  for (const Table& t : results.tables) write_table(t, folder / (t.name + ".csv"));
  if (!results.events.empty()) write_events(results.events, folder / "events.csv");
  if (!results.reactions.empty()) write_reactions(results.reactions, folder / "reactions.csv");
  if (!results.extremes.empty()) write_extremes(results.extremes, folder / "extremes.csv");
  if (!results.contacts.empty()) write_contacts(results.contacts, folder / "contacts.csv");
  if (results.accuracy && !results.accuracy->channels.empty())
    write_accuracy(*results.accuracy, folder / "accuracy.csv");
  if (!page.empty()) write_file(folder / usual_report_name, page);
  write_file(folder / summary_name, summary_json(results, changes).dump(2) + '\n');
}
}  // namespace

void check_folder(const fs::path& folder, const Replacing& how) {
  check_writable(folder);
  FileNames names;
  for (std::string& name : result_names()) names.insert(std::move(name));
  refuse_others(folder, folder_of_results(), names, how);
}

bool write_results(const Results& results, const fs::path& folder, const std::vector<std::string>& changes,
                   const BesideResults& beside) {
  WholeFolder whole(folder, folder_of_results());
  try {
    write_into(whole.workshop(), results, changes, beside.page);
  } catch (const WriteError& e) {
    throw WriteError(folder, e.why);
  }
  const bool removes_page = beside.page.empty() && results_in(folder).contains(std::string(usual_report_name));
  whole.put_in_place(beside.replacing);
  return removes_page;
}
}  // namespace mubody::io
