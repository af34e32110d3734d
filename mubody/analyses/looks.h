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
  Looks(System&, bool redundant, Extremes&);

  /// Looks at the start x of an accepted step, if no row has shown it, and within the step up to y.
  void within(const State& x, const State& y);
  /// Looks at x, where a smooth part of the motion ends: curves are not continued beyond it.
  void end_at(const State& x);
  /// Locates what the last row leaves in doubt.
  void closer();
  /// Remarks when looks were given up, if they were.
  void report(Results&) const;

 private:
  bool spend();
  void look(const State&);
  void begin_at(const State&);
  const State* next_piece(const State& y, double h);
  bool agree(const State&, const State&);
  double reach(const State& x, const State& y, double h) const;

  Driven k_;  // its own, so that looks change nothing for the steps
  Extremes& extremes_;
  State from_, next_, closer_;  // where the last piece begins; ends of others
  VecX values_, fastest_;       // of channels; the largest |u|
  double piece_ = 0;            // [s] the last piece of a step
  long steps_ = 0, looks_ = 0;
  bool begun_ = false;
  std::optional<double> until_;  // [s] looks were given up then
  std::optional<std::pair<double, double>>
      unseen_;  // [s] the first part of a step in which no position was found
};
}  // namespace mubody
