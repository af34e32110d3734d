#pragma once
// Tyre on a road: a vertical spring and damper between the centre of a wheel and the road below it; it pushes but
// never pulls.
//
//   Marques, Souto & Flores (2017), sec. 4, eq. 55 (suspension over a bump)   docs/theory/forces.md#tyre
//
//   ξ = x_i·(o_j − o_i) + v t        where on the road the wheel is; the road may run under a standing vehicle
//   h = up·(o_j − o_i)               its height above the frame of the road; up is z of i, in the plane y
//   c = R + z(ξ) + s − h             compression; s is a height that a signal gives, as a test rig does
//   F = k c + d ċ  along up, as long as c > 0 and F > 0
//
// A road that a signal moves is a machine: all power is counted as brought in by it.  Where the road bends is known beforehand for
// a wheel that stands, and near enough for one that moves a little: steps end there.
#include <limits>

#include "mubody/forces/bases/passed.h"
#include "mubody/forces/force.h"

namespace mubody {
struct Tyre {
  static constexpr Info info{"tyre", "a wheel on a road profile: a vertical spring that never pulls", "tire"};
  static constexpr bool pushes_only = true;
  Marker i, j;
  double stiffness = 0, damping = 0, radius = 0, speed = 0;
  Function profile;
  Signal height, height_rate{std::numeric_limits<double>::quiet_NaN()};  // no number: not given
  bool moved = false;              // the height is not constant; set by start()
  std::array<Function, 1> curves;  // the road under a wheel that stands, over time; set by start()

  void fields(Fields& f) {
    f.required("i", i, "m", "the frame of the road: x along it, z up (in the plane y)");
    f.required("j", j, "m", "the centre of the wheel");
    f.required("radius", radius, "m", "of the unloaded wheel");
    f.required("stiffness", stiffness, "N/m", "k");
    f.optional("damping", damping, "N s/m", "d");
    f.optional("speed", speed, "m/s", "at which the road runs towards -x under the wheel");
    f.curve("profile", profile, "m", "m", "height of the road, a function of the way x along it");
    f.optional("height", height, "m", "what is added to it: a formula, a signal, an input");
    f.optional("height_rate", height_rate, "m/s", "its rate, for the damping; a formula of time needs none",
               "of time");
  }
  // The wheel rolls along x of the road.
  void draw(Sketch& s) const {
    s.disc(Sketch::End::j, radius, true);
    if (s.dim == 3) s.parts.back().axis = {Sketch::End::i, 1};
    Sketch::Arrow& a = s.dim == 2 ? s.force({"", "force"}) : s.force({"", "", "force"});
    a.axes = Sketch::End::i, a.below = radius;
  }
  void check() const {
    require(radius > 0, "radius", "must be positive");
    require(stiffness > 0, "stiffness", "must be positive");
    require(damping >= 0, "damping", "must not be negative");
    require(damping == 0 || !height.depends_on_state() || has_rate(), "height_rate",
            "is missing: 'damping' needs the rate of a height that follows signals or the state");
  }
  void start(const Pose& i, const Pose& j) {
    moved = varies(height) || has_rate();
    const double way = (i.turn * Vec<3>::UnitX()).dot(j.at - i.at);
    if (speed != 0 && profile.varies()) curves[0] = passed(profile, way, speed);
  }

  std::optional<ScalarForm> scalars(int D) const {
    if (moved || height.function_of_time()(0).x != 0) return {};
    ScalarForm f{{{Measure::coordinate, i, j, D - 1}, {Measure::coordinate, i, j, 0}}, 1};
    f.acts_by([own = *this]<class R>(const R* x, const R* v, const R& t, R* F) {
      F[0] = own.push(own.squeeze(x, v, t));
    });
    if (damping != 0)
      f.lost = [own = *this](const double* x, const double* v, double t) {
        const Squeeze<double> s = own.squeeze(x, v, t);
        return (own.push(s) - own.stiffness * std::max(0.0, s.compression)) * s.rate;
      };
    return f;
  }
  template <class F, class G, class N, class S>
  void apply(const F& i, const G& j, const N& now, S& sink) const {
    const auto d = j.o() - i.o();
    const auto way = dot(i.x(), d), h = dot(i.template axis<F::dim - 1>(), d);
    using R = typename F::Real;
    const auto road = profile(way.x + speed * now.t);  // derivatives by the way, not by time
    const R lift = now(height), surface = road.x + lift;
    const R rise = road.v * (way.v + speed) + (moved ? lift_rate(now) : R(0));
    const R compression = radius + surface - h.x, rate = rise - h.v;
    const auto is_pressed = compression > R(0);
    const R elastic = choose(is_pressed, stiffness * compression, R(0));
    const R force = push(Squeeze<R>{compression, rate});
    sink.along(h, force);
    // The road lifts the tyre's foot: it brings in F times the speed of its rise.
    sink.stores([&] { return moved ? R(0) : 0.5 * elastic * larger_of(R(0), compression); });
    sink.supplies([&] { return force * (moved ? R(h.v) : rise); });
    sink.dissipates([&] { return moved ? R(0) : (force - elastic) * rate; });
    sink.reports("force", "N", force);
    sink.reports("compression", "m", compression);
    sink.reports("road", "m", surface);
  }

 private:
  /// The compression and its rate, of what the form in scalars sees: height and way.
  template <class R> struct Squeeze { R compression, rate; };
  template <class R> Squeeze<R> squeeze(const R* x, const R* v, const R& t) const {
    const JetOf<R> road = profile(x[1] + speed * t);
    return {radius + road.x - x[0], road.v * (v[1] + speed) - v[0]};
  }
  template <class R> R push(const Squeeze<R>& s) const {
    const R force = stiffness * s.compression + damping * s.rate;
    return choose(s.compression > R(0), larger_of(R(0), force), R(0));
  }
  static bool varies(const Signal& s) { return s.depends_on_state() || s.depends_on_time() || s.is_input(); }
  bool has_rate() const { return varies(height_rate) || std::isfinite(height_rate.function_of_time()(0).x); }
  template <class N> auto lift_rate(const N& now) const {
    return varies(height_rate) || height.depends_on_state() ? now(height_rate)
                                                            : height.function_of_time()(now.t).v;
  }
};
}  // namespace mubody
