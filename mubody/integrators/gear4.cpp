#include "mubody/integrators/gear4.h"

#include "mubody/integrators/implicit_stage.h"

namespace mubody {
namespace {
class GearFour final : public FourthOrderMultistep {
 public:
  using FourthOrderMultistep::FourthOrderMultistep;

 private:
  // The matrix is made anew, both at a save and at its restore.
  void formula_history(Memory& m) override {
    m(y_past_);
    stage_.forget();
  }

  void begin(Ode& f) override {
    for (VecX& y : y_past_) y = y_;
    known_ = y_;
    stage_.begin(f, y_);
  }

  bool formula(Ode& f, double t, double h) override {
    known_.setZero();
    for (std::size_t j = 0; j < 4; ++j) known_ += Gear4::past[j] * y_past_[j];
    y_ = 4 * y_past_[0] - 6 * y_past_[1] + 4 * y_past_[2] - y_past_[3];  // cubic through the last four states
    if (stage_.solve(f, t, Gear4::rate * h, known_, y_, statistics_)) return true;
    y_ = y_past_[0];
    if (!stage_.finite()) return fail_to_step(h, false);
    return fail(Fault::no_step, ImplicitStage::no_solution(t_));
  }

  void note(Ode&) override {
    for (std::size_t j = y_past_.size() - 1; j > 0; --j) y_past_[j].swap(y_past_[j - 1]);
    y_past_[0] = y_;
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
  VecX known_;
  ImplicitStage stage_;
};
}  // namespace

std::unique_ptr<Integrator> Gear4::make(const StepControl& c) { return std::make_unique<GearFour>(c); }
}  // namespace mubody
