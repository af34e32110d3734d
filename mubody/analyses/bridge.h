#pragma once
// The motion through a singular position: the polynomial through two positions before it and two beyond it, with
// velocities and accelerations.  Those four are far enough away to be known to round-off, and so close together that the
// polynomial is as good.                                                     docs/theory/kinematic.md
#include <array>

#include "mubody/analyses/driven.h"
#include "mubody/math/hermite.h"

namespace mubody {
class Bridge {
 public:
  using State = Driven::State;
  explicit Bridge(Driven& k) : k_(k) {}

  /// The states between which it lies.
  const State& first() const { return first_; }
  const State& last() const { return last_; }
  bool changes_side() const { return first_.side * last_.side < 0; }

  /// Builds it from x, before, to beyond a singular position that lies between x and y or at y.  Returns false if there
  /// is no way through, or one that the polynomial does not follow.
  bool build(State x, const State& y, double share);
  /// The motion at a time on the bridge.  At the singular position itself, multipliers are the mean of those on both
  /// sides: forces of drivers are smooth there, and what grows without bound cancels.
  State at(double t) const { return at(t, ways_[0]); }
  /// The same by other positions, further in and disturbed by round-off: as good, and a measure of the error.
  static constexpr std::size_t twins = 2;
  State twin_at(double t, std::size_t which) const { return at(t, ways_[1 + which]); }
  /// The time of the singular position.
  double weakest() const;
  /// Whether reactions grow without bound towards the singular position.
  bool strains(double t) const;

 private:
  bool approach(State& x, double end, double share);
  bool land(const State& x, double end, double share);
  /// Positions and velocities through four nodes.
  struct Polynomials {
    Hermite q, u;
  };
  using Nodes = std::array<State, 4>;
  Polynomials through(const Nodes&) const;
  State at(double t, const Polynomials&) const;
  State between(double t, const Polynomials&) const;
  State held(double t) const;
  std::array<State, 2> beside(double t, const Polynomials&) const;

  Driven& k_;
  State first_, last_;
  std::array<Polynomials, 1 + twins> ways_;
  std::minstd_rand draw_;
};
}  // namespace mubody
