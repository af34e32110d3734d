#pragma once
// Force by points over the deflection, straight or smooth between them; beyond the data the end slope goes on.
#include "mubody/forces/laws/law.h"
#include "mubody/math/jet_math.h"
#include "mubody/math/piecewise_linear.h"
#include "mubody/math/spline.h"
#include "mubody/model/table.h"

namespace mubody {
struct TableLaw {
  static constexpr Info info{"table", "forces at given deflections"};
  static constexpr bool stores_energy = true;
  Data data;
  Choice interpolation{{"linear", "spline"}};

  void fields(Fields& f) {
    f.required("data", data, "", "rows of deflection and force; deflections must increase");
    f.optional("interpolation", interpolation, "", "linear: straight from point to point; spline: smooth");
  }
  void check() {
    const auto [deflections, forces] = points_of(data, 1, "deflections");
    if (smooth())
      spline = CubicSpline(deflections, forces);
    else
      lines = PiecewiseLinear(deflections, forces);
    at_zero = integral(0.0);
  }
  template <class R> R force(const DeflectionOf<R>& at) const {
    return smooth() ? spline.at(at.deflection).x : lines.value(at.deflection);
  }
  template <class R> R potential(const R& deflection) const { return integral(deflection) - at_zero; }

  bool smooth() const { return interpolation.index == 1; }
  template <class R> R integral(const R& d) const { return smooth() ? spline.integral(d) : lines.integral(d); }

  // Made by check() from the data.
  CubicSpline spline;
  PiecewiseLinear lines;
  double at_zero = 0;  // integral from the first point to zero deflection, where the potential is zero
};
}  // namespace mubody
