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
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "mubody/integrators/stability.h"
#include "mubody/math/space.h"
#include "mubody/model/fields.h"

namespace mubody {
/// An ordinary differential equation, and what becomes of an accepted step.
class Ode {
 public:
  virtual ~Ode() = default;
  virtual void rates(double t, const In& y, Out dy) = 0;
  /// Corrects an accepted state; true if it may have changed it.
  virtual bool after_step(double t, Out y) = 0;
  /// True if the rates asked for since the last accepted step may be far less accurate than they look, as next to
  /// a singularity that the solution passes smoothly.  Small steps do not help there: they only come closer.
  virtual bool rough() const { return false; }
};

/// How large steps are; one struct for all integrators.
struct StepControl {
  std::optional<double> step;      // [s] the step of fixed-step methods, the first step of the others
  double rtol = 1e-9;              // [-] error per step relative to the size of each number
  std::optional<double> atol;      // [m, rad, m/s, rad/s] error per step of small numbers; 0.01 rtol
  std::optional<double> max_step;  // [s]
  int max_order = 13;              // of methods that vary it; none goes higher
  int steps = 10'000'000;          // of controlled size; more than this means that something is wrong
  int controlled = -1;             // the first so many numbers of y count for the error; all if negative

  double absolute() const { return atol.value_or(0.01 * rtol); }
  void fields(Fields& f);
  void check() const;
};

struct StepStatistics {
  long steps = 0, rejected = 0, evaluations = 0;
  long iterations = 0;               // of implicit methods
  double smallest = 0, largest = 0;  // accepted steps [s]

  /// Counts an accepted step.
  void count(double h) {
    smallest = ++steps == 1 ? h : std::min(smallest, h);
    largest = std::max(largest, h);
  }
  /// Of two parts of a run together.
  StepStatistics& operator+=(const StepStatistics& o) {
    if (o.steps > 0) {
      smallest = steps > 0 ? std::min(smallest, o.smallest) : o.smallest;
      largest = std::max(largest, o.largest);
    }
    steps += o.steps, rejected += o.rejected, evaluations += o.evaluations, iterations += o.iterations;
    return *this;
  }
};

/// A method in use: one solution from a start to an end.
class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Begins at (t, y); the solution will be wanted up to t_end.
  virtual void start(Ode&, double t, const VecX& y, double t_end) = 0;
  /// One accepted step, not beyond t_end.  False if none can be taken: then why() tells.
  virtual bool advance(Ode&) = 0;
  /// The state at a time within the last step.
  virtual void interpolate(Ode&, double t, Out y) = 0;

  double t() const { return t_; }
  const VecX& y() const { return y_; }
  const StepStatistics& statistics() const { return statistics_; }
  const std::string& why() const { return why_; }

 protected:
  double t_ = 0;
  VecX y_;
  StepStatistics statistics_;
  std::string why_;
};

struct IntegratorEntry {
  Info info;
  int lowest, order;  // of convergence; the second is the highest of a method that varies it
  bool adaptive;
  std::unique_ptr<Integrator> (*make)(const StepControl&);
  StabilityPolynomial (*stability_at)(int order);  // of steps of one size and formulas of one order

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
