#include "mubody/precompute/tables/table.h"

#include <algorithm>

namespace mubody {
LookupTable::LookupTable(std::vector<int> arguments, std::vector<Axis> axes, int degree, int quantities,
                         std::vector<double> coefficients)
    : arguments_(std::move(arguments)), axes_(std::move(axes)), degree_(degree), quantities_(quantities),
      stride_(std::size_t(quantities)), coefficients_(std::move(coefficients)) {
  for (std::size_t a = 0; a < axes_.size(); ++a) stride_ *= std::size_t(degree + 1);
}

std::size_t LookupTable::cells() const {
  std::size_t all = 1;
  for (const Axis& a : axes_) all *= std::size_t(a.cells());
  return all;
}

long LookupTable::operations() const {
  long all = 0, rows = long(stride_), slopes = 0;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    rows /= degree_ + 1;
    // The value, its slope along this argument, and the slopes along those before.
    all += rows * degree_ * (2 + slopes) + 2;
    ++slopes;
  }
  return all;
}

std::size_t LookupTable::scratch() const {
  return axes_.size() < 2 ? 0 : 2 * (axes_.size() + 1) * (stride_ / std::size_t(degree_ + 1));
}

namespace {
// With one argument, quantities are evaluated in the inner loop, which the processor does side by side.
template <int degree>
void along_one(const double* c, std::size_t nq, double x, double scale, double* values, double* slopes) {
  for (std::size_t q = 0; q < nq; ++q) {
    double v = c[degree * nq + q], w = 0;
    for (int k = degree - 1; k >= 0; --k) {
      w = w * x + v;
      v = v * x + c[std::size_t(k) * nq + q];
    }
    values[q] = v;
    slopes[q] = scale * w;
  }
}
}  // namespace

void LookupTable::evaluate(const double* theta, double* values, double* slopes, double* scratch) const {
  const auto n = axes_.size();
  const auto nq = std::size_t(quantities_);
  const auto d = std::size_t(degree_);
  std::size_t cell = 0;
  double s[8], scale[8];
  for (std::size_t a = 0; a < n; ++a) {
    const Axis::At at = axes_[a].locate(theta[arguments_[a]]);
    cell = cell * std::size_t(axes_[a].cells()) + std::size_t(at.cell);
    s[a] = at.s;
    scale[a] = at.slope;
  }
  const double* c = coefficients_.data() + cell * stride_;
  if (slopes) std::fill(slopes + n * nq, slopes + arguments_.size() * nq, 0.0);
  if (n == 0) {
    for (std::size_t q = 0; q < nq; ++q) values[q] = c[q];
    return;
  }
  // Horner's scheme in one argument: `rows` blocks of d + 1 times nq become blocks of nq.
  const auto contract = [&](const double* in, std::size_t rows, double x, double* value, double* slope) {
    for (std::size_t r = 0; r < rows; ++r, in += (d + 1) * nq) {
      double *const v = value + r * nq, *const w = slope ? slope + r * nq : nullptr;
      for (std::size_t q = 0; q < nq; ++q) v[q] = in[d * nq + q];
      if (!w) {
        for (std::size_t k = d; k-- > 0;)
          for (std::size_t q = 0; q < nq; ++q) v[q] = v[q] * x + in[k * nq + q];
        continue;
      }
      for (std::size_t q = 0; q < nq; ++q) w[q] = 0;
      for (std::size_t k = d; k-- > 0;)
        for (std::size_t q = 0; q < nq; ++q) {
          w[q] = w[q] * x + v[q];
          v[q] = v[q] * x + in[k * nq + q];
        }
    }
  };
  if (n == 1) {
    switch (slopes ? d : 0) {
      case 3: return along_one<3>(c, nq, s[0], scale[0], values, slopes);
      case 5: return along_one<5>(c, nq, s[0], scale[0], values, slopes);
      case 7: return along_one<7>(c, nq, s[0], scale[0], values, slopes);
      case 9: return along_one<9>(c, nq, s[0], scale[0], values, slopes);
      default: contract(c, 1, s[0], values, slopes);
    }
    if (slopes)
      for (std::size_t q = 0; q < nq; ++q) slopes[q] *= scale[0];
    return;
  }
  const std::size_t size = stride_ / (d + 1);
  double* now = scratch;                    // value, then slopes along the last arguments
  double* next = scratch + (n + 1) * size;  // the same with one argument less
  std::size_t rows = size / nq;
  contract(c, rows, s[n - 1], now, slopes ? now + size : nullptr);
  for (std::size_t a = n - 1; a-- > 0;) {
    rows /= d + 1;
    contract(now, rows, s[a], next, slopes ? next + (n - a) * size : nullptr);
    if (slopes)
      for (std::size_t b = 1; b < n - a; ++b) contract(now + b * size, rows, s[a], next + b * size, nullptr);
    std::swap(now, next);
  }
  for (std::size_t q = 0; q < nq; ++q) values[q] = now[q];
  if (slopes)
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t q = 0; q < nq; ++q) slopes[a * nq + q] = scale[a] * now[(n - a) * size + q];
}
}  // namespace mubody
