#pragma once
// Independent variables of a mechanism, at a configuration and along a motion.       docs/theory/independent.md
//
// Drivers are left out: they move the mechanism along, and the question is which variables could do it best.
#include "mubody/math/variable_choice.h"
#include "mubody/results/results.h"
#include "mubody/solvers/coefficients.h"
#include "mubody/solvers/joint_variables.h"
#include "mubody/study/options.h"

namespace mubody {
struct IndependentOptions {
  bool body = false;                // coordinates of bodies in place of joint variables
  double length = 1;                // of a slide that counts as much as a turn of 1 rad [m]
  std::vector<std::string> chords;  // joints that shall be chords; those of the study if empty
  bool along = false;               // along the motion that the model's analysis gives
  bool coefficients = false;        // with velocity coefficients, inertia and their derivatives
  std::vector<std::string> set;     // variables that these are for; the best set of the start if empty
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

/// A set that is best from one time to another.
struct BestRange {
  double from = 0, to = 0;  // [s]
  VariableSet set;
};
/// Where another set becomes best.
struct Crossing {
  double t = 0;
  VariableSet before, after;
  VecX values;  // of all variables there
};

struct Independence {
  std::string model;
  std::vector<Column> variables;
  double length = 1;
  VariableSet set;  // that coefficients are for; empty if they were not asked for
  IndependentAt start;
  std::vector<IndependentAt> motion;  // at output times
  std::vector<BestRange> ranges;
  std::vector<Crossing> crossings;
  std::vector<std::string> remarks;
  Outcome outcome;  // of assembly, or of the motion
};

/// Throws ModelError.
Independence find_independent(const Study&, const IndependentOptions&, const Progress& = {});
}  // namespace mubody
