#pragma once
// Gear's backward differentiation formulas of variable order, 1 to 5, and step, by CVODE; its equations are solved by
// Newton's method with a matrix from differences.
//
//   Gear (1971); Byrne & Hindmarsh (1975)                                  docs/theory/integrators.md#bdf
//
// When: stiff forces.  When not: many bodies (the matrix is dense); weakly damped vibration, where orders above 2 are
// not stable: max_order = 2 helps.
#include "mubody/integrators/cvode.h"
#include "mubody/integrators/multistep.h"

namespace mubody {
struct Bdf {
  static constexpr Info info{"bdf", "Gear's backward differences, implicit, of variable order and step"};
  static constexpr int lowest = 1, order = 5;
  static constexpr bool adaptive = true;
  static std::unique_ptr<Integrator> make(const StepControl& c) { return make_cvode(CvodeMethod::bdf, c); }
  static StabilityPolynomial stability(int order) { return stability_of_backward_differences(order); }
};
}  // namespace mubody
