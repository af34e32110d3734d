#include "mubody/recording/embedded_c.h"

#include <algorithm>
#include <cctype>

namespace mubody {
std::string embedded_c(std::string_view file, const std::string& name) {
  constexpr std::string_view prefix = "model_";
  const auto is_identifier = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::string out;
  for (std::size_t at = 0; at < file.size();) {
    const std::size_t end = std::min(file.find('\n', at), file.size() - 1) + 1;
    const std::string_view line = file.substr(at, end - at);
    at = end;
    if (line.starts_with("//") || line.starts_with("#pragma once") || line.starts_with("#include \"")) continue;
    for (std::size_t k = 0; k < line.size(); ++k) {
      const bool begins = k == 0 || !is_identifier(line[k - 1]);
      const bool ours = begins && line.substr(k).starts_with(prefix);
      if (ours) k += prefix.size() - 1;
      out += ours ? name + "_" : std::string(1, line[k]);
    }
  }
  return out;
}
}  // namespace mubody
