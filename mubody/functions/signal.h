#pragma once
// A number that may depend on time and on the state of the mechanism, which applied forces follow.
#include <array>
#include <cassert>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "mubody/functions/function.h"
#include "mubody/math/expression.h"

namespace mubody {
/// One number of the state that an expression may use, as in "-3 * crank.omega + tip.x".
struct StateVariable {
  enum Quantity { x, y, z, vx, vy, vz, angle, omega, wx, wy, wz, e0, e1, e2, e3, noted };
  Marker point;  // the body origin, or a point of interest
  Quantity quantity = x;
  int number =
      -1;  // of what is noted: a signal, a coordinate of a joint, a result of a force; see signals/noted.h
};

/// The state of the mechanism as functions in the user's program see it.
class State {
 public:
  virtual ~State() = default;
  virtual double operator()(const StateVariable&) const = 0;
};
using StateFunction = std::function<double(double t, const State&)>;

class Signal {
 public:
  static constexpr std::size_t most_variables = 24;

  Signal(double constant = 0) : time_(constant) {}
  explicit Signal(Function f) : time_(std::move(f)) {}
  /// The expression's first variable is t; the others stand in `variables`, in order.
  Signal(Expression e, std::vector<StateVariable> variables)
      : state_(std::move(e)), variables_(std::move(variables)) {
    assert(variables_.size() < most_variables);
  }

  explicit Signal(StateFunction f) : call_(std::move(f)) {}

  /// `state` answers for one StateVariable at a time.  Where equations are recorded, what a function in the user's program
  /// computes is refused.
  template <class Answers> double operator()(double t, const Answers& state) const { return at(t, state); }
  template <class Answers> Recorded operator()(const Recorded& t, const Answers& state) const {
    return at(t, state);
  }
  bool depends_on_state() const { return state_.has_value() || call_; }
  bool depends_on_time() const {
    return call_ || is_input() ? true : state_ ? state_->uses(0) : !time_.kind().is_constant();
  }
  /// Whether the model has declared it as an input: its value comes from outside.
  bool is_input() const { return held() && held()->input >= 0; }
  /// Whether a function in the user's program computes it.
  bool is_call() const { return bool(call_); }
  /// The state variables, in the order of the formula's variables after t.
  const std::vector<StateVariable>& variables() const { return variables_; }
  /// The value of a formula from t and the variables' values.
  template <class R> R value(std::span<const R> t_and_variables) const { return (*state_)(t_and_variables); }
  const Function& function_of_time() const { return time_; }
  /// As Function::hold().
  void hold(std::shared_ptr<const Held> value) { time_.hold(std::move(value)); }
  const Held* held() const { return time_.held(); }
  /// The formula of the state; null if it is none.
  const Expression* formula() const { return state_ ? &*state_ : nullptr; }
  /// Lets a motion see and hold the switches of the formula; copies share them.
  void watch(std::shared_ptr<Switches> switches) { switches_ = std::move(switches); }
  /// The state as presented to functions in the user's program.
  template <class Answers> class Seen final : public State {
   public:
    explicit Seen(const Answers& state) : state_(state) {}
    double operator()(const StateVariable& v) const override { return state_(v); }

   private:
    const Answers& state_;
  };

 private:
  template <class R, class Answers> R at(const R& t, const Answers& state) const {
    if (time_.is_held(t)) return time_(t).x;
    if (call_) return called(t, state);
    if (!state_) return time_(t).x;
    std::array<R, most_variables> values;
    values[0] = t;
    for (std::size_t k = 0; k < variables_.size(); ++k) values[k + 1] = state(variables_[k]);
    const std::span<const R> given(values.data(), variables_.size() + 1);
    if constexpr (std::is_same_v<R, double>)
      if (switches_) return (*state_)(given, *switches_);
    return (*state_)(given);
  }
  template <class Answers> double called(double t, const Answers& state) const {
    return call_(t, Seen<Answers>(state));
  }
  template <class Answers> Recorded called(const Recorded&, const Answers&) const {
    throw ModelError(
        "no code can be generated with a function of your program: write it as a formula, or make it an "
        "input of the model and set that");
  }

  Function time_;
  std::optional<Expression> state_;
  std::vector<StateVariable> variables_;
  StateFunction call_;
  std::shared_ptr<Switches> switches_;
};
}  // namespace mubody
