#pragma once
// Which variables of a mechanism may be the independent ones at a configuration, and how well each set serves.
//
//   J ṗ = 0:  rates of variables p, angles and slides of joints or coordinates of bodies, that agree with each other
//                                                                           docs/theory/independent.md
//
// Drivers are left out: they move the mechanism along, and the question is which variables could do it best.
#include <memory>

#include "mubody/math/variable_choice.h"
#include "mubody/results/results.h"
#include "mubody/solvers/coefficients.h"
#include "mubody/solvers/joint_variables.h"

namespace mubody {
/// Which variables may be chosen.
struct CandidateOptions {
  bool body = false;                // coordinates of bodies in place of joint variables
  double length = 1;                // of a slide that counts as much as a turn of 1 rad [m]
  std::vector<std::string> chords;  // joints that shall be chords
};

/// A variable that may be an independent one.
struct CandidateVariable : Column {
  bool slides = false;  // it is a length, not an angle
};

/// A set of variables as independent ones.
struct SetQuality {
  VariableSet set;
  double condition = 1;      // of the equations with the set held
  double amplification = 1;  // |B|
};

struct IndependentAt {
  double t = 0;
  VecX values;  // of the variables [rad, m]; NaN of velocities without a coordinate
  VariableChoice choice;
  SetQuality lu, qr, svd, best;
  std::vector<SetQuality> single;    // of each variable alone, if there is one freedom
  MinimalCoefficients coefficients;  // of the set that was asked for
};

/// The equations J ṗ = 0 of the variables that may be chosen.
class VariableEquations {
 public:
  /// In body coordinates, at a configuration that satisfies the constraints.
  VariableEquations(System&, const CandidateOptions&, double t, const In& q);

  std::vector<CandidateVariable> candidates() const;
  VecX values(double t, const In& q);
  /// Rates of the variables per unit of every velocity, in SI units.
  MatX rates(double t, const In& q);
  /// J, with slides in units of the length.
  MatX jacobian(double t, const In& q);
  /// The sets that the ways of choosing find there; without coefficients.
  IndependentAt choose(double t, const In& q);

 private:
  System& s_;
  double length_;
  Terms terms_;
  std::unique_ptr<JointVariables> joints_;
};
}  // namespace mubody
