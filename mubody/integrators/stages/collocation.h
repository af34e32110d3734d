#pragma once
// The stages of Radau IIA: collocation at the zeros of a Legendre polynomial less the one before it, the last of which is 1.
//
//   A_ij = ∫_0^{c_i} ℓ_j(x) dx,   A = T diag(μ) T⁻¹         Hairer & Wanner (1996), secs. IV.5 and IV.8
#include <complex>

#include <Eigen/Core>

namespace mubody {
struct Collocation {
  static constexpr int stages = 5, pairs = stages / 2;
  using Numbers = Eigen::Matrix<double, stages, 1>;

  Numbers c;                                // nodes
  Eigen::Matrix<double, stages, stages> A;  // increments z = h A f
  Numbers error;    // weights of the increments in the error estimate, beside h μ₀ f(t, y)
  double real = 0;  // μ₀, the real eigenvalue of A
  std::complex<double> complex[pairs];  // one of each pair of the others
  Numbers to_real, from_real;           // w₀ = to_realᵀ z,   z = from_real w₀ + 2 Re Σ from_complex w
  Eigen::Matrix<std::complex<double>, stages, 1> to_complex[pairs], from_complex[pairs];

  /// Weights of the increments in the one at a time x, which is 1 at the end of the step.
  Numbers weights(double x) const;
  static const Collocation& radau();
};
}  // namespace mubody
