#pragma once
// Adams-Moulton of variable order, 1 to 12, and step, by CVODE; its equations are solved by fixed-point iteration.
//
//   Byrne & Hindmarsh (1975)                                             docs/theory/integrators.md#adams
//
// When: smooth motion that is not stiff, tight tolerances.  When not: forces that jump or kink; stiffness.
#include "mubody/integrators/cvode.h"
#include "mubody/integrators/multistep.h"

namespace mubody {
struct Adams {
  static constexpr Info info{"adams", "Adams-Moulton of variable order and step"};
  static constexpr int lowest = 1, order = 12;
  static constexpr bool adaptive = true;
  static std::unique_ptr<Integrator> make(const StepControl& c) { return make_cvode(CvodeMethod::adams, c); }
  static StabilityPolynomial stability(int order) { return stability_of_adams_moulton(order); }
};
}  // namespace mubody
