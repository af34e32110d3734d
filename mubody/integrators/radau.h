#pragma once
// Radau IIA with five stages, implicit, of order 9: steps controlled by an embedded formula of order 5.
//
//   Hairer & Wanner (1996), secs. IV.5 and IV.8; Hairer & Wanner (1999)        docs/theory/integrators.md#radau
//
// When: stiff forces, however tight the tolerance.  When not: many discontinuities, each of which needs short steps.
#include "mubody/integrators/integrator.h"

namespace mubody {
struct Radau {
  static constexpr Info info{"radau", "Radau IIA of order 9, implicit, step controlled by its error estimate"};
  static constexpr int order = 9;
  static constexpr bool adaptive = true;
  static std::unique_ptr<Integrator> make(const StepControl&);
  static StabilityPolynomial stability();
};
}  // namespace mubody
