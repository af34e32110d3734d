#pragma once
// Dormand and Prince 5(4): steps controlled by an embedded method of fourth order, dense output of fourth order.
//
//   Dormand & Prince (1980); Hairer, Nørsett & Wanner, Solving ODEs I, table II.5.2 and eq. II.6.12
//                                                             docs/theory/integrators.md#dormand-prince
#include "mubody/integrators/runge_kutta.h"

namespace mubody {
struct DormandPrince {
  static constexpr Info info{"dormand-prince", "Runge-Kutta 5(4), step controlled by its error estimate"};
  static constexpr int order = 5;
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
    T.order = 5;
    T.c = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
    T.a = {{},
           {1. / 5},
           {3. / 40, 9. / 40},
           {44. / 45, -56. / 15, 32. / 9},
           {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
           {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
           {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}};
    T.b = {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84, 0};
    T.e = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};
    T.first_same_as_last = true;
    // Shampine's interpolant in the form of Hairer's contd5, expanded in powers of θ:
    //   y(θ) = y0 + θ [Δ + (1−θ)(B + θ(C + (1−θ) R))],  Δ = hΣ b k,  B = h k1 − Δ,  C = Δ − h k7 − B,  R = hΣ d k
    const double d[] = {-12715105075. / 11282082432,  0,
                        87487479700. / 32700410799,   -10690763975. / 1880347072,
                        701980252875. / 199316789632, -1453857185. / 822651844,
                        69997945. / 29380423};
    for (int i = 0; i < 7; ++i) {
      const double Delta = T.b[i], B = (i == 0) - Delta, C = Delta - (i == 6) - B, R = d[i];
      T.dense.push_back({Delta + B, C + R - B, -C - 2 * R, R});
    }
    return T;
  }
};
}  // namespace mubody
