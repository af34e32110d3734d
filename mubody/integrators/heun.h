#pragma once
// Heun: Runge-Kutta of second order.
//
//   Flores & Lankarani (2012), eqs. 155-157                            docs/theory/integrators.md#heun
#include "mubody/integrators/runge_kutta.h"

namespace mubody {
struct Heun {
  static constexpr Info info{"heun", "Runge-Kutta of second order, fixed step"};
  static constexpr int order = 2;
  static constexpr bool adaptive = false;
  static std::unique_ptr<Integrator> make(const StepControl& c) { return make_runge_kutta(table(), c); }
  static StabilityPolynomial stability() { return stability_of(table()); }

  static const Tableau& table() {
    static const Tableau table{2, {0, 1}, {{}, {1}}, {0.5, 0.5}, {}, {}};
    return table;
  }
};
}  // namespace mubody
