#pragma once
// Verner 5(6): eight stages, steps of sixth order controlled by an embedded method of fifth order.
//
//   Verner (1978); the pair that the program DVERK made known                  docs/theory/integrators.md#verner
#include "mubody/integrators/runge_kutta.h"

namespace mubody {
struct Verner {
  static constexpr Info info{"verner", "Runge-Kutta-Verner 5(6), step controlled by its error estimate"};
  static constexpr int order = 6;
  static constexpr bool adaptive = true;
  static std::unique_ptr<Integrator> make(const StepControl& c) { return make_runge_kutta(table(), c); }
  static StabilityPolynomial stability() { return stability_of(table()); }

  static const Tableau& table() {
    static const Tableau table = tableau();
    return table;
  }

 private:
  static Tableau tableau() {
    Tableau T;
    T.order = 6;
    T.c = {0, 1. / 6, 4. / 15, 2. / 3, 5. / 6, 1, 1. / 15, 1};
    T.a = {{},
           {1. / 6},
           {4. / 75, 16. / 75},
           {5. / 6, -8. / 3, 5. / 2},
           {-165. / 64, 55. / 6, -425. / 64, 85. / 96},
           {12. / 5, -8, 4015. / 612, -11. / 36, 88. / 255},
           {-8263. / 15000, 124. / 75, -643. / 680, -81. / 250, 2484. / 10625, 0},
           {3501. / 1720, -300. / 43, 297275. / 52632, -319. / 2322, 24068. / 84065, 0, 3850. / 26703}};
    T.b = {3. / 40, 0, 875. / 2244, 23. / 72, 264. / 1955, 0, 125. / 11592, 43. / 616};
    const double fifth[] = {13. / 160, 0, 2375. / 5984, 5. / 16, 12. / 85, 3. / 44, 0, 0};
    for (std::size_t i = 0; i < T.b.size(); ++i) T.e.push_back(T.b[i] - fifth[i]);
    return T;
  }
};
}  // namespace mubody
