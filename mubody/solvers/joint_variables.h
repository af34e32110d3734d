#pragma once
// Angles and slides of joints as the variables of a mechanism, and the equations that its loops put on their rates.
//
//   Each joint turns its rates into a relative twist, V_j − V_i = H ṗ, taken at the global origin in global axes, so that
//   twists along a path add up.  Around a loop they add up to zero:
//
//   J ṗ = 0,    block (loop l, joint k) of J = Λ_lk H_k
//
//   A joint that turns about all axes has the components of its relative angular velocity, in axes of body i, in place of
//   three angles, which are singular somewhere.
//
//   A joint whose coordinates do not determine its relative motion (a distance, a gear) is not a link; its own
//   rows D go into J by D T⁻¹ V, with V the twists of its two bodies and T u = V.
//
// Precomputation (dissertation), secs. 3.3-3.4, eqs. 3.3.36, 3.4.6, 3.7.29.          docs/theory/independent.md
#include "mubody/mechanism/graph.h"
#include "mubody/system/system.h"

namespace mubody {
class JointVariables {
 public:
  /// The system is in body coordinates, at a configuration that satisfies the constraints.  `chords` names
  /// joints to be used as chords; `length` is the slide that counts as much as a turn of 1 rad [m].
  JointVariables(System&, double t, const In& q, const std::vector<std::string>& chords = {},
                 double length = 1);

  struct Variable {
    std::string name, unit;
    int joint = -1;     // -1: belongs to a free arc
    int channel = -1;   // channel of its value, followed by that of its rate; -1: none
    int axis = -1;      // which axis, if the joint turns about all
    int velocity = -1;  // which u it is, on a free arc
    bool slide = false;
  };
  const std::vector<Variable>& variables() const { return variables_; }
  const Graph& graph() const { return graph_; }

  /// J, with slides in units of the length.
  MatX jacobian(double t, const In& q);
  /// R: ṗ = R u, in the same units.
  MatX rates(double t, const In& q);
  /// p [rad, m]; NaN where there is only a rate.
  VecX values(double t, const In& q);

 private:
  MatX observed_rates(double t, const In& q);
  void collect(double t, const In& q);
  Eigen::RowVectorXd spin_row(const In& q, const JointRows&, int axis) const;
  MatX twists(const In& q, int body) const;
  MatX influence(int joint, const MatX& D, const MatX& R, const In& q) const;
  MatX of_free_arc(const In& q, int body) const;
  Eigen::Index first_of(int joint) const { return first_[std::size_t(joint)]; }

  System& s_;
  double length_;
  int columns_;  // velocities of a body
  std::vector<Variable> variables_;
  std::vector<int> first_, count_;  // per joint: its variables; count -1: no link
  std::vector<int> first_free_;     // per body: its first variable, if its arc is free
  Graph graph_;
};
}  // namespace mubody
