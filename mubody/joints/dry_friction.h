#pragma once
// Dry friction at the turn or the slide of a joint: it sticks, and slips where more is needed than it can hold.
//
//   Coulomb (1785); Stribeck (1902)                                         docs/theory/dry-friction.md
//
//   at rest  |F| ≤ μ_s W,     slipping  F = −sign(v) μ(v) W − c v,     μ(v) = μ_k + (μ_s − μ_k) exp(−(v/v_s)²)
//
// W is the load: r (preload + N) for a turn, preload + N for a slide, where N is the part of the joint's reaction across its
// axis; a collar of radius r_c adds r_c |N_a| of the part along it.  v in μ(v) is the speed at the surface.
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "mubody/kinematics/relative.h"
#include "mubody/model/errors.h"
#include "mubody/model/fields.h"

namespace mubody {
/// Whether a joint that allows these motions may have friction: one turn, one slide, or one of each.
inline bool may_rub(std::span<const Elementary> motions) {
  const auto turns = std::ranges::count_if(motions, is_turn);
  return !motions.empty() && turns <= 1 && std::ssize(motions) - turns <= 1;
}

struct DryFriction {
  std::optional<double> coefficient{}, at_rest{}, kinetic{};  // [–]
  std::optional<double> stribeck{};                           // speed at the surface [m/s]
  double viscous = 0;                                         // [N s/m], of a joint that only turns [N m s/rad]
  std::optional<double> radius{};  // of the surface that slides when the joint turns [m]
  double collar = 0;               // radius at which the load along the axis rubs [m]
  double preload = 0;              // [N]
  bool reaction = true;            // the joint's own reaction presses too
  bool only_turns = false;         // of the joint: it decides on the unit of `viscous`

  void fields(Fields& f) {
    f.optional("coefficient", coefficient, "1", "of friction, at rest and slipping", "none");
    f.optional("static", at_rest, "1", "coefficient at rest", "as kinetic");
    f.optional("kinetic", kinetic, "1", "coefficient when slipping", "none");
    f.optional("stribeck", stribeck, "m/s", "speed over which the one becomes the other", "at once");
    f.optional("viscous", viscous, only_turns ? "N m s/rad" : "N s/m", "a part that grows with the speed");
    f.optional("radius", radius, "m", "of the pin: a turn rubs there", "none");
    f.optional("collar", collar, "m", "of the shoulder, at which the load along the axis rubs");
    f.optional("preload", preload, "N", "a force that presses all the time");
    f.optional("reaction", reaction, "", "whether the joint's own reaction presses too");
  }
  /// Throws FieldError; `motions` are those of the joint.
  void check(std::span<const Elementary> motions, int D) const {
    require(
        may_rub(motions), "",
        "is for joints with one turn, one slide, or one of each, as revolute, translational and cylindrical");
    const auto positive = [](const std::optional<double>& x, const char* field) {
      require(!x || (std::isfinite(*x) && *x > 0), field, "must be positive");
    };
    require(coefficient || kinetic, "", "misses 'coefficient', or 'static' and 'kinetic'");
    require(!coefficient || (!kinetic && !at_rest), "coefficient",
            "is the same at rest and slipping: give it, or 'static' and 'kinetic'");
    positive(coefficient, "coefficient"), positive(at_rest, "static"), positive(kinetic, "kinetic");
    require(sticking() >= slipping(), "static", "must not be below 'kinetic'");
    positive(stribeck, "stribeck"), positive(radius, "radius");
    require(!stribeck || sticking() > slipping(), "stribeck", "needs 'static' above 'kinetic'");
    require(std::isfinite(viscous) && viscous >= 0, "viscous", "must not be negative");
    require(std::isfinite(preload) && preload >= 0, "preload", "must not be negative");
    require(std::isfinite(collar) && collar >= 0, "collar", "must not be negative");
    const bool turns = std::ranges::any_of(motions, is_turn), slides = !std::ranges::all_of(motions, is_turn);
    require(!turns || slides || radius, "", "misses 'radius': a turn rubs at the radius of its pin");
    require(turns || !radius, "radius", "is for turns: this joint slides");
    require(collar == 0 || (turns && D == 3), "collar", "is for turns in space");
    require(reaction || preload > 0, "reaction", "is false and there is no 'preload': nothing presses");
  }

  double sticking() const { return coefficient ? *coefficient : at_rest.value_or(*kinetic); }
  double slipping() const { return coefficient.value_or(kinetic.value_or(0)); }
  /// The coefficient at a speed of the surface [m/s].
  double at(double speed) const {
    if (!stribeck) return slipping();
    const double x = speed / *stribeck;
    return slipping() + (sticking() - slipping()) * std::exp(-x * x);
  }
  /// Whether a motion of the joint rubs: a turn does where its pin has a radius.
  bool rubs(Elementary m) const { return !is_turn(m) || radius; }
  double lever(bool turn) const { return turn ? *radius : 1; }
  /// The viscous part per rate of the coordinate.
  double drag(bool turn) const { return turn && !only_turns ? viscous * *radius * *radius : viscous; }
};
}  // namespace mubody
