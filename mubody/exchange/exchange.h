#pragma once
// A motion whose steps somebody else makes: states, rates and gaps of contacts for an integrator outside, as model exchange of
// FMI wants them.
//
//   Exchange motion(study);
//   motion.rates(t, x, dx);                         as often as the integrator likes
//   if (motion.complete(t, x).jumped) x = motion.state();     after every step that it accepts
//                                                                                   docs/theory/exchange.md
#include "mubody/mechanism/breakpoints.h"
#include "mubody/simulation/simulation.h"

namespace mubody {
class OutsideSteps;

class Exchange {
 public:
  /// Assembles the mechanism.  Throws ModelError, also for engines that are no equations of motion.
  explicit Exchange(const Study&, const SimulationOptions& = {});
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange();

  /// Inputs, events, snapshots and what is known at the last completed step.
  Simulation& simulation() { return simulation_; }
  int states() const;
  int indicators() const;
  /// Positions, velocities and states of elements at the last completed step.
  VecX state() const;

  void rates(double t, const In& x, Out dx);
  /// Gaps of contacts [m], a little apart from zero for what touches and what does not: one that changes its sign is an event.
  void indicators(double t, const In& x, Out z);
  /// One value for each output of the simulation.  How often they are asked for changes nothing.
  void outputs(double t, const In& x, Out values);

  struct Completed {
    Outcome outcome;
    bool jumped =
        false;  // state() is the one to go on from: something happened, or the state had left the constraints
  };
  /// Takes the end of a step; contacts, formulas that change their form and sampled signals are dealt with, at instants that are
  /// located within the step, and the state is put onto the constraints.
  Completed complete(double t, const In& x);
  /// The next instant at which a signal is sampled or a function of time changes its formula; none if there is none.
  std::optional<double> next_instant(double t) const;
  /// A time so little before an instant that functions of time do not show yet what changes there.
  double before(double instant) const;

 private:
  class Equations;
  const VecX& whole(const In& x);
  /// Whether a body may have turned further since the last completed step than its two ends can tell.
  bool turns_far(double t, const In& x);
  bool count_turns_to(double t);

  Equations* engine_ = nullptr;  // of the simulation
  Simulation simulation_;
  std::vector<Breakpoint> breaks_;  // those at which something jumps
  double span_ = 0;                 // [s] of the study
  bool blind_ = false;              // not all that happens has an indicator
  bool counts_turns_ = false;       // of joints, from step to step
  VecX y_, dy_;
};
}  // namespace mubody
