#pragma once
// Explicit while that is best, implicit where rates change far faster with the state than the motion needs.
//
//   docs/theory/integrators.md#auto
//
// Steps are those of dormand-prince.  Where stability holds them back, those of radau take over, until it no longer would.
#include "mubody/integrators/dormand_prince.h"

namespace mubody {
struct Auto {
  static constexpr Info info{"auto", "dormand-prince, and radau where the equations are stiff"};
  static constexpr int order = DormandPrince::order;
  static constexpr bool adaptive = true;
  static std::unique_ptr<Integrator> make(const StepControl&);
  static StabilityPolynomial stability() { return DormandPrince::stability(); }
};
}  // namespace mubody
