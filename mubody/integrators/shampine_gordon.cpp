#include "mubody/integrators/shampine_gordon.h"

#include <algorithm>
#include <array>
#include <limits>

#include "mubody/integrators/tolerance.h"

namespace mubody {
namespace {
// In the book indices begin with 1, here with 0: phi_[i] is φ_i+1.  k differences predict, and the result is of order
// k + 1.
constexpr int most = ShampineGordon::order - 1;
using Numbers = std::array<double, most + 2>;

// |γ*_k|: the error of an Adams-Moulton formula with k rates at equal steps is γ*_k h ∇^k f.
Numbers error_constants() {
  Numbers gamma{1};
  for (std::size_t m = 1; m < gamma.size(); ++m)
    for (std::size_t i = 0; i < m; ++i) gamma[m] -= gamma[i] / double(m + 1 - i);
  for (double& g : gamma) g = std::abs(g);
  return gamma;
}

class VariableAdams final : public Integrator {
 public:
  explicit VariableAdams(const StepControl& control)
      : control_(control), highest_(std::clamp(control.max_order - 1, 1, most)), gamma_(error_constants()) {}

  void start(Ode& f, double t, const VecX& y, double t_end) override {
    t_ = t0_ = t;
    t_end_ = t_end;
    y_ = y1_ = moved_ = rate_ = difference_ = extrapolated_ = sum_ = y;
    residue_.setZero(y.size());
    phi_.resize(most + 2);
    star_.resize(most + 1);
    for (VecX& phi : phi_) phi.setZero(y.size());
    for (VecX& phi : star_) phi.setZero(y.size());
    psi_.fill(0);
    tolerance_.start(f, control_, y.size());
    statistics_ = {};
    h_ = last_h_ = 0;
    k_ = used_ = 1;
    equal_steps_ = 0;
    growing_ = true;
  }

  bool take(const StepControl& control) override {
    control_ = control;
    return true;
  }
  bool advance(Ode& f) override {
    if (h_ == 0) {
      evaluate(f, t_, y_, phi_[0]);
      h_ = first_step();
    }
    const double least = 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t_), std::abs(t_end_));
    bool finite = phi_[0].allFinite();
    for (int failures = 1;; ++failures) {
      h_ = std::min(h_, longest());
      double t = t_ + h_;
      if (t > t_end_ - 0.01 * h_) t = t_end_;  // no tiny step at the end
      const double h = t - t_;
      if (!(h >= least)) return fail_to_step(least, finite);
      const Estimate e = attempt(f, t, h);
      if (e.error <= 1) {
        accept(f, t, h);
        choose(h, e);
        return true;
      }
      finite = std::isfinite(e.error);
      ++statistics_.rejected;
      growing_ = false;
      h_ = h / 2;
      if (e.lower) --k_;
      if (failures > 2) {  // the history does not predict the next rates
        k_ = 1;
        if (finite) h_ = std::min(h_, h * std::sqrt(0.5 / e.error));
      }
    }
  }

  // Interpolates back from the end of the step: the integral of the polynomial through the last k + 1 rates.
  //   y(t_n+1 + s) = y_n+1 + s Σ_i g_i,1 φ_i,  g_1,q = 1/q,  g_i+1,q = Γ_i g_i,q − η_i g_i,q+1,
  //   Γ_i = (s + ψ_i−1) / ψ_i,  η_i = s / ψ_i
  void interpolate(Ode&, double t, Out y) override {
    y = y_;
    const double s = t - t_;
    if (s == 0) return;
    Numbers g;
    for (int q = 0; q <= used_; ++q) g[q] = 1.0 / (q + 1);
    for (int i = 0; i <= used_; ++i) {
      y += (s * g[0]) * phi_[i];
      if (i == used_) break;
      const double Gamma = (i == 0 ? s : s + psi_[i - 1]) / psi_[i], eta = s / psi_[i];
      for (int q = 0; q < used_ - i; ++q) g[q] = Gamma * g[q] - eta * g[q + 1];
    }
  }

 private:
  bool history(Memory& m) override {
    m(t0_, h_, last_h_, k_, used_, equal_steps_, growing_, psi_, phi_, residue_);
    return true;
  }

  struct Estimate {
    double error;  // scaled; the step may be accepted if at most 1
    double here;   // error of this order if steps were equal, for comparison
    double below;  // error of the order below
    bool lower;    // whether the order below is as good
  };

  void evaluate(Ode& f, double t, const VecX& y, VecX& dy) {
    f.rates(t, y, dy);
    ++statistics_.evaluations;
  }

  double scaled(const VecX& x) const { return tolerance_.largest(x, y_, y1_); }

  double longest() const { return control_.max_step.value_or(t_end_ - t0_); }
  double first_step() const {
    if (control_.step) return *control_.step;
    const double slope = scaled(phi_[0]), span = std::min(longest(), 1e-3 * (t_end_ - t0_));
    return slope * span * span > 0.0625 ? 0.25 / std::sqrt(slope) : span;
  }

