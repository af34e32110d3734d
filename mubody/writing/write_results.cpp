#include "mubody/writing/write_results.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <stdexcept>
#include <unistd.h>

#include <fmt/format.h>

#include "mubody/text/json.h"
#include "mubody/text/write_table.h"
#include "mubody/writing/table_names.h"
#include "mubody/writing/write_summary.h"

namespace mubody::io {
namespace {
namespace fs = std::filesystem;

constexpr const char* summary_name = "summary.json";
constexpr const char* list_names[] = {"events", "reactions", "extremes", "contacts",
                                      "accuracy"};  // files besides tables of numbers

[[noreturn]] void fail(const fs::path& path, const std::string& why) {
  throw std::runtime_error(fmt::format("cannot write to '{}': {}", path.string(), why));
}

/// The files of an earlier run, as its summary lists them.
std::set<std::string> earlier_files(const fs::path& folder) {
  std::set<std::string> names;
  std::ifstream file(folder / summary_name);
  if (!file) return names;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const Json summary = Json::parse(text).value_or(Json());
  if (summary["program"].text() != "mubody") return names;
  names.insert(summary_name);
  for (const Json& entry : summary["files"].elements()) {
    const fs::path name = entry["name"].text();
    if (name.has_filename() && !name.has_parent_path()) names.insert(name.string());
  }
  return names;
}

// Files of others are not replaced: a user's measured data may well be called forces.csv.
void refuse_others(const fs::path& folder, const std::set<std::string>& names,
                   const std::set<std::string>& ours) {
  for (const std::string& name : names)
    if (!ours.contains(name) && fs::exists(fs::symlink_status(folder / name)))
      fail(folder / name,
           "the file is there already and is not listed in a summary.json of mubody; remove it, or choose "
           "another folder");
}

/// A folder within the folder, so that moving files out of it only renames them.
class Workshop {
 public:
  explicit Workshop(const fs::path& folder) {
    std::string name = (folder / ".writing-XXXXXX").string();
    if (!mkdtemp(name.data())) fail(folder, std::strerror(errno));
    path_ = name;
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;
  ~Workshop() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail(folder, error.message());
  if (!fs::is_directory(folder)) fail(folder, "it is not a folder");
}

void write_into(const Results& results, const fs::path& folder, const std::vector<std::string>& changes) {
  const Workshop workshop(folder);
  std::set<std::string> names{summary_name};
  for (const Table& t : results.tables) {
    write_table(t, workshop.path() / (t.name + ".csv"));
    names.insert(t.name + ".csv");
  }
  if (!results.events.empty()) {
    write_events(results.events, workshop.path() / "events.csv");
    names.insert("events.csv");
  }
  if (!results.reactions.empty()) {
    write_reactions(results.reactions, workshop.path() / "reactions.csv");
    names.insert("reactions.csv");
  }
  if (!results.extremes.empty()) {
    write_extremes(results.extremes, workshop.path() / "extremes.csv");
    names.insert("extremes.csv");
  }
  if (!results.contacts.empty()) {
    write_contacts(results.contacts, workshop.path() / "contacts.csv");
    names.insert("contacts.csv");
  }
  if (results.accuracy && !results.accuracy->channels.empty()) {
    write_accuracy(*results.accuracy, workshop.path() / "accuracy.csv");
    names.insert("accuracy.csv");
  }
  write_text(summary_json(results, changes).dump(2) + '\n', workshop.path() / summary_name);

  const std::set<std::string> ours = earlier_files(folder);
  refuse_others(folder, names, ours);
  std::error_code ignored;
  for (const std::string& name : ours)
    if (!names.contains(name)) fs::remove(folder / name, ignored);
  names.erase(summary_name);
  const auto move_in = [&](const std::string& name) {
    std::error_code error;
    fs::rename(workshop.path() / name, folder / name, error);
    if (error) fail(folder / name, error.message());
  };
  for (const std::string& name : names) move_in(name);
  move_in(summary_name);  // comes last, since it lists all the others
}
}  // namespace

void check_writable(const fs::path& folder) {
  fs::path existing = fs::absolute(folder).lexically_normal();
  std::error_code error;
  while (!fs::exists(existing, error) && existing.has_relative_path()) existing = existing.parent_path();
  if (error) fail(folder, error.message());
  if (!fs::is_directory(existing)) fail(folder, fmt::format("'{}' is not a folder", existing.string()));
  if (access(existing.c_str(), W_OK | X_OK) != 0) fail(folder, std::strerror(errno));
}

void check_folder(const fs::path& folder) {
  check_writable(folder);
  std::set<std::string> names{summary_name};
  for (const std::string_view name : table_names()) names.insert(std::string(name) + ".csv");
  for (const char* name : list_names) names.insert(std::string(name) + ".csv");
  refuse_others(folder, names, earlier_files(folder));
}

void write_results(const Results& results, const fs::path& folder, const std::vector<std::string>& changes) {
  const bool is_new = !fs::exists(folder);
  make_folder(folder);
  try {
    write_into(results, folder, changes);
  } catch (...) {
    std::error_code ignored;
    if (is_new) fs::remove(folder, ignored);  // only if it is empty
    throw;
  }
}
}  // namespace mubody::io
