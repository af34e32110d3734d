#pragma once
// Formulas of linear multistep methods for steps of one size, and the common part of methods with fixed steps.
//
//   Adams-Bashforth  y_n+1 = y_n + h Σ_j b_j f_n−j       explicit, order k with k rates
//   Adams-Moulton    y_n+1 = y_n + h Σ_j b_j f_n+1−j     implicit, order k with k rates
//   Gear (BDF)       Σ_j a_j y_n+1−j = h f_n+1           implicit, order k with k earlier states
//
//   Hairer, Nørsett & Wanner, Solving ODEs I, sec. III.1               docs/theory/integrators.md#multistep
#include <vector>

#include "mubody/integrators/integrator.h"

namespace mubody {
/// The weights b_j, that of the newest rate first.
std::vector<double> adams_bashforth(int order);
std::vector<double> adams_moulton(int order);
/// The coefficients a_j, that of the newest state first.
std::vector<double> backward_differences(int order);

/// Their characteristic polynomials, Σ_j (a_j − μ b_j) ζ^j.
StabilityPolynomial stability_of_adams_moulton(int order);
StabilityPolynomial stability_of_backward_differences(int order);
/// The polynomial of predicting with the first weights, evaluating, correcting with the second, and evaluating again
/// (PECE): past rates are those of corrected states, the new one that of the predicted, which brings in μ².
StabilityPolynomial stability_of_pece(std::span<const double> predictor, std::span<const double> corrector);

/// A method of fourth order with fixed steps that looks back three steps: Runge-Kutta takes the first three, and the
/// last if it is shorter than the others.  A method defines its history of accepted states and its formula.
class FourthOrderMultistep : public Integrator {
 public:
  explicit FourthOrderMultistep(const StepControl&);
  void start(Ode&, double t, const VecX& y, double t_end) override;
  bool take(const StepControl& control) override {
    h_ = *control.step;
    return starter_->take(control);
  }
  bool advance(Ode&) override;
  void interpolate(Ode&, double t, Out y) override;
  void refresh(Ode&) override { stale_ = true; }

 protected:
  bool history(Memory&) override;
  void end_moved() override { starter_->until(t_end_); }

  /// Forgets all history; y_ is the start.
  virtual void begin(Ode&) = 0;
  /// Lists the history of the formula.
  virtual void formula_history(Memory&) = 0;
  /// Steps from t_ to t by the formula, changing the state y_; returns false after fail().
  virtual bool formula(Ode&, double t, double h) = 0;
  /// Notes the accepted and corrected state y_ at t_.
  virtual void note(Ode&) = 0;
  /// The state at the share θ of the last step, which was taken by the formula.
  virtual void within(double theta, Out y) const = 0;

  void evaluate(Ode& f, double t, const VecX& y, VecX& dy);
  double h_ = 0;

 private:
  bool by_runge_kutta(Ode&);

  std::unique_ptr<Integrator> starter_;
  Grid grid_;
  double before_ = 0;
  long taken_ = 0;                      // steps since the history began
  bool stale_ = false;                  // the history does not predict the next rates
  bool started_by_runge_kutta_ = true;  // whether Runge-Kutta took the last step
};
}  // namespace mubody
