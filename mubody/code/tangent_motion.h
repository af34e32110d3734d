#pragma once
// A motion together with its derivatives by some variables: the recorded equations and their tangents, side by side.
//
//   docs/theory/forward-sensitivity.md
//
//   ẏ = f(t, y, p),   Ṡ = f_y S + f_p P,   S = ∂y/∂v,   P = ∂p/∂v
//
// f and its directional derivatives are one routine, run in lanes: a lane for each variable.  After a step both are put back
// on the constraints by the same correction, which is differentiated too.
#include "mubody/code/tangents.h"
#include "mubody/code/varied_numbers.h"
#include "mubody/integrators/integrator.h"

namespace mubody {
class TangentMotion final : public Ode {
 public:
  /// `sizes` are those of the state without derivatives.
  TangentMotion(VariedStudy&, const Sizes& sizes, double length, const std::vector<int>& channels);

  int states() const { return n_; }
  int directions() const { return directions_; }
  const VecX& start() const { return start_; }

  void rates(double t, const In& y, Out dy) override;
  bool after_step(double t, Out y) override;
  const Sizes* sizes() const override { return &sizes_; }

  /// Puts a state and its derivatives on the constraints.
  void close(double t, Out y);
  /// Channels, one after the other, then their derivatives: channel k by direction l at [count + k * directions + l].
  void observe(double t, const In& y, Out values);
  /// Sets an input of the model from a time on; it does not change with the variables.
  void set_input(int which, const Jet&, double t);
  /// What an input is at a time.
  double input(int which, double t) const;
  /// How many steps the tape of the rates has.
  int steps() const { return rates_.steps(); }

 private:
  void fill(double t, const In& y, int block);
  /// Values of a routine, the first of them at an index, and derivatives behind all of them, from another one on.
  void run(double t, const In& y, TangentRoutine&, Out values, int first, int rates_from);
  void note_kept(double t, const In& y);
  void spread();
  void put_input(int which, const Jet&);
  void move_inputs(double t);
  int lanes_of(int block) const { return std::min(lanes_, directions_ - block * lanes_); }

  RecordedModel& m_;
  int n_, directions_, lanes_, blocks_;
  double length_;
  Tangents tangents_;
  TangentRoutine rates_, tidy_, closed_q_, closed_u_, channels_;
  Tape kept_;
  TapeWork kept_work_;
  bool tidies_;
  std::vector<std::vector<double>> arguments_;  // of every block of lanes
  struct Moving {
    int which;
    Jet from;
    double since;  // [s]
    Jet at(double t) const;
  };
  std::vector<Moving> moving_;        // inputs that were set with a rate
  std::vector<double> plain_, next_;  // arguments of one mechanism; numbers that are kept
  VecX start_;
  Sizes sizes_;
};
}  // namespace mubody
