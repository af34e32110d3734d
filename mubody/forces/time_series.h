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
  Choice interpolation{{"spline", "monotone", "linear"}};
  Choice ends{{"natural", "not-a-knot"}};

  void fields(Fields& f) {
    f.required("j", j, "m", "the body, and the point on it if the series gives none");
    f.required("data", data, f.dim() == 2 ? "s, N, N[, m, m]" : "s, N, N, N[, m, m, m]",
               "rows of time, fx, fy (fz) and, unless point = \"marker\", x, y (z) of the point");
    f.optional("point", point, "", "the marker, or the last columns of the series in global or in body axes");
    f.optional("interpolation", interpolation, "",
               "spline: smoothest; monotone: never beyond the data; linear: straight from row to row");
    f.optional("ends", ends, "", "end condition of the cubic splines");
  }
  void draw(Sketch& s) const {
    s.point(Sketch::End::j);
    s.force({"fx", "fy", "fz"}).point = {"x", "y", s.dim == 3 ? "z" : ""};
  }
  void check(int D) const {
    const std::size_t wanted = std::size_t(point.index == 0 ? 1 + D : 1 + 2 * D);
    require(data.columns.size() == wanted, "data",
            "needs " + std::to_string(wanted) + " columns, has " + std::to_string(data.columns.size()));
  }
  void measure_from(const Vec<3>& origin) { local_origin = origin; }
  void start(const Pose&, const Pose&) {
    for (std::size_t k = 1; k < data.columns.size(); ++k) {
      Spline s;
      s.data = data;
      s.column = int(k);
      s.interpolation = interpolation;
      s.ends.index = ends.index == 0 ? 0 : 2;
      curves[k - 1] = Function(std::move(s));
    }
  }

  template <class F, class G, class N, class S> void apply(const F&, const G& j, const N& now, S& sink) const {
    constexpr int D = F::dim;
    const auto o = j.o();
    using R = typename F::Real;
    const Vec<D, R> force = read<D, R>(0, now.t);
    Vec<D, R> to = Vec<D, R>::Zero();  // from the marker to the point, global
    if (point.index > 0) {
      const Vec<D, R> given = read<D, R>(D, now.t);
      const Vec<D, R> from_marker = given + (local_origin.head<D>() - j.mount.at).template cast<R>();
      const Vec<D, R> local = j.mount.axes.transpose().template cast<R>() * from_marker;  // body axes
      to = point.index == 1 ? Vec<D, R>(given - o.x) : in_global(j, local);
    }
    Vec<spins<D>, R> moment;
    if constexpr (D == 2)
      moment = Vec<1, R>(to.x() * force.y() - to.y() * force.x());
    else
      moment = to.cross(force);
    sink.push(j, force, moment);
    sink.supplies([&] { return force.dot(o.v) + moment.dot(spin(j)); });
    constexpr const char* names[][2] = {{"fx", "x"}, {"fy", "y"}, {"fz", "z"}};
    for (int k = 0; k < D; ++k) sink.reports(names[k][0], "N", force[k]);
    for (int k = 0; k < D; ++k) sink.reports(names[k][1], "m", (o.x + to)[k]);
  }

  std::array<Function, 6> curves;        // made by start()
  Vec<3> local_origin = Vec<3>::Zero();  // of local points, seen from the centre of mass [m]

 private:
  template <int D, class R, class T> Vec<D, R> read(int first, const T& t) const {
    Vec<D, R> v;
    for (int k = 0; k < D; ++k) v[k] = curves[std::size_t(first) + std::size_t(k)](t).x;
    return v;
  }
};
}  // namespace mubody
