#pragma once
// The trapezoidal rule with fixed steps, implicit.
//
//   Roupa, Gonçalves & Silva (2018), Tabs. 3 and 5, of the benchmark; Hairer & Wanner (1996), sec. IV.3
//                                                                  docs/theory/integrators.md#trapezoidal
//
//   y_n+1 = y_n + h/2 (f_n + f(t_n+1, y_n+1))
//
// solved by Newton's method.  f_n is the rate of the corrected state.
//
// When: to compare with benchmarks that use it; stiff vibration that must keep its energy, since nothing is damped.  When
// not: accuracy, for its order is two; stiff damping, whose fast part it turns back and forth in place of removing it.
#include "mubody/integrators/multistep.h"

namespace mubody {
struct Trapezoidal {
  static constexpr Info info{"trapezoidal", "trapezoidal rule of second order, implicit, fixed step"};
  static constexpr int order = 2;
  static constexpr bool adaptive = false;
  static std::unique_ptr<Integrator> make(const StepControl&);
  static StabilityPolynomial stability() { return stability_of_adams_moulton(2); }
};
}  // namespace mubody
