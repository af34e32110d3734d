#pragma once
// What a group of joints of one kind does for the system, whatever the kind.
#include "mubody/kinematics/degree.h"
#include "mubody/kinematics/equations.h"
#include "mubody/system/registry.h"
#include "mubody/system/system.h"

namespace mubody {
// In space these functions are long and every joint needs them: they are compiled once, in joint_group.cpp.
template <class F>
using RelativeCoordinate =
    decltype(coordinate(turn_x, std::declval<Frame<F, Side::i>>(), std::declval<Frame<F, Side::j>>()));
extern template RelativeCoordinate<Body<3>> coordinate(Elementary, const Frame<Body<3>, Side::i>&,
                                                       const Frame<Body<3>, Side::j>&);
extern template RelativeCoordinate<Cartesian<3>> coordinate(Elementary, const Frame<Cartesian<3>, Side::i>&,
                                                            const Frame<Cartesian<3>, Side::j>&);

template <class Formulation> class JointGroup {
 public:
  using BodyState = typename Formulation::BodyState;
  virtual ~JointGroup() = default;

  /// Takes a copy of the joint; its rows start at `row`, and `blocks` are the places in D of its markers' bodies.
  virtual void add(const AnyJoint&, int row, std::span<const int> blocks) = 0;
  /// Degrees of the rows of the k-th joint as polynomials; empty where the formulation has no polynomials.
  virtual std::vector<Degree> degrees(int k) const = 0;
  /// Fills its rows of the terms.  The columns of the ground are left alone unless its reactions need them.
  /// Rows that never change are left alone too: they are in the terms from the start.
  virtual void evaluate(const BodyState* bodies, double t, Terms&, bool with_ground) const = 0;

  /// A relative coordinate.
  struct Measure {
    std::string_view name, unit;
    double x, v, a;
  };
  /// Fills in those of the k-th joint of this group; `a` are the accelerations of all bodies, the ground's zero first.
  virtual void measure(int k, const BodyState* bodies, double t, const double* a,
                       std::vector<Measure>& all) const = 0;
  /// Counts turns from here on: the state is an accepted one.
  virtual void remember(const BodyState* bodies, double t) = 0;
  virtual void memory(Memory&) = 0;
  /// Negative if axes of the k-th joint that should point the same way point against each other.
  virtual double facing(int k, const BodyState* bodies) const = 0;
  /// By how much the equation of the k-th joint changes with each coordinate that it couples; none if it couples none.
  virtual std::vector<double> slopes(int /*k*/, const BodyState* /*bodies*/, double /*t*/) const { return {}; }
};
}  // namespace mubody
