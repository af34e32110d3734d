#include "mubody/text/toml.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <toml++/toml.h>

namespace mubody::io {
namespace {
using File = std::shared_ptr<const std::string>;

// Scans a text and refuses keys of very many parts, "a.a.a.a...": each part is a table within a table, and
// taking so deep a tree apart again would exhaust the stack.
class KeyDepth {
 public:
  KeyDepth(std::string_view text, const File& file) : text_(text), file_(file) {}

  void check() {
    constexpr std::string_view ends = ",=[]{}\n";
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#')
        skip_to("\n");
      else if (c == '"' || c == '\'')
        skip_string(c);
      else
        ++at_;
      if (ends.find(c) != std::string_view::npos) dots_ = 0;
      if (c == '\n') ++line_;
      if (c == '.' && ++dots_ > most) throw ModelError(Place{*file_, line_}, "a key of more than 64 parts");
    }
  }

 private:
  static constexpr int most = 64;

  void skip_to(std::string_view end) { at_ = std::min(text_.find(end, at_), text_.size()); }

  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool many_lines = text_.substr(at_, 3) == three;
    at_ += many_lines ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (!many_lines && c == '\n') return;
      if (many_lines ? text_.substr(at_, 3) == three : c == quote) break;
      if (c == '\n') ++line_;
      at_ += c == '\\' && quote == '"' ? 2 : 1;
    }
    at_ = std::min(at_ + (many_lines ? 3 : 1), text_.size());
  }

  std::string_view text_;
  const File& file_;
  std::size_t at_ = 0;
  int line_ = 1, dots_ = 0;
};

Mark mark_of(const toml::source_region& region, const File& file) {
  return {file, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

// The tree of the library is taken apart on the way: of a large file there is not room for two.
Node node_of(toml::node& from, const File& file);

// The library sorts tables by name, so that the order of the file is restored from the places of the keys.
void add_entries(Node& node, toml::table& table, const File& file) {
  std::vector<std::pair<const toml::key*, toml::node*>> entries;
  entries.reserve(table.size());
  for (auto&& [key, value] : table) entries.emplace_back(&key, &value);
  std::ranges::stable_sort(
      entries, [](const auto& a, const auto& b) { return a.first->source().begin < b.first->source().begin; });
  node.keys.reserve(entries.size());
  node.items.reserve(entries.size());
  for (const auto& [key, value] : entries) {
    node.keys.push_back({std::string(key->str()), mark_of(key->source(), file)});
    node.items.push_back(node_of(*value, file));
  }
  table.clear();
}

void add_items(Node& node, toml::array& array, const File& file) {
  node.items.resize(array.size());
  for (std::size_t k = array.size(); k-- > 0; array.pop_back()) node.items[k] = node_of(*array.get(k), file);
}

Node node_of(toml::node& from, const File& file) {
  Node node;
  node.mark = mark_of(from.source(), file);
  switch (from.type()) {
    case toml::node_type::table:
      node.kind = Node::Kind::table;
      add_entries(node, *from.as_table(), file);
      break;
    case toml::node_type::array:
      node.kind = Node::Kind::array;
      add_items(node, *from.as_array(), file);
      break;
    case toml::node_type::string:
      node.kind = Node::Kind::string;
      node.text = from.as_string()->get();
      break;
    case toml::node_type::floating_point:
      node.kind = Node::Kind::number;
      node.number = from.as_floating_point()->get();
      break;
    case toml::node_type::integer:
      node.kind = Node::Kind::integer;
      node.number = static_cast<double>(from.as_integer()->get());
      break;
    case toml::node_type::boolean:
      node.kind = Node::Kind::boolean;
      node.number = from.as_boolean()->get() ? 1 : 0;
      break;
    default: node.kind = Node::Kind::date; break;
  }
  return node;
}

std::string_view line_at(std::string_view text, toml::source_index line) {
  for (; line > 1; --line) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text.substr(0, text.find('\n'));
}

bool has_decimal_comma(std::string_view line) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t k = 1; k + 1 < line.size(); ++k)
    if (line[k] == ',' && is_digit(line[k - 1]) && is_digit(line[k + 1])) return true;
  return false;
}

// The library's message says first what it was doing, then what is wrong, in words of TOML's standard.
std::string readable(std::string_view description, std::string_view line) {
  const auto says = [&](std::string_view words) { return description.find(words) != std::string_view::npos; };
  if (says("invalid utf-8")) return "this is not UTF-8 text";
  if (says("unescaped control character")) return "the closing quote of this string is missing on its line";
  if (const std::size_t at = description.find("cannot redefine existing"); at != std::string_view::npos) {
    const std::size_t name = description.find('\'', at);
    return std::string(description.substr(std::min(name, description.size()))) + " is defined twice";
  }
  for (const std::string_view start :
       {"Error while parsing key-value pair: ", "Error while parsing table header: ", "Error while parsing "})
    if (description.starts_with(start)) {
      description.remove_prefix(start.size());
      break;
    }
  std::string message(description);
  if (const std::size_t end = message.find("saw '\\n'"); end != std::string::npos)
    message.replace(end, 8, "but the line ends here");
  if (says("expected '='") && has_decimal_comma(line)) message += "; decimals are written with a point";
  return message;
}
}  // namespace

Node parse_toml(std::string_view text, const std::string& file) {
  const File shared = std::make_shared<const std::string>(file);
  KeyDepth(text, shared).check();
  try {
    toml::table root = toml::parse(text, file);
    return node_of(root, shared);
  } catch (const toml::parse_error& e) {
    std::string message = readable(e.description(), line_at(text, e.source().begin.line));
    std::ranges::replace_if(
        message, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    throw ModelError(mark_of(e.source(), shared).place(), message);
  }
}
}  // namespace mubody::io
