#pragma once
// Table in one dimension: the output is read off a curve through points; beyond the ends it stays at their values.
//                                                                      docs/theory/signals.md#tables
#include "mubody/math/interpolant.h"
#include "mubody/math/jet_math.h"
#include "mubody/model/table.h"
#include "mubody/signals/block.h"

namespace mubody {
struct CurveTable {
  static constexpr Info info{"table", "a curve through points, over the input", "lookup"};
  Signal input;
  Data data;
  int column = 1;
  Choice interpolation{{"linear", "monotone", "spline"}};

  void fields(Fields& f) {
    f.required("input", input, "", "where the curve is read");
    f.required("data", data, "", "rows of input and output; inputs must increase");
    f.optional("column", column, "1", "column of the outputs, column 0 being the inputs");
    f.optional("interpolation", interpolation, "",
               "linear: straight from point to point; monotone: never beyond the data; spline: smoothest");
  }
  void check() {
    const auto [x, y] = points_of(data, column, "inputs");
    first = x.front(), last = x.back();
    constexpr Interpolant::By by[] = {Interpolant::By::linear, Interpolant::By::monotone,
                                      Interpolant::By::spline};
    curve = Interpolant(by[interpolation.index], x, y);
  }
  bool direct(bool) const { return true; }
  template <class R> R output(const BlockInputOf<R>& in, const R*, CornersOf<R>) const {
    return curve.at(smaller_of(larger_of(in.u, R(first)), R(last))).x;
  }

 private:
  Interpolant curve;
  double first = 0, last = 0;
};
}  // namespace mubody
