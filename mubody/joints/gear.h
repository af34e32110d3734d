#pragma once
// Gear pair: two round bodies roll on each other without slip.  Their centres are held by other joints, on
// the ground or on a carrier that turns.
//
//   docs/theory/joints.md#gear
//
//   Φ = R · [(r_i φ_i + r_j φ_j − c) / R − ψ] brought to (−π, π],     R = r_i + r_j
//
// ψ is the direction of the line of centres, from i to j.  At the point of contact both bodies have the same
// velocity along the tangent: r_i ω_i + r_j ω_j = (r_i + r_j) ψ̇, and Φ is its integral.  A ring gear has a
// negative radius.  Since φ_i and φ_j count turns and Φ is near zero, the turns of ψ need no memory.
#include "mubody/joints/joint.h"

namespace mubody {
struct Gear {
  static constexpr Info info{"gear", "two round bodies roll on each other without slip"};
  static constexpr Use use = Use::joint;
  static constexpr int forbids(int) { return 1; }
  static constexpr int allows(int D) { return D == 2 ? 2 : 5; }
  Marker i, j;
  double radius_i = 0, radius_j = 0;
  double phase = 0;  // c, from the start

  void fields(Fields& f) {
    f.required("i", i, "m", "centre of the first gear");
    f.required("j", j, "m", "centre of the second gear");
    f.required("radius_i", radius_i, "m", "of the first pitch circle; negative for a ring gear");
    f.required("radius_j", radius_j, "m", "of the second pitch circle; negative for a ring gear");
  }
  void check() const {
    require(radius_i != 0, "radius_i", "must not be zero");
    require(radius_j != 0, "radius_j", "must not be zero");
    require(radius_i + radius_j != 0, "radius_j",
            "must not be the negative of radius_i: the gears would have one centre");
  }
  void start(const Pose& i, const Pose& j) {
    const Vec<3> d = j.at - i.at;
    require(d.head<2>().norm() > 1e-12 * (1 + i.at.norm()), "j",
            "the centres of the gears coincide at the start");
    const double wanted = std::abs(radius_i + radius_j), now = d.head<2>().norm();
    require(std::abs(now - wanted) < 0.02 * wanted, "radius_j",
            "the radii make a centre distance of " + std::to_string(wanted) + " m, but the centres are " +
                std::to_string(now) + " m apart at the start");
    phase = radius_i * i.angle + radius_j * j.angle - (radius_i + radius_j) * std::atan2(d.y(), d.x());
  }

  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    static_assert(has_angle<F>, "gears need angles that count turns");
    const double R = radius_i + radius_j;
    const auto d = j.o() - i.o();
    const auto psi =
        atan2(dot(d, Vec<F::dim>(Vec<F::dim>::Unit(1))), dot(d, Vec<F::dim>(Vec<F::dim>::Unit(0))));
    eq.zero(R * wrapped((radius_i / R) * i.angle() + (radius_j / R) * j.angle() - phase / R - psi));
  }
  template <class F, class G, class R> void measure(const F& i, const G& j, R& report) const {
    report("angle", "rad", angle_between(i, j));
  }
};
}  // namespace mubody
