#include "mubody/analyses/obstacle.h"

#include <fmt/format.h>

#include "mubody/solvers/freedom.h"

namespace mubody {
std::string obstacle_of(const Study& study, Begun& b) {
  const Results& r = b.results;
  if (!r.outcome) return r.outcome.why;
  const Analysis& analysis = *study.analysis.type;
  if (analysis.facts().integrates) {
    const auto loose = undetermined(*b.system, study.analysis.start, b.q, b.u);
    if (!loose.empty()) return "the motion is not determined: " + loose.front().why;
  }
  if (analysis.facts().follows_drivers && r.freedom.actual > 0)
    return fmt::format("{} analysis needs a driver for every freedom: {} without one", analysis.info().name,
                       r.freedom.actual);
  return "";
}
}  // namespace mubody
