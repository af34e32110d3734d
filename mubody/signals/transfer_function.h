#pragma once
// Transfer function  Y(s)/U(s) = (b_0 sⁿ + … + b_n) / (a_0 sⁿ + … + a_n), at rest at the start, in controllable form:
//
//   ẋ_i = x_{i+1},  ẋ_n = u − Σ a_{n+1−i}/a_0 x_i,  y = Σ (b_{n+1−i} − a_{n+1−i} b_0/a_0)/a_0 x_i + b_0/a_0 u
//                                                                      docs/theory/signals.md#linear-blocks
#include "mubody/signals/linear_block.h"

namespace mubody {
struct TransferFunction : LinearBlock {
  static constexpr Info info{"transfer_function", "a quotient of polynomials in s, at rest at the start"};
  std::vector<double> numerator, denominator;

  void fields(Fields& f) {
    f.required("input", input, "", "U");
    f.required("numerator", numerator, "1", "coefficients of the powers of s, the highest first");
    f.required("denominator", denominator, "1", "coefficients of the powers of s, the highest first");
  }
  void check() {
    const auto all_finite = [](const std::vector<double>& all) {
      for (const double x : all)
        if (!std::isfinite(x)) return false;
      return true;
    };
    require(!denominator.empty() && denominator[0] != 0, "denominator",
            "its first coefficient must not be zero");
    require(!numerator.empty(), "numerator", "must have a coefficient");
    require(all_finite(numerator), "numerator", "must be finite");
    require(all_finite(denominator), "denominator", "must be finite");
    require(
        numerator.size() <= denominator.size(), "numerator",
        "must not have more coefficients than the denominator: the output would need derivatives of the input");
    const Eigen::Index n = Eigen::Index(denominator.size()) - 1;
    const double a0 = denominator[0];
    const auto b = [&](Eigen::Index k) {  // of s^(n − k)
      const Eigen::Index at = k - (n + 1 - Eigen::Index(numerator.size()));
      return at < 0 ? 0 : numerator[std::size_t(at)];
    };
    MatX of_states = MatX::Zero(n, n);
    VecX to_output = VecX::Zero(n);
    for (Eigen::Index k = 0; k < n; ++k) {
      if (k + 1 < n) of_states(k, k + 1) = 1;
      const double a = denominator[std::size_t(n - k)] / a0;
      of_states(n - 1, k) = -a;
      to_output[k] = (b(n - k) - a * b(0)) / a0;
    }
    take(of_states, n > 0 ? VecX(VecX::Unit(n, n - 1)) : VecX(), to_output, b(0) / a0, VecX::Zero(n));
  }
};
}  // namespace mubody
