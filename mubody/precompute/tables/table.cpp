#include "mubody/precompute/tables/table.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "mubody/math/inlining.h"

namespace mubody {
LookupTable::LookupTable(std::vector<int> arguments, std::vector<Axis> axes, int degree, int quantities,
                         std::vector<double> coefficients)
    : arguments_(std::move(arguments)), axes_(std::move(axes)), degree_(degree), quantities_(quantities),
      stride_(std::size_t(quantities)),
      coefficients_(std::make_shared<const std::vector<double>>(std::move(coefficients))) {
  for (std::size_t a = 0; a < axes_.size(); ++a) stride_ *= std::size_t(degree + 1);
}

LookupTable::LookupTable(std::vector<int> arguments, std::vector<Axis> axes, int degree, int quantities,
                         std::vector<double> coefficients, std::vector<int> tree)
    : LookupTable(std::move(arguments), std::move(axes), degree, quantities, std::move(coefficients)) {
  tree_ = std::move(tree);
}

LookupTable::LookupTable(const LookupTable& of, std::vector<int> arguments, std::vector<Axis> axes,
                         std::vector<double> signs, std::vector<double> flips)
    : arguments_(std::move(arguments)), axes_(std::move(axes)), degree_(of.degree_),
      quantities_(of.quantities_), stride_(of.stride_), coefficients_(of.coefficients_),
      signs_(std::move(signs)), flips_(std::move(flips)) {}

LookupTable LookupTable::unfolded() const {
  if (!mirrored()) return *this;
  const std::size_t n = axes_.size(), side = std::size_t(degree_) + 1, nq = std::size_t(quantities_);
  std::vector<double> own(coefficients_->size());
  for (std::size_t cell = 0; cell < cells(); ++cell) {
    std::size_t from = 0, rest = cell, step = 1;
    for (std::size_t a = n; a-- > 0;) {
      const auto all = std::size_t(axes_[a].cells()), at = rest % all;
      from += step * (flips_[a] < 0 ? all - 1 - at : at);
      rest /= all, step *= all;
    }
    for (std::size_t k = 0; k < stride_ / nq; ++k) {
      double sign = 1;
      std::size_t powers = k;
      for (std::size_t a = n; a-- > 0; powers /= side)
        if (flips_[a] < 0 && powers % side % 2 == 1) sign = -sign;
      for (std::size_t q = 0; q < nq; ++q)
        own[cell * stride_ + k * nq + q] = sign * signs_[q] * (*coefficients_)[from * stride_ + k * nq + q];
    }
  }
  return {arguments_, axes_, degree_, quantities_, std::move(own)};
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
// Horner's scheme in one argument: blocks of degree + 1 times nq become blocks of nq.  Quantities are in the outer loop of a
// block, whose numbers then stay in registers, and the processor does several of them side by side.
template <int degree>
MUBODY_INLINE void contract(const double* c, std::size_t blocks, std::size_t nq, double x, double* value) {
  for (std::size_t b = 0; b < blocks; ++b, c += (degree + 1) * nq, value += nq)
    for (std::size_t q = 0; q < nq; ++q) {
      double v = c[degree * nq + q];
      for (int k = degree - 1; k >= 0; --k) v = v * x + c[std::size_t(k) * nq + q];
      value[q] = v;
    }
}
/// The same with the slope, times a scale.
template <int degree>
MUBODY_INLINE void contract(const double* c, std::size_t blocks, std::size_t nq, double x, double scale,
                            double* value, double* slope) {
  for (std::size_t b = 0; b < blocks; ++b, c += (degree + 1) * nq, value += nq, slope += nq)
    for (std::size_t q = 0; q < nq; ++q) {
      double v = c[degree * nq + q], w = 0;
      for (int k = degree - 1; k >= 0; --k) {
        w = w * x + v;
        v = v * x + c[std::size_t(k) * nq + q];
      }
      value[q] = v;
      slope[q] = scale * w;
    }
}

/// A cell, and where in it.
struct Spot {
  const double* coefficients;
  std::size_t arguments, quantities, stride;
  double s[8], scale[8];  // by argument
};

template <int degree>
MUBODY_INLINE void evaluate_at(const Spot& at, double* values, double* slopes, double* scratch) {
  const std::size_t n = at.arguments, nq = at.quantities;
  if (n == 1) {
    if (slopes)
      contract<degree>(at.coefficients, 1, nq, at.s[0], at.scale[0], values, slopes);
    else
      contract<degree>(at.coefficients, 1, nq, at.s[0], values);
    return;
  }
  const std::size_t size = at.stride / std::size_t(degree + 1);
  double* now = scratch;                    // value, then slopes along the last arguments
  double* next = scratch + (n + 1) * size;  // the same with one argument less
  std::size_t blocks = size / nq;
  if (slopes)
    contract<degree>(at.coefficients, blocks, nq, at.s[n - 1], at.scale[n - 1], now, now + size);
  else
    contract<degree>(at.coefficients, blocks, nq, at.s[n - 1], now);
  for (std::size_t a = n - 1; a-- > 0;) {
    blocks /= std::size_t(degree + 1);
    if (slopes) {
      contract<degree>(now, blocks, nq, at.s[a], at.scale[a], next, next + (n - a) * size);
      for (std::size_t b = 1; b < n - a; ++b)
        contract<degree>(now + b * size, blocks, nq, at.s[a], next + b * size);
    } else {
      contract<degree>(now, blocks, nq, at.s[a], next);
    }
    std::swap(now, next);
  }
  std::copy_n(now, nq, values);
  if (slopes)
    for (std::size_t a = 0; a < n; ++a) std::copy_n(now + (n - a) * size, nq, slopes + a * nq);
}

MUBODY_CLONES void evaluate_spot(int degree, const Spot& at, double* values, double* slopes, double* scratch) {
  switch (degree) {
    case 3: return evaluate_at<3>(at, values, slopes, scratch);
    case 5: return evaluate_at<5>(at, values, slopes, scratch);
    case 7: return evaluate_at<7>(at, values, slopes, scratch);
    default: return evaluate_at<9>(at, values, slopes, scratch);
  }
}
}  // namespace

std::size_t LookupTable::roots() const {
  std::size_t all = 1;
  for (const Axis& a : axes_) all *= std::size_t(a.cells());
  return all;
}

std::size_t LookupTable::descend(std::size_t node, double* s, double* scale) const {
  if (tree_[2 * node] == absent) node = nearest_root(node, s);
  while (tree_[2 * node] >= 0) {
    const auto a = std::size_t(tree_[2 * node]), halves = std::size_t(tree_[2 * node + 1]);
    const bool wanted = s[a] >= 0, is_there = tree_[2 * (halves + (wanted ? 1 : 0))] != absent;
    const bool upper = wanted == is_there;
    s[a] = is_there ? 2 * s[a] + (upper ? -1 : 1) : upper ? -1 : 1;
    scale[a] *= 2;
    node = halves + (upper ? 1 : 0);
  }
  return node;
}

std::size_t LookupTable::nearest_root(std::size_t from, double* s) const {
  const auto way = [&](std::size_t to, auto&& along) {
    std::size_t f = from;
    for (std::size_t a = axes_.size(); a-- > 0;) {
      const auto cells = std::size_t(axes_[a].cells());
      along(a, int(to % cells) - int(f % cells));
      f /= cells, to /= cells;
    }
  };
  std::size_t best = from;
  int least = std::numeric_limits<int>::max();
  for (std::size_t node = 0; node < roots(); ++node) {
    int most = 0;
    way(node, [&](std::size_t, int steps) { most = std::max(most, std::abs(steps)); });
    if (tree_[2 * node] != absent && most < least) least = most, best = node;
  }
  way(best, [&](std::size_t a, int steps) { s[a] = steps > 0 ? -1 : steps < 0 ? 1 : s[a]; });
  return best;
}

bool LookupTable::holds(const double* theta) const {
  if (tree_.empty()) return true;
  double s[8];
  std::size_t node = 0;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    const Axis::At x = axes_[a].locate(theta[arguments_[a]]);
    node = node * std::size_t(axes_[a].cells()) + std::size_t(x.cell);
    s[a] = x.s;
  }
  while (tree_[2 * node] >= 0) {
    const auto a = std::size_t(tree_[2 * node]);
    const bool upper = s[a] >= 0;
    s[a] = 2 * s[a] + (upper ? -1 : 1);
    node = std::size_t(tree_[2 * node + 1]) + (upper ? 1 : 0);
  }
  return tree_[2 * node] == numbers_at;
}

