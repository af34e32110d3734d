#include "mubody/writing/read_results.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "mubody/model/escape.h"
#include "mubody/text/json.h"
#include "mubody/text/node.h"
#include "mubody/text/text_file.h"
#include "mubody/writing/read_tables.h"
#include "mubody/writing/table_names.h"

namespace mubody::io {
namespace {
namespace fs = std::filesystem;

std::string text_of(const fs::path& path, const FileKind& kind) {
  try {
    return read_file(path, kind);
  } catch (const FileError& e) {
    throw ModelError(Place{path.string()}, e.what());
  }
}

/// The rows of a CSV file, one at a time, so that a few bytes never become many times as much memory.
class Rows {
 public:
  Rows(const fs::path& path, std::size_t columns, bool untrusted)
      : path_(path), columns_(columns), quotes_(quotes_of(untrusted)), text_(text_of(path, files::list)) {
    take_row();  // the names of the columns
  }
  /// Goes to the next row, if there is one.
  bool next() {
    if (at_ == text_.size()) return false;
    take_row();
    if (cells_.size() < columns_) fail(fmt::format("{} cells, expected {}", cells_.size(), columns_));
    for (std::string& cell : cells_) cell = std::string(from_csv(cell));
    return true;
  }
  const std::string& text(std::size_t column) const { return cells_[column]; }
  double number(std::size_t column) const {
    const std::string& cell = cells_[column];
    double value = 0;
    const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc{} || stop != cell.data() + cell.size())
      fail(fmt::format("{} is not a number", named(column)));
    return value;
  }
  /// The index of the cell's word among `words`.
  std::size_t word(std::size_t column, std::span<const std::string_view> words) const {
    const auto found = std::ranges::find(words, text(column));
    if (found == words.end()) fail(fmt::format("{} is unknown; expected {}", named(column), one_of(words)));
    return std::size_t(found - words.begin());
  }

 private:
  // Separators and line ends may stand in quotes.
  void take_row() {
    cells_.assign(1, {});
    ++row_;
    bool quoted = false;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"' && quoted && at_ < text_.size() && text_[at_] == '"')
        cells_.back() += text_[at_++];
      else if (c == '"')
        quoted = !quoted;
      else if (c == ',' && !quoted)
        add_cell();
      else if (c == '\n' && !quoted)
        return;
      else if (c != '\r' || quoted)
        cells_.back() += c;
    }
  }
  void add_cell() {
    if (cells_.size() == columns_) fail(fmt::format("more than {} cells, expected {}", columns_, columns_));
    cells_.emplace_back();
  }
  [[noreturn]] void fail(const std::string& why) const { throw ModelError(Place{path_.string(), row_}, why); }
  /// A cell in messages.
  std::string named(std::size_t column) const {
    return quoted(quotes_, text(column), fmt::format("cell {}", column + 1));
  }
  fs::path path_;
  std::size_t columns_;
  Quotes quotes_;
  std::string text_;
  std::size_t at_ = 0;
  int row_ = 0;
  std::vector<std::string> cells_;
};

std::vector<Event> read_events(const fs::path& path, bool untrusted) {
  Rows rows(path, 3, untrusted);
  std::vector<Event> events;
  while (rows.next()) events.push_back({rows.number(0), Event::Kind(rows.word(1, Event::words)), rows.text(2)});
  return events;
}

std::vector<Reaction> read_reactions(const fs::path& path, bool untrusted) {
  Rows rows(path, 5, untrusted);
  std::vector<Reaction> reactions;
  while (rows.next()) {
    const std::string& unique = rows.text(2);
    reactions.push_back({rows.text(0), rows.text(1),
                         unique == "yes"  ? Reaction::yes
                         : unique == "no" ? Reaction::no
                                          : Reaction::unknown,
                         rows.number(3), rows.number(4)});
  }
  return reactions;
}

