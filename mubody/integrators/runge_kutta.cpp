#include "mubody/integrators/runge_kutta.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "mubody/integrators/tolerance.h"
#include "mubody/integrators/weighted_sum.h"
#include "mubody/math/finite.h"

namespace mubody {
namespace {
class RungeKutta final : public Integrator {
 public:
  RungeKutta(const Tableau& table, const StepControl& control) : T_(table), control_(control) {}

  void start(Ode& f, double t, const VecX& y, double t_end) override {
    t_ = t0_ = before_ = t;
    grid_.start(t);
    t_end_ = t_end;
    y_ = y0_ = y1_ = stage_ = error_ = y;
    residue_ = lost_ = none_ = VecX::Zero(y.size());
    k_.resize(T_.b.size());
    terms_.resize(k_.size());
    for (VecX& k : k_) k.setZero(y.size());
    tolerance_.start(f, control_, y.size());
    statistics_ = {};
    has_first_ = false;
    sizes_ = {};
    ordinary_ = 0;
  }

  void refresh(Ode&) override { has_first_ = false; }

  bool take(const StepControl& control) override {
    control_ = control;
    return true;
  }
  const Tableau* table() const override { return &T_; }
  bool advance(Ode& f) override { return T_.e.empty() ? advance_fixed(f) : advance_controlled(f); }

  void interpolate(Ode& f, double t, Out y) override {
    if (t == t_) {
      y = y_;
    } else if (T_.dense.empty()) {  // a shorter step from the start of the last one
      const long evaluations = statistics_.evaluations;
      step(f, before_, t, y0_, false);
      statistics_.evaluations = evaluations;
      y = y1_;
    } else {
      const double h = t_ - before_, theta = (t - before_) / h;
      y = y0_;
      for (std::size_t i = 0; i < k_.size(); ++i) {
        double weight = 0;
        for (auto c = T_.dense[i].rbegin(); c != T_.dense[i].rend(); ++c) weight = (weight + *c) * theta;
        if (weight != 0) y += (h * weight) * k_[i];
      }
    }
  }

 private:
  bool history(Memory& m) override {
    m(t0_, before_, grid_, sizes_.next, sizes_.last_error, ordinary_, has_first_, y0_, residue_, k_);
    return true;
  }

  void evaluate(Ode& f, double t, const VecX& y, VecX& k) {
    f.rates(t, y, k);
    ++statistics_.evaluations;
  }

  // sum = y + h (w₀ k₀ + w₁ k₁ + ...)
  void add(const VecX& y, double h, const std::vector<double>& w, std::size_t terms, VecX& sum) {
    WeightedVector* next = terms_.data();
    const double* weight = w.data();
    for (const VecX* k = k_.data(); k != k_.data() + terms; ++k, ++weight)
      if (*weight != 0) *next++ = {h * *weight, k->data()};
    add_weighted(y.data(), {terms_.data(), next}, y.size(), sum.data());
  }

  // Computes y1_ from y; the first stage is known if `first`.  Returns whether it is finite.
  bool step(Ode& f, double t, double to, const VecX& y, bool first) {
    const double h = to - t;
    if (f.take_stages({T_, t, h, y, residue_, first, k_, y1_, lost_})) {
      statistics_.evaluations += long(k_.size()) - first;
      return true;
    }
    // The last stage of some methods is at the end of the step, and has no part in it.
    const std::size_t inner = k_.size() - T_.first_same_as_last;
    for (std::size_t i = 0; i < inner; ++i) {
      if (i == 0 && first) continue;
      add(y, h, T_.a[i], i, stage_);
      evaluate(f, t + T_.c[i] * h, stage_, k_[i]);
    }
    // Compensated sum: the rounding error is kept and added to the next step, so that many small steps lose no
    // more than a few large ones.
    add(residue_, h, T_.b, inner, lost_);
    const double* const from = y.data();
    double *const sum = y1_.data(), *const lost = lost_.data();
#pragma GCC ivdep
    for (Eigen::Index k = 0; k < y.size(); ++k) {
      const double next = from[k] + lost[k];
      lost[k] -= next - from[k];
      sum[k] = next;
    }
    if (inner < k_.size()) evaluate(f, to, y1_, k_[inner]);
    return std::isfinite(y1_.sum()) || all_finite(y1_);
  }

  void accept(Ode& f, double from, double t) {
    before_ = from;
    t_ = t;
    y0_.swap(y_);
    y_.swap(y1_);  // what it gives away is written anew by the next step
    residue_.swap(lost_);
    const bool changed = f.after_step(t_, y_);
    has_first_ = T_.first_same_as_last && !changed;
    statistics_.count(t_ - before_);
  }

  bool advance_fixed(Ode& f) {
    const double h = *control_.step;
    const Grid::Step s = grid_.next(h, t_end_);
    if (!step(f, s.from, s.to, y_, false))
      return fail(Fault::not_finite,
                  fmt::format("the state is not finite after the step from t = {:.6g} s", t_));
    grid_.take(s, h);
    accept(f, s.from, s.ends ? t_end_ : s.to);
    return true;
  }