std::vector<Axis::Cell> LookupTable::closest(const double* theta) const {
  std::vector<Axis::Cell> best;
  double least = std::numeric_limits<double>::infinity();
  const auto away = [&](const std::vector<Axis::Cell>& cell) {
    double most = 0;
    for (std::size_t a = 0; a < axes_.size(); ++a)
      most = std::max(most, (std::abs(theta[arguments_[a]] - cell[a].middle) - cell[a].half) *
                                axes_[a].density() / axes_[a].intervals());
    return most;
  };
  const std::function<void(std::size_t, std::vector<Axis::Cell>)> look = [&](std::size_t node,
                                                                             std::vector<Axis::Cell> cell) {
    const int kind = tree_[2 * node], place = tree_[2 * node + 1];
    if (kind == absent || away(cell) >= least) return;
    if (kind == numbers_at) {
      least = away(cell), best = cell;
      return;
    }
    Axis::Cell& along = cell[std::size_t(kind)];
    const double middle = along.middle;
    along.half /= 2;
    for (const int side : {0, 1}) {
      along.middle = middle + (side == 0 ? -along.half : along.half);
      look(std::size_t(place + side), cell);
    }
  };
  for (std::size_t node = 0; node < roots(); ++node) {
    std::vector<Axis::Cell> cell(axes_.size());
    std::size_t rest = node;
    for (std::size_t a = axes_.size(); a-- > 0; rest /= std::size_t(axes_[a].cells()))
      cell[a] = axes_[a].cell(int(rest % std::size_t(axes_[a].cells())));
    look(node, std::move(cell));
  }
  return best;
}

