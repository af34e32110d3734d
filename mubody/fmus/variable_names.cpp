#include "mubody/fmus/variable_names.h"

#include <algorithm>

namespace mubody::io {
namespace {
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_figure(char c) { return c >= '0' && c <= '9'; }
bool is_plain(std::string_view part) {
  return !part.empty() && is_letter(part.front()) &&
         std::ranges::all_of(part, [](char c) { return is_letter(c) || is_figure(c); });
}
// What may stand between apostrophes without a backslash.
bool is_quotable(char c) {
  return is_letter(c) || is_figure(c) ||
         std::string_view("!#$%&()*+,-./:;<>=?@[]^{}|~ ").find(c) != std::string_view::npos;
}

// One name of the text, with the indices behind it; removes it.
bool take_part(std::string_view& text) {
  std::size_t n = 0;
  if (!text.empty() && text.front() == '\'') {
    for (n = 1; n < text.size() && text[n] != '\''; ++n)
      if (text[n] == '\\')
        ++n;
      else if (!is_quotable(text[n]))
        return false;
    if (n >= text.size() || n == 1) return false;
    ++n;
  } else {
    while (n < text.size() && (is_letter(text[n]) || (n > 0 && is_figure(text[n])))) ++n;
    if (n == 0) return false;
  }
  text.remove_prefix(n);
  if (text.empty() || text.front() != '[') return true;
  const std::size_t end = text.find(']');
  if (end == std::string_view::npos || end == 1) return false;
  for (const char c : text.substr(1, end - 1))
    if (!is_figure(c) && c != ',' && c != ' ') return false;
  text.remove_prefix(end + 1);
  return true;
}
}  // namespace

bool can_be_structured(std::string_view name) {
  return !name.empty() && name.find("..") == std::string_view::npos && name.front() != '.' &&
         name.back() != '.' &&
         std::ranges::all_of(name, [](char c) { return is_quotable(c) || c == '\'' || c == '\\' || c == '"'; });
}

std::string structured_name(std::string_view name) {
  std::string out;
  while (true) {
    const std::size_t end = std::min(name.find('.'), name.size());
    const std::string_view part = name.substr(0, end);
    if (is_plain(part)) {
      out += part;
    } else {
      out += '\'';
      for (const char c : part) {
        if (!is_quotable(c)) out += '\\';
        out += c;
      }
      out += '\'';
    }
    if (end == name.size()) return out;
    out += '.';
    name.remove_prefix(end + 1);
  }
}

std::string plain_name(std::string_view structured) {
  std::string out;
  bool quoted = false;
  for (std::size_t k = 0; k < structured.size(); ++k) {
    if (structured[k] == '\'') {
      quoted = !quoted;
      continue;
    }
    if (quoted && structured[k] == '\\' && k + 1 < structured.size()) ++k;
    out += structured[k];
  }
  return out;
}

bool is_structured(std::string_view name) {
  if (name.starts_with("der(") && name.ends_with(")")) {
    name = name.substr(4, name.size() - 5);
    // A second derivative is der(x,2).
    if (const std::size_t comma = name.rfind(','); comma != std::string_view::npos) {
      const std::string_view order = name.substr(comma + 1);
      if (order.empty() || !std::ranges::all_of(order, is_figure)) return false;
      name = name.substr(0, comma);
    }
  }
  while (take_part(name)) {
    if (name.empty()) return true;
    if (name.front() != '.') return false;
    name.remove_prefix(1);
  }
  return false;
}
}  // namespace mubody::io
