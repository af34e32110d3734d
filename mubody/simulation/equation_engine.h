#pragma once
// The full equations of motion as the engine of a simulation.
//
//   Flores & Lankarani (2012), sec. 6, eqs. 141-144, direct integration         docs/theory/forward.md
//
// The state is y = (q, u, z, w): positions, velocities, states of elements, and the work of drivers and applied forces and
// of all that takes energy away, so that the energy balance is as accurate as the motion.
#include <array>

#include "mubody/integrators/implicit_equations.h"
#include "mubody/simulation/begin.h"
#include "mubody/simulation/engine.h"
#include "mubody/simulation/implicit_matrix.h"
#include "mubody/system/speeds.h"
#include "mubody/watches/branch.h"
#include "mubody/watches/loops.h"
#include "mubody/watches/redundancy.h"

namespace mubody {
class EquationEngine : public Engine, private ImplicitEquations {
 public:
  /// The study and what has begun must live as long as this.  Throws ModelError if the motion is not determined.
  EquationEngine(const Study&, Begun&);
  /// The same in other coordinates than the study asks for.
  EquationEngine(const Study&, Begun&, Formulated);

  void rates(double t, const In& y, Out dy) override;
  bool take_stages(const ExplicitStep&) override;
  bool after_step(double t, Out y) override;
  bool rough() const override { return closest_ < singular; }
  bool comes_close() const override { return came_close_; }

  System& system() override { return s_; }
  System& bodies() override { return formulated_.bodies; }
  Dynamics& dynamics() override { return d_; }
  const VecX& start() override { return start_; }
  int controlled() const override { return s_.nq + s_.nu + s_.nz; }
  const Sizes* sizes() const override { return &sizes_; }
  std::unique_ptr<Integrator> own_integrator(const StepControl&) override;
  StepControl control(const StepControl& asked, bool adaptive) const override;
  void input_changed() override;
  double next_instant() const override { return s_.next_instant(); }
  void pass_instant(double t, const VecX& y) override;
  void note_past(double t, const VecX& y) override;
  const VecX& seen(double, const VecX& y) override { return y; }
  void begin(double t, const VecX& y) override;
  Outcome accept(double t, const VecX& y, Recorder&, Results&) override;
  bool overshot(double t, const VecX& y) override;
  void remember(double t, const VecX& y) override;
  void contacts_switched(const std::vector<int>&, VecX& y) override;
  bool evaluates() const override { return true; }
  void evaluate(double t, const VecX& y) override;
  void rub(double t, const VecX& y) override { solve(t, y); }
  void choose_grips(double t, VecX& y, const std::vector<bool>& turned) override;
  void balance(double t, const VecX& y, Recorder&) override;
  Outcome record(double t, const VecX& y, Recorder&) override;
  Outcome observe(double t, const VecX& y, Out values) override;
  /// Reactions in loops that bodies follow are those of all their joints at once.
  bool observes_cheaply() const override { return formulated_.watched; }
  std::string likely_cause() override;
  void finish(const AnalysisOptions&, Results&) override;
  std::string variant() const override { return shortcut_ ? ", generated code" : ""; }
  void memory(Memory&) override;

  /// The rate at which a body turns, the fastest of them [rad/s].
  double fastest_turn(const VecX& y);
  /// Takes exact derivatives, for implicit methods.
  void offer(std::unique_ptr<ConstrainedSlopes>);
  int quadratures() const override { return int(start_.size()) - controlled(); }
  ImplicitEquations* implicit() override { return slopes_ && !beside_ && !d_.is_redundant() ? this : nullptr; }

 private:
  static constexpr int works = 6;              // numbers of a group of bodies ...
  static constexpr int friction_work = 4;      // ... and which of them friction takes
  static constexpr double singular = 1e-2;     // independence below which a stage may be far off
  static constexpr double close = 0.3;         // share of the largest that is on the way to a singular position
  static constexpr double beside = 1e-4;       // share of the largest that is next to a singular position
  static constexpr double at_singular = 1e-5;  // independence below which a row is in a singular position

