#pragma once
// Gear pair: two round bodies roll on each other without slip.  Their centres are held by other joints, on
// the ground or on a carrier that turns.  In space the axes, z of the markers, may be parallel or meet (bevel gears).
//
//   docs/theory/joints.md#gear
//
//   Φ = R · [(r_i φ_i + r_j φ_j − c) / R − ψ] brought to (−π, π],     R = r_i + r_j
//
// ψ is the direction of the line of centres, from i to j.  At the point of contact both bodies have the same
// velocity along the tangent: r_i ω_i + r_j ω_j = (r_i + r_j) ψ̇, and Φ is its integral.  A ring gear has a
// negative radius.  Since φ_i and φ_j count turns and Φ is near zero, the turns of ψ need no memory.
//
// In space each gear sees the point of contact P at an angle α about its own axis, and
//
//   Φ = r_i α_i + s r_j α_j       counted from the start
//
// where s = ±1 says whether the two axes, seen along the common tangent, turn the same way round.  For parallel axes P
// lies on the line of centres; where they meet, it lies in their plane at the distance r_j from the axis of gear j:
// P = o_j + r_j e,  e = κ (z_i − c z_j)/√(1 − c²),  c = z_i · z_j.  So Φ̇ is the difference of the velocities of the two
// bodies at P, along the tangent, and the tooth force acts there.
//
// Between parallel axes the teeth may be involutes that press at an angle α, and helical:
//
//   Φ + k |R| (inv α(a) − inv α_0) + tan β (z − z_0),     inv α = tan α − α,  cos α(a) = |R| cos α_0 / a
//
// a is the distance of the axes, z how far gear j is shifted along the axis of gear i at the point of contact.  k = ∓1
// says which flanks touch.  The derivative of inv α with respect to a is tan α / a, so that the tooth force leans against
// the tangent by α, and the second derivative is 1 / (a² tan α).
#include "mubody/joints/joint.h"
#include "mubody/kinematics/degree.h"

namespace mubody {
struct Gear {
  static constexpr Info info{"gear", "two round bodies roll on each other without slip", "gears gear_pair"};
  static constexpr Use use = Use::joint;
  static constexpr Attach attach = Attach::pin;
  static constexpr int forbids(int) { return 1; }
  static constexpr int allows(int D) { return D == 2 ? 2 : 5; }
  static constexpr std::string_view backlash = "gear_backlash";
  Marker i, j;
  double radius_i = 0, radius_j = 0;
  double pressure_angle = 0, helix_angle = 0;
  double phase = 0;                 // c, set by start()
  double shift = 0;                 // z_0
  double first_i = 0, first_j = 0;  // α at the start, in space
  double along_j = 0;               // P − o_i = d + along_j z_j + (something along z_i)
  double by_line = 1, by_axis = 0;  // P as gear j sees it: by_line d + by_axis z_i
  double sense = 1;                 // s

  void fields(Fields& f) {
    f.required("i", i, "m", "centre of the first gear; z is its axis");
    f.required("j", j, "m", "centre of the second gear; z is its axis");
    f.required("radius_i", radius_i, "m", "of the first pitch circle; negative for a ring gear");
    f.required("radius_j", radius_j, "m", "of the second pitch circle; negative for a ring gear");
    f.optional("pressure_angle", pressure_angle, "rad",
               "of the teeth, across the axis: positive on the flanks that touch where the first gear drives "
               "counter-clockwise, negative on the others; 0: the force is along the tangent");
    f.optional("helix_angle", helix_angle, "rad",
               "in space, between parallel axes: of the teeth of the first gear, positive if right-handed");
  }
  void draw(Sketch& s) const {
    s.disc(Sketch::End::i, radius_i);
    s.disc(Sketch::End::j, radius_j);
  }
  void check(int D) const {
    require(std::abs(pressure_angle) < 1, "pressure_angle", "must be less than 1 rad (57 deg)");
    require(std::abs(helix_angle) < 1.4, "helix_angle", "must be less than 1.4 rad (80 deg)");
    require(D == 3 || helix_angle == 0, "helix_angle", "in the plane there is no thrust along the axis");
    require(radius_i != 0, "radius_i", "must not be zero");
    require(radius_j != 0, "radius_j", "must not be zero");
    require(radius_i + radius_j != 0, "radius_j",
            "must not be the negative of radius_i: the gears would have one centre");
  }
  void start(const Pose& i, const Pose& j) {
    const Vec<3> d = j.at - i.at;
    const Vec<3> di = i.turn.conjugate() * d, dj = j.turn.conjugate() * d;
    const double least = 1e-12 * (1 + i.at.norm());
    require(d.norm() > least, "j", "the centres of the gears coincide at the start");
    require(di.head<2>().norm() > least && dj.head<2>().norm() > least, "j",
            "the centre of one gear lies on the axis of the other: they cannot touch");
    const Vec<3> zi = i.turn * Vec<3>::UnitZ(), zj = j.turn * Vec<3>::UnitZ();
    const bool parallel = zi.cross(zj).norm() < 1e-4;
    const double wanted = std::abs(radius_i + radius_j), now = (d - zi.dot(d) * zi).norm();
    require(!parallel || std::abs(now - wanted) < 0.02 * wanted, "radius_j",
            "the radii make a centre distance of " + std::to_string(wanted) + " m, but the centres are " +
                std::to_string(now) + " m apart at the start, across the axes");
    require(parallel || std::abs(zi.cross(zj).dot(d)) < 1e-3 * d.norm(), "j",
            "the axes of the gears are neither parallel nor do they meet");
    for (const auto& [angle, name] :
         {std::pair(pressure_angle, "pressure_angle"), std::pair(helix_angle, "helix_angle")})
      require(parallel || angle == 0, name, "is for gears whose axes are parallel");
    shift = zi.dot(d);
    if (!parallel) meet(zi, zj, d);
    phase = radius_i * i.angle + radius_j * j.angle - (radius_i + radius_j) * std::atan2(d.y(), d.x());
    const Vec<3> to_i = i.turn.conjugate() * (d + along_j * zj),
                 to_j = j.turn.conjugate() * (by_line * d + by_axis * zi);
    first_i = std::atan2(to_i.y(), to_i.x());
    first_j = std::atan2(to_j.y(), to_j.x());
    // Directions of the tangent, axis x arm, of the two gears at the point of contact.
    if (parallel) sense = zi.cross(d).dot(zj.cross(d)) > 0 ? 1 : -1;
  }

  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    if constexpr (has_angle<F>) {
      const auto d = j.o() - i.o();
      const double R = radius_i + radius_j;
      const auto psi = atan2(component<1>(d), component<0>(d));
      auto phi = arc(R, wrapped((radius_i / R) * i.angle() + (radius_j / R) * j.angle() - phase / R - psi));
      if (pressure_angle != 0) phi = phi + flank(length(d));
      eq.zero(phi);
    } else {
      const auto [ai, aj] = sights(i, j);
      auto phi = arc(radius_i, ai) + arc(sense * radius_j, aj);
      // Sights fall as gears turn on, so that what is added has the opposite sign here.
      if (pressure_angle != 0) {
        const auto d = j.o() - i.o();
        const auto x = dot(i.x(), d), y = dot(i.y(), d);
        phi = phi - flank(sqrt(x * x + y * y));
      }
      if (helix_angle != 0) phi = phi - std::tan(helix_angle) * (shifted(i, j) - shift);
      eq.zero(phi);
    }
  }
  // Reports the angle between the two in the plane; in space, how far each has turned from the line of centres.
  template <class F, class G, class R> void measure(const F& i, const G& j, R& report) const {
    if constexpr (has_angle<F>) {
      report("angle", "rad", angle_between(i, j));
    } else {
      const auto [ai, aj] = sights(i, j);
      report("angle_i", "rad", -1 * ai);
      report("angle_j", "rad", -1 * aj);
    }
  }

