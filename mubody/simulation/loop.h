#pragma once
// The loop that moves an engine through time: steps, contacts, rows.  Simulation is its face.
#include <limits>
#include <memory>

#include "mubody/mechanism/breakpoints.h"
#include "mubody/simulation/begin.h"
#include "mubody/simulation/engine.h"
#include "mubody/simulation/input_slots.h"
#include "mubody/simulation/simulation.h"
#include "mubody/watches/contacts.h"
#include "mubody/watches/grips.h"
#include "mubody/watches/switches.h"

namespace mubody {
class Simulation::Loop {
 public:
  /// When rows are written.
  enum class Rows {
    output_times,  // as the study says, from start to end
    on_request
  };
  Loop(const Study&, std::string_view analysis, MakeEngine, Rows, std::optional<double> every = {},
       const GivenInputs& = {});
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  /// The same model at its start.
  std::unique_ptr<Loop> again() const;

  /// Whether the mechanism could be assembled; if not, the outcome says why and nothing moves.
  bool assembled() const { return engine_ != nullptr; }
  double time() const { return time_; }
  /// Returns how it has gone so far, or that it was stopped on the way.
  Outcome advance_by(double dt, const Progress&);
  Outcome advance_to(double t, const Progress&);
  /// All the way to the end of the study; takes the results.
  Results run(const Progress&);
  const Outcome& outcome() const { return begun_.results.outcome; }

  InputSlots& inputs() { return inputs_; }
  void set(int input, const Jet&);
  double value_of_input(int input) const;
  /// What a snapshot must agree in: model, sizes, integrator, formulation.
  std::string signature() const;
  const System& system() const { return engine_->system(); }
  double value_of_output(int channel);
  VecX state() const { return y_.head(engine_->controlled()); }
  VecX rates();
  VecX gaps() { return gaps_of(engine_->system(), time_, engine_->seen(time_, y_)); }
  std::span<const Event> events() const { return happened_; }
  void record();
  /// What is known of the motion until now.
  const Results& so_far() const { return begun_.results; }
  void save(Memory&, Results&);
  void restore(const Memory&, const Results&);
  Results finish();

 private:
  void start();
  /// Returns whether it was not told to stop.
  bool go_to(double t, const Progress&);
  Outcome stopped() const;
  Outcome refused(double t) const;
  bool is_now(double t) const;
  void step();
  std::optional<double> next_row() const;
  void take_rows(double t, bool inclusive = true);
  In velocities();
  void look_at(double t, bool surely);
  void look_after_jump();
  void look_closer();
  bool keeps_pace(double t);
  bool switch_contacts(double t);
  bool turn_formulas(double t);
  /// What changes first in a step, and when [s].
  struct Change {
    double t;
    bool touches = false, turns = false, slips = false;

    explicit operator bool() const { return touches || turns || slips; }
  };
  Change first_change(double from, double to);
  bool choose_grips(double t);
  double pass_breakpoints(double t);
  double cross(const Breakpoint&, double t);
  bool take_inputs();
  bool at_break(double t) const;
  bool at_instant(double t) const;
  void pass_instant(double t);
  double begin_at(double t) const;
  void remember_breakpoints(Memory&);
  double little(double t) const;
  double before_break() const;
  double beside(const Breakpoint&) const;
  StepLength step_length(double span) const;
  static constexpr double few = 4;  // times what counts as little: no step is shorter
  void aim();
  void look_ahead(double to);
  void look_between(double from, double to);
  void restart(double t);
  StepControl control() const;
  std::unique_ptr<Integrator> make_integrator();
  void fail(Outcome);
  template <class Work> void guard(const Work&);
  const VecX& state_at(double t);
  void memory(Memory&);
  void conclude(Results&);
  Results& results() { return begun_.results; }

  Study study_;
  Patience patience_;  // its time has begun in whole runs only: who steps decides how long
  std::string analysis_;
  MakeEngine make_engine_;
  Rows rows_;
  std::optional<double> every_;  // [s] between rows on request
  GivenInputs given_;
  InputSlots inputs_;
  SwitchWatch switches_;
  Begun begun_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<ContactWatch> contacts_;
  ContactWatch::StateAt seen_at_;
  SwitchWatch::Evaluate forces_at_;
  std::unique_ptr<GripWatch> grips_;
  GripWatch::Rub rub_at_;
  bool switched_ = false;  // formulas of the state are held and followed
  const IntegratorEntry* kind_ = nullptr;
  StepControl control_, made_for_;  // of the model; of the integrator in use
  std::unique_ptr<Integrator> integrator_;
  bool own_integrator_ = false, adapts_ = false;
  StepStatistics before_;  // of integrators that were replaced
  VecX y_, row_, values_;
  VecX rates_;                                              // where the state goes on along them
  VecX looked_;                                             // channels, while extremes are looked for
  bool looks_ = false;                                      // for extremes in every step
  long looked_more_ = 0;                                    // samples that were added to locate them
  double time_ = 0, goal_ = 0;                              // of y_; where the integrator is to stop [s]
  double limit_ = std::numeric_limits<double>::infinity();  // of steps, while contacts last [s]
  long paced_steps_ = 0;                                    // when the pace was last looked at ...
  double paced_from_ = 0;                                   // ... and the time then [s]
  bool slow_ = false;                                       // the last look found it too slow
  bool is_driven_;                                          // by drivers, whose motion can be set
  bool varies_;                                             // some function of time is no constant
  bool restarted_ = false;                                  // the integrator, since the start
  bool changed_ = false;                                    // an input, since the last step
  bool observed_ = false;                                   // values_ are those of the present state
  bool ended_ = false;                                      // by a failure
  double piece_ = 0, pieces_from_ = 0;  // advance_by(): dt, and where a sequence of equal ones began
  long pieces_ = 0;                     // how many there were
  std::vector<Breakpoint> breaks_;      // ahead of the motion
  std::size_t next_break_ = 0;
  double known_until_ = -std::numeric_limits<double>::infinity();  // [s] breakpoints are known
  double resume_ = -std::numeric_limits<double>::infinity();       // [s] steps after the last one begin there
  std::vector<double> times_;                                      // of rows
  std::size_t next_row_ = 0, known_events_ = 0;
  std::vector<Event> happened_;
};
}  // namespace mubody
