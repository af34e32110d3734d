#include "mubody/precompute/hermite.h"

#include <cmath>
#include <map>
#include <numbers>

#include <Eigen/LU>

namespace mubody {
namespace {
using Real = long double;
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

// Points between the ends: the inner extremes of a Chebyshev polynomial, those that stand for slopes last.
std::vector<double> inner_points(int degree) {
  std::vector<double> all, last;
  for (int k = 1; k < degree; ++k) {
    const double x = -std::cos(std::numbers::pi * k / degree);
    (k == 1 || k == degree - 1 ? last : all).push_back(x);
  }
  all.insert(all.end(), last.begin(), last.end());
  return all;
}

// What a kind of datum along one argument is: two ends, two slopes, inner points.
struct Kind {
  double at;
  bool slope;
  double instead;  // where the value is taken in place of a slope
};

std::vector<Kind> kinds(int degree) {
  const std::vector<double> inner = inner_points(degree);
  std::vector<Kind> all{
      {-1, false, -1}, {1, false, 1}, {-1, true, inner[inner.size() - 2]}, {1, true, inner[inner.size() - 1]}};
  for (std::size_t k = 0; k + 2 < inner.size(); ++k) all.push_back({inner[k], false, inner[k]});
  return all;
}

Real power(double x, int k) { return k == 0 ? 1 : std::pow(Real(x), k); }
}  // namespace

Hermite::Hermite(int arguments, int degree) : n_(arguments), degree_(degree) {
  const std::vector<Kind> kind = kinds(degree);
  const int side = degree + 1;
  int count = 1;
  for (int a = 0; a < n_; ++a) count *= side;
  std::map<std::vector<double>, int> known;
  const auto point = [&](const VecX& x) {
    const auto [at, fresh] = known.try_emplace(std::vector<double>(x.begin(), x.end()), int(points_.size()));
    if (fresh) points_.push_back(x);
    return at->second;
  };
  const auto digits = [&](int k) {
    std::vector<int> d(static_cast<std::size_t>(n_));
    for (int a = n_ - 1; a >= 0; --a) d[std::size_t(a)] = k % side, k /= side;
    return d;
  };
  Matrix A(count, count), A_values(count, count);
  const auto row = [&](Matrix& to, int at, const VecX& x, int slope) {
    for (int c = 0; c < count; ++c) {
      const std::vector<int> p = digits(c);
      Real product = 1;
      for (int a = 0; a < n_; ++a) {
        const int k = p[std::size_t(a)];
        product *= a != slope ? power(x[a], k) : k == 0 ? Real(0) : k * power(x[a], k - 1);
      }
      to(at, c) = product;
    }
  };
  for (int k = 0; k < count; ++k) {
    const std::vector<int> d = digits(k);
    int slopes = 0, slope = -1;
    for (int a = 0; a < n_; ++a)
      if (kind[std::size_t(d[std::size_t(a)])].slope) ++slopes, slope = a;
    VecX x(n_), values(n_);
    for (int a = 0; a < n_; ++a) {
      const Kind& one = kind[std::size_t(d[std::size_t(a)])];
      values[a] = one.instead;
      x[a] = slopes > 1 ? one.instead : one.at;
    }
    if (slopes != 1) slope = -1;
    use_.push_back({point(x), slope});
    use_values_.push_back({point(values), -1});
    row(A, k, x, slope);
    row(A_values, k, values, -1);
  }
  T_ = Eigen::PartialPivLU<Matrix>(A).inverse().cast<double>();
  T_values_ = Eigen::PartialPivLU<Matrix>(A_values).inverse().cast<double>();

  // Midway between data along one argument, at points of the data in the others; and midway in all.
  std::vector<double> nodes, between;
  for (int k = 0; k <= degree; ++k) nodes.push_back(-std::cos(std::numbers::pi * k / degree));
  for (int k = 0; k < degree; ++k) between.push_back(-std::cos(std::numbers::pi * (k + 0.5) / degree));
  checks_.resize(std::size_t(n_));
  const double others[] = {-1, nodes[std::size_t(degree / 2)]};
  for (int a = 0; a < n_; ++a)
    for (int combination = 0; combination < (1 << (n_ - 1)); ++combination)
      for (const double s : between) {
        VecX x(n_);
        for (int b = 0, bit = 0; b < n_; ++b) x[b] = b == a ? s : others[(combination >> bit++) & 1];
        checks_[std::size_t(a)].push_back(x);
      }
  const double few[] = {between.front(), between[std::size_t(degree / 2)], between[std::size_t(degree / 4)],
                        between[std::size_t(3 * degree / 4)], between.back()};
  const int each = n_ == 1 ? 5 : n_ == 2 ? 3 : 2;
  int number = 1;
  for (int a = 0; a < n_; ++a) number *= each;
  for (int k = 0; k < number; ++k) {
    VecX x(n_);
    for (int a = 0, rest = k; a < n_; ++a, rest /= each) x[a] = few[std::size_t(rest % each)];
    all_checks_.push_back(x);
  }
}
}  // namespace mubody