  double starting_step(Ode& f) {
    if (control_.step) return *control_.step;
    const double slope = tolerance_.largest(k_[0], y_, y_), span = t_end_ - t0_;
    const double h = first_trial(tolerance_.largest(y_), slope, span);
    stage_ = y_ + h * k_[0];
    evaluate(f, t_ + h, stage_, k_[1]);
    error_ = (k_[1] - k_[0]) / h;
    return first_step(h, std::max(slope, tolerance_.largest(error_, y_, y_)), T_.order, span);
  }

  // Takes one trial step and returns the scaled size of its error.
  double attempt(Ode& f, double t) {
    const double h = t - t_;
    const bool finite = step(f, t_, t, y_, true);
    add(none_, h, T_.e, k_.size(), error_);
    const double size = tolerance_.largest(error_, y_, y1_);
    return finite ? size : std::numeric_limits<double>::infinity();
  }

  // Where the equation says that it is rough, the error estimate is no guide for very small steps: they end closer to
  // the singularity, where the rates are worse.  Shorter steps are tried down to a share of the recent ordinary ones,
  // then longer ones, to cross from afar; the first good one, or the best, is left in y1_.  Returns false if
  // none is good enough.
  bool find_way(Ode& f, double& h, double& size) {
    const double tried = h;
    double best = h, best_size = size;
    const auto serves = [&](double candidate, double limit) {
      if (t_ + candidate > t_end_) return false;
      h = candidate;
      size = attempt(f, t_ + h);
      if (size < best_size) best = h, best_size = size;
      if (size > limit) ++statistics_.rejected;
      return size <= limit;
    };
    for (double shorter = 0.7 * tried; shorter > ordinary_ / 16; shorter *= 0.7)
      if (serves(shorter, 1)) return true;
    for (const double share : {1.5, 2.2, 3.3})
      if (serves(share * tried, 10)) return true;
    h = best;
    size = attempt(f, t_ + h);
    return size * control_.rtol < most_error;
  }

  bool advance_controlled(Ode& f) {
    if (has_first_)
      k_[0].swap(k_.back());
    else
      evaluate(f, t_, y_, k_[0]);
    const double least = StepSizes::shortest(t_, t_end_);
    // Where a great force has only begun to act, a step that suits what it has done so far may be shorter than any.
    if (sizes_.next == 0) sizes_.next = std::max(starting_step(f), 16 * least);
    const double most = control_.max_step.value_or(t_end_ - t0_);
    bool finite = true;
    for (bool retried = false;; retried = true) {
      double t = sizes_.end_of_next(t_, most, t_end_);
      double h = t - t_;
      if (!(h >= least)) return fail_to_step(least, finite && all_finite(k_[0]));
      double size = attempt(f, t);
      finite = std::isfinite(size);
      if (size > 1) {
        ++statistics_.rejected;
        const double shorter = StepSizes::shorter(size, T_.order);
        if (!f.rough() || !find_way(f, h, size)) {
          sizes_.next = h * shorter;
          continue;
        }
        t = t_ + h;
      }
      sizes_.accept(h, size, T_.order, retried, t == t_end_);
      if (f.rough())
        sizes_.next = std::max(sizes_.next, ordinary_ / 4);
      else
        ordinary_ = std::max(h, 0.7 * ordinary_);  // forgets slowly: steps are cut on the way to a rough place
      accept(f, t_, t);
      return true;
    }
  }

  static constexpr double most_error = 1e-3;  // relative; a larger error is never accepted
  const Tableau& T_;
  StepControl control_;
  double t0_ = 0, before_ = 0;
  StepSizes sizes_;
  Grid grid_;            // for fixed steps
  double ordinary_ = 0;  // the size of recent steps where the equation was not rough
  Tolerance tolerance_;
  bool has_first_ = false;
  std::vector<VecX> k_;
  VecX y0_, y1_, stage_, error_;
  VecX residue_, lost_;                // rounding errors of y_ and y1_
  VecX none_;                          // zero
  std::vector<WeightedVector> terms_;  // of a sum
};
}  // namespace

std::unique_ptr<Integrator> make_runge_kutta(const Tableau& table, const StepControl& control) {
  return std::make_unique<RungeKutta>(table, control);
}

const Tableau* find_tableau(std::string_view integrator) {
  const IntegratorEntry* const entry = find_integrator(integrator);
  if (!entry) return nullptr;
  return entry->make({})->table();
}

StabilityPolynomial stability_of(const Tableau& T) {
  const std::size_t stages = T.b.size();
  std::vector<double> r{1}, power(stages, 1);  // power = A^(k−1) 1
  for (std::size_t k = 1; k <= stages; ++k) {
    double sum = 0;
    for (std::size_t i = 0; i < stages; ++i) sum += T.b[i] * power[i];
    r.push_back(sum);
    for (std::size_t i = stages; i-- > 0;) {  // from below: a row needs only those above it
      double next = 0;
      for (std::size_t j = 0; j < i; ++j) next += T.a[i][j] * power[j];
      power[i] = next;
    }
  }
  return StabilityPolynomial::one_step(std::move(r));
}
}  // namespace mubody
