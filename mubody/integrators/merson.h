#pragma once
// Kutta and Merson: fourth order in five stages, with an error estimate.
//
//   Merson (1957); Hairer, Nørsett & Wanner, Solving ODEs I, sec. II.4        docs/theory/integrators.md#merson
//
//   y⁺ = y + h/6 (k₁ + 4 k₄ + k₅),    e = h/30 (2 k₁ − 9 k₃ + 8 k₄ − k₅)
//
// The second formula, y⁺ − e, is of order 5 for linear equations with constant coefficients, which makes e the error
// itself; of order 3 for others, which makes e an estimate on the safe side.
#include "mubody/integrators/runge_kutta.h"

namespace mubody {
struct Merson {
  static constexpr Info info{"merson", "Kutta-Merson of fourth order, step controlled by its error estimate"};
  static constexpr int order = 4;
  static constexpr bool adaptive = true;
  static std::unique_ptr<Integrator> make(const StepControl& c) { return make_runge_kutta(table(), c); }
  static StabilityPolynomial stability() { return stability_of(table()); }

  static const Tableau& table() {
    static const Tableau table{4,
                               {0, 1. / 3, 1. / 3, 1. / 2, 1},
                               {{}, {1. / 3}, {1. / 6, 1. / 6}, {1. / 8, 0, 3. / 8}, {1. / 2, 0, -3. / 2, 2}},
                               {1. / 6, 0, 0, 2. / 3, 1. / 6},
                               {1. / 15, 0, -3. / 10, 4. / 15, -1. / 30},
                               {}};
    return table;
  }
};
}  // namespace mubody
