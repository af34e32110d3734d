#pragma once
// Explicit Euler.  First order: for teaching and comparisons.
//
//   Flores & Lankarani (2012), eq. 150                                docs/theory/integrators.md#euler
#include "mubody/integrators/runge_kutta.h"

namespace mubody {
struct Euler {
  static constexpr Info info{"euler", "explicit Euler, fixed step"};
  static constexpr int order = 1;
  static constexpr bool adaptive = false;
  static std::unique_ptr<Integrator> make(const StepControl& c) { return make_runge_kutta(table(), c); }
  static StabilityPolynomial stability() { return stability_of(table()); }

  static const Tableau& table() {
    static const Tableau table{1, {0}, {{}}, {1}, {}, {}};
    return table;
  }
};
}  // namespace mubody
