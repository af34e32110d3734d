#include "mubody/integrators/stability.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "mubody/math/dense.h"
#include "mubody/math/space.h"

namespace mubody {
namespace {
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double far = 100;      // |μ| beyond which no border is sought
constexpr double stride = 0.01;  // in |μ|, of that search
constexpr Extent near_origin{10, 100};

Complex value(const std::vector<double>& coefficients, Complex x) {
  Complex sum = 0;
  for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) sum = sum * x + *c;
  return sum;
}

/// ζ^d − Σ_j c_j ζ^j and its slope.
Complex residual(const std::vector<Complex>& c, Complex zeta, Complex& slope) {
  Complex sum = 1;
  slope = 0;
  for (auto coefficient = c.rbegin(); coefficient != c.rend(); ++coefficient) {
    slope = slope * zeta + sum;
    sum = sum * zeta - *coefficient;
  }
  return sum;
}

// One step of Newton's method, if it comes closer: roots far from others get all digits.
Complex polished(const std::vector<Complex>& c, Complex zeta) {
  Complex slope, unused;
  const Complex before = residual(c, zeta, slope);
  if (slope == 0.) return zeta;
  const Complex better = zeta - before / slope;
  return std::abs(residual(c, better, unused)) < std::abs(before) ? better : zeta;
}

// All roots at once by Aberth's method: Newton's, with the other roots divided out (Aberth 1973).
std::vector<Complex> all_roots(const std::vector<Complex>& c) {
  constexpr int most_rounds = 200;
  constexpr double same = 4e-15;  // share of the largest root
  const auto d = c.size();
  double size = 0;  // Fujiwara's bound
  for (std::size_t j = 0; j < d; ++j) size = std::max(size, 2 * std::pow(std::abs(c[j]), 1. / double(d - j)));
  std::vector<Complex> zeta;
  for (std::size_t k = 0; k < d; ++k)
    zeta.push_back(std::polar(size / 2, 2 * std::numbers::pi * double(k) / double(d) + 0.4));
  for (int round = 0; round < most_rounds && size > 0; ++round) {
    double change = 0;
    for (Complex& z : zeta) {
      Complex slope, others = 0;
      const Complex p = residual(c, z, slope);
      for (const Complex& other : zeta)
        if (other != z) others += 1. / (z - other);
      const Complex way = slope - p * others;
      if (p == 0. || way == 0.) continue;
      if (!std::isfinite(std::abs(p)) || !std::isfinite(std::abs(way))) return {infinite};
      z -= p / way;
      change = std::max(change, std::abs(p / way));
    }
    if (!(change > same * size)) break;
  }
  return zeta;
}

// Overflow counts as infinite.
double size_of(Complex z) {
  const double size = std::abs(z);
  return std::isnan(size) ? infinite : size;
}

double largest_of(const StabilityPolynomial& method, Complex mu) {
  double most = 0;
  for (const Complex& zeta : method.roots(mu)) most = std::max(most, size_of(zeta));
  return most;
}

// The first x at which `grows` is true, on a scale on which strides are small; infinite if there is none.
template <class Grows> double first_growth(const Grows& grows) {
  double low = 0, high = stride;
  for (int k = 2; !grows(high); ++k) {
    low = high;
    high = k * stride;
    if (high > far) return infinite;
  }
  for (double middle = (low + high) / 2; low < middle && middle < high; middle = (low + high) / 2)
    (grows(middle) ? high : low) = middle;
  return low;
}
}  // namespace

StabilityPolynomial StabilityPolynomial::one_step(std::vector<double> r) {
  while (r.size() > 1 && r.back() == 0) r.pop_back();
  for (double& c : r) c = -c;
  return {{std::move(r), {1}}};
}

