#pragma once
// The classical Runge-Kutta method of fourth order.
//
//   Flores & Lankarani (2012), eqs. 158-163                             docs/theory/integrators.md#rk4
#include "mubody/integrators/runge_kutta.h"

namespace mubody {
struct Rk4 {
  static constexpr Info info{"rk4", "the classical Runge-Kutta method of fourth order, fixed step"};
  static constexpr int order = 4;
  static constexpr bool adaptive = false;
  static std::unique_ptr<Integrator> make(const StepControl& c) { return make_runge_kutta(table(), c); }
  static StabilityPolynomial stability() { return stability_of(table()); }

  static const Tableau& table() {
    static const Tableau table{
        4, {0, 0.5, 0.5, 1}, {{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1. / 6, 1. / 3, 1. / 3, 1. / 6}, {}, {}};
    return table;
  }
};
}  // namespace mubody
