#include "mubody/precompute/tables/cell_polynomial.h"

#include <cmath>
#include <map>
#include <numbers>

#include <Eigen/LU>

namespace mubody {
namespace {
using Real = long double;
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

// The k-th of `count` points: the extremes of a Chebyshev polynomial, with the ends.
double extreme(int k, int count) { return -std::cos(std::numbers::pi * k / (count - 1)); }

// A datum along one of several arguments: a value or a slope at an end, or a value between.
struct Kind {
  double at;
  bool slope;
  double instead;  // the point whose value takes the place of a slope
};

std::vector<Kind> kinds(int degree) {
  std::vector<Kind> all{{-1, false, -1},
                        {1, false, 1},
                        {-1, true, extreme(1, degree + 1)},
                        {1, true, extreme(degree - 1, degree + 1)}};
  for (int k = 2; k + 1 < degree; ++k) {
    const double x = extreme(k, degree + 1);
    all.push_back({x, false, x});
  }
  return all;
}

Real power(double x, int k) { return k == 0 ? 1 : std::pow(Real(x), k); }

// With one argument, the data are the values at the ends, then slopes at d points.  The integral of the
// polynomial of degree d − 1 through the slopes misses the value at the far end by ε.  So ε 3/4 (1 − s²) is
// added to it, which has the integral ε and changes no slope at the ends.
Matrix from_slopes(int degree) {
  Matrix A(degree, degree);
  for (int r = 0; r < degree; ++r)
    for (int c = 0; c < degree; ++c) A(r, c) = power(extreme(r, degree), c);
  const Matrix slope = Eigen::PartialPivLU<Matrix>(A).inverse();  // coefficients of the slope
  Matrix T = Matrix::Zero(degree + 1, degree + 2);
  const auto integrate = [&](auto&& coefficients, int column, Real& whole) {
    Real at_start = 0;
    whole = 0;
    for (int k = 0; k < degree; ++k) {
      const Real c = coefficients(k) / (k + 1);
      T(k + 1, column) += c;
      at_start += c * power(-1, k + 1);
      whole += c * (1 - power(-1, k + 1));
    }
    T(0, column) -= at_start;
  };
  Eigen::Matrix<Real, Eigen::Dynamic, 1> missed(degree + 2);  // ε per datum
  missed[0] = -1, missed[1] = 1;
  T(0, 0) = 1;
  for (int k = 0; k < degree; ++k) {
    Real whole = 0;
    integrate(slope.col(k), k + 2, whole);
    missed[k + 2] = -whole;
  }
  const Real half[] = {Real(1) / 2, Real(3) / 4, 0,
                       -Real(1) / 4};  // coefficients of the integral of 3/4 (1 − s²)
  for (int column = 0; column < degree + 2; ++column)
    for (int k = 0; k < 4; ++k) T(k, column) += half[k] * missed[column];
  return T;
}

// Points midway between the data along one argument.
std::vector<double> between(int degree) {
  std::vector<double> all;
  for (int k = 0; k < degree; ++k) all.push_back(-std::cos(std::numbers::pi * (k + 0.5) / degree));
  return all;
}

// For each argument, points midway between the data along it, with points of the data in the others.
std::vector<std::vector<VecX>> checks_along(int n, int degree) {
  std::vector<std::vector<VecX>> all(static_cast<std::size_t>(n));
  const double others[] = {-1, extreme(degree / 2, degree + 1)};
  for (int a = 0; a < n; ++a)
    for (int combination = 0; combination < (1 << (n - 1)); ++combination)
      for (const double s : between(degree)) {
        VecX x(n);
        for (int b = 0, bit = 0; b < n; ++b) x[b] = b == a ? s : others[(combination >> bit++) & 1];
        all[std::size_t(a)].push_back(x);
      }
  return all;
}

// Points midway between the data in all arguments.
std::vector<VecX> checks_within(int n, int degree) {
  const std::vector<double> midway = between(degree);
  const double few[] = {midway.front(), midway[std::size_t(degree / 2)], midway[std::size_t(degree / 4)],
                        midway[std::size_t(3 * degree / 4)], midway.back()};
  const int each = n == 1 ? 5 : n == 2 ? 3 : 2;
  int count = 1;
  for (int a = 0; a < n; ++a) count *= each;
  std::vector<VecX> all;
  for (int k = 0; k < count; ++k) {
    VecX x(n);
    for (int a = 0, rest = k; a < n; ++a, rest /= each) x[a] = few[std::size_t(rest % each)];
    all.push_back(x);
  }
  return all;
}
}  // namespace

CellPolynomial::CellPolynomial(int arguments, int degree) : n_(arguments), degree_(degree) {
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
  if (n_ == 1) {
    use_ = {{point(VecX::Constant(1, -1)), -1}, {point(VecX::Constant(1, 1)), -1}};
    for (int k = 0; k < degree; ++k) use_.push_back({point(VecX::Constant(1, extreme(k, degree))), 0});
    T_ = from_slopes(degree);
  } else {
    T_ = Eigen::PartialPivLU<Matrix>(A).inverse();
  }
  T_values_ = Eigen::PartialPivLU<Matrix>(A_values).inverse();
  checks_ = checks_along(n_, degree);
  all_checks_ = checks_within(n_, degree);
}

MatX CellPolynomial::fit(bool slopes, const MatX& f, bool roughly) const {
  if (roughly && n_ > 2) {
    MatX& T = slopes ? rough_ : rough_values_;
    if (T.size() == 0) T = (slopes ? T_ : T_values_).cast<double>();
    return T * f;
  }
  return ((slopes ? T_ : T_values_) * f.cast<long double>()).cast<double>();
}
}  // namespace mubody