std::vector<Complex> StabilityPolynomial::roots(Complex mu) const {
  assert(p.size() > 1);
  const auto degree = Eigen::Index(p.size()) - 1;
  const Complex leading = value(p.back(), mu);
  if (degree == 1) return {-value(p[0], mu) / leading};
  std::vector<Complex> c;
  for (Eigen::Index j = 0; j < degree; ++j) c.push_back(-value(p[std::size_t(j)], mu) / leading);
  if (!std::ranges::all_of(c, [](Complex x) { return std::isfinite(x.real()) && std::isfinite(x.imag()); }))
    return {infinite};
  // For a real μ the roots are real or pairs, as eigenvalues of a real matrix are: of the companion matrix.
  std::vector<Complex> zeta;
  if (mu.imag() == 0) {
    MatX companion = MatX::Zero(degree, degree);
    for (Eigen::Index j = 0; j < degree; ++j) {
      companion(j, degree - 1) = c[std::size_t(j)].real();
      if (j > 0) companion(j, j - 1) = 1;
    }
    zeta = general_eigenvalues(companion);
  } else {
    zeta = all_roots(c);
  }
  for (Complex& z : zeta) z = polished(c, z);
  return zeta;
}

std::array<Complex, 2> TestEquation::roots() const {
  const Complex root = std::sqrt(Complex((alpha - beta) * (alpha + beta)));
  if (root.real() == 0) return {-alpha + root, -alpha - root};
  // The larger of two real roots has no cancellation, and their product is β².
  const double larger = alpha > 0 ? -alpha - root.real() : -alpha + root.real();
  return {beta * beta / larger, larger};
}

// The three cases of the book are one: exp(-αt) sinh(dt)/d with d² = α² − β², which is t for d = 0 and sin(ωt)/ω for d = iω.
double TestEquation::response(double t) const {
  const double square = (alpha - beta) * (alpha + beta), d = std::sqrt(std::abs(square));
  constexpr double nearly_zero = 1e-8;  // of dt, below which the next term of the series is lost in rounding
  if (d * std::abs(t) < nearly_zero) return t * std::exp(-alpha * t);
  if (square < 0) return std::exp(-alpha * t) * std::sin(d * t) / d;
  return (std::exp((d - alpha) * t) - std::exp(-(d + alpha) * t)) / (2 * d);
}

double Stability::largest() const { return size_of(roots.front().z); }

double Stability::angle() const { return std::abs(std::arg(roots.front().z)); }

bool Stability::oscillates() const { return roots.front().z.imag() != 0 || roots.front().z.real() < 0; }

bool Stability::repeated() const { return roots.size() > 1 && roots[0].z == roots[1].z; }

double Stability::time_constant() const {
  const double size = largest();
  return decay() == Decay::marginal ? infinite : -step / std::log(size);
}

Decay Stability::decay() const {
  const double beyond = largest() - 1;
  if (std::abs(beyond) <= on_the_circle) return Decay::marginal;
  return beyond < 0 ? Decay::stable : Decay::unstable;
}

Stability stability(const StabilityPolynomial& method, const TestEquation& e, double step) {
  Stability result{step, {}};
  for (const Complex& s : e.roots())
    for (const Complex& z : method.roots(step * s)) result.roots.push_back({s, z});
  std::ranges::stable_sort(result.roots, std::greater(), [](const DiscreteRoot& r) { return size_of(r.z); });
  return result;
}

double largest_step(const StabilityPolynomial& method, const TestEquation& e) {
  const std::array<Complex, 2> s = e.roots();
  const double scale = std::max(std::abs(s[0]), std::abs(s[1]));
  if (e.alpha < 0) return 0;
  if (scale == 0) return infinite;
  const auto grows = [&](double x) {
    return std::ranges::any_of(
        s, [&](const Complex& root) { return largest_of(method, x / scale * root) > 1 + on_the_circle; });
  };
  // Without damping a method loses stability at once or well away from 0; small steps are lost in rounding.
  if (e.alpha == 0 && grows(stride)) return 0;
  return first_growth(grows) / scale;
}

Extent stability_extent(const StabilityPolynomial& method) {
  constexpr int rays = 180;
  Extent extent;
  for (int k = 0; k <= rays; ++k) {
    const Complex direction = std::polar(1.0, std::numbers::pi / 2 * (1 + double(k) / rays));
    const double border =
        first_growth([&](double r) { return largest_of(method, r * direction) > 1 + on_the_circle; });
    if (border == infinite) return near_origin;
    extent.alpha_h = std::max(extent.alpha_h, -border * direction.real());
    extent.beta2_h2 = std::max(extent.beta2_h2, border * border);
  }
  return extent;
}
}  // namespace mubody
