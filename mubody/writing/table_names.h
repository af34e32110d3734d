#pragma once
// The tables that analyses may leave in a folder of results.
#include <algorithm>
#include <string_view>
#include <vector>

#include "mubody/study/analysis.h"

namespace mubody::io {
/// All names; those that every analysis writes come first.
inline std::vector<std::string_view> table_names() {
  std::vector<std::string_view> names{"bodies", "joints",     "points",  "forces",
                                      "energy", "violations", "channels"};
  for (const AnalysisEntry& e : analysis_kinds())
    for (const std::string_view name : e.facts.tables)
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}
}  // namespace mubody::io