  /// Equations that move with time, and so do work: their blocks, rows and groups of bodies.
  struct Moving {
    SaddleStructure blocks;
    std::vector<std::pair<int, int>> rows;
  };
  static Moving moving_rows(const System&);
  std::unique_ptr<Shortcut> make_shortcut(const Study&);
  /// Whether the shortcut serves the present step: next to singular positions it does not, nor where inputs were set.
  bool has_shortcut() const { return shortcut_ && !beside_ && !input_set_; }
  auto q(const In& y) const { return y.head(s_.nq); }
  auto u(const In& y) const { return y.segment(s_.nq, s_.nu); }
  auto z(const In& y) const { return y.segment(s_.nq + s_.nu, s_.nz); }
  /// All of them; every stage needs them.  They are views, which are kept for the few vectors that integrators move states in.
  struct Parts {
    In q, u, z;
  };
  const Parts& parts(const In& y) {
    for (const KnownParts& known : known_parts_)
      if (known.of == y.data()) return *known.parts;
    return take_apart(y);
  }
  const Parts& take_apart(const In& y);
  /// The work on every group of bodies.
  std::span<const Work> work(const In& y);
  void put_on_constraints(double t, const In& y);
  void write_rates(double t, const In& y, const Parts&, Out dy);
  void solve(double t, const In& y) { solve(t, y, parts(y)); }
  void solve(double t, const In& y, const Parts&);
  Outcome solved(double t, const VecX& y);
  Outcome cannot_meet(double t, const VecX& phi) const;
  void hand_over_samples();
  /// Counts turns where the system has not done so yet.  Called before anything is computed by it.
  void count_turns() {
    if (waits_) count_waiting();
  }
  void count_waiting();
  /// Whether bodies turn as when the system last counted turns; they are those of the view.
  bool turns_as_counted(double t) const;
  const Terms& terms_in_bodies(double t, const VecX& y);
  bool is_solved(double t, const In& y) const {
    return solved_at_ && *solved_at_ == t && !stages_corrected_ && !beside_ && y == solved_;
  }
  bool solve_from_beside(double t, const In& y);
  void observe_from_beside(double t, const In& y);
  double stored(double t, const In& y);
  bool bends(const In& q, const In& a, double within, double speed);
  void power(double t, const In& y, Out dy);
  void limit_rates(const Speeds&);
  void list_rates();
  bool pays(double evaluations) override { return slopes_->pays(evaluations); }
  bool stand_at(double t, const In& y) override;
  bool factor(double c) override { return matrix_->factor(c); }
  void solve(const In& r, Out x) override { matrix_->solve(r, x); }
  bool factor(std::size_t which, Complex c) override { return matrix_->factor(which, c); }
  void solve(std::size_t which, const CVecX& r, CVecX& x) override { matrix_->solve(which, r, x); }

  Begun& begun_;
  Formulated formulated_;
  System& s_;
  Dynamics d_;
  Box<Treatment> treatment_;
  std::unique_ptr<Shortcut> shortcut_;  // null if there is none
  const IntegratorEntry& integrator_;
  BodyView view_;
  Turning turning_;
  BranchWatch branch_;
  RankWatch rank_;
  LoopWatch loops_;
  struct KnownParts {
    const double* of = nullptr;
    std::optional<Parts> parts;
  };
  std::array<KnownParts, 6> known_parts_;
  std::size_t next_parts_ = 0;
  std::vector<double> samples_;  // of signals
  VecX phi_, rate_;              // of an accepted state
  Terms in_bodies_;              // constraints in body coordinates, where the motion is computed in others
  VecX start_, on_, nu_;
  Sizes sizes_;                      // of all numbers of the state
  Speeds speeds_;                    // that limit what counts of rates
  std::vector<int> slides_, turns_;  // where the state has rates of lengths and of angles
  /// What is found on both sides of a singular position, at once, twice and three times a distance from it: halves of the
  /// sum and of the difference.
  struct Sides {
    VecX even, odd;
  };
  std::array<Sides, 3> sides_;
  VecX seen_;                 // channels at a singular position
  bool from_beside_ = false;  // they are those of the row
  int unbounded_ = -1;        // a channel that grows without bound at a singular position; none if negative ...
  double unbounded_at_ = 0;   // ... and the time of the first [s]
  double stretch_;            // of the distances at which sides are seen
  VecX solved_;  // the state of the accelerations in the dynamics, if nothing else was computed since ...
  std::optional<double> solved_at_;  // ... and its time [s]
  std::vector<Work> works_;
  std::vector<Energy> energies_;
  Moving moving_;
  VecX bad_;  // a state whose accelerations are not finite, since the last accepted step ...
  std::optional<double> bad_time_;  // ... and its time [s]; none if there is no such state
  bool input_set_ = false;          // from outside
  bool gave_up_ = false;            // some rates of the step were not the shortcut's
  long short_ways_ = 0;             // rates that were
  bool waits_ = false;              // the system has not counted turns yet at the last accepted state, ...
  VecX waiting_;                    // ... which is this one ...
  double waiting_since_ = 0;        // ... and its time [s]
  bool closed_short_ = false;       // the last correction was the shortcut's
  bool stages_corrected_, straight_, driven_, watched_, weighs_, corrects_ = false;
  double put_in_ = 0;                 // energy that the last correction put in, if weighs_ [J]
  bool beside_ = false;               // the step begins next to a singular position
  double widest_ = 0;                 // the largest independence at accepted states
  bool came_close_ = false;           // to a singular position, at an accepted state
  double closest_ = 1;                // to a singular position, since the last accepted step
  bool counts_turns_;                 // of joints, from step to step
  bool delays_;                       // some signal shows the past
  bool closes_short_ = false;         // the shortcut corrects positions
  VecX rates_before_;                 // velocities at the last accepted time, if it does
  VecX counted_u_;                    // where loops are joints: those of bodies when turns were counted ...
  std::optional<double> counted_at_;  // ... and when that was [s]
  double before_ = 0, turn_ = 0;      // the last accepted time [s]; the largest turn of a body in a step [rad]
  std::unique_ptr<ConstrainedSlopes> slopes_;  // where derivatives are offered
  std::optional<ImplicitMatrix> matrix_;
};

/// As Simulation wants its engines.
std::unique_ptr<Engine> make_equations(const Study&, Begun&);
}  // namespace mubody
