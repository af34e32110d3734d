#pragma once
// The run time of a precomputed mechanism: no iteration, no allocation, a fixed number of operations per
// evaluation.
//                                                                              docs/theory/precompute.md
#include <array>
#include <memory>
#include <span>

#include "mubody/functions/function.h"
#include "mubody/precompute/run/loads.h"
#include "mubody/precompute/tables/model.h"
#include "mubody/system/body_layout.h"

namespace mubody {
class RealTime {
 public:
  static constexpr int most = 8;  // variables
  using Vector = std::array<double, most>;

  /// The mechanism is the one that the model was made from; both must outlive this.
  RealTime(const RealTimeModel&, const Mechanism&);

  struct State {
    double t = 0;
    Vector theta{}, rate{};
    int region = 0, laps = 0;
    /// Forces from outside on the variables [N, N m], which a controller may change between steps.  A force f
    /// on the velocities of the bodies is Bᵀ f here; the columns of B are velocities() at rates of 1.
    Vector input{};
  };
  State start() const;
  int n() const { return n_; }
  /// A variable that a driver prescribes.
  struct Driven {
    std::size_t variable;
    Function follows;
    double shift;  // whole turns between the function and the variable
  };
  const std::vector<Driven>& driven() const { return driven_; }

  /// θ̈ for a state to which prescribe() has been applied.
  void accelerations(const State&, double* acceleration);
  /// One step of the classical Runge-Kutta method, with change_region() and switch_contacts() after it, as emitted C
  /// takes it too: programs that need no more than this do without a simulation.  Returns false if the state has left
  /// the range of the tables.
  bool step(State&, double h);
  /// Moves the state into the next region where it has to, after an accepted step.  Returns false if it is out
  /// of range.
  bool change_region(State&);
  /// Whether the state is out of range on a side where there is a next region, so that a smaller step would
  /// lead into it.
  bool leapt(const State&) const;
  /// Sets the variables that drivers prescribe, and their rates, at the time of the state.
  void prescribe(State&) const;
  /// Closes and opens contacts and counts turns, after an accepted step.  This object remembers them.
  void switch_contacts(const State&);
  /// Forces at run time that act on bodies, contacts among them; nullptr if there are none.
  Loads* loads() { return loads_.get(); }
  /// "A.angle = 1.57 rad is beyond ...", for a state that is out of range.
  std::string out_of_range(const State&) const;

  /// Kinetic energy, and the potential energy of what is in the tables [J].
  double kinetic(const State&);
  double potential(const State&);
  /// The power of forces that are not in V, and of drivers [W], at the last evaluation.
  double power(const State&) const;
  double driver_power(const State&) const;
  /// What dampers, contacts, friction and films take [W], at the last evaluation, for the same state; it is part of
  /// power().
  Energy losses(const State&);

  /// Positions, velocities and accelerations of all bodies.
  void positions(const State&, Out q);
  void velocities(const State&, Out u);
  void body_accelerations(const State&, const double* acceleration, Out a);

  /// An upper limit of how much any body turns when a variable changes by 1 [rad], from the coefficients of the
  /// tables; infinite where tables hold series.
  Vector turning() const;

  /// The second-order terms of the series in stiff variables, which positions() leaves out.
  struct SeriesError {
    double length = 0, angle = 0;  // the largest of any body [m, rad]
  };
  SeriesError series_error(const State&);
  /// The derivatives of coordinates by the k-th design variable, at fixed θ.
  void sensitivity(const State&, int k, Out dq);

  /// The number of multiply-adds in one evaluation of θ̈, without those in the formulas of forces at run time.
  long operations() const;
  /// The number of table entries that one evaluation reads.
  long reads() const;

 private:
  struct Form {
    ScalarForm form;
    std::vector<int> scalars;
  };
  void solve(double* acceleration);
  /// Values and slopes from a table at a state, with its series summed.
  void look_up(const LookupTable&, const std::vector<int>& order, const State&, bool slopes = true,
               int upto = 2);
  /// The terms of the series in stiff variables, with the design variables as they are, into series_ and series_slopes_.
  void look_up_terms(const LookupTable&, const State&, bool slopes);
  /// The stiff variables.
  std::span<const double> small(const State&) const;
  /// The variables by which a table has slopes.
  const std::vector<int>& variables(const LookupTable&) const;
  double one_variable(const State&) const;
  template <int degree> double one_variable_of(const State&) const;
  void evaluate_bodies(const Region&, const State&);
  /// Moves bodies on by cyclic variables, from where the table has them.
  void follow_cyclic(const Region&, const BodyTable&, const State&);
  /// The same for the derivatives of a body's coordinates by a design variable, with those of its part of B.
  void change_on(const Region&, const BodyTable&, const State&, int body, const double* dB, Out dq);
  void add_dynamics(const DynamicsTable&, const State&);
  void add_scalars(const Region&, const State&);
  void add_loads(const Region&, const State&);
  void add_springs(const State&);
  /// A damper's force against a variable.
  void damp(std::size_t variable, double force, const State&);

  const RealTimeModel& model_;
  int n_;
  BodyLayout layout_;
  bool simple_ = false;  // there is one variable, and nothing but J and V
  std::vector<Form> forms_;
  int scalars_ = 0;
  std::unique_ptr<Loads> loads_;  // forces that have no form in scalars
  std::vector<Driven> driven_;
  std::vector<ContactNow> contacts_;
  /// The variables of a table whose free arguments are the bits of the index, stiff ones last; empty if none is
  /// stiff.
  std::vector<std::vector<int>> with_stiff_;
  std::vector<double> design_;    // changes of design variables
  std::vector<int> first_order_;  // of all terms, in design variables
  // Work space.
  std::vector<double> series_, series_slopes_, terms_, terms_slopes_;
  std::vector<double> values_, slopes_, scratch_, seen_, seen_rate_, seen_slope_, forces_;
  MatX B_;
  std::vector<MatX> dB_;
  VecX q_, u_;
  std::array<std::array<double, most>, most> J_{};
  Vector rest_{}, applied_{}, driving_{};
  double damping_ = 0;  // power of all dampers but those of loads
};
}  // namespace mubody
