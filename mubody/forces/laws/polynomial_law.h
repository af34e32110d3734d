#pragma once
// Force = Σ c_k d^k over k ≥ 1, from the potential Σ c_k d^(k+1) / (k + 1).
#include <cmath>
#include <vector>

#include "mubody/forces/laws/law.h"

namespace mubody {
struct PolynomialLaw {
  static constexpr Info info{"polynomial", "a polynomial in the deflection"};
  static constexpr bool stores_energy = true;
  static constexpr bool is_polynomial = true;
  std::vector<double> coefficients;  // c1 first: without deflection there is no force

  void fields(Fields& f) {
    f.required("coefficients", coefficients, "", "c1, c2, ...: force = c1 d + c2 d^2 + ..., d the deflection");
  }
  void check() {
    require(!coefficients.empty(), "coefficients", "at least one is needed");
    for (const double c : coefficients) require(std::isfinite(c), "coefficients", "must be finite");
  }
  template <class R> R force(const DeflectionOf<R>& at) const {
    R sum = 0;
    for (std::size_t k = coefficients.size(); k > 0; --k) sum = (sum + coefficients[k - 1]) * at.deflection;
    return sum;
  }
  template <class R> R potential(const R& deflection) const {
    R sum = 0;
    for (std::size_t k = coefficients.size(); k > 0; --k)
      sum = sum * deflection + coefficients[k - 1] / static_cast<double>(k + 1);
    return sum * deflection * deflection;
  }
};
}  // namespace mubody
