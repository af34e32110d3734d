#include "mubody/integrators/multistep.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/integrators/rk4.h"

namespace mubody {
namespace {
constexpr long looks_back = 3;  // steps

double binomial(int n, int k) {
  double c = 1;
  for (int i = 1; i <= k; ++i) c = c * (n - k + i) / i;
  return c;
}

// Σ_i c_i ∇^i in terms of values, the newest first:  ∇^i x_n = Σ_j (−1)^j C(i, j) x_n−j.
std::vector<double> of_values(const std::vector<double>& c) {
  std::vector<double> b(c.size());
  for (int i = 0; i < int(c.size()); ++i)
    for (int j = 0; j <= i; ++j) b[j] += (j % 2 == 0 ? 1 : -1) * binomial(i, j) * c[i];
  return b;
}
}  // namespace

// γ_m + γ_m−1 / 2 + ... + γ_0 / (m+1) = 1
std::vector<double> adams_bashforth(int order) {
  std::vector<double> gamma;
  for (int m = 0; m < order; ++m) {
    double next = 1;
    for (int i = 0; i < m; ++i) next -= gamma[i] / (m + 1 - i);
    gamma.push_back(next);
  }
  return of_values(gamma);
}

// The same sum is 0 for m > 0.
std::vector<double> adams_moulton(int order) {
  std::vector<double> gamma;
  for (int m = 0; m < order; ++m) {
    double next = m == 0 ? 1 : 0;
    for (int i = 0; i < m; ++i) next -= gamma[i] / (m + 1 - i);
    gamma.push_back(next);
  }
  return of_values(gamma);
}

// Σ_{i=1}^k ∇^i y_n+1 / i = h f_n+1
std::vector<double> backward_differences(int order) {
  std::vector<double> c{0};
  for (int i = 1; i <= order; ++i) c.push_back(1.0 / i);
  return of_values(c);
}

StabilityPolynomial stability_of_adams_moulton(int order) {
  const std::vector<double> b = adams_moulton(order);
  const int top = std::max(1, order - 1);
  StabilityPolynomial pi{std::vector<std::vector<double>>(top + 1, {0, 0})};
  pi.p[top][0] = 1, pi.p[top - 1][0] = -1;
  for (int j = 0; j < order; ++j) pi.p[top - j][1] -= b[j];
  return pi;
}

StabilityPolynomial stability_of_backward_differences(int order) {
  const std::vector<double> a = backward_differences(order);
  StabilityPolynomial pi;
  for (int j = order; j >= 0; --j) pi.p.push_back({a[j]});
  pi.p.back().push_back(-1);
  return pi;
}

StabilityPolynomial stability_of_pece(std::span<const double> predictor, std::span<const double> corrector) {
  // ζ^top stands for the new state; corrector[0] multiplies the rate of the predicted one.
  const int top = int(std::max(predictor.size(), corrector.size() - 1));
  StabilityPolynomial pi{std::vector<std::vector<double>>(top + 1, {0, 0, 0})};
  pi.p[top][0] = 1;
  pi.p[top - 1][0] = -1, pi.p[top - 1][1] = -corrector[0];
  for (std::size_t j = 1; j < corrector.size(); ++j) pi.p[top - j][1] -= corrector[j];
  for (std::size_t j = 0; j < predictor.size(); ++j) pi.p[top - 1 - j][2] -= corrector[0] * predictor[j];
  return pi;
}

FourthOrderMultistep::FourthOrderMultistep(const StepControl& control)
    : h_(*control.step), starter_(Rk4::make(control)) {}

void FourthOrderMultistep::evaluate(Ode& f, double t, const VecX& y, VecX& dy) {
  f.rates(t, y, dy);
  ++statistics_.evaluations;
}

void FourthOrderMultistep::start(Ode& f, double t, const VecX& y, double t_end) {
  t_ = before_ = t;
  grid_.start(t);
  t_end_ = t_end;
  y_ = y;
  taken_ = 0;
  stale_ = false;
  statistics_ = {};
  starter_->start(f, t, y, t_end);
  begin(f);
}

bool FourthOrderMultistep::history(Memory& m) {
  m(grid_, before_, taken_, stale_, started_by_runge_kutta_);
  formula_history(m);
  return true;
}

bool FourthOrderMultistep::by_runge_kutta(Ode& f) {
  starter_->start(f, grid_.next(h_, t_end_).from, y_, t_end_);
  const long evaluations = starter_->statistics().evaluations;
  const bool done = starter_->advance(f);
  statistics_.evaluations += starter_->statistics().evaluations - evaluations;
  if (!done) return fail(starter_->fault(), starter_->why());
  t_ = starter_->t();
  y_ = starter_->y();
  return true;
}

bool FourthOrderMultistep::advance(Ode& f) {
  if (stale_) {
    taken_ = 0;
    stale_ = false;
    begin(f);
  }
  const Grid::Step s = grid_.next(h_, t_end_);
  started_by_runge_kutta_ = taken_ < looks_back || s.shorter;
  if (started_by_runge_kutta_) {
    if (!by_runge_kutta(f)) return false;
  } else {
    if (!formula(f, s.to, s.to - s.from)) return false;
    f.after_step(s.to, y_);
  }
  t_ = s.ends ? t_end_ : s.to;
  before_ = s.from;
  grid_.take(s, h_);
  ++taken_;
  note(f);
  stale_ = s.shorter;
  statistics_.count(t_ - s.from);
  return true;
}

void FourthOrderMultistep::interpolate(Ode& f, double t, Out y) {
  if (t == t_)
    y = y_;
  else if (started_by_runge_kutta_)
    starter_->interpolate(f, t, y);
  else
    within((t - before_) / (t_ - before_), y);
}
}  // namespace mubody
