#pragma once
// Inverse dynamics: drivers give the motion, and the analysis finds the forces that cause it.
//
//   Flores & Lankarani (2012), eqs. 43-45 for the motion, eq. 138 read for λ
//                                                                           docs/theory/inverse.md
//
//   Φ = 0, D u = ν, D a = γ  (kinematic analysis),   Dᵀ λ = Q − M a
//
// A driver is Φ = c(q) − f(t): it acts with −λ along its coordinate c, in N or N m, and with the power −λ ν.
//
//   drivers < freedoms   under-actuated: the motion is not given; what is left free is named
//   drivers > freedoms   over-actuated: the motion is, the forces are not; those of least size are given
#include "mubody/study/options.h"

namespace mubody {
struct Inverse {
  static constexpr Info info{"inverse", "motion from drivers, and which force or moment each of them takes"};
  static constexpr std::string_view tables[] = {"drives", "efforts"};
  static constexpr AnalysisFacts facts{.follows_drivers = true, .any_coordinates = true, .tables = tables};
  std::vector<std::string> actuators;

  void fields(Fields& f) {
    f.optional("actuators", actuators, "",
               "variables of joints whose efforts are wanted, as in [\"hip.angle\"]",
               "all, if there are no loops");
  }
  Results run(const Study&, const Progress& = {}) const;
};
}  // namespace mubody
