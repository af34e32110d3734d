#include "mubody/analyses/run.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/analyses/assembly.h"
#include "mubody/analyses/begin.h"
#include "mubody/analyses/freedom.h"
#include "mubody/analyses/recorder.h"
#include "mubody/system/build.h"

namespace mubody {
const char* version() { return MUBODY_VERSION; }

std::string joint_at_row(const System& s, int row) {
  for (const JointRows& j : s.joints)
    if (row >= j.first && row < j.first + j.count) return "joint '" + j.name + "' (" + j.type + ")";
  return "the constraints";
}

Begun begin(const Study& study, const char* analysis) {
  Begun b;
  b.system = build_system(study.mechanism);
  System& s = *b.system;
  Results& r = b.results;
  r.model = study.mechanism.name;
  r.analysis = analysis;
  r.version = version();
  b.q.setZero(s.nq);
  b.u.setZero(s.nu);
  s.start(b.q, b.u);
  const double t = study.analysis.start;
  r.outcome = assemble(s, study.analysis.assembly, t, b.q, b.u, r.assembly);
  r.freedom = count_freedom(s, t, b.q, b.u);
  const bool driven = std::any_of(study.mechanism.joints.begin(), study.mechanism.joints.end(),
                                  [](const auto& j) { return j.driver; });
  if (r.freedom.counted < 0 && r.freedom.actual == 0 && !(driven && r.outcome)) {
    const std::string names =
        r.freedom.redundant.empty() ? "" : ": " + r.freedom.redundant.front().equation + " is one too many";
    const Place place = r.freedom.redundant.empty() ? Place{} : [&] {
      for (const JointRows& j : s.joints)
        if (r.freedom.redundant.front().equation.find("'" + j.name + "'") != std::string::npos) return j.place;
      return Place{};
    }();
    throw ModelError(
        place,
        fmt::format("more constraints than coordinates: {} equations for {} coordinates, nothing can move{}{}",
                    s.m, s.nu, names, r.outcome ? "" : "; " + r.outcome.why));
  }
  for (const Redundancy& x : r.freedom.redundant)
    r.remarks.push_back("redundant: " + x.equation + " follows from " +
                        fmt::format("{}", fmt::join(x.joints, ", ")) +
                        (x.reason.empty() ? "" : " (" + x.reason + ")"));
  return b;
}

Results run_assembly(const Study& study) {
  Begun b = begin(study, "assembly");
  Results& r = b.results;
  Dynamics d(*b.system, !r.freedom.redundant.empty());
  Recorder record(*b.system, study.output, r, false);
  const double t = study.analysis.start;
  d.evaluate(t, b.q, b.u);
  record.record(t, b.q, b.u, d, {});
  r.trusted = bool(r.outcome);
  r.verdict = r.outcome ? fmt::format("assembled: largest |Φ| = {:.1e}, largest |Φ̇| = {:.1e}",
                                      r.assembly.violation_after, r.assembly.rate_after)
                        : r.outcome.why;
  return std::move(b.results);
}

Results run(const Study& study, const Progress& progress) {
  switch (study.analysis.type.index) {
    case 1: return run_kinematic(study, progress);
    case 2: return run_assembly(study);
    default: return run_forward(study, progress);
  }
}
}  // namespace mubody
