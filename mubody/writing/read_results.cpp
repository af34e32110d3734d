#include "mubody/writing/read_results.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "mubody/model/escape.h"
#include "mubody/text/json.h"
#include "mubody/text/node.h"
#include "mubody/text/text_file.h"
#include "mubody/writing/read_tables.h"

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

/// Cells of a CSV file, line by line, without the header; separators and line ends may stand in quotes.
std::vector<std::vector<std::string>> cells_of(const fs::path& path) {
  std::vector<std::vector<std::string>> lines(1, std::vector<std::string>(1));
  bool quoted = false;
  const std::string text = text_of(path, files::list);
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '"' && quoted && k + 1 < text.size() && text[k + 1] == '"')
      lines.back().back() += text[++k];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      lines.back().emplace_back();
    else if (c == '\n' && !quoted)
      lines.emplace_back(1);
    else if (c != '\r' || quoted)
      lines.back().back() += c;
  }
  for (std::vector<std::string>& line : lines)
    for (std::string& cell : line) cell = std::string(from_csv(cell));
  if (lines.back().size() == 1 && lines.back()[0].empty()) lines.pop_back();
  if (!lines.empty()) lines.erase(lines.begin());
  return lines;
}

class Rows {
 public:
  Rows(const fs::path& path, std::size_t columns, bool untrusted)
      : path_(path), untrusted_(untrusted), lines_(cells_of(path)) {
    for (std::size_t k = 0; k < lines_.size(); ++k)
      if (lines_[k].size() != columns) fail(k, fmt::format("{} cells, expected {}", lines_[k].size(), columns));
  }
  std::size_t size() const { return lines_.size(); }
  const std::string& text(std::size_t row, std::size_t column) const { return lines_[row][column]; }
  double number(std::size_t row, std::size_t column) const {
    const std::string& cell = lines_[row][column];
    double value = 0;
    const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc{} || stop != cell.data() + cell.size())
      fail(row, fmt::format("{} is not a number", named(row, column)));
    return value;
  }
  /// The index of the cell's word among `words`.
  std::size_t word(std::size_t row, std::size_t column, std::span<const std::string_view> words) const {
    const auto found = std::ranges::find(words, text(row, column));
    if (found == words.end())
      fail(row, fmt::format("{} is unknown; expected {}", named(row, column), one_of(words)));
    return std::size_t(found - words.begin());
  }

 private:
  [[noreturn]] void fail(std::size_t row, const std::string& why) const {
    throw ModelError(Place{path_.string(), int(row) + 2}, why);
  }
  /// A cell in messages.
  std::string named(std::size_t row, std::size_t column) const {
    return untrusted_ ? fmt::format("cell {}", column + 1) : in_quotes(text(row, column));
  }
  fs::path path_;
  bool untrusted_;
  std::vector<std::vector<std::string>> lines_;
};

std::vector<Event> read_events(const fs::path& path, bool untrusted) {
  const Rows rows(path, 3, untrusted);
  std::vector<Event> events;
  for (std::size_t k = 0; k < rows.size(); ++k)
    events.push_back({rows.number(k, 0), Event::Kind(rows.word(k, 1, Event::words)), rows.text(k, 2)});
  return events;
}

std::vector<Reaction> read_reactions(const fs::path& path, bool untrusted) {
  const Rows rows(path, 5, untrusted);
  std::vector<Reaction> reactions;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::string& unique = rows.text(k, 2);
    reactions.push_back({rows.text(k, 0), rows.text(k, 1),
                         unique == "yes"  ? Reaction::yes
                         : unique == "no" ? Reaction::no
                                          : Reaction::unknown,
                         rows.number(k, 3), rows.number(k, 4)});
  }
  return reactions;
}

std::vector<Extreme> read_extremes(const fs::path& path, bool untrusted) {
  const Rows rows(path, 6, untrusted);
  std::vector<Extreme> extremes;
  for (std::size_t k = 0; k < rows.size(); ++k)
    extremes.push_back({rows.text(k, 0), rows.text(k, 1), rows.number(k, 2), rows.number(k, 3),
                        rows.number(k, 4), rows.number(k, 5)});
  return extremes;
}

std::vector<ContactRecord> read_contacts(const fs::path& path, bool untrusted) {
  const Rows rows(path, 9, untrusted);
  std::vector<ContactRecord> contacts;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    ContactRecord& c = contacts.emplace_back();
    c.contact = rows.text(k, 0);
    c.onset = rows.number(k, 1);
    if (!rows.text(k, 2).empty()) c.end = rows.number(k, 2), c.speed_out = rows.number(k, 4);
    c.speed_in = rows.number(k, 3);
    c.peak_force = rows.number(k, 5), c.peak_at = rows.number(k, 6);
    c.deepest = rows.number(k, 7);
    c.energy_lost = rows.number(k, 8);
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

StoredResults read_results(const std::string& folder, bool untrusted) {
  const fs::path where(folder);
  StoredResults stored;
  check_inside(where / "summary.json", where, untrusted);
  stored.summary = Json::parse(text_of(where / "summary.json", files::summary)).value_or(Json());
  const Json& summary = stored.summary;
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
}  // namespace mubody::io
