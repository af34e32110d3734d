#include "mubody/text/write_toml.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace mubody::io {
namespace {
std::string in_toml_quotes(std::string_view text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      all += '\\';
      all += c;
    } else if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') {
      all += fmt::format("\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      all += c;
    }
  }
  return all + '"';
}

std::string key_text(std::string_view key) {
  const bool bare = !key.empty() && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return bare ? std::string(key) : in_toml_quotes(key);
}

std::string number_text(double x) {
  if (x == 0 && std::signbit(x)) return "-0.0";  // an integer has no negative zero
  return fmt::format("{}", x);
}

std::string value_text(const Node& node);

// The rows of a matrix are written below each other.
std::string array_text(const Node& node) {
  const bool rows = node.items.size() > 1 &&
                    std::ranges::all_of(node.items, [](const Node& n) { return n.is(Node::Kind::array); });
  std::string all = "[";
  for (std::size_t k = 0; k < node.items.size(); ++k) {
    if (rows)
      all += k > 0 ? ",\n  " : "\n  ";
    else if (k > 0)
      all += ", ";
    all += value_text(node.items[k]);
  }
  return all + "]";
}

std::string table_text(const Node& node) {
  std::string all = "{";
  for (std::size_t k = 0; k < node.items.size(); ++k)
    all += (k > 0 ? ", " : "") + key_text(node.keys[k].name) + " = " + value_text(node.items[k]);
  return all + "}";
}

std::string value_text(const Node& node) {
  switch (node.kind) {
    case Node::Kind::table: return table_text(node);
    case Node::Kind::array: return array_text(node);
    case Node::Kind::number:
    case Node::Kind::integer: return number_text(node.number);
    case Node::Kind::boolean: return node.number != 0 ? "true" : "false";
    default: return in_toml_quotes(node.text);
  }
}

std::string entries(const Node& table) {
  std::string all;
  for (std::size_t k = 0; k < table.items.size(); ++k)
    all += key_text(table.keys[k].name) + " = " + value_text(table.items[k]) + "\n";
  return all;
}

/// An element of [joints] or [drivers], the sections in which the order counts.
struct Entry {
  const Node::Key *section, *key;
  const Node* node;
};

std::vector<Entry> in_order(const Node& root) {
  std::vector<Entry> all;
  for (std::size_t k = 0; k < root.items.size(); ++k) {
    const Node& section = root.items[k];
    if (root.keys[k].name != "joints" && root.keys[k].name != "drivers") continue;
    for (std::size_t e = 0; e < section.items.size(); ++e)
      all.push_back({&root.keys[k], &section.keys[e], &section.items[e]});
  }
  std::ranges::stable_sort(all, [](const Entry& a, const Entry& b) { return a.key->mark.before(b.key->mark); });
  return all;
}

// If the elements of each section follow each other, a section is one table; otherwise every element has its
// own, for a table cannot be opened twice.
std::string ordered_text(const std::vector<Entry>& all) {
  std::size_t runs = 0;
  std::vector<const Node::Key*> seen;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k == 0 || all[k].section != all[k - 1].section) ++runs;
    if (std::ranges::find(seen, all[k].section) == seen.end()) seen.push_back(all[k].section);
  }
  std::string text;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Entry& e = all[k];
    if (runs > seen.size()) {
      text += "\n[" + e.section->name + "." + key_text(e.key->name) + "]\n" + entries(*e.node);
      continue;
    }
    if (k == 0 || e.section != all[k - 1].section) text += "\n[" + e.section->name + "]\n";
    text += key_text(e.key->name) + " = " + value_text(*e.node) + "\n";
  }
  return text;
}
}  // namespace

std::string toml_text(const Node& root) {
  std::string text;
  for (std::size_t k = 0; k < root.items.size(); ++k)
    if (!root.items[k].is(Node::Kind::table))
      text += key_text(root.keys[k].name) + " = " + value_text(root.items[k]) + "\n";
  const std::vector<Entry> ordered = in_order(root);
  bool written = false;
  for (std::size_t k = 0; k < root.items.size(); ++k) {
    const std::string& name = root.keys[k].name;
    if (!root.items[k].is(Node::Kind::table)) continue;
    if (name == "joints" || name == "drivers") {
      if (!written) text += ordered_text(ordered);
      written = true;
      continue;
    }
    text += "\n[" + key_text(name) + "]\n" + entries(root.items[k]);
  }
  return text;
}
}  // namespace mubody::io
