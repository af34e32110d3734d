#pragma once
// Table in two dimensions: bilinear between the points of a grid; beyond its edges the output stays as there.
//                                                                      docs/theory/signals.md#tables
#include <algorithm>

#include "mubody/math/knots.h"
#include "mubody/signals/block.h"

namespace mubody {
struct MapTable {
  static constexpr Info info{"table_2d", "bilinear between the points of a grid over two inputs", "map"};
  Signal input, other;
  std::vector<double> rows, columns, values;

  void fields(Fields& f) {
    f.required("input", input, "", "where along the rows");
    f.required("across", other, "", "where along the columns");
    f.required("rows", rows, "1", "inputs of the rows, increasing");
    f.required("columns", columns, "1", "inputs of the columns, increasing");
    f.required("values", values, "1", "outputs, one array for each row");
  }
  void check() const {
    const auto increase = [](const std::vector<double>& all) {
      for (std::size_t k = 0; k < all.size(); ++k)
        if (!std::isfinite(all[k]) || (k > 0 && all[k] <= all[k - 1])) return false;
      return all.size() >= 2;
    };
    require(increase(rows), "rows", "must be two numbers or more, and increase");
    require(increase(columns), "columns", "must be two numbers or more, and increase");
    require(values.size() == rows.size() * columns.size(), "values",
            "must have a number for each row and column");
    require(std::ranges::all_of(values, [](double x) { return std::isfinite(x); }), "values", "must be finite");
  }
  bool direct(bool) const { return true; }
  template <class R> R output(const BlockInputOf<R>& in, const R*, CornersOf<R>) const {
    const auto row = pieces_of(in.u, rows), column = pieces_of(in.v, columns);
    const R down = share(row, rows, in.u), across = share(column, columns, in.v);
    const auto corner = corners_of(row, column);
    const R low = corner[0] + across * (corner[1] - corner[0]),
            high = corner[2] + across * (corner[3] - corner[2]);
    return low + down * (high - low);
  }

 private:
  /// How far x is on its way from one number to the next.
  template <class At, class R> static R share(const At& at, const std::vector<double>& all, const R& x) {
    const R begin = at(all, 1, 0), end = next(at, all);
    return smaller_of(larger_of(R((x - begin) / (end - begin)), R(0)), R(1));
  }
  static double next(const KnownPiece& at, const std::vector<double>& all) { return all[at.k + 1]; }
  static Recorded next(const Pieces& at, const std::vector<double>& all) {
    return at(std::vector<double>(all.begin() + 1, all.end()), 1, 0);
  }
  /// The values at the corners of a cell.
  std::array<double, 4> corners_of(const KnownPiece& row, const KnownPiece& column) const {
    const double* first = values.data() + row.k * columns.size() + column.k;
    return {first[0], first[1], first[columns.size()], first[columns.size() + 1]};
  }
  std::array<Recorded, 4> corners_of(const Pieces& row, const Pieces& column) const {
    std::vector<double> cells;
    for (std::size_t i = 0; i + 1 < rows.size(); ++i)
      for (std::size_t j = 0; j + 1 < columns.size(); ++j)
        for (const double x : corners_of(KnownPiece{i}, KnownPiece{j})) cells.push_back(x);
    const Pieces cell = row.crossed(column, int(columns.size()) - 1);
    return {cell(cells, 4, 0), cell(cells, 4, 1), cell(cells, 4, 2), cell(cells, 4, 3)};
  }
};
}  // namespace mubody
