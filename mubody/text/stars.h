#pragma once
// Names with stars, each of which stands for any characters.
#include <string_view>

namespace mubody::io {
/// Whether the pattern describes the name.  A star takes as little as it can, and more only if the rest asks for it; once a later
/// star is reached, earlier ones need no other choice, so that the time is at most the product of the lengths.
inline bool fits(std::string_view name, std::string_view pattern) {
  std::size_t n = 0, p = 0, star = std::string_view::npos, taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*')
      star = p++, taken = n;
    else if (p < pattern.size() && pattern[p] == name[n])
      ++p, ++n;
    else if (star != std::string_view::npos)
      p = star + 1, n = ++taken;
    else
      return false;
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}
}  // namespace mubody::io
