#pragma once
// f(t) = Σ c_k (t − start)^k
#include <cmath>
#include <vector>

#include "mubody/functions/function.h"

namespace mubody {
struct Polynomial {
  static constexpr Info info{"polynomial", "a polynomial in time"};
  std::vector<double> coefficients;
  double start = 0;

  void fields(Fields& f) {
    f.required("coefficients", coefficients, "", "c0, c1, ...: f = c0 + c1 s + c2 s^2 + ..., s = t - start");
    f.optional("start", start, "s", "time from which s counts");
  }
  void check() {
    require(!coefficients.empty(), "coefficients", "at least one is needed");
    for (const double c : coefficients) require(std::isfinite(c), "coefficients", "must be finite");
    require(std::isfinite(start), "start", "must be finite");
  }
  template <class R> JetOf<R> operator()(const R& t) const {  // Horner's scheme, differentiated twice
    const R s = t - start;
    JetOf<R> f;
    for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c)
      f = {f.x * s + *c, f.v * s + f.x, f.a * s + 2 * f.v};
    return f;
  }
};
}  // namespace mubody
