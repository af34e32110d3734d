#pragma once
// Heights over a grid of x and y, joined so that height and slopes are continuous.
//
//   docs/theory/tyres.md#roads
//
// In every cell a polynomial of third degree in x and in y takes the heights, the slopes and the twist of its four corners
// (bicubic Hermite interpolation).  The slopes at a point are those of the parabola through it and its neighbours; at an edge,
// of the straight line to the next point.  Beyond the edges the height stays as it is there.
#include <array>
#include <vector>

#include "mubody/math/knots.h"
#include "mubody/recording/recorded.h"

namespace mubody {
/// The height of a surface and its slopes.
template <class R> struct HeightAt { R z = 0, dx = 0, dy = 0; };

class HeightGrid {
 public:
  /// From points in any order; throws FieldError for `field` unless they are all points of a grid.
  HeightGrid(const std::vector<std::vector<double>>& xyz, const char* field);

  template <class R> HeightAt<R> at(const R& x, const R& y) const {
    const R u = smaller_of(larger_of(x, R(x_.front())), R(x_.back())),
            v = smaller_of(larger_of(y, R(y_.front())), R(y_.back()));
    const auto cell = crossed(pieces_of(u, x_), pieces_of(v, y_), int(y_.size()) - 1);
    const auto number = [&](int k) { return R(cell(cells_, columns, k)); };
    const R s = (u - number(0)) * number(2), t = (v - number(1)) * number(3);
    R z = 0, by_s = 0, by_t = 0;
    for (int k = 3; k >= 0; --k) {
      const R a0 = number(4 + 4 * k), a1 = number(5 + 4 * k), a2 = number(6 + 4 * k), a3 = number(7 + 4 * k);
      by_s = by_s * s + z;
      z = z * s + a0 + t * (a1 + t * (a2 + t * a3));
      by_t = by_t * s + a1 + t * (2 * a2 + 3 * t * a3);
    }
    return {z, choose(x == u, by_s * number(2), R(0)), choose(y == v, by_t * number(3), R(0))};
  }

 private:
  static constexpr int columns = 20;  // of a cell: where it begins, one over its size, 16 coefficients

  static KnownPiece crossed(const KnownPiece& row, const KnownPiece& column, int count) {
    return {row.k * std::size_t(count) + column.k};
  }
  static Pieces crossed(const Pieces& row, const Pieces& column, int count) {
    return row.crossed(column, count);
  }

  std::vector<double> x_, y_, cells_;
};
}  // namespace mubody