std::vector<Extreme> read_extremes(const fs::path& path, bool untrusted) {
  Rows rows(path, 6, untrusted);
  std::vector<Extreme> extremes;
  while (rows.next())
    extremes.push_back(
        {rows.text(0), rows.text(1), rows.number(2), rows.number(3), rows.number(4), rows.number(5)});
  return extremes;
}

std::vector<ContactRecord> read_contacts(const fs::path& path, bool untrusted) {
  Rows rows(path, 9, untrusted);
  std::vector<ContactRecord> contacts;
  while (rows.next()) {
    ContactRecord& c = contacts.emplace_back();
    c.contact = rows.text(0);
    c.onset = rows.number(1);
    if (!rows.text(2).empty()) c.end = rows.number(2), c.speed_out = rows.number(4);
    c.speed_in = rows.number(3);
    c.peak_force = rows.number(5), c.peak_at = rows.number(6);
    c.deepest = rows.number(7);
    c.energy_lost = rows.number(8);
  }
  return contacts;
}

std::vector<std::string> changes_of(const Json& summary) {
  std::vector<std::string> changes;
  for (const Json& change : summary["changes"].elements())
    if (change.is_string()) changes.push_back(change.text());
  return changes;
}
}  // namespace

std::vector<std::string> changes_in(const std::string& folder, bool untrusted) {
  if (!has_results(folder)) return {};
  check_inside(fs::path(folder) / "summary.json", folder, untrusted);
  const std::string text = text_of(fs::path(folder) / "summary.json", files::summary);
  return changes_of(Json::parse(text).value_or(Json()));
}

bool has_results(const std::string& folder) {
  std::error_code ignored;
  return fs::is_regular_file(fs::path(folder) / "summary.json", ignored);
}

namespace {
/// Which file of this name there is, since another one may take its place.
std::pair<dev_t, ino_t> identity_of(const fs::path& file) {
  struct stat s {};
  return ::stat(file.c_str(), &s) == 0 ? std::pair(s.st_dev, s.st_ino) : std::pair(dev_t(0), ino_t(0));
}

StoredResults read_once(const std::string& folder, bool untrusted) {
  const fs::path where(folder);
  StoredResults stored;
  check_inside(where / "summary.json", where, untrusted);
  stored.summary = Json::parse(text_of(where / "summary.json", files::summary)).value_or(Json());
  const Json& summary = stored.summary;
  if (summary["outcome"]["word"].text() == unfinished_word)
    throw ModelError(Place{(where / "summary.json").string()},
                     "a run is replacing these results, or was killed while it did; run the model again");
  if (summary["program"].text() != "mubody" || !summary["statistics"].is_object())
    throw ModelError(Place{(where / "summary.json").string()}, "expected the summary that 'mubody run' writes");
  stored.changes = changes_of(summary);
  stored.results.tables = read_tables(folder, untrusted);
  const auto list = [&](const char* name, auto read, auto& into) {
    std::error_code ignored;
    if (!fs::exists(where / name, ignored)) return;
    check_inside(where / name, where, untrusted);
    into = read(where / name, untrusted);
  };
  list("events.csv", read_events, stored.results.events);
  list("reactions.csv", read_reactions, stored.results.reactions);
  list("extremes.csv", read_extremes, stored.results.extremes);
  list("contacts.csv", read_contacts, stored.results.contacts);
  return stored;
}
}  // namespace

// A run may replace the folder at any moment; what was read is then read again, so that it belongs together.
StoredResults read_results(const std::string& folder, bool untrusted) {
  constexpr int attempts = 10;
  const fs::path summary = fs::path(folder) / "summary.json";
  for (int k = 1;; ++k) {
    const auto before = identity_of(summary);
    try {
      StoredResults stored = read_once(folder, untrusted);
      if (k == attempts || identity_of(summary) == before) return stored;
    } catch (const ModelError&) {
      if (k == attempts || identity_of(summary) == before) throw;
    }
  }
}
}  // namespace mubody::io
