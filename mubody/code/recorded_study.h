#pragma once
// A study whose equations are recorded: the mechanism as it is taken, the state to start from, and what is redundant.
#include "mubody/recorded/model.h"
#include "mubody/study/options.h"
#include "mubody/system/system.h"

namespace mubody {
/// What the columns of a state are called.
struct StateNames {
  std::vector<std::string> coordinates, velocities;
};
struct RecordedStudy {
  Mechanism mechanism;  // as it is taken; see simulation/begin.h
  RecordedModel model;
  double start = 0;                 // [s]
  VecX q, u;                        // body coordinates and velocities that satisfy the constraints
  StateNames names{};               // with units, in joint coordinates
  VecX z;                           // states of signals
  std::vector<double> inputs;       // their values at the start
  int left_out = 0;                 // equations that follow from others ...
  std::vector<bool> rows_left_out;  // ... and which; empty: none

  /// The numbers from which the equations are evaluated at the start.
  std::vector<double> arguments() const;
};
struct RecordOptions {
  std::vector<std::string>
      inputs{};  // signals and drivers that come from outside, besides the inputs of the model
  std::vector<int> parameter_of{};  // see Computation
  /// In joint coordinates, with these parts whose bodies follow variables of their own; else in body coordinates.
  std::optional<std::vector<FollowingPart>> parts{};
};
/// The equations of a system that follow from equations before them, at a state.
std::vector<bool> dependent_rows(System&, double t, const VecX& q, const VecX& u);
/// Numbers the inputs of a model, and others that are asked for; writes their names, and their values at a time.  Returns
/// their units.
std::vector<std::string> take_inputs(Mechanism&, double t, const std::vector<std::string>& asked,
                                     std::vector<std::string>& names, std::vector<double>& values);
/// Throws ModelError if the mechanism cannot be assembled, or if something in it cannot be recorded.
RecordedStudy record(const Study&, const RecordOptions& = {});
}  // namespace mubody
