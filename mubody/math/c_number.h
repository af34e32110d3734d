#pragma once
// Numbers in C code: R(0.5), where R(x) is x, or xf in single precision.
#include <cstdio>
#include <string>

namespace mubody {
/// Writes x so that reading it back gives the same number.
inline std::string number_in_c(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  std::string s(text);
  if (s.find_first_of(".en") == std::string::npos) s += ".0";
  return s.starts_with('-') ? "(-R(" + s.substr(1) + "))" : "R(" + s + ")";
}
}  // namespace mubody