 private:
  // α_i and α_j, counted from the start.
  template <class F, class G> auto sights(const F& i, const G& j) const {
    const auto d = j.o() - i.o();
    const auto to_i = d + along_j * j.z(), to_j = by_line * d + JetOf<typename F::Real>{by_axis} * i.z();
    return std::pair(counted<1>(i, atan2(dot(i.y(), to_i), dot(i.x(), to_i)) - first_i),
                     counted<2>(j, atan2(dot(j.y(), to_j), dot(j.x(), to_j)) - first_j));
  }
  // k |R| (inv α(a) − inv α_0).  Where the axes are much too close for involutes it goes on straight.
  template <class S> S flank(const S& a) const {
    if constexpr (std::is_same_v<S, Degree>) {
      return degrees::curved(a, 1);
    } else {
      const double first = std::abs(pressure_angle), size = std::abs(radius_i + radius_j);
      const double base = size * std::cos(first), k = (radius_j > 0) == (pressure_angle > 0) ? -1 : 1;
      const auto at = larger_of(a.x, base / std::cos(first / 2)), alpha = acos(base / at);
      const auto involute = tan(alpha) - alpha - (std::tan(first) - first), slope = tan(alpha) / at;
      const auto bend = choose(a.x < at, decltype(at)(0), 1 / (at * at * tan(alpha)));
      return smooth(a, k * size * (involute + (a.x - at) * slope), k * size * slope, k * size * bend);
    }
  }
  // How far the rim of gear j at the point of contact is shifted along the axis of gear i.
  template <class F, class G> auto shifted(const F& i, const G& j) const {
    const auto d = j.o() - i.o();
    const auto z = i.z();
    const auto along = dot(j.z(), d), axial = dot(z, d);
    const auto out = sqrt(dot(d, d) - along * along);  // the line of centres within gear j
    return axial - radius_j * ((axial - along * dot(z, j.z())) * reciprocal(out));
  }
  // The point of contact of gears whose axes meet; d is the line of centres.
  void meet(const Vec<3>& zi, const Vec<3>& zj, const Vec<3>& d) {
    const double c = zi.dot(zj), s = std::sqrt(1 - c * c);
    const Vec<3> up = (zi - c * zj) / s;
    const auto missed = [&](double kappa) {
      const Vec<3> P = d + radius_j * kappa * up;
      return std::hypot(P.norm() - std::abs(radius_i), P.dot(zi));
    };
    const double kappa = missed(1) < missed(-1) ? 1 : -1;
    require(
        missed(kappa) < 0.02 * std::abs(radius_i), "radius_j",
        "the pitch cones do not meet: the rim of the second gear passes that of the first at a distance of " +
            std::to_string(missed(kappa)) + " m");
    along_j = -radius_j * kappa * c / s;
    by_line = 0, by_axis = kappa;
    const Vec<3> P = d + radius_j * kappa * up;
    sense = radius_i * zi.cross(P).dot(zj.cross(kappa * up)) > 0 ? -1 : 1;
  }
};
}  // namespace mubody
