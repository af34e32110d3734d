#pragma once
// Pinkus and Sternlicht's oil film between a journal and its bearing, for a long bearing under any motion.
//
//   docs/theory/film.md
//
//   ε = |e|/c,   W = ω − 2γ̇,   k² = (1 − ε²)((W/2ε̇)² + 1/ε²),   A = μ L R³/c²
//
//   ε̇ > 0:  F_r = −6A ε̇  /((2 + ε²)(1 − ε²)^1.5) (4kε² + (2 + ε²) π (k + 3)/(k + 3/2))
//            F_t =  6πA ε W/((2 + ε²)(1 − ε²)^0.5) (k + 3)/(k + 3/2)
//   ε̇ < 0:  F_r = −6A |ε̇|/((2 + ε²)(1 − ε²)^1.5) (4kε² − (2 + ε²) π k/(k + 3/2))
//            F_t =  6πA ε W/((2 + ε²)(1 − ε²)^0.5) k/(k + 3/2)
//
// on the journal, F_r along e, F_t a quarter turn further; ω is the spin of the journal and γ the direction of e, both
// as seen from the bearing.  Source: Pinkus & Sternlicht (1961), as used by Flores (2010).  For ε̇ < 0 the
// amount |ε̇| counts; with ε̇, as often printed, the film would feed the motion.
//
// With s = k ε|ε̇| = √((1 − ε²)((εW)²/4 + ε̇²)) both cases are one, regular for ε̇ = 0 (half Sommerfeld) and for
// ε = 0, where F = −6πA ė/c:
//
//   ρ = (s + 3ε max(ε̇, 0))/(s + 3/2 ε|ε̇|)
//   F_r = −6A/((2 + ε²)(1 − ε²)^1.5) (4εs + (2 + ε²) π ε̇ ρ),   F_t = 6πA εW ρ/((2 + ε²)(1 − ε²)^0.5)
//
// The shear of the film adds the moment M = −(2π μ L R³ ω/(c √(1 − ε²)) + F_t |e|/2) on the journal.  With it the
// film takes up the power c (−F_r ε̇ + F_t εW/2) + 2π μ L R³ ω²/(c √(1 − ε²)), which is never negative.
//
// Valid for a thin laminar film of constant viscosity in a bearing that is long beside its diameter; where the
// pressure would be negative the film breaks.  ε ≥ 1 is out of range.  Thinner than `dry_below` c the surfaces
// touch: a contact law takes over at the depth given here while the film fades out until `dry_only_below` c.  Both
// forces are continuous.
// μ viscosity [Pa s], L length [m], R radius of the journal [m], c clearance [m], forces [N].
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "mubody/contact/geometry/journal_in_bearing.h"

namespace mubody {
/// The action of a film on the journal; the opposite acts on the bearing at the same point, the journal centre.
struct FilmForce {
  Vec<2> force = Vec<2>::Zero();  // [N]
  double moment = 0;              // [N m]
  double dissipated = 0;          // [W]
  bool in_range = true;           // false: the journal is at the wall and the other values are not numbers
};

struct PinkusSternlicht {
  static constexpr Info info{"pinkus_sternlicht", "oil film in a long bearing"};

  double viscosity = 0;       // μ [Pa s]
  double length = 0;          // L [m]
  double dry_below = 0.05;    // share of the clearance
  double dry_only_below = 0;  // share of the clearance

  void fields(Fields& f) {
    f.required("viscosity", viscosity, "Pa s", "dynamic viscosity of the fluid");
    f.required("length", length, "m", "of the bearing, along its axis");
    f.optional("dry_below", dry_below, "",
               "film thickness over clearance below which the surfaces touch; 0: never");
    f.optional("dry_only_below", dry_only_below, "",
               "film thickness over clearance below which there is no film");
  }
  void check() const {
    require(std::isfinite(viscosity) && viscosity > 0, "viscosity", "must be positive");
    require(std::isfinite(length) && length > 0, "length", "must be positive");
    require(dry_below >= 0 && dry_below < 1, "dry_below", "must not be negative and less than 1");
    require(dry_only_below >= 0, "dry_only_below", "must not be negative");
    require(dry_only_below == 0 || dry_only_below < dry_below, "dry_only_below",
            "must be less than 'dry_below'");
  }

  /// Depth [m] for the contact law from the gap [m] between the smooth surfaces; positive when they touch.
  double depth(double gap, double clearance) const { return dry_below * clearance - gap; }

  /// The share of the film that is left: 1 above the band, 0 below it, with two continuous derivatives between.
  double share(double gap, double clearance) const {
    if (dry_below == 0) return 1;
    const double x = std::clamp((gap / clearance - dry_only_below) / (dry_below - dry_only_below), 0.0, 1.0);
    return x * x * x * (10 - x * (15 - 6 * x));
  }

  /// The force of the film times its share; zero below the band.
  FilmForce operator()(const JournalInBearing& pair, const Eccentricity& at) const {
    const double part = share(pair.clearance() - at.e.norm(), pair.clearance());
    if (part == 0) return {};
    FilmForce f = full(pair, at);
    if (!f.in_range && dry_below > 0) return {};  // so near the wall that nothing is left
    f.force *= part;
    f.moment *= part;
    f.dissipated *= part;
    return f;
  }

  /// The force of the whole film.
  FilmForce full(const JournalInBearing& pair, const Eccentricity& at) const {
    constexpr double pi = std::numbers::pi;
    const double c = pair.clearance(), R = pair.radius_j, eps = at.e.norm() / c;
    const double thin = (c - at.e.norm()) / c;  // 1 − ε, without loss of digits
    if (!(eps < 1 && thin > 0)) {
      constexpr double nan = std::numeric_limits<double>::quiet_NaN();
      return {Vec<2>::Constant(nan), nan, nan, false};
    }
    const Vec<2> r = direction<2>(at.e, at.rate), t = perp(r);
    const double eps_rate = at.rate.dot(r) / c;
    const double wedge = eps * at.spin - 2 * at.rate.dot(t) / c;  // ε W
    const double root2 = thin * (1 + eps), root = std::sqrt(root2);
    const double s = root * std::hypot(wedge / 2, eps_rate);
    const double weight = s + 1.5 * eps * std::abs(eps_rate);
    const double rho = weight > 0 ? (s + 3 * eps * std::max(eps_rate, 0.0)) / weight : 1;
    const double unit = viscosity * length * R * R * R / (c * c), two = 2 + eps * eps;

    const double Fr = -6 * unit / (two * root2 * root) * (4 * eps * s + two * pi * eps_rate * rho);
    const double Ft = 6 * pi * unit * wedge * rho / (two * root);
    const double shear = 2 * pi * unit * c * at.spin / root;
    return {Fr * r + Ft * t, -(shear + Ft * eps * c / 2),
            c * (-Fr * eps_rate + Ft * wedge / 2) + shear * at.spin};
  }
};
}  // namespace mubody
