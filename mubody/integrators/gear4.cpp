#include "mubody/integrators/gear4.h"

#include <fmt/format.h>

#include "mubody/math/dense.h"

namespace mubody {
namespace {
constexpr double solved = 1e-12;  // relative error left in a step, negligible against that of the formula
constexpr double stalled = 1e-9;  // the best possible where the rates themselves are iterated to a tolerance
constexpr int most_iterations = 12;
constexpr int few_iterations = 4;  // with more, the matrix is renewed

class GearFour final : public FourthOrderMultistep {
 public:
  using FourthOrderMultistep::FourthOrderMultistep;

 private:
  // The matrix is made anew, both at a save and at its restore.
  void formula_history(Memory& m) override {
    m(y_past_);
    has_matrix_ = false;
  }

  void begin(Ode& f) override {
    const Eigen::Index n = y_.size();
    size_.setOnes(n);
    most_.setConstant(n, std::numeric_limits<double>::infinity());
    if (const Sizes* sizes = f.sizes()) size_ = sizes->size, most_ = sizes->most;
    for (VecX& y : y_past_) y = y_;
    known_ = residual_ = rate_ = moved_ = y_;
    matrix_.setIdentity(n, n);
    factors_.compute(matrix_);  // takes the memory that it needs
    has_matrix_ = false;
  }

  bool formula(Ode& f, double t, double h) override {
    known_.setZero();
    for (std::size_t j = 0; j < 4; ++j) known_ += Gear4::past[j] * y_past_[j];
    bool fresh = false;
    if (!has_matrix_) fresh = renew(f, t, h);
    while (!solve(f, t, h)) {
      if (fresh) {
        y_ = y_past_[0];
        if (!rate_.allFinite()) return fail_to_step(h, false);
        return fail(Fault::no_step,
                    fmt::format("the implicit equations of the step from t = {:.6g} s have no solution nearby, "
                                "or the step is too large to find it",
                                t_));
      }
      fresh = renew(f, t, h);
    }
    return true;
  }

  void note(Ode&) override {
    for (std::size_t j = y_past_.size() - 1; j > 0; --j) y_past_[j].swap(y_past_[j - 1]);
    y_past_[0] = y_;
  }

  // Cubic through the last four states.
  void predict() { y_ = 4 * y_past_[0] - 6 * y_past_[1] + 4 * y_past_[2] - y_past_[3]; }

  // What a change of each number is measured against: as integrators/tolerance.h does, and never below round-off.
  auto counted() const {
    constexpr double round_off = 4 * std::numeric_limits<double>::epsilon() / solved;
    return (size_ + y_.array().abs().min(most_)).max(round_off * y_.array().abs());
  }

  // Sets I − 12/25 h ∂f/∂y by differences at the predicted state.  Returns true, since the matrix is new.
  bool renew(Ode& f, double t, double h) {
    predict();
    evaluate(f, t, y_, rate_);
    for (Eigen::Index j = 0; j < y_.size(); ++j) {
      const double kept = y_[j];
      y_[j] +=
          1.5e-8 * std::sqrt(size_[j] * (size_[j] + std::abs(kept)));  // √ε of both: round-off grows with y
      const double by = y_[j] - kept;
      evaluate(f, t, y_, moved_);
      y_[j] = kept;
      matrix_.col(j) = (-Gear4::rate * h / by) * (moved_ - rate_);
      matrix_(j, j) += 1;
    }
    factors_.compute(matrix_);
    has_matrix_ = true;
    return true;
  }

  // Newton's iteration from the predicted state; false if it does not converge.
  bool solve(Ode& f, double t, double h) {
    predict();
    double last = 0;
    for (int k = 1; k <= most_iterations; ++k) {
      evaluate(f, t, y_, rate_);
      residual_ = known_ + (Gear4::rate * h) * rate_ - y_;
      factors_.solve(residual_, moved_);
      y_ += moved_;
      const double size = (moved_.array() / counted()).abs().maxCoeff();
      if (!std::isfinite(size) || !y_.allFinite()) return false;
      const double share = k > 1 ? size / last : 0.5;  // share of the error that an iteration leaves
      if (size <= solved || (share < 1 && size * share / (1 - share) <= solved)) {
        if (k > few_iterations) has_matrix_ = false;
        return true;
      }
      if (k > 2 && share > 0.5 && size <= stalled) return true;
      if (k > 2 && share > 0.9) return false;
      last = size;
    }
    return false;
  }

  // A quartic through the states at θ = 1, 0, −1, −2, −3.
  void within(double theta, Out y) const override {
    y.setZero();
    for (int i = 0; i < 5; ++i) {
      double weight = 1;
      for (int j = 0; j < 5; ++j)
        if (j != i) weight *= (theta - (1 - j)) / (j - i);
      y += weight * y_past_[std::size_t(i)];
    }
  }

  std::array<VecX, 5> y_past_;  // accepted states, the newest first
  VecX known_, residual_, rate_, moved_;
  Eigen::ArrayXd size_, most_;  // Sizes of the equation
  MatX matrix_;
  Lu factors_;
  bool has_matrix_ = false;
};
}  // namespace

std::unique_ptr<Integrator> Gear4::make(const StepControl& c) { return std::make_unique<GearFour>(c); }
}  // namespace mubody
