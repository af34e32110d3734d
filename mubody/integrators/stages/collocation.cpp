#include "mubody/integrators/stages/collocation.h"

#include <cmath>
#include <numbers>

#include "mubody/math/dense.h"

namespace mubody {
namespace {
constexpr int node_count = Collocation::stages;

/// Legendre polynomials of 2x − 1 from degree 0 to the number of nodes, which keep all digits where powers of x lose some.
struct Legendre {
  double p[node_count + 1];
  explicit Legendre(double x) {
    const double u = 2 * x - 1;
    p[0] = 1, p[1] = u;
    for (int k = 1; k < node_count; ++k) p[k + 1] = ((2 * k + 1) * u * p[k] - k * p[k - 1]) / (k + 1);
  }
  /// ∫_0^x of that of degree k.
  double integral(int k) const { return k == 0 ? (p[1] + 1) / 2 : (p[k + 1] - p[k - 1]) / (2 * (2 * k + 1)); }
};

// Newton'node_count method with the zeros that are known divided out.
Collocation::Numbers nodes() {
  const auto value = [](double x) {
    const Legendre l(x);
    return l.p[node_count] - l.p[node_count - 1];
  };
  Collocation::Numbers c;
  c[node_count - 1] = 1;
  for (int found = 0; found < node_count - 1; ++found) {
    double x = found == 0 ? 0.01 : c[found - 1] + 1e-3;
    for (int round = 0; round < 100; ++round) {
      const double by = 1e-7;
      const double slope = (value(x + by) - value(x - by)) / (2 * by);
      double others = 1 / (x - 1);
      for (int k = 0; k < found; ++k) others += 1 / (x - c[k]);
      x -= value(x) / (slope - value(x) * others);
    }
    c[found] = x;
  }
  return c;
}

Collocation made() {
  Collocation r;
  r.c = nodes();
  MatX V(node_count, node_count), W(node_count, node_count);
  for (int i = 0; i < node_count; ++i) {
    const Legendre l(r.c[i]);
    for (int k = 0; k < node_count; ++k) V(i, k) = l.p[k], W(i, k) = l.integral(k);
  }
  const Lu transposed(V.transpose());
  r.A = transposed.solve_columns(W.transpose()).transpose();
  const MatX A = r.A;
  const GeneralEigen e = general_eigen(A);
  MatX twice(2 * node_count, 2 * node_count);  // T in real numbers, for its inverse
  twice << e.vectors.real(), -e.vectors.imag(), e.vectors.imag(), e.vectors.real();
  const MatX back = inverse(twice);
  int pair = 0;
  for (int k = 0; k < node_count; ++k) {
    const double size = std::abs(e.values[k].imag());
    if (size < 1e-9) {
      r.real = e.values[k].real();
      r.from_real = e.vectors.col(k).real();
      r.to_real = back.block(k, 0, 1, node_count).transpose();
    } else if (e.values[k].imag() > 0) {
      r.complex[pair] = e.values[k];
      r.from_complex[pair] = e.vectors.col(k);
      r.to_complex[pair].real() = back.block(k, 0, 1, node_count).transpose();
      r.to_complex[pair].imag() = back.block(node_count + k, 0, 1, node_count).transpose();
      ++pair;
    }
  }
  // h Σ d_i f_i + h μ₀ f(t, y) is zero for polynomials of a degree below their number, and f = A⁻¹ z / h.
  VecX at_start(node_count);
  const Legendre start(0);
  for (int k = 0; k < node_count; ++k) at_start[k] = -r.real * start.p[k];
  r.error = Lu(A.transpose()).solve(transposed.solve(at_start));
  return r;
}
}  // namespace

Collocation::Numbers Collocation::weights(double x) const {
  Numbers w;
  for (int j = 0; j < stages; ++j) {
    w[j] = x / c[j];
    for (int m = 0; m < stages; ++m)
      if (m != j) w[j] *= (x - c[m]) / (c[j] - c[m]);
  }
  return w;
}

const Collocation& Collocation::radau() {
  static const Collocation table = made();
  return table;
}
}  // namespace mubody
