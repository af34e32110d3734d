#include "cli/names.h"

#include <algorithm>

#include "mubody/reading/describe.h"

namespace mubody::cli {
std::vector<std::string> names_in(std::string_view category) {
  std::vector<std::string> names;
  for (const io::Category& c : io::describe()) {
    if (!category.empty() && c.name != category) continue;
    for (const io::KindNote& kind : c.kinds)
      // "[analysis]" is a section, found as "analysis" too; a joint that is also a driver is listed once.
      if (!kind.name.starts_with('[') && std::ranges::find(names, kind.name) == names.end())
        names.push_back(kind.name);
  }
  return names;
}

std::vector<std::string> categories_and_names() {
  std::vector<std::string> all;
  for (const io::Category& c : io::describe()) all.push_back(c.name);
  for (std::string& name : names_in("")) all.push_back(std::move(name));
  return all;
}
}  // namespace mubody::cli
