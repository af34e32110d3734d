#pragma once
// A measured force: components and, if it moves, its point of application are given over time.  A force plate
// under a foot gives such a series: its point is known in global axes.
//
//   MUBODYNA manual, section (o): natural cubic splines through all rows   docs/theory/forces.md#time_series
#include "mubody/forces/force.h"
#include "mubody/functions/spline.h"

namespace mubody {
struct TimeSeries {
  static constexpr Info info{"time_series",
                             "a measured force over time, at a global or local point that may move"};
  Marker i, j;
  Data data;
  Choice point{{"marker", "global", "local"}};
  Choice ends{{"natural", "not-a-knot"}};

  void fields(Fields& f) {
    f.required("j", j, "m", "the body, and the point on it if the series gives none");
    f.required("data", data, "s, N, N[, m, m]",
               "rows of time, fx, fy and, unless point = \"marker\", x, y of the point");
    f.optional("point", point, "", "the marker, or the last columns of the series in global or in body axes");
    f.optional("ends", ends, "", "end condition of the cubic splines");
  }
  void check() const {
    const std::size_t wanted = point.index == 0 ? 3 : 5;
    require(data.columns.size() == wanted, "data",
            "needs " + std::to_string(wanted) + " columns, has " + std::to_string(data.columns.size()));
  }
  void start(const Pose&, const Pose&) {
    for (std::size_t k = 1; k < data.columns.size(); ++k) {
      Spline s;
      s.data = data;
      s.column = int(k);
      s.ends.index = ends.index == 0 ? 0 : 2;
      curves[k - 1] = Function(std::move(s));
    }
  }

  template <class F, class G, class N, class S> void apply(const F&, const G& j, const N& now, S& sink) const {
    static_assert(F::dim == 2, "a series in the plane has two components");
    const Vec<2> force(curves[0](now.t).x, curves[1](now.t).x);
    const auto o = j.o();
    Vec<2> to = Vec<2>::Zero();  // from the marker to the point, global
    if (point.index > 0) {
      const Vec<2> given(curves[2](now.t).x, curves[3](now.t).x);
      const Vec<2> local = j.mount.axes.transpose() * (given - j.mount.at);  // body axes, seen from the marker
      to = point.index == 1 ? Vec<2>(given - o.x) : Vec<2>(local[0] * j.x().x + local[1] * j.y().x);
    }
    const double moment = to.x() * force.y() - to.y() * force.x();
    sink.push(j, force, Vec<1>(moment));
    sink.supplies([&] { return force.dot(o.v) + moment * j.angle().v; });
    sink.reports("fx", "N", force[0]);
    sink.reports("fy", "N", force[1]);
    sink.reports("x", "m", (o.x + to)[0]);
    sink.reports("y", "m", (o.x + to)[1]);
  }

  std::array<Function, 4> curves;  // made by start()
};
}  // namespace mubody
