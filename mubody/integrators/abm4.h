#pragma once
// Adams-Bashforth-Moulton of fourth order with fixed steps: predict, evaluate, correct, evaluate.
//
//   Flores & Lankarani (2012), eqs. 164-169                              docs/theory/integrators.md#abm4
//
//   predict   p = y_n + h/24 (55 f_n − 59 f_n−1 + 37 f_n−2 − 9 f_n−3)
//   correct   y_n+1 = y_n + h/24 (9 f(p) + 19 f_n − 5 f_n−1 + f_n−2)
//
// A correction of the state comes before the second evaluation, so that the history is one of corrected states.
//
// When: smooth motion with a fixed step, at half the evaluations of rk4.  When not: damping or stiffness with a time
// constant near the step; the region of stability is less than half that of rk4.
#include <array>

#include "mubody/integrators/multistep.h"

namespace mubody {
struct Abm4 {
  static constexpr Info info{"abm4", "Adams-Bashforth-Moulton of fourth order, fixed step"};
  static constexpr int order = 4;
  static constexpr bool adaptive = false;
  static std::unique_ptr<Integrator> make(const StepControl&);
  static StabilityPolynomial stability() { return stability_of_pece(predictor, corrector); }

  static constexpr std::array predictor{55. / 24, -59. / 24, 37. / 24, -9. / 24};
  static constexpr std::array corrector{9. / 24, 19. / 24, -5. / 24, 1. / 24};
};
}  // namespace mubody
