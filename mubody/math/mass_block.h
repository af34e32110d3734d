#pragma once
// Mass matrices of a body, or of a tree of joints: factors, inverses, solutions.
#include <algorithm>
#include <cmath>

#include "mubody/math/dense.h"
#include "mubody/math/lanes.h"

namespace mubody {
inline constexpr double lost_mass = 1e-12;  // a pivot below this share of its diagonal counts as zero

// Mass blocks of up to twelve velocities (bodies) are inverted.  Larger ones (trees of joints) are kept as
// factors L Lᵀ, the lower half, with the reciprocals of the diagonal.  Returns false if a pivot is lost.
inline bool factor_mass(double* A, int n) {
  for (int j = 0; j < n; ++j) {
    double* const column = A + j * n;
    const double whole = column[j];
    for (int k = 0; k < j; ++k) {
      const double* const before = A + k * n;
      const double f = before[j];
      if (f == 0) continue;
      for (int i = j; i < n; ++i) column[i] -= before[i] * f;
    }
    if (!(column[j] > lost_mass * whole)) return false;
    const double per = 1 / std::sqrt(column[j]);
    for (int i = j + 1; i < n; ++i) column[i] *= per;
    column[j] = per;
  }
  return true;
}
inline bool is_diagonal(const double* L, int n) {
  for (int j = 0; j < n; ++j)
    for (int i = j + 1; i < n; ++i)
      if (L[j * n + i] != 0) return false;
  return true;
}
inline void invert_mass(double* A, int n) {
  double X[most_columns * most_columns] = {};
  for (int k = 0; k < n; ++k) {
    double* const x = X + k * n;
    x[k] = 1;
    for (int j = k; j < n; ++j) {
      x[j] *= A[j * n + j];
      for (int i = j + 1; i < n; ++i) x[i] -= A[j * n + i] * x[j];
    }
    for (int j = n; j-- > 0;) {
      for (int i = j + 1; i < n; ++i) x[j] -= A[j * n + i] * x[i];
      x[j] *= A[j * n + j];
    }
  }
  std::copy_n(X, n * n, A);
}
/// Puts something in the place of zeros on the diagonal, and of what is less than `least` there, where that is given; `smallest`
/// where it is not, or zero.  Returns whether a mass is so small that solutions need refinement.
inline bool stand_in(MatX& block, const double* least, double smallest) {
  constexpr double felt = 1e-6;  // share of what stands in, above which a mass is kept
  bool light = false;
  for (Eigen::Index k = 0; k < block.rows(); ++k) {
    const double enough = least ? least[k] : 0;
    double& own = block(k, k);
    if (own > enough || (own > 0 && enough == 0)) continue;
    light = true;
    // A body that swings freely moves by its own mass, however small; what the factors lose is refined away.
    if (!(own > felt * enough)) own = enough > 0 ? enough : smallest;
  }
  return light;
}
/// The inverse of a block with what stands in for zeros on its diagonal.  An axis without inertia may lie askew: principal
/// axes keep the others exact, and the share `light` of the largest stands in, which `any` tells.
inline MatX inverse_of_mass(const MatX& block, double light, bool& any) {
  if (block.isDiagonal(0)) return block.diagonal().cwiseInverse().asDiagonal();
  const SymmetricEigen own = symmetric_eigen(block);
  VecX masses = own.values;
  const double least = light * masses[masses.size() - 1];
  for (double& mass : masses)
    if (mass < 1e-4 * least) mass = least, any = true;
  return product(own.vectors * masses.cwiseInverse().asDiagonal(), own.vectors.transpose());
}
/// x ← (L Lᵀ)⁻¹ x
template <class Row> MUBODY_INLINE void solve_mass(const double* L, int n, const Row& row) {
  for (int j = 0; j < n; ++j) {
    row.scale(j, L[j * n + j]);
    for (int i = j + 1; i < n; ++i)
      if (L[j * n + i] != 0) row.subtract(i, L[j * n + i], j);
  }
  for (int j = n; j-- > 0;) {
    for (int i = j + 1; i < n; ++i)
      if (L[j * n + i] != 0) row.subtract(j, L[j * n + i], i);
    row.scale(j, L[j * n + j]);
  }
}
template <int H> struct LaneRows {
  double* x;
  MUBODY_INLINE void scale(int i, double s) const {
    Lanes<H> a;
    a.load(x + i * padded(H));
    a.scale(s);
    a.store(x + i * padded(H));
  }
  MUBODY_INLINE void subtract(int i, double s, int j) const {
    Lanes<H> a, b;
    a.load(x + i * padded(H));
    b.load(x + j * padded(H));
    a.subtract(s, b);
    a.store(x + i * padded(H));
  }
};
struct NumberRows {
  double* x;
  void scale(int i, double s) const { x[i] *= s; }
  void subtract(int i, double s, int j) const { x[i] -= s * x[j]; }
};
}  // namespace mubody
