#include "mubody/integrators/radau.h"

#include "mubody/integrators/newton_matrix.h"
#include "mubody/integrators/runge_kutta.h"
#include "mubody/integrators/stages/collocation.h"
#include "mubody/integrators/tolerance.h"
#include "mubody/math/finite.h"

namespace mubody {
namespace {
class RadauSteps final : public Integrator {
 public:
  explicit RadauSteps(const StepControl& control) : control_(tightened(control)) {}

  void start(Ode& f, double t, const VecX& y, double t_end) override {
    t_ = t0_ = before_ = t;
    t_end_ = t_end;
    y_ = y0_ = y1_ = rate_ = right_ = error_ = moved_ = y;
    residue_ = lost_ = VecX::Zero(y.size());
    for (auto* stages : {&z_, &old_, &f_, &change_}) {
      stages->resize(s);
      for (VecX& x : *stages) x.setZero(y.size());
    }
    for (int k = 0; k < pairs; ++k) r_[k].setZero(y.size()), w_[k].setZero(y.size());
    tolerance_.start(f, control_, y.size());
    StepControl tight = control_;
    if (tight.rtol > loosest) tight.rtol = loosest, tight.atol.reset();
    newton_.start(f, tight, y.size());
    matrix_.begin(f, y.size());
    statistics_ = {};
    sizes_ = {};
    matrix_of_ = 0;
    has_past_ = false;
    share_ = 0;
  }

  bool take(const StepControl& control) override {
    control_ = tightened(control);
    return true;
  }
  void refresh(Ode&) override {
    matrix_of_ = 0;
    has_past_ = false;
  }

  bool advance(Ode& f) override {
    f.rates(t_, y_, rate_);
    ++statistics_.evaluations;
    const double least = StepSizes::shortest(t_, t_end_);
    if (sizes_.next == 0) sizes_.next = std::max(starting_step(f), 16 * least);
    const double most = control_.max_step.value_or(t_end_ - t0_);
    bool finite = all_finite(rate_);
    z_.swap(old_);  // what the last step was like
    for (bool retried = false;; retried = true) {
      const double t = sizes_.end_of_next(t_, most, t_end_), h = t - t_;
      if (!(h >= least)) {
        z_.swap(old_);
        return fail_to_step(least, finite);
      }
      double size = std::numeric_limits<double>::infinity();
      const bool has_solution = solve_stages(f, h);
      if (has_solution) size = error(f, h, retried);
      finite = all_finite(f_[s - 1]);
      if (size <= 1) {
        accept(f, t, size, retried);
        return true;
      }
      ++statistics_.rejected;
      sizes_.next = h * (has_solution ? StepSizes::shorter(size, order_of_error) : 0.3);
    }
  }

  double work() const override { return double(statistics_.evaluations) + matrix_.work(); }

  // The polynomial through the start and the stages.
  void interpolate(Ode&, double t, Out y) override {
    if (t == t_) {
      y = y_;
      return;
    }
    const Collocation::Numbers w = table_.weights((t - before_) / (t_ - before_));
    y = y0_;
    for (int j = 0; j < s; ++j) y += w[j] * z_[std::size_t(j)];
  }

 private:
  static constexpr int s = Collocation::stages, pairs = Collocation::pairs;
  static constexpr int order_of_error = s + 1;  // what the error estimate grows with, in powers of h
  static constexpr double solved = 1e-5;        // of the tolerance: what Newton's method may leave
  static constexpr double stalled = 0.1;        // of the tolerance: enough where it gets on slowly
  static constexpr double loosest = 1e-6;       // tolerance of Newton's method, whatever that of steps is
  static constexpr double noise = 0.3;  // of the tolerance: enough where round-off lets it get no further
  static constexpr int most_iterations = 15;
  static constexpr double fast =
      1e-2;  // share of an error that an iteration leaves, with which a matrix is kept
  static constexpr double same = 1.2;  // a step that would be longer by less keeps its size, and its matrix

  // Steps are long, and their errors are of one sign, so that more of them is left at the end than of many short ones.
  static StepControl tightened(StepControl c) {
    constexpr double share = 0.05;
    c.rtol *= share;
    if (c.atol) *c.atol *= share;
    return c;
  }

  // The matrix is made anew, both at a save and at its restore.
  bool history(Memory& m) override {
    m(t0_, before_, sizes_.next, sizes_.last_error, y0_, residue_, z_, has_past_, matrix_);
    matrix_of_ = 0;
    return true;
  }

  double starting_step(Ode& f) {
    if (control_.step) return *control_.step;
    const double slope = tolerance_.largest(rate_, y_, y_), span = t_end_ - t0_;
    const double h = first_trial(tolerance_.largest(y_), slope, span);
    right_ = y_ + h * rate_;
    f.rates(t_ + h, right_, moved_);
    ++statistics_.evaluations;
    error_ = (moved_ - rate_) / h;
    return first_step(h, std::max(slope, tolerance_.largest(error_, y_, y_)), order_of_error, span);
  }

  // The polynomial of the last step goes on.
  void predict(double h) {
    if (!has_past_) {
      for (VecX& z : z_) z.setZero();
      return;
    }
    const double last = t_ - before_;
    for (int j = 0; j < s; ++j) {
      const Collocation::Numbers w = table_.weights(1 + table_.c[j] * h / last);
      VecX& z = z_[std::size_t(j)];
      z = -old_[s - 1];
      for (int k = 0; k < s; ++k) z += w[k] * old_[std::size_t(k)];
    }
  }

