#pragma once
// Text without the blanks around it.
#include <string_view>

namespace mubody::io {
/// The text without blanks at its ends.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  while (!text.empty() && blank.find(text.front()) != std::string_view::npos) text.remove_prefix(1);
  while (!text.empty() && blank.find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  return text;
}
}  // namespace mubody::io
