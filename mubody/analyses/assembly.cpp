#include "mubody/analyses/assembly.h"

#include <fmt/format.h>

#include "mubody/simulation/begin.h"
#include "mubody/simulation/recorder.h"
#include "mubody/watches/contacts.h"

namespace mubody {
Results Assembly::run(const Study& study, const Progress&) const {
  Begun b = begin(study, info.name);
  Results& r = b.results;
  Dynamics d(*b.system, r.freedom.always_redundant());
  Recorder record(*b.system, study.output, r, false);
  const double t = study.analysis.start;
  close_contacts(*b.system, t, b.q, b.u);
  d.evaluate(t, b.q, b.u);
  if (b.system->grips.any()) {
    d.grips.choose(d, {}, b.u);
    d.evaluate(t, b.q, b.u);
    d.grips.push(d);
  }
  d.solve(d.terms.Q, d.terms.gamma);
  record.record(t, b.q, b.u, d, {});
  record.conclude(r);
  r.trusted = bool(r.outcome);
  r.verdict = r.outcome ? fmt::format("assembled: largest |Φ| = {:.1e}, largest |Φ̇| = {:.1e}",
                                      r.assembly.violation_after, r.assembly.rate_after)
                        : r.outcome.why;
  return std::move(b.results);
}
}  // namespace mubody
