#include "mubody/analyses/verdict.h"

#include <fmt/format.h>

namespace mubody {
namespace {
// Without a target in the file: a micrometre and a ten-thousandth of the energy that moves about.
constexpr double usual_violation = 1e-6;
constexpr double usual_energy = 1e-4;
constexpr double at_rest =
    1e-10;  // of force times size: what a structure at rest may seem to lose by round-off
}  // namespace

void judge(const AnalysisOptions& o, Results& r) {
  const Statistics& s = r.statistics;
  const double violation_limit = o.accuracy.value_or(usual_violation);
  const double energy_limit = o.accuracy.value_or(usual_energy);
  const double share = s.energy_scale > 0 ? s.energy_residual / s.energy_scale : 0;
  std::vector<std::string> faults;
  if (!r.outcome) faults.push_back(r.outcome.why);
  if (!(s.largest_violation <= violation_limit))
    faults.push_back(fmt::format("constraints are violated by up to {:.2e} (joint '{}'), more than {:.0e}",
                                 s.largest_violation, s.worst_joint, violation_limit));
  if (!(share <= energy_limit) && s.energy_residual > at_rest * s.load_scale)
    faults.push_back(
        fmt::format("the energy balance misses {:.2e} J, {:.1e} of the energy in play, more than {:.0e}",
                    s.energy_residual, share, energy_limit));
  r.trusted = faults.empty();
  if (r.trusted)
    r.verdict = fmt::format(
        "good: constraints hold to {:.1e}, the energy balance closes to {:.1e} J of {:.3g} J in play",
        s.largest_violation, s.energy_residual, s.energy_scale);
  else
    r.verdict = fmt::format("do not trust this: {}", fmt::join(faults, "; "));
}
}  // namespace mubody
