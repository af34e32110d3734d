#pragma once
// Forward dynamics of several mechanisms with the same structure at once, each in a lane of its own.
//
//   docs/theory/lanes.md
//
// Each lane takes steps of its own, by an explicit Runge-Kutta method with the error control of integrators/runge_kutta.h;
// after each accepted step comes the correction of treatments/projection.h.  A lane that is done takes the next mechanism
// while the others go on.  A lane that meets a singular position, or whose steps fail, is given up, and its mechanism is
// left to the analysis of a single one.
#include <memory>

#include "mubody/integrators/runge_kutta.h"
#include "mubody/lanes/model.h"
#include "mubody/mechanism/breakpoints.h"
#include "mubody/results/results.h"

namespace mubody {
/// One mechanism, and how it is to be run.
struct LaneTask {
  std::vector<double> parameters;  // from LaneModel::parameters()
  VecX q, u, z;                    // the start, which satisfies the constraints
  double start = 0, end = 1;       // [s]
  std::vector<double> times;       // times of results [s]
  std::vector<Breakpoint> breaks;  // at which functions of time change, from the start on
  StepControl control;
  Scales scales;             // of the mechanism
  Sizes sizes;               // of the controlled numbers
  double tolerance = 5e-16;  // of the projection
  int iterations = 8;        // of the projection, at most
};

/// How the run of a mechanism ended.
struct LaneOutcome {
  bool given_up = false;
  std::vector<double> kept;  // one number for `last` and `at`; the number and its time for `max` and `min`
  Statistics statistics;
};

class LaneBatch {
 public:
  static constexpr int width = Tape::lanes;

  LaneBatch(std::shared_ptr<const LaneModel>, const Tableau&, std::vector<LaneKept>);
  LaneBatch(const LaneBatch&) = delete;
  LaneBatch& operator=(const LaneBatch&) = delete;
  ~LaneBatch();

  bool is_free(int lane) const;
  void start(int lane, const LaneTask&);
  /// Lets each lane that is in use try a step.
  void step();
  /// Frees a lane that is in use; returns the time [s] that its mechanism had reached.
  double stop(int lane);
  /// Returns the outcome of a lane that has come to an end, and frees the lane.
  std::optional<LaneOutcome> take(int lane);

 private:
  class Lanes;
  std::unique_ptr<Lanes> lanes_;
};
}  // namespace mubody
