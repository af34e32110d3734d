#include "cli/templates/templates.h"

#include <algorithm>

namespace mubody::cli {
std::string Template::sentence() const {
  std::string all;
  for (std::string_view rest = text; rest.starts_with("# ");) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    all += (all.empty() ? "" : " ") + std::string(rest.substr(2, end - 2));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return all.substr(0, std::min(all.find(". "), all.find(".  ")));
}
}  // namespace mubody::cli
