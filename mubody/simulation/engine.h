#pragma once
// What moves in a simulation: equations y' = f(t, y) with what belongs to them.  The full equations of motion are one
// engine (equation_engine.h), the tables of a precomputed model another (precompute/run/table_engine.h); the simulation
// steps them, locates contacts, records rows and judges the result, whatever they are.
#include <limits>
#include <memory>

#include "mubody/integrators/integrator.h"
#include "mubody/results/results.h"
#include "mubody/simulation/recorder.h"
#include "mubody/system/dynamics.h"

namespace mubody {
class Engine : public Ode {
 public:
  /// The mechanism whose contacts are watched and whose channels are recorded, and the same in body coordinates.
  virtual System& system() = 0;
  virtual System& bodies() = 0;
  virtual Dynamics& dynamics() = 0;
  /// The state at the start, and how many of its numbers count for the error.
  virtual const VecX& start() = 0;
  virtual int controlled() const = 0;
  /// An integrator of its own, or null: then the one that was asked for is used.
  virtual std::unique_ptr<Integrator> own_integrator(const StepControl&) { return nullptr; }
  /// A first step that was asked for suits every beginning, not only that of the motion.
  virtual bool keeps_first_step() const { return false; }
  /// The step control that suits it, from what was asked for.
  virtual StepControl control(const StepControl& asked, [[maybe_unused]] bool adaptive) const { return asked; }

  /// Why a value from outside cannot act on a force or driver; empty if it can.
  virtual std::string refuses_input(const std::string& /*element*/) const { return {}; }
  /// The next time at which signals are sampled [s], and what then happens at an accepted state.
  virtual double next_instant() const { return std::numeric_limits<double>::infinity(); }
  virtual void pass_instant(double, const VecX&) {}
  /// Takes an accepted state into the past that signals show later.
  virtual void note_past(double, const VecX&) {}
  /// An input has changed: what was computed for the present state no longer holds.
  virtual void input_changed() {}

  /// A vector that begins with q and u of system() at a state.
  virtual const VecX& seen(double t, const VecX& y) = 0;
  /// Before the first step, once contacts that are closed at the start are on.
  virtual void begin(double t, const VecX& y) = 0;
  /// Looks at an accepted state.  An outcome that is false ends the motion there.
  virtual Outcome accept(double t, const VecX& y, Recorder&, Results&) = 0;
  /// A step has led too far for what is known there: a shorter one is needed.
  virtual bool overshot(double, const VecX&) { return false; }
  /// Takes an accepted state as the last one: turns are counted from here on.
  virtual void remember(double t, const VecX& y) = 0;
  /// After contacts have been switched.
  virtual void contacts_switched(const std::vector<int>&, VecX&) {}
  /// What becomes of an accepted state before the next step.
  struct Completed {
    Outcome outcome;
    bool jumped = false;  // the state has changed: the integrator begins anew
  };
  virtual Completed complete_step(double, VecX&) { return {}; }

  /// Evaluates the forces at a state, without solving, if it can do that.
  virtual bool evaluates() const { return false; }
  virtual void evaluate(double, const VecX&) {}

  /// Finds the friction of joints at a state, with what the grips of the system remember.
  virtual void rub(double, const VecX&) {}
  /// Decides at an accepted state which grips stick; `turned` have changed the way they go, and are at rest.
  virtual void choose_grips(double, VecX&, const std::vector<bool>& /*turned*/) {}

  /// Counts the energies of a state that no row is written of.
  virtual void balance(double t, const VecX& y, Recorder&) = 0;
  /// Writes a row.  An outcome that is false says what is not finite.
  virtual Outcome record(double t, const VecX& y, Recorder&) = 0;
  /// Fills one value per channel of system().
  virtual Outcome observe(double t, const VecX& y, Out values) = 0;
  /// Whether that costs little beside a step, so that it may be asked for at every one.
  virtual bool observes_cheaply() const { return false; }
  /// The likely cause of a step that failed, from the last evaluation.
  virtual std::string likely_cause() = 0;
  /// Adds what there is to say at the end, and judges.
  virtual void finish(const AnalysisOptions&, Results&) = 0;
  /// In words, what decides how much memory() lists besides model and options.
  virtual std::string variant() const { return {}; }
  /// Lists all that changes in the calls above.
  virtual void memory(Memory&) = 0;
};
}  // namespace mubody
