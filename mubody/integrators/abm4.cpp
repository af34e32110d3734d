#include "mubody/integrators/abm4.h"

#include <array>

#include <fmt/format.h>

namespace mubody {
namespace {
class AdamsFour final : public FourthOrderMultistep {
 public:
  using FourthOrderMultistep::FourthOrderMultistep;

 private:
  void formula_history(Memory& m) override { m(f_, y0_, residue_); }

  void begin(Ode& f) override {
    residue_ = VecX::Zero(y_.size());
    y0_ = predicted_ = increment_ = y_;
    for (VecX& rate : f_) rate.setZero(y_.size());
    new_ = f_[0];
    evaluate(f, t_, y_, f_[0]);
  }

  bool formula(Ode& f, double t, double h) override {
    y0_ = predicted_ = y_;
    for (std::size_t j = 0; j < 4; ++j) predicted_ += (h * Abm4::predictor[j]) * f_[j];
    evaluate(f, t, predicted_, new_);
    increment_ = residue_ + (h * Abm4::corrector[0]) * new_;
    for (std::size_t j = 1; j < 4; ++j) increment_ += (h * Abm4::corrector[j]) * f_[j - 1];
    y_ = y0_ + increment_;
    if (!y_.allFinite()) {
      y_ = y0_;
      return fail(Fault::not_finite,
                  fmt::format("the state is not finite after the step from t = {:.6g} s", t_));
    }
    residue_ = increment_ - (y_ - y0_);  // compensated, as in runge_kutta.cpp
    return true;
  }

  void note(Ode& f) override {
    for (std::size_t j = 3; j > 0; --j) f_[j].swap(f_[j - 1]);
    evaluate(f, t_, y_, f_[0]);
  }

  // The integral of the cubic through the rates at θ = 1, 0, −1, −2; at θ = 1 it is the corrector.
  void within(double theta, Out y) const override {
    const double h = h_, s2 = theta * theta, s3 = s2 * theta, s4 = s2 * s2;
    y = y0_;
    y += (h * (s4 / 4 + s3 + s2) / 6) * f_[0];
    y -= (h * (s4 / 4 + 2 * s3 / 3 - s2 / 2 - 2 * theta) / 2) * f_[1];
    y += (h * (s4 / 4 + s3 / 3 - s2) / 2) * f_[2];
    y -= (h * (s4 / 4 - s2 / 2) / 6) * f_[3];
  }

  std::array<VecX, 4> f_;  // rates of accepted states, the newest first
  VecX y0_, predicted_, new_, increment_, residue_;
};
}  // namespace

std::unique_ptr<Integrator> Abm4::make(const StepControl& c) { return std::make_unique<AdamsFour>(c); }
}  // namespace mubody
