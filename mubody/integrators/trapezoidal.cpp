#include "mubody/integrators/trapezoidal.h"

#include "mubody/integrators/implicit_stage.h"

namespace mubody {
namespace {
class TrapezoidalRule final : public Integrator {
 public:
  explicit TrapezoidalRule(const StepControl& control) : h_(*control.step) {}

  void start(Ode& f, double t, const VecX& y, double t_end) override {
    t_ = before_ = t;
    t_end_ = t_end;
    y_ = y0_ = known_ = y;
    f0_.setZero(y.size());
    f1_.setZero(y.size());
    grid_.start(t);
    statistics_ = {};
    stage_.begin(f, y);
    stale_ = true;
  }
  bool take(const StepControl& control) override {
    h_ = *control.step;
    return true;
  }

  bool advance(Ode& f) override {
    const Grid::Step s = grid_.next(h_, t_end_);
    const double h = s.to - s.from;
    if (stale_) {
      evaluate(f, s.from);
      f0_ = f1_;
      stale_ = false;
    }
    y0_ = y_;
    known_ = y_ + (0.5 * h) * f1_;
    y_ += h * f1_;
    if (t_ > before_) y_ += (0.5 * h * h / (t_ - before_)) * (f1_ - f0_);  // where Newton begins
    f0_ = f1_;
    if (!stage_.solve(f, s.to, 0.5 * h, known_, y_, statistics_)) {
      y_ = y0_;
      if (!stage_.finite()) return fail_to_step(h, false);
      return fail(Fault::no_step, ImplicitStage::no_solution(t_));
    }
    f.after_step(s.to, y_);
    t_ = s.ends ? t_end_ : s.to;
    before_ = s.from;
    grid_.take(s, h_);
    evaluate(f, t_);
    statistics_.count(t_ - s.from);
    return true;
  }

  // The cubic with the states and rates at both ends.
  void interpolate(Ode&, double t, Out y) override {
    const double h = t_ - before_, s = h > 0 ? (t - before_) / h : 1, left = 1 - s;
    y = (left * left * (1 + 2 * s)) * y0_ + (s * s * (1 + 2 * left)) * y_;
    y += (h * s * left * left) * f0_ - (h * s * s * left) * f1_;
  }
  void refresh(Ode&) override { stale_ = true; }

 private:
  // The matrix is made anew, both at a save and at its restore.
  bool history(Memory& m) override {
    m(grid_, before_, stale_, y0_, f0_, f1_);
    stage_.forget();
    return true;
  }
  void evaluate(Ode& f, double t) {
    f.rates(t, y_, f1_);
    ++statistics_.evaluations;
  }

  double h_, before_ = 0;
  Grid grid_;
  VecX y0_, f0_, f1_, known_;  // the state before, its rate, the rate of the state
  ImplicitStage stage_;
  bool stale_ = true;  // f1_ is not the rate of the state
};
}  // namespace

std::unique_ptr<Integrator> Trapezoidal::make(const StepControl& c) {
  return std::make_unique<TrapezoidalRule>(c);
}
}  // namespace mubody
