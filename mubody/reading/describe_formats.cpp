// The description of the model file as text, JSON and Markdown.
#include <algorithm>

#include <fmt/format.h>

#include "mubody/reading/describe.h"
#include "mubody/text/json.h"
#include "mubody/text/write_aligned.h"

namespace mubody::io {
namespace {
using Fact = std::variant<int, std::string, PerSpace>;
constexpr std::size_t widest_type = 30;

std::string text_of(const Fact& fact) {
  const auto shown = [](const std::optional<int>& n) { return n ? std::to_string(*n) : "-"; };
  if (const int* const number = std::get_if<int>(&fact)) return std::to_string(*number);
  if (const PerSpace* const two = std::get_if<PerSpace>(&fact))
    return shown(two->plane) + ", " + shown(two->space);
  return std::get<std::string>(fact);
}

// Numbers stay numbers; the ones for space have a key of their own.
void add_fact(const std::string& label, const Fact& fact, Json& kind) {
  const auto json = [](const std::optional<int>& n) { return n ? Json(*n) : Json(nullptr); };
  if (const int* const number = std::get_if<int>(&fact)) {
    kind[label] = *number;
  } else if (const PerSpace* const two = std::get_if<PerSpace>(&fact)) {
    kind[label] = json(two->plane);
    kind[label + "_in_space"] = json(two->space);
  } else {
    kind[label] = std::get<std::string>(fact);
  }
}

std::string title_of(const std::string& name) {
  std::string title = name;
  title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return title;
}

// All kinds of a category in one table.
std::vector<TextRow> summary_rows(const Category& c) {
  std::vector<TextRow> rows{{"name"}};
  // Facts for plane and space already show in which of them a kind exists.
  const bool with_in = !c.kinds.front().in.empty() && c.kinds.front().facts.empty();
  if (with_in) rows[0].emplace_back("in");
  for (const auto& [label, unused] : c.kinds.front().facts) rows[0].push_back(label);
  rows[0].emplace_back("what it is");
  for (const KindNote& k : c.kinds) {
    TextRow row{k.name};
    if (with_in) row.push_back(k.in);
    for (const auto& [unused, fact] : k.facts) row.push_back(text_of(fact));
    row.push_back(k.summary);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string shown(const std::string& cell) { return cell.empty() ? "-" : cell; }
std::string default_text(const FieldNote& f) { return f.fallback.value_or("required"); }

// '|' ends a cell, '<' may begin a tag.
std::string markdown_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '*' || c == '_') cell += '\\';
    cell += c;
  }
  return cell;
}

std::string markdown_row(const TextRow& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + cell + " |";
  return row + "\n";
}

std::string markdown_head(const TextRow& cells) {
  return markdown_row(cells) + markdown_row(TextRow(cells.size(), "---"));
}

std::string code(const std::string& text) { return text.empty() ? "" : "`" + text + "`"; }

// A default that could stand in a file is code; any other is prose.
std::string markdown_default(const std::string& text) {
  const bool literal = text.find_first_of("0123456789\"[") == 0 || text == "true" || text == "false" ||
                       (text.size() > 1 && text[0] == '-');
  return literal ? code(text) : markdown_cell(text);
}
}  // namespace

std::string overview_text(const std::vector<Category>& all, std::size_t width) {
  std::vector<TextRow> rows;
  for (const Category& c : all) {
    std::string names;
    for (const KindNote& k : c.kinds) names += (names.empty() ? "" : ", ") + k.name;
    rows.push_back({c.name, names});
  }
  return aligned(rows, false, "", width);
}

std::string describe_text(const KindNote& k, std::size_t width) {
  std::string out = k.name + ": " + k.summary + "\n";
  if (!k.also.empty()) out += "  elsewhere called: " + k.also + "\n";
  std::string facts = k.in.empty() ? "" : "  in: " + k.in;
  for (const auto& [label, fact] : k.facts)
    facts += (facts.empty() ? "  " : "; ") + label + ": " + text_of(fact);
  if (!facts.empty()) out += facts + "\n";
  if (k.fields.empty()) return out;
  std::vector<TextRow> rows{{"key", "unit", "default", "type", "meaning"}};
  for (const FieldNote& f : k.fields)
    rows.push_back({f.name, shown(f.unit), shown(default_text(f)), f.type.words, f.meaning});
  return out + aligned(rows, true, "  ", width);
}

std::string describe_text(const Category& c, std::size_t width) {
  std::string out = wrapped_text(title_of(c.name) + ". " + c.intro, width) + "\n\n";
  out += aligned(summary_rows(c), true, "  ", width);
  for (const KindNote& k : c.kinds)
    if (!k.fields.empty()) out += "\n" + describe_text(k, width);
  return out;
}

std::string describe_json(const std::vector<Category>& all) {
  Json out = Json::object();
  for (const Category& c : all) {
    Json kinds = Json::array();
    for (const KindNote& k : c.kinds) {
      Json kind = {{"name", k.name}, {"summary", k.summary}};
      if (!k.also.empty()) kind["also"] = k.also;
      if (!k.in.empty()) kind["in"] = k.in;
      for (const auto& [label, fact] : k.facts) add_fact(label, fact, kind);
      kind["fields"] = Json::array();
      for (const FieldNote& f : k.fields)
        kind["fields"].push_back({{"name", f.name},
                                  {"type", f.type.words},
                                  {"unit", f.unit},
                                  {"required", !f.fallback},
                                  {"default", f.fallback.value_or("")},
                                  {"meaning", f.meaning}});
      kinds.push_back(std::move(kind));
    }
    out[c.name] = std::move(kinds);
  }
  return out.dump(2) + "\n";
}

std::string describe_markdown(const std::vector<Category>& all) {
  std::string out;
  for (const Category& c : all) {
    out += fmt::format("{}## {}\n\n{}\n\n", out.empty() ? "" : "\n", title_of(c.name), markdown_cell(c.intro));
    std::vector<TextRow> rows = summary_rows(c);
    out += markdown_head(rows[0]);
    for (std::size_t r = 1; r < rows.size(); ++r) {
      std::ranges::transform(rows[r], rows[r].begin(), markdown_cell);
      rows[r][0] = code(c.kinds[r - 1].name);
      out += markdown_row(rows[r]);
    }
    for (const KindNote& k : c.kinds) {
      if (k.fields.empty()) continue;
      out += fmt::format("\n### {}\n\n", code(k.name));
      out += markdown_head({"key", "type", "unit", "default", "meaning"});
      for (const FieldNote& f : k.fields)
        out += markdown_row({code(f.name), markdown_cell(f.type.words), markdown_cell(f.unit),
                             markdown_default(default_text(f)), markdown_cell(f.meaning)});
    }
  }
  return out;
}
}  // namespace mubody::io
