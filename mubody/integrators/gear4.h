#pragma once
// Gear's method of fourth order with fixed steps: backward differences, implicit.
//
//   Gear (1971); Flores & Lankarani (2012), eqs. 170-171                 docs/theory/integrators.md#gear4
//
//   y_n+1 = (48 y_n − 36 y_n−1 + 16 y_n−2 − 3 y_n−3 + 12 h f(t_n+1, y_n+1)) / 25
//
// solved by Newton's method, with a matrix from differences that is kept as long as it serves.  The states of the past
// are corrected ones.
//
// When: stiff forces and a fixed step.  When not: many bodies (the matrix is dense and takes one evaluation per number
// of the state); weakly damped vibration faster than the step; forces that are stiff from the first step on,
// since Runge-Kutta begins.
#include <array>

#include "mubody/integrators/multistep.h"

namespace mubody {
struct Gear4 {
  static constexpr Info info{"gear4", "Gear's backward differences of fourth order, implicit, fixed step"};
  static constexpr int order = 4;
  static constexpr bool adaptive = false;
  static std::unique_ptr<Integrator> make(const StepControl&);
  static StabilityPolynomial stability() {
    StabilityPolynomial pi{{{-past[3]}, {-past[2]}, {-past[1]}, {-past[0]}, {1, -rate}}};
    return pi;
  }

  static constexpr std::array past{48. / 25, -36. / 25, 16. / 25, -3. / 25};  // coefficients of y_n, y_n−1, ...
  static constexpr double rate = 12. / 25;                                    // coefficient of h f_n+1
};
}  // namespace mubody
