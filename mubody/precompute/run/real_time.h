#pragma once
// The run time of a precomputed mechanism: no iteration, no allocation, a fixed number of operations per evaluation.
//                                                                              docs/theory/precompute.md
#include <array>
#include <memory>
#include <span>

#include "mubody/functions/function.h"
#include "mubody/precompute/run/loads.h"
#include "mubody/precompute/tables/model.h"

namespace mubody {
class RealTime {
 public:
  static constexpr int most = 8;  // variables
  using Vector = std::array<double, most>;

  /// The mechanism is that of the model's text; both must live as long as this.
  RealTime(const RealTimeModel&, const Mechanism&);

  struct State {
    double t = 0;
    Vector theta{}, rate{};
    int region = 0, laps = 0;
    /// Forces from outside on the variables [N, N m], which a controller may change between steps.  A force f on the
    /// velocities of all bodies is Bᵀ f, and columns of B are velocities() at rates of 1.
    Vector input{};
  };
  State start() const;
  int n() const { return n_; }

  /// θ̈, of a state that has what is prescribed.
  void accelerations(const State&, double* acceleration);
  /// One step of the classical Runge-Kutta method, and what becomes of the state after it.  False if it left the range.
  bool step(State&, double h);
  /// After an accepted step: into the next region, if it is there.  False if the state is out of range.
  bool settle(State&);
  /// Whether there is a next region on the side where a state is out of range: then a smaller step leads into it.
  bool leapt(const State&) const;
  /// Sets the variables that drivers prescribe, and their rates, at the time of the state.
  void prescribe(State&) const;
  /// After an accepted step: contacts close and open; turns are counted.  What they remember is kept here.
  void touch(const State&);
  /// Forces at run time that act on bodies, contacts among them; nullptr if there are none.
  Loads* loads() { return loads_.get(); }
  /// "A.angle = 1.57 rad is beyond ..." of a state that is.
  std::string out_of_range(const State&) const;

  /// J θ̇²/2 and V of the tables [J].
  double kinetic(const State&);
  double potential(const State&);
  /// Power of what is not in V [W], at the last evaluation: of forces, and of drivers.
  double power(const State&) const;
  double driver_power(const State&) const;

  /// Positions, velocities and accelerations of all bodies.
  void positions(const State&, Out q);
  void velocities(const State&, Out u);
  void body_accelerations(const State&, const double* acceleration, Out a);

  /// The most that any body turns when a variable changes by one [rad], by the size of the tables' coefficients; infinite
  /// where tables are series.
  Vector turning() const;

  /// Second-order terms of the series in stiff variables, which positions() leaves out: how far bodies are from there.
  struct SeriesError {
    double length = 0, angle = 0;  // the largest of all bodies [m, rad]
  };
  SeriesError series_error(const State&);
  /// How coordinates change with the k-th design variable, at fixed θ.
  void sensitivity(const State&, int k, Out dq);

  /// Multiplications with an addition of one evaluation of θ̈, without what forces at run time compute of scalars.
  long operations() const;
  /// Numbers in tables that one evaluation reads.
  long reads() const;

 private:
  struct Form {
    ScalarForm form;
    std::vector<int> scalars;
  };
  /// A variable that a driver prescribes.
  struct Driven {
    std::size_t variable;
    Function follows;
    double shift;  // of whole turns
  };
  void solve(double* acceleration);
  /// Values and slopes of a table at a state, its series summed.
  void look(const LookupTable&, const std::vector<int>& order, const State&, bool slopes = true, int upto = 2);
  std::span<const double> small(const State&) const;
  /// Variables that slopes are by.
  const std::vector<int>& variables(const LookupTable&) const;
  double one_variable(const State&) const;
  template <int degree> double one_variable_of(const State&) const;
  void evaluate_bodies(const Region&, const State&);
  void add_dynamics(const DynamicsTable&, const State&);
  void add_scalars(const Region&, const State&);
  void add_loads(const Region&, const State&);
  void add_springs(const State&);

  const RealTimeModel& model_;
  int n_, columns_, coordinates_;
  bool simple_ = false;  // one variable, J and V only
  std::vector<Form> forms_;
  int scalars_ = 0;
  std::unique_ptr<Loads> loads_;  // forces that have no form in scalars
  std::vector<Driven> driven_;
  std::vector<ContactNow> contacts_;
  std::vector<std::vector<int>>
      with_stiff_;              // by the bits of free ones: these, then stiff ones; empty if none is stiff
  std::vector<double> design_;  // changes of design variables
  // Work space.
  std::vector<double> series_, series_slopes_;
  std::vector<double> values_, slopes_, scratch_, seen_, seen_rate_, seen_slope_, forces_;
  MatX B_;
  std::vector<MatX> dB_;
  VecX q_, u_;
  std::array<std::array<double, most>, most> J_{};
  Vector rest_{}, applied_{}, driving_{};
};
}  // namespace mubody
