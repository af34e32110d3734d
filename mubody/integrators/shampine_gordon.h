#pragma once
// Adams methods of variable order and step in the form of Shampine and Gordon: predict, evaluate, correct, evaluate.
//
//   Shampine & Gordon (1975), chs. 5-7 and 10 (their programs ODE, DE and STEP)
//                                                              docs/theory/integrators.md#shampine-gordon
//
// With the steps of the past, whatever their sizes, and k modified divided differences φ of the rates,
//
//   predict   p = y_n + h Σ_{i=1}^k g_i β_i φ_i                order k
//   correct   y_n+1 = p + h g_k+1 (f(p) − Σ_{i=1}^k β_i φ_i)    order k + 1
//
// The step is controlled by the error of order k, and the corrected state, one order better, is kept.
//
// A correction of the state comes before the second evaluation, so that the history is one of corrected states.
//
// When: smooth motion, expensive forces, tight tolerances; two evaluations per step.  When not: forces that jump or
// kink, since the history must then be built again; stiffness.
#include "mubody/integrators/multistep.h"

namespace mubody {
struct ShampineGordon {
  static constexpr Info info{"shampine-gordon",
                             "Adams methods, predicted and corrected, of variable order and step"};
  static constexpr int lowest = 2, order = 13;
  static constexpr bool adaptive = true;
  static std::unique_ptr<Integrator> make(const StepControl&);
  static StabilityPolynomial stability(int order) {
    return stability_of_pece(adams_bashforth(order - 1), adams_moulton(order));
  }
};
}  // namespace mubody
