#pragma once
// Looks at the channels of a driven motion between its steps, so that extremes are located as closely as where forces make
// the motion.                                                                     docs/theory/extremes.md
//
// A step may turn bodies by a quarter of a turn, and rows may show a shaft at the same angle again and again.  So a step is
// looked at in pieces: short enough for the cubics of Extremes, and for velocities and positions at both ends to agree
// with the accelerations and velocities between them.  Looks leave the steps themselves as they are.
#include "mubody/analyses/driven.h"
#include "mubody/simulation/extremes.h"

namespace mubody {
class Looks {
 public:
  using State = Driven::State;
  /// For a motion that lasts `span` [s].
  Looks(System&, bool redundant, double span, Extremes&);

  /// Looks at the start x of an accepted step, if no row has shown it, and within the step up to y; what follows a step
  /// without length does not continue what was before.
  void within(const State& x, const State& y);
  /// Locates what the last row leaves in doubt.
  void closer();
  /// Remarks when looks were given up, if they were.
  void report(Results&) const;

 private:
  void jump();
  bool spend();
  void look(const State&);
  bool agree(const State&, const State&);
  double reach(const State& x, const State& y, double h) const;

  Driven k_;  // its own, so that looks change nothing for the steps
  Extremes& extremes_;
  State from_, next_, closer_;  // where the last piece begins; ends of others
  VecX values_, fastest_;       // of channels; the largest |u|
  double span_, piece_ = 0;     // [s] the whole motion, and the last piece of a step
  long steps_ = 0, looks_ = 0;
  bool begun_ = false;
  std::optional<double> until_;  // [s] looks were given up then
};
}  // namespace mubody
