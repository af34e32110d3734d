#pragma once
// Integrators solve y' = f(t, y) and know no mechanics.  Each is one header in this folder:
//
//   struct Rk4 {
//     static constexpr Info info{...};
//     static constexpr int order = 4;                       of convergence
//     static constexpr int lowest = 1;                      only if the order varies: the lowest, `order` the highest
//     static constexpr bool adaptive = false;               true: it chooses its steps
//     static std::unique_ptr<Integrator> make(const StepControl&);
//     static StabilityPolynomial stability();               stability(int order) if the order varies
//   };
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "mubody/integrators/stability.h"
#include "mubody/math/memory.h"
#include "mubody/math/space.h"
#include "mubody/model/fields.h"

namespace mubody {
/// What the errors of a state are measured against, number by number from the first: a size that is not small, and the
/// most that counts of a number itself, since a position far from the origin or an angle of many turns needs the same
/// digits as one nearby.
struct Sizes {
  Eigen::ArrayXd size, most;
};

class ImplicitEquations;
struct ExplicitStep;
struct Tableau;

/// An ordinary differential equation, and its correction of accepted steps.
class Ode {
 public:
  virtual ~Ode() = default;
  virtual void rates(double t, const In& y, Out dy) = 0;
  /// Computes all stages of a step at once, if it has a faster way than through rates(): see integrators/runge_kutta.h.
  /// Returns false if it has none, or if the sum is not finite; whatever it has written then means nothing.
  virtual bool take_stages(const ExplicitStep&) { return false; }
  /// Corrects an accepted state; returns true if it may have changed it.
  virtual bool after_step(double t, Out y) = 0;
  /// True if the rates since the last accepted step may be far less accurate than they look, as next to a
  /// singularity that the solution passes smoothly.  Small steps do not help there: they only come closer.
  virtual bool rough() const { return false; }
  /// True if the solution has come near a singularity, which long steps would pass unseen.
  virtual bool comes_close() const { return false; }
  /// Null: 1 is not small for any number, and each is measured against itself.
  virtual const Sizes* sizes() const { return nullptr; }
  /// How many numbers at the end of y no rate depends on.
  virtual int quadratures() const { return 0; }
  /// Exact derivatives of the rates for implicit methods, or null: see integrators/implicit_equations.h.
  virtual ImplicitEquations* implicit() { return nullptr; }
};

/// How large steps are; one struct for all integrators.
struct StepControl {
  std::optional<double> step;  // [s] the step of fixed-step methods, the first step of the others
  double rtol = 1e-9;          // [-] error per step relative to the size of each number
  std::optional<double> atol;  // [m, rad, m/s, rad/s] error per step of small numbers; 0.01 rtol of Sizes::size
  std::optional<double> max_step;  // [s]
  int max_order = 13;              // for methods that vary the order; none goes higher
  int steps = 10'000'000;          // most steps of controlled size; more means that something is wrong
  double stretch = 1;              // by what steps are longer that suit contacts
  int controlled = -1;  // how many numbers of y, from the first, count for the error; all if negative

  /// That error; relative to a size where it is not given.
  double absolute() const { return atol.value_or(0.01 * rtol); }
  /// The largest step [s] of a motion that lasts so long: short enough that little is stepped over.
  double longest_over(double span) const { return max_step.value_or(span / 200); }
  void fields(Fields& f);
  void check() const;
};

struct StepStatistics {
  long steps = 0, rejected = 0, evaluations = 0;
  long iterations = 0;               // iterations of implicit methods
  double smallest = 0, largest = 0;  // accepted steps [s]

  /// Counts an accepted step.
  void count(double h) {
    smallest = ++steps == 1 ? h : std::min(smallest, h);
    largest = std::max(largest, h);
  }
  /// Adds the statistics of another part of the run.
  StepStatistics& operator+=(const StepStatistics& o) {
    if (o.steps > 0) {
      smallest = steps > 0 ? std::min(smallest, o.smallest) : o.smallest;
      largest = std::max(largest, o.largest);
    }
    steps += o.steps, rejected += o.rejected, evaluations += o.evaluations, iterations += o.iterations;
    return *this;
  }
  void memory(Memory& m) { m(steps, rejected, evaluations, iterations, smallest, largest); }
};

/// Why a step could not be taken.
enum class Fault { none, not_finite, no_step };

/// A method in use: one solution from a start to an end, which can be moved later.
class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Begins at (t, y); the solution is needed up to t_end.
  virtual void start(Ode&, double t, const VecX& y, double t_end) = 0;
  /// Takes one accepted step, not beyond the end.  Returns false if none can be taken; fault() and why() say why.
  virtual bool advance(Ode&) = 0;
  /// The state at a time within the last step.
  virtual void interpolate(Ode&, double t, Out y) = 0;

