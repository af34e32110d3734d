#pragma once
// Shared by curves through given points: the check of the points, the search for the interval of x, and the cubic there.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <vector>

#include "mubody/math/jet.h"
#include "mubody/math/real.h"

namespace mubody {
/// Throws std::invalid_argument unless there are at least two points with strictly increasing x.
inline void check_knots(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() < 2 || x.size() != y.size()) throw std::invalid_argument("a curve needs two points or more");
  // Written so that a NaN is refused as well.
  const auto bad = std::adjacent_find(x.begin(), x.end(), std::not_fn(std::less<double>{}));
  if (bad != x.end()) throw std::invalid_argument("the knots of a curve must increase");
}

/// k such that x lies between knots k and k + 1; the first or last interval when x lies outside.
inline std::size_t interval(const std::vector<double>& knots, double x) {
  const auto after = std::upper_bound(knots.begin() + 1, knots.end() - 1, x);
  return static_cast<std::size_t>(after - knots.begin()) - 1;
}

/// The interval of a number that is known.
struct KnownPiece {
  std::size_t k;
  double operator()(const std::vector<double>& rows, int columns, int column) const {
    return rows[k * std::size_t(columns) + std::size_t(column)];
  }
};
/// The interval of x, which numbers without a value look up in tables; see recording/recorded.h.
inline KnownPiece pieces_of(double x, const std::vector<double>& knots) { return {interval(knots, x)}; }

/// A piece of a curve: a cubic in powers of x less the place where it begins.
template <class R> struct CubicOf {
  R begin, c0, c1, c2, c3;

  /// Value, first and second derivative.
  JetOf<R> at(const R& x) const {
    const R s = x - begin;
    return {c0 + s * (c1 + s * (c2 + s * c3)), c1 + s * (2 * c2 + s * 3 * c3), 2 * c2 + 6 * c3 * s};
  }
  /// The same of a straight line.
  JetOf<R> line_at(const R& x) const { return {c0 + c1 * (x - begin), c1, 0}; }
  /// The integral from where it begins to x.
  R integral(const R& x) const {
    const R s = x - begin;
    return s * (c0 + s * (c1 / 2 + s * (c2 / 3 + s * c3 / 4)));
  }
};
using Cubic = CubicOf<double>;

/// The cubic there, of those that `piece(k)` gives from knot k to the next.
template <class F> Cubic cubic_of(const KnownPiece& at, std::size_t, const F& piece) { return piece(at.k); }
template <class At, class F> auto cubic_of(const At& at, std::size_t pieces, const F& piece) {
  constexpr int columns = 5;
  std::vector<double> rows;
  for (std::size_t k = 0; k < pieces; ++k) {
    const Cubic c = piece(k);
    rows.insert(rows.end(), {c.begin, c.c0, c.c1, c.c2, c.c3});
  }
  const auto number = [&](int column) { return at(rows, columns, column); };
  return CubicOf<decltype(number(0))>{number(0), number(1), number(2), number(3), number(4)};
}

/// x less whole periods from the first knot to the last; rounding may put it a little outside, where the end pieces serve
/// as well.
template <class R> R into_period(const std::vector<double>& knots, const R& x) {
  const double period = knots.back() - knots.front();
  return x - period * floor((x - knots.front()) / period);
}
}  // namespace mubody
