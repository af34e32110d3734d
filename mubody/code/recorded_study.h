#pragma once
// A study whose equations are recorded: the mechanism as it is taken, the state to start from, and what is redundant.
#include "mubody/recorded/model.h"
#include "mubody/study/options.h"

namespace mubody {
struct RecordedStudy {
  Mechanism mechanism;  // as it is taken; see simulation/begin.h
  RecordedModel model;
  double start = 0;  // [s]
  VecX q, u;         // body coordinates and velocities that satisfy the constraints
  int left_out = 0;  // equations that follow from others

  /// The numbers from which the equations are evaluated at the start.
  std::vector<double> arguments() const;
};
/// Throws ModelError if the mechanism cannot be assembled, or if something in it cannot be recorded.
RecordedStudy record(const Study&, const std::vector<int>& parameter_of = {});
}  // namespace mubody
