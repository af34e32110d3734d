#pragma once
// The possible independent variables of a mechanism at a configuration, and the quality of each set.
//
//   J ṗ = 0:  rates of variables p, angles and slides of joints or coordinates of bodies, that agree with each other
//                                                                           docs/theory/independent.md
//
// Drivers are left out, since the question is which variables could best move the mechanism in their place.
#include <memory>

#include "mubody/results/results.h"
#include "mubody/solvers/coefficients.h"
#include "mubody/solvers/joint_variables.h"
#include "mubody/solvers/variable_choice.h"

namespace mubody {
/// Which variables may be chosen.
struct CandidateOptions {
  bool body = false;                // coordinates of bodies in place of joint variables
  double length = 1;                // slide that counts as much as a turn of 1 rad [m]
  std::vector<std::string> chords;  // joints to be used as chords
};

/// A variable that may be an independent one.
struct CandidateVariable : Column {
  bool slides = false;  // it is a length, not an angle
};

/// The quality of a set of independent variables.
struct SetQuality {
  VariableSet set;
  double condition = 1;      // condition number of the equations with the set held
  double amplification = 1;  // |B|
};

struct IndependentAt {
  double t = 0;
  VecX values;  // values of the variables [rad, m]; NaN for velocities without a coordinate
  VariableChoice choice;
  SetQuality lu, qr, svd, best;
  std::vector<SetQuality> single;    // for each variable alone, if there is one freedom
  MinimalCoefficients coefficients;  // for the requested set
};

/// The equations J ṗ = 0 of the variables that may be chosen.
class VariableEquations {
 public:
  /// The system is in body coordinates, at a configuration that satisfies the constraints.
  VariableEquations(System&, const CandidateOptions&, double t, const In& q);

  std::vector<CandidateVariable> candidates() const;
  VecX values(double t, const In& q);
  /// Rates of the variables per unit of every velocity, in SI units.
  MatX rates(double t, const In& q);
  /// J, with slides in units of the length.
  MatX jacobian(double t, const In& q);
  /// The sets that each way of choosing finds there, without coefficients.
  IndependentAt choose(double t, const In& q);

 private:
  System& s_;
  double length_;
  Terms terms_;
  std::unique_ptr<JointVariables> joints_;
};
}  // namespace mubody
