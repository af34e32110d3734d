#pragma once
// Shared by tyres that steer and drive: a wheel of body j on a road of body i.
//
//   docs/theory/tyres.md
//
// A tyre adds its equations, all of them of any scalar:
//
//   Carcass carcass() const;                              how stiff it is between rim and contact patch
//   Sliding<R> slide(const Footprint<R>&) const;              the forces of steady slip
//   Moments<R> moments(const Footprint<R>&, Fx, Fy) const;
//   Steady<R> steady(const Footprint<R>&) const;          what both need; if there is any, they take it as well
//
// On the wheel act, at the contact point, F = N n + F_x x + F_y y; and M_x x + M_z n, and about the axle M_y − F_x (R_e − ρ), so
// that the torque of F_x about the axle is F_x R_e: with any other arm a wheel that rolls freely would gain or lose power.
#include <fmt/format.h>

#include "mubody/forces/bases/tyre_contact.h"
#include "mubody/forces/force.h"

namespace mubody {
/// Of a tyre on its wheel [N m]: overturning about x, rolling resistance about the axle, aligning about the normal.
template <class R> struct TyreMoments { R x = 0, y = 0, z = 0; };

template <class Tyre> struct TyreElement {
  static constexpr bool pushes_only = true;
  static constexpr bool sees_no_angle = true;  // that counts turns, see system/force_group.h
  static constexpr Attach attach = Attach::pin;
  static constexpr bool in(int D) { return D == 3; }
  static constexpr int states() { return 2; }
  Marker i, j;
  TyreShape shape;
  double rolling_resistance = 0, bend_time = 1e-3, still_time = 1e-2;
  std::optional<double> relaxation_x, relaxation_y;
  Road road;

  void first_fields(Fields& f) {
    f.required("i", i, "m", "the frame of the road: x along it, z up");
    f.required("j", j, "m",
               "the centre of the wheel; its z axis is the axle, to the left of a wheel that goes forward");
  }
  void shape_fields(Fields& f) {
    f.required("radius", shape.radius, "m", "of the unloaded wheel");
    f.required("stiffness", shape.stiffness, "N/m", "along the radius");
    f.optional("damping", shape.damping, "N s/m", "along the normal of the road", Usual::not_negative);
  }
  /// Of tyres without coefficients for these.
  void way_fields(Fields& f) {
    f.optional("rolling_resistance", rolling_resistance, "", "moment over load and radius",
               Usual::not_negative);
    f.optional("relaxation_x", relaxation_x, "m", "way after which the longitudinal force follows",
               "half the radius");
    f.optional("relaxation_y", relaxation_y, "m", "way after which the lateral force follows", "the radius");
  }
  void more_fields(Fields& f) {
    f.optional("bend_time", bend_time, "s", "damping of the contact patch over its stiffness");
    f.optional("still_time", still_time, "s", "what is added to it at standstill; a quarter is left at 1.7 m/s",
               Usual::not_negative);
    f.table("road", road, "its surface; a plane unless more is given");
  }
  void check_shape() const {
    require(shape.radius > 0, "radius", "must be positive");
    require(shape.stiffness > 0, "stiffness", "must be positive");
    require(shape.damping >= 0, "damping", "must not be negative");
    check_ways();
  }
  void check_ways() const {
    require(rolling_resistance >= 0, "rolling_resistance", "must not be negative");
    require(!relaxation_x || *relaxation_x > 0, "relaxation_x", "must be positive");
    require(!relaxation_y || *relaxation_y > 0, "relaxation_y", "must be positive");
    require(bend_time > 0, "bend_time", "must be positive");
    require(still_time >= 0, "still_time", "must not be negative");
  }
  void start(const Pose& i, const Pose& j) {
    const double flat = std::abs((i.turn * Vec<3>::UnitZ()).dot(j.turn * Vec<3>::UnitZ()));
    require(
        flat < 0.9999, "j",
        "the wheel lies flat on its road: give both their axes, i = {axis = [0, 0, 1]} the normal of the road, "
        "j = {axis = [0, 1, 0]} the axle");
    road.prepare();
    static_cast<Tyre&>(*this).prepare();
  }
  void prepare() {}
  std::string remark() const {
    const std::optional<double> edge = road.edge(shape.radius);
    if (!edge) return {};
    return fmt::format(
        "its road bends down more sharply than its wheel, about x = {:.4g} m: where the two meet is not found "
        "there, and short "
        "bumps are missed; round such edges to more than the radius of the wheel, {:.3g} m, or take the force "
        "'tyre'",
        *edge, shape.radius);
  }
  /// Of a tyre whose forces begin with these slopes over slip [N].
  Carcass carcass_of(double C_x, double C_y) const {
    return {{C_x / relaxation_x.value_or(shape.radius / 2), C_y / relaxation_y.value_or(shape.radius)},
            bend_time,
            still_time};
  }
  /// The moment about the axle, f N R against the spin.
  template <class R> R rolling_moment(const Footprint<R>& at) const {
    return -rolling_resistance * at.load * shape.radius * tyres::sign_of(R(at.spin * shape.radius));
  }
  void draw(Sketch& s) const {
    s.disc(Sketch::End::j, shape.radius, true);
    s.force({"fx", "fy", "fz"}).point = {"x", "y", "z"};
  }

  template <class F, class G, class N, class S>
  void apply(const F& i, const G& j, const N& now, S& sink) const {
    using R = typename F::Real;
    const auto oi = i.o();
    const auto oj = j.o();
    Rows<3, 3, R> A;  // the axes of the road
    A.col(0) = i.x().x, A.col(1) = i.y().x, A.col(2) = i.z().x;
    const Vec<3, R> d = oj.x - oi.x;
    const Action<R> a =
        act<R>({A.transpose() * d, A.transpose() * j.z().x, A.transpose() * (oj.v - oi.v - i.body.W.cross(d)),
                A.transpose() * (j.body.W - i.body.W)},
               now.own);
    const Vec<3, R> force = A * a.force, moment = A * a.moment, point = oi.x + A * a.at.point;
    sink.push(j, force, moment);
    sink.push(i, Vec<3, R>(-force), Vec<3, R>(d.cross(Vec<3, R>(-force)) - moment));
    sink.stores([&] { return a.stored; });
    sink.dissipates([&] { return a.damped; });
    sink.dissipates([&] { return a.rubbed; }, Loss::friction);
    sink.supplies([&] { return a.pulled; });
    report(a, sink);
    constexpr const char *forces[] = {"fx", "fy", "fz"}, *axes[] = {"x", "y", "z"};
    for (int k = 0; k < 3; ++k) sink.reports(forces[k], "N", force[k]);
    for (int k = 0; k < 3; ++k) sink.reports(axes[k], "m", point[k]);
  }

 private:
  /// What acts on the wheel, at its centre and in the axes of the road, and where its power goes.
  template <class R> struct Action {
    Footprint<R> at;
    std::array<R, 2> patch, bend;  // forces along and across the wheel, bends of the contact patch
    TyreMoments<R> moments;
    Vec<3, R> force, moment;
    R stored, damped, rubbed, pulled;
  };
  template <class R> Action<R> act(const Wheel<R>& wheel, const OwnStates<R>& own) const {
    const Tyre& tyre = static_cast<const Tyre&>(*this);
    Action<R> a;
    const Footprint<R>& at = a.at = shape.meet(wheel, road);
    typename Carcass::Bend<R> b;
    TyreMoments<R>& m = a.moments;
    if constexpr (requires { tyre.steady(at); }) {
      const auto steady = tyre.steady(at);
      b = tyre.carcass().bend(at, tyre.slide(at, steady), own.z);
      m = tyre.moments(at, steady, b.force[0], b.force[1]);
    } else {
      b = tyre.carcass().bend(at, tyre.slide(at), own.z);
      m = tyre.moments(at, b.force[0], b.force[1]);
    }
    for (std::size_t k = 0; k < 2; ++k) own.rate[k] = b.rate[k], a.bend[k] = own.z[k];
    a.patch = b.force;
    a.force = at.load * at.normal + b.force[0] * at.x + b.force[1] * at.y;
    a.moment = (at.point - wheel.centre).cross(a.force) + m.x * at.x + m.z * at.normal +
               (m.y + b.force[0] * (at.loaded_radius - at.rolling_radius)) * wheel.axle;
    a.stored = b.stored + at.elastic * (at.compression - 0.5 * at.elastic / shape.stiffness);
    a.damped = (at.load - at.push) * at.approach;
    const R rolled = -m.y * at.spin;
    a.rubbed = b.lost + larger_of(rolled, R(0));
    a.pulled = b.pulled + m.z * at.turn + m.x * wheel.w.dot(at.x) - smaller_of(rolled, R(0));
    return a;
  }
  template <class R, class S> static void report(const Action<R>& a, S& sink) {
    const R v = larger_of(abs(a.at.vx), R(tyres::slow));
    sink.reports("force", "N", a.at.load);
    sink.reports("longitudinal", "N", a.patch[0]);
    sink.reports("lateral", "N", a.patch[1]);
    sink.reports("aligning", "N m", a.moments.z);
    sink.reports("slip", "1", -a.at.slip[0] / v);
    sink.reports("slip_angle", "rad", atan(a.at.slip[1] / v));
    sink.reports("camber", "rad", a.at.camber);
    sink.reports("compression", "m", a.at.compression);
    sink.reports("bend_x", "m", a.bend[0]);
    sink.reports("bend_y", "m", a.bend[1]);
  }
};
}  // namespace mubody
