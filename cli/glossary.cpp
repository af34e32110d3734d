#include "cli/glossary.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "cli/terminal.h"
#include "mubody/text/write_aligned.h"

namespace mubody::cli {
extern const std::string_view glossary_text;  // docs/glossary.md

namespace {
struct Row {
  std::string_view words, ours, place;
};

std::string spelled(std::string_view word) {
  std::string text;
  for (const char c : word) text += c == '-' || c == '_' ? ' ' : c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  return text;
}

std::vector<std::string_view> split(std::string_view text, std::string_view by) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0;;) {
    const std::size_t at = text.find(by, from);
    parts.push_back(text.substr(from, at - from));
    if (at == std::string_view::npos) return parts;
    from = at + by.size();
  }
}

// "| words | our word | [title](page.md) |"
std::vector<Row> rows() {
  std::vector<Row> all;
  for (std::string_view line : split(glossary_text, "\n")) {
    if (!line.starts_with("| ") || !line.ends_with(" |")) continue;
    const auto cells = split(line.substr(2, line.size() - 4), " | ");
    if (cells.size() == 3 && cells[2].starts_with("[")) all.push_back({cells[0], cells[1], cells[2]});
  }
  return all;
}

std::string without_marks(std::string_view text) {
  std::string unmarked(text);
  std::erase(unmarked, '`');
  std::erase(unmarked, '$');
  return unmarked;
}
}  // namespace

std::string explained(std::string_view word) {
  const std::string wanted = spelled(word);
  std::string text;
  for (const Row& row : rows()) {
    const auto words = split(row.words, ", ");
    if (std::ranges::none_of(words, [&](std::string_view w) { return spelled(without_marks(w)) == wanted; }))
      continue;
    const std::size_t link = row.place.find("](");
    const std::string_view page = row.place.substr(link + 2, row.place.size() - link - 3);
    text += io::wrapped_text(fmt::format("{}: here {}; see docs/{}", without_marks(row.words),
                                         without_marks(row.ours), page),
                             line_width(), "  ") +
            "\n";
  }
  return text;
}
}  // namespace mubody::cli
