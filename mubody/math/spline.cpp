#include "mubody/math/spline.h"

#include <algorithm>
#include <utility>

namespace mubody {
namespace {
using Numbers = std::vector<double>;

// Solves below[k] u[k-1] + diagonal[k] u[k] + above[k] u[k+1] = right[k].  The systems of splines are
// diagonally dominant, so that no pivots are needed.  The solution takes the place of the right side.
void solve_tridiagonal(const Numbers& below, Numbers diagonal, const Numbers& above, Numbers& right) {
  const std::size_t n = diagonal.size();
  for (std::size_t k = 1; k < n; ++k) {
    const double factor = below[k] / diagonal[k - 1];
    diagonal[k] -= factor * above[k - 1];
    right[k] -= factor * right[k - 1];
  }
  right[n - 1] /= diagonal[n - 1];
  for (std::size_t k = n - 1; k-- > 0;) right[k] = (right[k] - above[k] * right[k + 1]) / diagonal[k];
}

// The same with below[0] in the upper right corner and above[n-1] in the lower left, n > 2: a tridiagonal
// matrix and a product of two vectors, after Sherman and Morrison (Press et al., "Numerical Recipes",
// section 2.7).
void solve_cyclic(const Numbers& below, Numbers diagonal, const Numbers& above, Numbers& right) {
  const std::size_t n = diagonal.size();
  const double shift = -diagonal[0], upper = below[0], lower = above[n - 1];
  diagonal[0] -= shift;
  diagonal[n - 1] -= lower * upper / shift;
  Numbers corner(n, 0);
  corner[0] = shift;
  corner[n - 1] = lower;
  solve_tridiagonal(below, diagonal, above, right);
  solve_tridiagonal(below, diagonal, above, corner);
  const double factor =
      (right[0] + upper * right[n - 1] / shift) / (1 + corner[0] + upper * corner[n - 1] / shift);
  for (std::size_t k = 0; k < n; ++k) right[k] -= factor * corner[k];
}
}  // namespace

Cubic CubicSpline::piece(std::size_t k) const {
  const double h = x_[k + 1] - x_[k], m = curvature_[k], next = curvature_[k + 1];
  return {x_[k], y_[k], (y_[k + 1] - y_[k]) / h - h * (2 * m + next) / 6, m / 2, (next - m) / (6 * h)};
}

CubicSpline::CubicSpline(std::vector<double> x, std::vector<double> y, Ends ends, double start_slope,
                         double end_slope)
    : x_(std::move(x)), y_(std::move(y)), ends_(ends) {
  check_knots(x_, y_);
  const std::size_t n = x_.size();
  curvature_.assign(n, 0);
  if (ends_ == Ends::periodic) {
    y_.back() = y_.front();
    find_periodic_curvatures();
  } else {
    find_curvatures(start_slope, end_slope);
  }
  area_.assign(n, 0);
  for (std::size_t k = 0; k + 1 < n; ++k) area_[k + 1] = area_[k] + piece(k).integral(x_[k + 1]);
}

// Continuous slopes require of the curvatures m at each inner knot, with intervals h and divided differences d:
// h[k-1] m[k-1] + 2 (h[k-1] + h[k]) m[k] + h[k] m[k+1] = 6 (d[k] − d[k-1]).
void CubicSpline::find_curvatures(double start_slope, double end_slope) {
  const std::size_t n = x_.size(), last = n - 1;
  const auto h = [&](std::size_t k) { return x_[k + 1] - x_[k]; };
  const auto d = [&](std::size_t k) { return (y_[k + 1] - y_[k]) / h(k); };
  if (ends_ == Ends::not_a_knot && n < 4) {
    if (n == 3) curvature_.assign(n, 2 * (d(1) - d(0)) / (x_[2] - x_[0]));
    return;
  }
  Numbers below(n, 0), diagonal(n, 1), above(n, 0), &right = curvature_;  // natural ends: m = 0
  for (std::size_t k = 1; k < last; ++k) {
    below[k] = h(k - 1);
    diagonal[k] = 2 * (h(k - 1) + h(k));
    above[k] = h(k);
    right[k] = 6 * (d(k) - d(k - 1));
  }
  if (ends_ == Ends::clamped) {
    diagonal[0] = 2 * h(0), above[0] = h(0), right[0] = 6 * (d(0) - start_slope);
    diagonal[last] = 2 * h(last - 1), below[last] = h(last - 1), right[last] = 6 * (end_slope - d(last - 1));
  }
  // Equal third derivatives on both sides give m at the end, (1 + r) m[1] − r m[2] with r = h[0] / h[1].  It is
  // put into the next equation, and found last.
  const double r = h(0) / (n > 2 ? h(1) : 1), s = h(last - 1) / (n > 2 ? h(last - 2) : 1);
  if (ends_ == Ends::not_a_knot) {
    diagonal[1] += h(0) * (1 + r), above[1] -= h(0) * r, below[1] = 0;
    diagonal[last - 1] += h(last - 1) * (1 + s), below[last - 1] -= h(last - 1) * s, above[last - 1] = 0;
  }
  solve_tridiagonal(below, diagonal, above, right);
  if (ends_ == Ends::not_a_knot) {
    curvature_[0] = (1 + r) * curvature_[1] - r * curvature_[2];
    curvature_[last] = (1 + s) * curvature_[last - 1] - s * curvature_[last - 2];
  }
}

void CubicSpline::find_periodic_curvatures() {
  const std::size_t n = x_.size() - 1;  // knots in one period
  const auto h = [&](std::size_t k) { return x_[k + 1] - x_[k]; };
  const auto d = [&](std::size_t k) { return (y_[k + 1] - y_[k]) / h(k); };
  if (n == 2) {  // both equations hold both unknowns twice
    const double m = 6 * (d(0) - d(1)) / (h(0) + h(1));
    curvature_ = {m, -m, m};
  }
  if (n <= 2) return;
  Numbers below(n), diagonal(n), above(n), &right = curvature_;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t before = (k + n - 1) % n;
    below[k] = h(before);
    diagonal[k] = 2 * (h(before) + h(k));
    above[k] = h(k);
    right[k] = 6 * (d(k) - d(before));
  }
  solve_cyclic(below, diagonal, above, right);
  curvature_.back() = curvature_.front();
}

Jet CubicSpline::at(double x) const { return curve(x); }
double CubicSpline::integral(double x) const { return area(x); }
}  // namespace mubody
