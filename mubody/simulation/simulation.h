#pragma once
// The motion of a mechanism as an object: built from a model, advanced in time, fed with inputs, read, saved and rewound.
//
//   Simulation sim(study);                          assembles; throws ModelError
//   const Input motor = sim.input("motor");
//   const Output angle = sim.output("rod.angle");
//   while (sim.time() < 5) {
//     sim[motor] = -60 * (sim[angle] - 0.52);
//     if (const Outcome end = sim.advance(1e-3); !end) break;
//   }
//   const Results r = sim.finish();
//                                                                                   docs/api/stepping.md
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mubody/math/jet.h"
#include "mubody/math/memory.h"
#include "mubody/results/results.h"
#include "mubody/study/options.h"

namespace mubody {
class Engine;
class Model;
struct Begun;

/// A value that is set from outside between steps: a signal of a force, or the motion of a driver.
class Input {
 public:
  explicit Input(int index = -1) : index_(index) {}
  int index() const { return index_; }

 private:
  int index_;
};

/// A channel of the results that is read between steps.
class Output {
 public:
  explicit Output(int index = -1) : index_(index) {}
  int index() const { return index_; }

 private:
  int index_;
};

/// What a simulation does differently from what the model says; everything left out is as in the model.
struct SimulationOptions {
  std::optional<std::string> integrator;            // as in "rk4"; auto for models built in code
  const IntegratorEntry* own_integrator = nullptr;  // one of the program's own, IntegratorEntry::of<MyMethod>()
  std::optional<std::string> formulation;           // "body", "cartesian" or "joint"
  std::optional<double> start;                      // [s]
  std::optional<double> step;           // [s] of fixed-step integrators; the first step of the others
  std::optional<double> rtol, atol;     // error allowed per step, relative and absolute
  std::optional<double> max_step;       // [s] the largest step
  std::optional<double> record;         // [s] between rows; without it only rows asked for by record()
  std::map<std::string, Jet> inputs{};  // set before the mechanism is assembled, by their names
};

/// The study as these options change it.  Throws ModelError if they do not fit.
Study with_options(Study, const SimulationOptions&);

/// A state of a simulation as a value: it can be copied, kept and restored, in the simulation that it came from or in
/// another one of the same model.
class Snapshot {
 public:
  double time() const { return time_; }
  /// The state as bytes, from which Simulation::snapshot() makes it again in another process of the same build of the library.
  std::string bytes() const;

 private:
  friend class Simulation;
  double time_ = 0;
  std::string signature_;  // of what it can be restored in
  Memory memory_;
  Results results_;
};

class Simulation {
 public:
  /// Assembles the mechanism.  Throws ModelError if it cannot be assembled or its motion is not determined.
  explicit Simulation(const Study&, const SimulationOptions& = {});
  explicit Simulation(const Model&, const SimulationOptions& = {});
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  /// The time [s] of the present state.
  double time() const;
  /// Goes on by dt [s], exactly; calls with the same dt in a row end at multiples of it.  Returns how it went: an outcome
  /// that is false is final until a snapshot is restored.  Only where `progress`, which is asked at every step, ended it, the
  /// simulation stands where it has come to, and may go on.
  Outcome advance(double dt, const Progress& progress = {});
  /// Goes on to the time t [s], exactly.
  Outcome advance_to(double t, const Progress& progress = {});
  /// How it has gone so far.
  const Outcome& outcome() const;

  /// The input of that name: a force or driver, or one of its signals, as in "motor", "wind.force.x".  Throws ModelError.
  Input input(std::string_view name) const;
  /// All names of inputs.
  std::vector<std::string> inputs() const;
  /// Sets an input from now on, until it is set again: its value, and for drivers its rate and acceleration too.
  void set(Input, const Jet& value);
  void set(Input i, double value) { set(i, Jet{value, 0, 0}); }
  /// The present value of an input.
  double value(Input) const;

  /// The output of that name, a channel as in the tables of results.  Throws ModelError.
  Output output(std::string_view name) const;
  /// Names and units of all outputs.
  std::vector<Column> outputs() const;
  /// The present value of an output.
  double value(Output);

  /// sim[motor] = 3;  double x = sim[motor];
  class InputValue {
   public:
    InputValue(Simulation& s, Input i) : simulation_(s), input_(i) {}
    InputValue& operator=(double value) {
      simulation_.set(input_, value);
      return *this;
    }
    operator double() const { return simulation_.value(input_); }

   private:
    Simulation& simulation_;
    Input input_;
  };
  InputValue operator[](Input i) { return {*this, i}; }
  double operator[](Output o) { return value(o); }

  /// The state as an integrator outside would have it (mubody/exchange/exchange.h): positions, velocities and states of elements,
  /// their rates, and the gaps of contacts [m].
  VecX state() const;
  VecX rates();
  VecX gaps();

  /// What happened during the last call of advance() or advance_to(): contacts that began or ended, singular positions
  /// passed, a branch lost.
  std::span<const Event> events() const;

  /// Writes the present state as a row of the tables.
  void record();

  /// The present state as a value.  Integrators of SUNDIALS begin their history anew, here as at the restore.
  Snapshot save();
  void restore(const Snapshot&);
  /// The state that was written as bytes, perhaps by another process; rows and records of results stay behind.  Throws
  /// ModelError if they are not of such a model, or not whole.
  Snapshot snapshot(std::string_view bytes) const;
  /// Another simulation of the same model in the same state.
  Simulation copy();

  /// Ends the motion: tables, energy balance, violations and verdict, as from a run of a model file.  The simulation may go
  /// on afterwards.
  Results finish();

  // For those who build runs of other engines on the same loop:

  /// A simulation of a given engine; the study and what has begun are kept, and the engine refers to them.
  using MakeEngine = std::function<std::unique_ptr<Engine>(const Study&, Begun&)>;
  static Simulation begin(const Study&, std::string_view analysis, const MakeEngine&,
                          const SimulationOptions& = {});
  /// The whole run of a study, rows at its output times.
  static Results run(const Study&, std::string_view analysis, const MakeEngine&, const Progress&);

 private:
  void check(Input) const;

  class Loop;
  explicit Simulation(std::unique_ptr<Loop>);
  std::unique_ptr<Loop> loop_;
};
}  // namespace mubody
