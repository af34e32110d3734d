#pragma once
// Table in two dimensions: bilinear between the points of a grid; beyond its edges the output stays as there.
//                                                                      docs/theory/signals.md#tables
#include <algorithm>

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
  double output(const BlockInput& in, const double*, Corners) const {
    const Cell r = cell(rows, in.u), c = cell(columns, in.v);
    const auto at = [&](std::size_t i, std::size_t j) { return values[i * columns.size() + j]; };
    const double low = at(r.k, c.k) + c.share * (at(r.k, c.k + 1) - at(r.k, c.k)),
                 high = at(r.k + 1, c.k) + c.share * (at(r.k + 1, c.k + 1) - at(r.k + 1, c.k));
    return low + r.share * (high - low);
  }

 private:
  struct Cell {
    std::size_t k;
    double share;
  };
  static Cell cell(const std::vector<double>& x, double at) {
    const auto above = std::upper_bound(x.begin() + 1, x.end() - 1, at);
    const auto k = std::size_t(above - x.begin()) - 1;
    return {k, std::clamp((at - x[k]) / (x[k + 1] - x[k]), 0.0, 1.0)};
  }
};
}  // namespace mubody