void LookupTable::evaluate(const double* theta, double* values, double* slopes, double* scratch) const {
  const auto n = axes_.size();
  const auto nq = std::size_t(quantities_);
  Spot at;
  at.arguments = n, at.quantities = nq, at.stride = stride_;
  std::size_t cell = 0;
  for (std::size_t a = 0; a < n; ++a) {
    const Axis::At x = axes_[a].locate(theta[arguments_[a]]);
    const bool flipped = !flips_.empty() && flips_[a] < 0;
    cell = cell * std::size_t(axes_[a].cells()) + std::size_t(flipped ? axes_[a].cells() - 1 - x.cell : x.cell);
    at.s[a] = flipped ? -x.s : x.s;
    at.scale[a] = flipped ? -x.slope : x.slope;
  }
  if (!tree_.empty()) {
    const std::size_t node = descend(cell, at.s, at.scale);
    cell = tree_[2 * node] == numbers_at ? std::size_t(tree_[2 * node + 1]) : 0;
  }
  at.coefficients = coefficients_->data() + cell * stride_;
  if (slopes) std::fill(slopes + n * nq, slopes + arguments_.size() * nq, 0.0);
  if (n == 0)
    std::copy_n(at.coefficients, nq, values);
  else
    evaluate_spot(degree_, at, values, slopes, scratch);
  if (!mirrored()) return;
  for (std::size_t q = 0; q < nq; ++q) values[q] *= signs_[q];
  for (std::size_t k = 0; slopes && k < n * nq; ++k) slopes[k] *= signs_[k % nq];
}
}  // namespace mubody
