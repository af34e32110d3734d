#pragma once
// A motion that is stepped together with its derivatives by parameters of the model and numbers of the start.
//
//   TangentSimulation sim(study, {"length", "rod.omega"});       throws ModelError where there are no derivatives
//   const Output angle = sim.output("rod.angle");
//   while (sim.time() < 5 && sim.advance(0.01)) use(sim.value(angle), sim.slope(angle, 0));
//
//                                                 docs/api/stepping.md#derivatives, docs/theory/forward-sensitivity.md
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mubody/simulation/simulation.h"

namespace mubody {
/// The motion is that of body coordinates with projection; options that say otherwise, or where it starts, are refused.
struct TangentOptions {
  SimulationOptions motion{};
  std::vector<std::string> inputs{};  // what is set from outside, besides the inputs of the model
};

class TangentSimulation {
 public:
  /// Derivatives by `variables`: parameters of the model, or numbers of its start as in "rod.omega".
  TangentSimulation(const Study&, const std::vector<std::string>& variables, const TangentOptions& = {});
  TangentSimulation(const Model&, const std::vector<std::string>& variables, const TangentOptions& = {});
  TangentSimulation(TangentSimulation&&) noexcept;
  TangentSimulation& operator=(TangentSimulation&&) noexcept;
  ~TangentSimulation();

  /// The time [s] of the present state.
  double time() const;
  /// Goes on by dt [s], or to the time t [s], exactly.  An outcome that is false is final, unless `progress`, which is asked
  /// at every step, ended it.
  Outcome advance(double dt, const Progress& progress = {});
  Outcome advance_to(double t, const Progress& progress = {});
  const Outcome& outcome() const;

  /// What derivatives are taken by, in the order of their numbers.
  const std::vector<std::string>& variables() const;
  /// The number of a variable.  Throws ModelError.
  int variable(std::string_view name) const;

  /// The output of that name, a channel as in the tables of results.  Throws ModelError.
  Output output(std::string_view name) const;
  std::vector<Column> outputs() const;
  /// The present value of an output, and its derivative by a variable.
  double value(Output);
  double slope(Output, int variable);

  /// Inputs hold their value of the start until they are set; they do not change with the variables.
  Input input(std::string_view name) const;
  std::vector<std::string> inputs() const;
  void set(Input, const Jet& value);
  void set(Input i, double value) { set(i, Jet{value, 0, 0}); }
  double value(Input) const;

 private:
  struct State;
  std::unique_ptr<State> s_;
};
}  // namespace mubody
