#pragma once
// Forward dynamics of several mechanisms of one structure at once, each in a lane of its own.
//
//   docs/theory/lanes.md
//
// Each lane takes its own steps: an explicit Runge-Kutta method with the error control of integrators/runge_kutta.cpp,
// and after every accepted step the correction of treatments/projection.h.  A lane that is done makes room for the next
// mechanism while the others go on.  What lanes are not made for (a singular position, steps that fail) is left to the
// analysis of one mechanism: that lane is given up.
#include <memory>

#include "mubody/integrators/runge_kutta.h"
#include "mubody/lanes/channels.h"
#include "mubody/results/results.h"

namespace mubody {
/// One mechanism and what to do with it.
struct LaneTask {
  std::vector<double> numbers;  // see lane_numbers()
  VecX q, u;                    // at the start, on the constraints
  double start = 0, end = 1;    // [s]
  std::vector<double> times;    // of results [s]
  StepControl control;
  double tolerance = 5e-16;  // of the projection, and its
  int iterations = 8;
};

/// What became of it.
struct LaneOutcome {
  bool given_up = false;
  std::vector<double> kept;  // for `last` and `at` one number, for `max` and `min` the number and its time
  Statistics statistics;
};

class LaneBatch {
 public:
  static constexpr int width = LaneReal::lanes;

  LaneBatch(LaneStructure, const Tableau&, std::vector<LaneKept>);
  LaneBatch(const LaneBatch&) = delete;
  LaneBatch& operator=(const LaneBatch&) = delete;
  ~LaneBatch();

  const LaneStructure& structure() const;
  bool is_free(int lane) const;
  void start(int lane, const LaneTask&);
  /// Every lane that is in use tries a step.
  void step();
  /// The outcome of a lane that has come to an end; the lane is free then.
  std::optional<LaneOutcome> take(int lane);

 private:
  class Lanes;
  std::unique_ptr<Lanes> lanes_;
};
}  // namespace mubody
