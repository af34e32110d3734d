#pragma once
// Letters and digits of names, formulas and units: those of ASCII, whatever the language of the system.
#include <algorithm>
#include <string_view>

namespace mubody {
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
/// What a name may begin with.
constexpr bool begins_name(char c) { return is_letter(c) || c == '_'; }

/// Whether a text may be the name of an element, or without hyphens that of a parameter.
constexpr bool is_name(std::string_view text, bool with_hyphens) {
  return !text.empty() && begins_name(text.front()) && std::ranges::all_of(text, [&](char c) {
    return begins_name(c) || is_digit(c) || (with_hyphens && c == '-');
  });
}
}  // namespace mubody
