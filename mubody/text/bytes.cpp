#include "mubody/text/bytes.h"

#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace mubody::io {
std::optional<double> bytes_of(std::string text) {
  constexpr std::pair<std::string_view, double> units[] = {
      {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"KB", 1e3}, {"B", 1}};
  double unit = 1;
  for (const auto& [name, size] : units)
    if (text.ends_with(name)) {
      unit = size;
      text.resize(text.size() - name.size());
      break;
    }
  while (text.ends_with(' ')) text.pop_back();
  double x = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, x);
  if (error != std::errc{} || stop != end || !(x > 0) || !std::isfinite(x * unit)) return {};
  return x * unit;
}

std::string bytes_text(double bytes) {
  return bytes < 1e4   ? fmt::format("{:.0f} B", bytes)
         : bytes < 1e7 ? fmt::format("{:.0f} kB", bytes / 1e3)
                       : fmt::format("{:.1f} MB", bytes / 1e6);
}
}  // namespace mubody::io
