#pragma once
// Independent variables of a mechanism at the start and along a motion.       docs/theory/independent.md
#include "mubody/solvers/independent_variables.h"
#include "mubody/study/options.h"

namespace mubody {
struct IndependentOptions {
  bool body = false;                // coordinates of bodies in place of joint variables
  double length = 1;                // slide that counts as much as a turn of 1 rad [m]
  std::vector<std::string> chords;  // joints to be used as chords; those of the study if empty
  bool along = false;               // along the motion that the model's analysis gives
  bool coefficients = false;        // with velocity coefficients, inertia and their derivatives
  std::vector<std::string> set;     // variables for the coefficients; the best set at the start if empty
};

/// A set that is best from one time to another.
struct BestRange {
  double from = 0, to = 0;  // [s]
  VariableSet set;
};
/// The instant at which another set becomes best.
struct Crossing {
  double t = 0;
  VariableSet before, after;
  VecX values;  // values of all variables there
};

struct Independence {
  std::string model;
  std::vector<CandidateVariable> variables;
  double length = 1;
  VariableSet set;  // set of the coefficients; empty if these were not requested
  IndependentAt start;
  std::vector<IndependentAt> motion;  // at output times
  std::vector<BestRange> ranges;
  std::vector<Crossing> crossings;
  std::vector<std::string> remarks;
  Outcome outcome;  // outcome of assembly, or of the motion
};

/// Throws ModelError.
Independence find_independent(const Study&, const IndependentOptions&, const Progress& = {});
}  // namespace mubody