  bool solve_stages(Ode& f, double h) {
    predict(h);
    if (matrix_of_ == h && share_ < fast && iterate(f, h)) return true;
    if (matrix_of_ == h && share_ < fast) predict(h);
    renew(f, h);
    return iterate(f, h);
  }
  // The derivatives are those in the middle of the step, as far as it is known, which suit all stages best.
  void renew(Ode& f, double h) {
    constexpr int middle = s / 2;
    Complex c[pairs];
    for (int k = 0; k < pairs; ++k) c[k] = h * table_.complex[k];
    right_ = y_ + z_[middle];
    const double t = t_ + (has_past_ ? table_.c[middle] * h : 0);
    matrix_.renew(f, t, right_, h * table_.real, statistics_, c);
    matrix_of_ = h;
  }

  // Newton's method for z = h A f(t + c h, y + z), which T takes apart.
  bool iterate(Ode& f, double h) {
    double last = 0;
    for (int k = 1; k <= most_iterations; ++k) {
      const double size = improve(f, h);
      if (!std::isfinite(size)) return false;
      const double share = k > 1 ? size / last : 0.5;
      if (k > 1) share_ = share;
      if (size == 0 || (share < 1 && size * share / (1 - share) <= solved)) return true;
      if (k > 2 && share > 0.5 && size <= stalled) return true;
      if (k > 2 && share > 0.9) return size <= noise;
      last = size;
    }
    return false;
  }

  // Returns the size of the change, in tolerances.
  double improve(Ode& f, double h) {
    for (int j = 0; j < s; ++j) {
      right_ = y_ + z_[std::size_t(j)];
      f.rates(t_ + table_.c[j] * h, right_, f_[std::size_t(j)]);
    }
    statistics_.evaluations += s;
    ++statistics_.iterations;
    for (int i = 0; i < s; ++i) {
      VecX& r = change_[std::size_t(i)];
      r = -z_[std::size_t(i)];
      for (int j = 0; j < s; ++j) r += h * table_.A(i, j) * f_[std::size_t(j)];
    }
    right_ = table_.to_real[0] * change_[0];
    for (int j = 1; j < s; ++j) right_ += table_.to_real[j] * change_[std::size_t(j)];
    matrix_.solve(right_, moved_);
    for (int k = 0; k < pairs; ++k) {
      r_[k] = table_.to_complex[k][0] * change_[0];
      for (int j = 1; j < s; ++j) r_[k] += table_.to_complex[k][j] * change_[std::size_t(j)];
      matrix_.solve(std::size_t(k), r_[k], w_[k]);
    }
    double most = 0;
    for (int j = 0; j < s; ++j) {
      VecX& change = change_[std::size_t(j)];
      change = table_.from_real[j] * moved_;
      for (int k = 0; k < pairs; ++k) change += 2 * (table_.from_complex[k][j] * w_[k]).real();
      z_[std::size_t(j)] += change;
      keep_largest(most, newton_.largest(change, y_, y_));
    }
    return most;
  }

  // Hairer & Wanner (1996), eqs. IV.8.19 and IV.8.20.
  double error(Ode& f, double h, bool retried) {
    // Compensated sum, as in integrators/runge_kutta.cpp.
    lost_ = residue_ + z_[s - 1];
    y1_ = y_ + lost_;
    lost_ -= y1_ - y_;
    estimate(h, rate_);
    double size = tolerance_.largest(error_, y_, y1_);
    if (size >= 1 && (retried || !has_past_)) {
      error_ += y_;
      f.rates(t_, error_, moved_);
      ++statistics_.evaluations;
      estimate(h, moved_);
      size = tolerance_.largest(error_, y_, y1_);
    }
    return std::isnan(size) ? std::numeric_limits<double>::infinity() : size;
  }
  void estimate(double h, const VecX& rate) {
    right_ = h * table_.real * rate;
    for (int j = 0; j < s; ++j) right_ += table_.error[j] * z_[std::size_t(j)];
    matrix_.solve(right_, error_);
  }

  void accept(Ode& f, double t, double size, bool retried) {
    const double h = t - t_;
    sizes_.accept(h, size, order_of_error, retried, t == t_end_);
    if (sizes_.next >= 0.95 * h && sizes_.next < same * h) sizes_.next = h;
    before_ = t_;
    t_ = t;
    y0_.swap(y_);
    y_.swap(y1_);
    residue_.swap(lost_);
    f.after_step(t_, y_);
    has_past_ = true;
    statistics_.count(h);
  }

  const Collocation& table_ = Collocation::radau();
  StepControl control_;
  double t0_ = 0, before_ = 0;
  StepSizes sizes_;
  Tolerance tolerance_, newton_;
  NewtonMatrix matrix_;
  double matrix_of_ = 0;   // the step of the matrix; 0 if there is none
  double share_ = 0;       // of an error that an iteration left
  bool has_past_ = false;  // the increments of the last step predict the next ones
  std::vector<VecX> z_, old_, f_, change_;
  VecX y0_, y1_, rate_, right_, error_, moved_;
  VecX residue_, lost_;  // rounding errors of y_ and y1_
  CVecX r_[pairs], w_[pairs];
};
}  // namespace

std::unique_ptr<Integrator> Radau::make(const StepControl& c) { return std::make_unique<RadauSteps>(c); }

// Padé's approximation of e^μ with s − 1 powers above and s below.  Hairer & Wanner (1996), eq. IV.3.30.
StabilityPolynomial Radau::stability() {
  constexpr int s = Collocation::stages;
  std::vector<double> above{1}, below{1};
  for (int k = 1; k <= s; ++k) {
    if (k < s) above.push_back(above.back() * (s - k) / double(k * (2 * s - k)));
    below.push_back(-below.back() * (s + 1 - k) / double(k * (2 * s - k)));
  }
  for (double& x : above) x = -x;
  return {{above, below}};
}
}  // namespace mubody
