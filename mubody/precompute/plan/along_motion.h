#pragma once
// Which variables serve along a motion that is known, and over which ranges.
//
//   σ_S = max |N (R_S N)⁻¹ h|      how far bodies go at most while a variable goes half its way h, with the motions N that
//                                  joints leave and the rates R_S of a set of variables; without bounds at a dead point
//
// Sets are sorted by σ along the motion; of the best, those are kept whose ranges, a little wider than the motion, have no dead
// point anywhere, and sorted by σ everywhere in these.                         docs/theory/loops-as-joints.md
#include "mubody/precompute/plan/options.h"
#include "mubody/precompute/plan/scalars.h"

namespace mubody {
struct VariablesAlong {
  std::vector<std::string> names;
  std::vector<PrecomputeOptions::Range> ranges;
  double steepest = 0;  // σ [lengths, or rad]
  double clumsy = 1;    // the more, the less plain the variables are
  double margin = 0;    // by which ranges are wider at either end, as a share of the way in the motion
  double size = 0;      // of tables, roughly, to compare
  // Where only the neighbourhood of the motion counts: the values of all variables, those of drivers first, and how far it
  // reaches beside them.
  std::vector<VecX> motion;
  VecX reach;
};
struct AskedAlong {
  std::vector<Variable> driven;                  // always there, and not named in what is found
  std::vector<Variable> held;                    // named first
  std::vector<PrecomputeOptions::Range> ranges;  // of some of these, in place of those that the motion needs
};
/// The sets that serve along a motion of the bodies of a mechanism, best first; none if there is no such set.
std::vector<VariablesAlong> serve_along(const Mechanism&, const std::vector<VecX>& motion, const AskedAlong&);
/// The sets that serve along a motion, whatever there is beside it; those whose tables will be small first.
std::vector<VariablesAlong> serve_near(const Mechanism&, const std::vector<VecX>& motion, const AskedAlong&);
}  // namespace mubody