  // Predicts and evaluates.  Prepares all that accept() needs, and leaves the history unchanged.
  Estimate attempt(Ode& f, double t, double h) {
    const int k = k_;
    // ψ_i(n+1), α_i, β_i and σ_i of the book, and g_i,1 by the same recursion as above with Γ = 1.
    next_psi_[0] = h;
    for (int i = 1; i < int(psi_.size()); ++i) next_psi_[i] = psi_[i - 1] + h;
    Numbers sigma, g;
    double beta = 1;
    sigma[0] = 1;
    moved_.setZero();
    extrapolated_.setZero();
    for (int q = 0; q <= k; ++q) g[q] = 1.0 / (q + 1);
    double last_g = 1;
    for (int i = 0; i < k; ++i) {
      star_[i] = beta * phi_[i];
      moved_ += (h * g[0]) * star_[i];
      extrapolated_ += star_[i];
      const double alpha = h / next_psi_[i];
      sigma[i + 1] = (i + 1) * alpha * sigma[i];
      last_g = g[0];
      for (int q = 0; q < k - i; ++q) g[q] -= alpha * g[q + 1];
      beta *= psi_[i] > 0 ? next_psi_[i] / psi_[i] : 0;
    }
    star_[k] = beta * phi_[k];
    corrector_ = h * g[0];

    y1_ = y_ + moved_;
    evaluate(f, t, y1_, rate_);
    difference_ = rate_ - extrapolated_;

    const double size = scaled(difference_);
    Estimate e{h * std::abs(last_g - g[0]) * size, h * sigma[k] * gamma_[k] * size, 0, false};
    if (!rate_.allFinite()) e.error = std::numeric_limits<double>::infinity();
    if (k > 1) {
      sum_ = difference_ + star_[k - 1];
      e.below = h * sigma[k - 1] * gamma_[k - 1] * scaled(sum_);
      e.lower = e.below <= e.here / 2;
    }
    if (k > 2) {
      sum_ += star_[k - 2];
      e.lower = std::max(e.below, h * sigma[k - 2] * gamma_[k - 2] * scaled(sum_)) <= e.here;
    }
    return e;
  }

  // Corrects, lets the equation correct, evaluates and brings the differences up to date.
  void accept(Ode& f, double t, double h) {
    const int k = k_;
    sum_ = y_;
    moved_ += corrector_ * difference_ + residue_;
    y_ += moved_;
    residue_ = moved_ - (y_ - sum_);  // compensated, as in runge_kutta.cpp
    t_ = t;
    f.after_step(t_, y_);
    evaluate(f, t_, y_, rate_);
    difference_ = rate_ - extrapolated_;
    phi_[k + 1] = difference_ - star_[k];
    phi_[k] = difference_;
    for (int i = k - 1; i >= 0; --i) phi_[i] = phi_[i + 1] + star_[i];
    psi_ = next_psi_;
    used_ = k;
    equal_steps_ = std::abs(h - last_h_) <= 1e-12 * h ? equal_steps_ + 1 : 1;
    last_h_ = h;
    statistics_.count(h);
  }

  // Chooses order and size of the next step.  At first both grow with every step; then the order follows the errors
  // of its neighbours, the higher one only after enough equal steps, and the step doubles, stays, or shrinks.
  void choose(double h, const Estimate& e) {
    double error = e.here;
    if (e.lower || k_ == highest_) growing_ = false;
    if (growing_) {
      ++k_;
      h_ = 2 * h;
      return;
    }
    if (e.lower) {
      --k_;
      error = e.below;
    } else if (k_ < highest_ && equal_steps_ > k_) {
      const double above = h * gamma_[k_ + 1] * scaled(phi_[k_ + 1]);
      if (k_ > 1 && e.below <= std::min(e.here, above)) {
        --k_;
        error = e.below;
      } else if (above < (k_ > 1 ? e.here : e.here / 2)) {
        ++k_;
        error = above;
      }
    }
    if (error * std::exp2(k_ + 1) <= 0.5)
      h_ = 2 * h;
    else if (error <= 0.5)
      h_ = h;
    else
      h_ = h * std::clamp(std::pow(0.5 / error, 1.0 / (k_ + 1)), 0.5, 0.9);
  }

  StepControl control_;
  int highest_;
  Numbers gamma_;
  double t0_ = 0, h_ = 0, last_h_ = 0;
  int k_ = 1, used_ = 1, equal_steps_ = 0;
  Tolerance tolerance_;
  bool growing_ = true;
  double corrector_ = 0;    // h g_k+1
  Numbers psi_, next_psi_;  // ψ_i: time from the i-th point before the newest to the newest [s]
  std::vector<VecX> phi_;   // φ_i, modified divided differences of the rates
  std::vector<VecX> star_;  // β_i φ_i for the size of the next step
  VecX y1_, moved_, rate_, difference_, extrapolated_, sum_, residue_;
};
}  // namespace

std::unique_ptr<Integrator> ShampineGordon::make(const StepControl& c) {
  return std::make_unique<VariableAdams>(c);
}
}  // namespace mubody
