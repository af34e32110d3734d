#pragma once
// One instance of an FMU: what the functions of FMI 2.0 and 3.0 have in common.  There is no state outside of instances.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fmu/listening.h"
#include "mubody/exchange/exchange.h"
#include "mubody/fmi/fmu_model.h"
#include "mubody/fmi/fmu_variables.h"

namespace mubody::fmu {
/// Who takes messages; it decides which of them are passed on.
using Say = std::function<void(Severity, const std::string&)>;

/// A value from outside, its rate and its acceleration.
struct Fed {
  Jet by_variables{};                 // as the variables say
  double rate = 0, acceleration = 0;  // as derivatives of the input say, until it is set again
  bool set = false, fresh = false;    // set at all; not yet known to the simulation
  Jet jet() const { return {by_variables.x, by_variables.v + rate, by_variables.a + acceleration}; }
};

/// What has been called so far.  At an event somebody else may set values; steps are made between events.
enum class Phase { made, initializing, event, stepping, ended };

/// All that an instance remembers.
struct SavedState {
  Phase phase = Phase::made;
  std::map<std::string, double> parameters;
  std::vector<Fed> inputs;
  SimulationOptions options;
  std::optional<Snapshot> snapshot;
  double t = 0;  // of model exchange, with the states there ...
  VecX x;
  bool jumped = false, unsettled = false;  // ... and what the integrator outside does not know yet
};

/// Who makes the steps.
enum class StepsBy {
  itself,  // co-simulation
  others   // model exchange
};

class Instance {
 public:
  /// Reads the list of variables and the model of a folder.  Throws ModelError.
  Instance(const std::filesystem::path& resources, const std::string& token, StepsBy, Say);
  /// Whether steps are to be made only after the event mode was left; in model exchange they always are.
  void use_events(bool used) { uses_events_ = used; }

  // Functions that are called out of their order throw ModelError.

  /// What is wanted before the motion begins; no tolerance is that of the model, and without a stop the motion has no end.
  void setup(std::optional<double> tolerance, double start, std::optional<double> stop);
  void enter_initialization();
  /// Assembles the mechanism.
  void initialize();
  void enter_event();
  void leave_event();
  /// Whether functions of the event mode have a meaning now.
  void expect_event(const char* what) const;
  void terminate();
  void reset();

  /// Throws ModelError if there is no such variable, or if it cannot be asked for or set now.
  double value(unsigned reference);
  void set(unsigned reference, double value);
  /// A derivative of an input with respect to time, of first or second order, until the input is set again.
  void set_derivative(unsigned reference, int order, double value);

  enum class Step { done, early, failed };
  /// Goes on by a time; with `early` only to the first event on the way.
  Step step(double now, double dt, bool early);
  double time();
  /// The time of the last good state.
  double last_time() const { return last_time_; }
  bool has_failed() const { return failed_; }

  // Model exchange: an integrator outside sets the time and the states, asks for rates and completes steps.

  bool steps_outside() const { return stepping_ == StepsBy::others; }
  std::size_t states() const { return std::size_t(list_.states); }
  std::size_t indicators() const { return std::size_t(list_.indicators); }
  void set_time(double t);
  void set_states(const double*, std::size_t);
  void get_states(double*, std::size_t);
  void get_rates(double*, std::size_t);
  void get_indicators(double*, std::size_t);
  /// Takes the end of a step; returns whether states are to be read again, after new_states().
  bool complete();
  /// Whether the states of the last completed step have changed; from now on they are these.
  bool new_states();
  std::optional<double> next_instant();

  std::unique_ptr<SavedState> save();
  void restore(const SavedState&);
  std::string bytes_of(const SavedState&) const;
  std::unique_ptr<SavedState> from_bytes(std::string_view);

  void say(Severity s, const std::string& text) const { say_(s, text); }

 private:
  struct Place {
    io::FmuVariable::Kind kind;
    int index;  // of the parameter, input or channel
  };
  const Place& place(unsigned reference) const;
  void expect(Phase, const char* what) const;
  void expect_motion(const char* what) const;
  void expect_before_stop(double t) const;
  Simulation& simulation();
  Simulation& begun();
  Exchange& exchange();
  void begin();
  void forget() { simulation_.reset(), exchange_.reset(); }
  bool has_begun() const { return simulation_ || exchange_; }
  /// The simulation, or the one that the integrator outside has.
  Simulation& moved() { return exchange_ ? exchange_->simulation() : *simulation_; }
  void feed();
  std::optional<double> due();
  double seen_at();
  bool settle();
  double exchanged(unsigned reference);
  void expect_states(std::size_t n, std::size_t size) const;

  Say say_;
  io::FmuList list_;
  std::unique_ptr<io::FmuModel> model_;
  std::vector<Place> places_;  // of references 1, 2, ...
  std::vector<std::string> inputs_, channels_;
  std::vector<Input> handles_;  // of inputs, once there is a simulation
  std::vector<Output> outputs_;
  std::map<std::string, double> at_start_, parameters_;
  std::vector<Fed> fed_;
  SimulationOptions options_;
  std::optional<double> stop_;
  StepsBy stepping_;
  bool uses_events_ = false;
  std::unique_ptr<Simulation> simulation_;  // of co-simulation
  std::unique_ptr<Exchange> exchange_;      // of model exchange ...
  double t_ = 0;                            // ... with what the integrator outside has set
  VecX x_, values_;
  bool observed_ = false;   // values_ are those of t_ and x_
  bool jumped_ = false;     // the states, which the integrator outside has not read yet
  bool unsettled_ = false;  // inputs have changed since the last completed step
  Phase phase_ = Phase::made;
  bool failed_ = false, stale_ = false;
  double last_time_ = 0;
};
}  // namespace mubody::fmu
