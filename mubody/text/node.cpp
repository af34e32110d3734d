#include "mubody/text/node.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "mubody/math/suggest.h"
#include "mubody/text/changed_parameter.h"
#include "mubody/text/toml.h"
#include "mubody/text/trimmed.h"

namespace mubody::io {
bool Mark::before(const Mark& other) const {
  return std::tuple(rank, line == 0, line, column) <
         std::tuple(other.rank, other.line == 0, other.line, other.column);
}

const Node::Key* Node::key(std::string_view name) const {
  const auto found = std::ranges::find(keys, name, &Key::name);
  return found == keys.end() ? nullptr : &*found;
}

const Node* Node::find(std::string_view name) const {
  const Key* k = key(name);
  return k ? &items[static_cast<std::size_t>(k - keys.data())] : nullptr;
}

Node* Node::find(std::string_view name) {
  return const_cast<Node*>(static_cast<const Node*>(this)->find(name));
}

std::string_view described(const Node& node) {
  switch (node.kind) {
    case Node::Kind::table: return "a table";
    case Node::Kind::array: return "an array";
    case Node::Kind::string: return "a string";
    case Node::Kind::number:
    case Node::Kind::integer: return "a number";
    case Node::Kind::boolean: return node.number != 0 ? "true" : "false";
    case Node::Kind::date: return "a date or time";
  }
  return "";
}

std::string in_quotes(std::string_view word) {
  constexpr std::size_t most = 60;
  std::string s(word.substr(0, most));
  if (word.size() > most) {
    while (!s.empty() && (static_cast<unsigned char>(word[s.size()]) & 0xC0) == 0x80) s.pop_back();
    s += "...";
  }
  std::ranges::replace_if(
      s, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, ' ');
  return "'" + s + "'";
}

std::string one_of(std::span<const std::string_view> words) {
  std::string all;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (k > 0) all += k + 1 < words.size() ? ", " : " or ";
    all += words[k];
  }
  return all;
}

ModelError Scope::error(const Mark& at, const std::string& message) const {
  return {at.place(), label_.empty() ? message : label_ + ": " + message};
}

void Scope::expected(const std::string& what, const Node& got) const {
  fail(got, "expected " + what + ", got " + std::string(described(got)));
}

void expect_keys(const Node& table, const Scope& scope, std::span<const std::string_view> known) {
  std::vector<ModelError> wrong;
  for (const Node::Key& key : table.keys) {
    if (std::ranges::find(known, key.name) != known.end()) continue;
    const std::string near = suggestion(key.name, known);
    wrong.push_back(scope.error(key.mark, "unknown key " + in_quotes(key.name) +
                                              (near.empty() ? "; expected " + one_of(known) : near)));
  }
  throw_together(std::move(wrong));
}

namespace {
bool is_bare_key(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

// The parts of "a.b.c"; none if one of them is not a key.
std::vector<std::string> path_of(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    const std::string_view part = trimmed(text.substr(begin, end - begin));
    if (!is_bare_key(part)) return {};
    parts.emplace_back(part);
    begin = end + 1;
  }
  return parts;
}

void set_mark(Node& node, const Mark& mark) {
  node.mark = mark;
  for (Node::Key& key : node.keys) key.mark = mark;
  for (Node& item : node.items) set_mark(item, mark);
}

Node value_of(std::string_view text) {
  try {
    Node document = parse_toml("value = " + std::string(text), "");
    if (document.items.size() == 1 && document.keys[0].name == "value") return std::move(document.items[0]);
  } catch (const ModelError&) {
    // Most shells take the quotes away, so that "60 deg" arrives without them.
  }
  Node node;
  node.kind = Node::Kind::string;
  node.text = text;
  return node;
}

// An entry of an array by its number, from 0.
Node* item_of(Node& node, std::string_view number) {
  std::size_t k = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), k);
  const bool whole = error == std::errc() && end == number.data() + number.size();
  return whole && node.is(Node::Kind::array) && k < node.items.size() ? &node.items[k] : nullptr;
}

void expect_element(const Node& root, const std::vector<std::string>& path, const Mark& mark) {
  constexpr std::pair<std::string_view, std::string_view> sections[] = {
      {"parameters", "parameter"}, {"places", "place named"},   {"bodies", "body named"},
      {"joints", "joint named"},   {"drivers", "driver named"}, {"forces", "force named"},
      {"points", "point named"},   {"markers", "marker named"}, {"signals", "signal named"},
      {"inputs", "input named"},   {"outputs", "output named"}};
  const auto section = std::ranges::find(sections, path[0], [](const auto& s) { return s.first; });
  if (section == std::end(sections) || path.size() < 2) return;
  const Node* table = root.find(path[0]);
  if (table && (!table->is(Node::Kind::table) || table->find(path[1]))) return;
  std::vector<std::string> known;
  for (std::size_t k = 0; table && k < table->keys.size(); ++k) known.push_back(table->keys[k].name);
  throw ModelError(mark.place(), "no " + std::string(section->second) + " " + in_quotes(path[1]) +
                                     suggestion(path[1], known));
}
}  // namespace

bool is_setting(std::string_view text) {
  constexpr std::size_t most_parts = 16;
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return false;
  const std::vector<std::string> path = path_of(text.substr(0, equals));
  return !path.empty() && path.size() <= most_parts;
}

void apply_override(Node& root, const std::string& setting) {
  const Mark mark{std::make_shared<const std::string>("--set " + setting), 0, 0};
  if (!is_setting(setting)) throw ModelError(mark.place(), "expected key=value, as in --set analysis.end=2");
  const std::size_t equals = setting.find('=');
  const std::vector<std::string> path = path_of(std::string_view(setting).substr(0, equals));
  expect_element(root, path, mark);

  Node* node = &root;
  for (std::size_t k = 0; k < path.size(); ++k) {
    if (Node* item = item_of(*node, path[k])) {
      node = item;
      continue;
    }
    if (!node->is(Node::Kind::table))
      throw ModelError(mark.place(), in_quotes(path[k - 1]) + " is " + std::string(described(*node)) +
                                         ": it has no key " + in_quotes(path[k]));
    Node* next = node->find(path[k]);
    if (!next) {
      node->keys.push_back({path[k], mark});
      node->items.emplace_back();
      next = &node->items.back();
      next->mark = mark;
    }
    node = next;
  }
  Node value = value_of(trimmed(std::string_view(setting).substr(equals + 1)));
  set_mark(value, mark);
  const bool is_parameter = path.size() == 2 && path[0] == "parameters";
  (is_parameter ? changed_part(*node, value) : *node) = std::move(value);
}
}  // namespace mubody::io