  /// Moves the end; the history of the solution is kept.
  void until(double t_end) {
    t_end_ = t_end;
    end_moved();
  }
  /// Takes another control of its steps, from the next start() on.  Returns false if another integrator must be made.
  virtual bool take(const StepControl&) { return false; }
  /// Called when the rates have changed, as by a new input, so that earlier rates do not predict later ones.
  virtual void refresh(Ode& f) { restart(f); }
  /// Saves or restores all that the next steps depend on.  A method whose history cannot be kept starts again,
  /// both at a save and at its restore.
  virtual void memory(Ode& f, Memory& m) {
    m(t_, t_end_, y_, statistics_);
    if (!history(m)) restart(f);
  }
  /// The table of its explicit steps; null if it has none.
  virtual const Tableau* table() const { return nullptr; }
  /// What its steps have cost so far, in evaluations of the rates.
  virtual double work() const { return double(statistics_.evaluations); }
  /// What it chose on the way and why, in a sentence for the user; empty if there was nothing to choose.
  virtual std::string remark() const { return {}; }

  double t() const { return t_; }
  const VecX& y() const { return y_; }
  const StepStatistics& statistics() const { return statistics_; }
  Fault fault() const { return fault_; }
  const std::string& why() const { return why_; }

 protected:
  /// Called when the end has moved.
  virtual void end_moved() {}
  /// Lists the numbers of the history.  Returns false if they cannot be listed.
  virtual bool history(Memory&) { return false; }
  bool fail(Fault fault, std::string why) {
    fault_ = fault;
    why_ = std::move(why);
    return false;
  }

  /// Fails where even the smallest step is too large, or where the rates are not finite.
  bool fail_to_step(double least, bool finite) {
    return fail(finite ? Fault::no_step : Fault::not_finite, no_step(least, finite));
  }
  std::string no_step(double least, bool finite) const;

  double t_ = 0, t_end_ = 0;
  VecX y_;
  StepStatistics statistics_;

 private:
  void restart(Ode& f) {
    const StepStatistics before = statistics_;
    from_ = y_;  // start() writes y_
    start(f, t_, from_, t_end_);
    statistics_ += before;
  }

  VecX from_;
  Fault fault_ = Fault::none;
  std::string why_;
};

/// Steps of one size on a grid t0 + k h, never accumulated.  Where the end is not on the grid the last step is shorter, and
/// a new grid begins there.
class Grid {
 public:
  void start(double t) {
    t0_ = at_ = t;
    count_ = 0;
  }
  struct Step {
    double from, to;  // times on the grid, or the end
    bool ends;        // whether it ends at the requested end
    bool shorter;     // whether it is shorter than the others
  };
  Step next(double h, double t_end) const {
    const double to = t0_ + double(count_ + 1) * h;
    // Less than the distance from a breakpoint at which a step before it has to end.
    const double round_off = 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(to), std::abs(at_));
    if (std::abs(to - t_end) <= round_off) return {at_, to, true, false};
    if (to > t_end - 1e-9 * h) return {at_, t_end, true, to > t_end + 1e-9 * h};
    return {at_, to, false, false};
  }
  /// Moves on after a step.
  void take(const Step& s, double h) {
    if (s.to == t0_ + double(count_ + 1) * h) {
      ++count_;
      at_ = s.to;
    } else {
      start(s.to);
    }
  }
  void memory(Memory& m) { m(t0_, at_, count_); }

 private:
  double t0_ = 0, at_ = 0;
  long count_ = 0;
};

struct IntegratorEntry {
  Info info;
  int lowest, order;  // orders of convergence; `order` is the highest if the order varies
  bool adaptive;
  std::unique_ptr<Integrator> (*make)(const StepControl&);
  StabilityPolynomial (*stability_at)(int order);  // for steps of one size and formulas of one order

  bool varies_order() const { return lowest < order; }
  StabilityPolynomial stability() const { return stability_at(order); }

  template <class T> static IntegratorEntry of() {
    if constexpr (requires { T::lowest; })
      return {T::info, T::lowest, T::order, T::adaptive, &T::make, &T::stability};
    else
      return {T::info, T::order, T::order, T::adaptive, &T::make, [](int) { return T::stability(); }};
  }
};
/// All integrators; generated from the headers of this folder.
std::span<const IntegratorEntry> integrator_kinds();
const IntegratorEntry* find_integrator(std::string_view name);
}  // namespace mubody
