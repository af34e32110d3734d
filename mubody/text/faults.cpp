#include "mubody/text/faults.h"

#include <algorithm>
#include <cctype>

namespace mubody::io {
namespace {
bool is_part_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Whether a word, such as the name of a body, stands in a text, such as a formula.
bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part_of_word(text[at - 1])) && (end == text.size() || !is_part_of_word(text[end])))
      return true;
  }
  return false;
}
}  // namespace

bool Faults::touch(const Node& node) const {
  const auto in = [this](std::string_view text) {
    return std::ranges::any_of(unread_, [&](const std::string& name) { return has_word(text, name); });
  };
  if (unread_.empty()) return false;
  return in(node.text) || std::ranges::any_of(node.keys, [&](const Node::Key& key) { return in(key.name); }) ||
         std::ranges::any_of(node.items, [this](const Node& item) { return touch(item); });
}
}  // namespace mubody::io
