#pragma once
// Characters of a text in UTF-8.
#include <cstddef>
#include <optional>
#include <string_view>

namespace mubody {
/// A character and the bytes that it takes.  What is not UTF-8 has no code: a byte that begins none, or the beginning of
/// a character that breaks off.
struct Character {
  std::optional<char32_t> code;
  std::size_t bytes = 1;
};

/// The character at the beginning of a text that is not empty.  Overlong forms and halves of surrogates are not UTF-8.
Character first_character(std::string_view text);

/// Calls `use(character, its bytes)` for all characters of a text.
template <class Use> void each_character(std::string_view text, const Use& use) {
  while (!text.empty()) {
    const Character c = first_character(text);
    use(c, text.substr(0, c.bytes));
    text.remove_prefix(c.bytes);
  }
}

/// Whether a character steers what shows it: control characters, separators of lines, and those that turn the direction of
/// writing.
bool steers(char32_t code);

/// The position of the first byte that is not UTF-8, or that begins a character that steers; line breaks and tabs are
/// allowed if `lines` says so.
std::optional<std::size_t> find_odd_character(std::string_view text, bool lines);
}  // namespace mubody
