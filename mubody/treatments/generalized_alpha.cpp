#include "mubody/treatments/generalized_alpha.h"

#include <fmt/format.h>

#include "mubody/integrators/implicit_equations.h"
#include "mubody/math/dense.h"
#include "mubody/treatments/alpha_matrix.h"
#include "mubody/treatments/dense.h"

namespace mubody {
namespace {
constexpr double nearly_singular = 1e-8;  // pivots below this count as zero
constexpr double unclosed = 1e-6;  // System::gap() before the last correction, of a step that has not converged
constexpr int few_velocities = 12;  // with no more, differences cost as little as exact derivatives
constexpr double held_well = 1e-3;  // independence of constraints that need no care
constexpr double shortest = 1e-3;   // share of a step that is still tried

class Stepper final : public Integrator {
 public:
  Stepper(Dynamics& d, const GeneralizedAlpha& options, double step)
      : d_(d), s_(d.system), options_(options), step_(step) {
    const double r = options.radius;
    alpha_m_ = (2 * r - 1) / (r + 1);
    alpha_f_ = r / (r + 1);
    gamma_ = 0.5 - alpha_m_ + alpha_f_;
    beta_ = 0.25 * (gamma_ + 0.5) * (gamma_ + 0.5);
    rolls_.assign(std::size_t(s_.m), false);
    for (const JointRows& j : s_.joints)
      for (int k = j.count - j.rolls; k < j.count; ++k) rolls_[std::size_t(j.first + k)] = true;
    if (!s_.mass_is_constant) {
      VecX q = VecX::Zero(s_.nq), u = VecX::Zero(s_.nu);
      s_.start(q, u);
      s_.constraints(0, q, u, d.terms);
    }
    take_mass(d, M_);
    heavy_ = (M_.diagonal().array() * s_.units.array().square()).maxCoeff();
    if (!(heavy_ > 0)) heavy_ = 1;
  }

  void start(Ode& f, double t, const VecX& y, double t_end) override {
    t_ = at_ = before_ = t;
    grid_.start(t);
    allowed_ = step_;
    t_end_ = t_end;
    y_ = y0_ = y;
    statistics_ = {};
    factored_h_ = 0;
    k0_ = k_ = VecX::Zero(y.size());
    evaluate_rates(f, t_, k_);
    rate_ = a_ = d_.a;
    lambda_ = d_.lambda;
    held_ = d_.independence();
    x_ = way_ = VecX::Zero(s_.nu);
    residual_ = perturbed_ = change_ = VecX::Zero(s_.nu + s_.m);
    q_ = y.head(s_.nq);
    u_ = y.segment(s_.nq, s_.nu);
  }

  // Steps to t0 + k h, never accumulated, and at last to the end, or shorter if Newton's iteration needs it.
  bool advance(Ode& f) override {
    const Grid::Step whole = grid_.next(step_, t_end_);
    double t = whole.to;
    for (;;) {
      if (whole.to - at_ > 1.001 * allowed_) t = at_ + allowed_;
      next_rate_ = rate_;
      next_lambda_ = lambda_;
      place(t - at_);
      if (solve(t, t - at_)) break;
      if (t - at_ < shortest * step_) return give_up(f, t);
      ++statistics_.rejected;
      allowed_ = 0.5 * (t - at_);
    }
    if (t == whole.to) grid_.take(whole, step_);
    const double h = t - at_;
    allowed_ = std::min(2 * allowed_, step_);

    before_ = at_;
    at_ = t;
    y0_ = y_;
    k0_ = k_;
    t_ = t == whole.to && whole.ends ? t_end_ : t;
    y_.head(s_.nq) = q_;
    y_.segment(s_.nq, s_.nu) = u_;
    a_ = next_a_;
    rate_ = next_rate_;
    lambda_ = next_lambda_;
    f.after_step(t_, y_);
    evaluate_rates(f, t_, k_);
    held_ = d_.independence();
    const Eigen::Index works = y_.size() - s_.nq - s_.nu;
    y_.tail(works) += 0.5 * h * (k0_.tail(works) + k_.tail(works));
    statistics_.count(h);
    return true;
  }

  // The displacement since the start of the step as a cubic with the velocities at both ends.
  void interpolate(Ode&, double t, Out y) override {
    if (t == t_) {
      y = y_;
      return;
    }
    const double h = t_ - before_, c = (t - before_) / h;
    const auto u0 = y0_.segment(s_.nq, s_.nu), u1 = y_.segment(s_.nq, s_.nu);
    y = y0_ + c * (y_ - y0_);
    y.head(s_.nq) = y0_.head(s_.nq);
    bend0_ = h * u0 - x_;
    bend1_ = h * u1 - x_;
    way_ = c * x_ + c * (1 - c) * ((1 - c) * bend0_ - c * bend1_);
    s_.move(y.head(s_.nq), way_);
    y.segment(s_.nq, s_.nu) = (x_ + (1 - c) * (1 - 3 * c) * bend0_ - c * (2 - 3 * c) * bend1_) / h;
  }

 private:
  // The tangent is made anew, both at a save and at its restore.
  bool history(Memory& m) override {
    m(grid_, at_, before_, allowed_, slow_, a_, rate_, lambda_, x_, y0_, k0_, k_);
    factored_h_ = 0;
    return true;
  }

  void evaluate_rates(Ode& f, double t, VecX& k) {
    f.rates(t, y_, k);
    ++statistics_.evaluations;
  }

  // Says why no step to t can be taken.
  bool give_up(Ode& f, double t) {
    if (!finite_) {  // the equation sees the state, so that it can say what is not finite there
      y0_ = y_;
      y0_.head(s_.nq) = q_;
      y0_.segment(s_.nq, s_.nu) = u_;
      f.rates(t, y0_, k0_);
      return fail_to_step(t - at_, false);
    }
    int row = 0;
    residual_.head(s_.nu).cwiseAbs().maxCoeff(&row);
    return fail(
        Fault::no_step,
        fmt::format("Newton's iteration does not converge in the step from t = {:.6g} s of {:.3g} s; the "
                    "largest change is left at body '{}'; a smaller step may help",
                    t_, t - at_, s_.body_names[std::size_t(s_.body_of_velocity[std::size_t(row)])]));
  }

  // Sets q_, u_ and a⁺ at the end of a step from u̇⁺.
  void place(double h) {
    next_a_ = ((1 - alpha_f_) * next_rate_ + alpha_f_ * rate_ - alpha_m_ * a_) / (1 - alpha_m_);
    const auto u = y_.segment(s_.nq, s_.nu);
    x_ = h * u + h * h * ((0.5 - beta_) * a_ + beta_ * next_a_);
    u_ = u + h * ((1 - gamma_) * a_ + gamma_ * next_a_);
    q_ = y_.head(s_.nq);
    s_.move(q_, x_);
  }

  // Dᵀ λ − Q, with M u̇ if M depends on the position, and Φ, scaled so that the matrix of Newton depends neither on the
  // size of the step nor on that of the mechanism: forces are multiplied by h² β and the units of their displacements,
  // constraints, in their units, by a mass times a squared length.  Equations on velocities alone are made displacements
  // of the step.
  void forces_and_gaps(double t, double h, VecX& r) {
    s_.evaluate(t, q_, u_, d_.terms);
    ++statistics_.evaluations;
    const auto& blocks = s_.structure.D;
    auto forces = r.head(s_.nu);
    forces = -d_.terms.Q;
    if (!s_.mass_is_constant) {
      take_mass(d_, M_);
      forces.noalias() += M_ * next_rate_;
    }
    for (const auto& b : blocks)
      for (int i = 0; i < b.rows; ++i)
        for (int k = 0; k < b.columns; ++k)
          forces[b.column + k] +=
              d_.terms.D[std::size_t(b.offset + i * b.columns + k)] * next_lambda_[b.row + i];
    forces = (h * h * beta_) * forces.cwiseProduct(s_.units);
    for (int i = 0; i < s_.m; ++i)
      r[s_.nu + i] = heavy_ / s_.row_units[i] *
                     (rolls_[std::size_t(i)] ? d_.terms.rate[i] * h * beta_ / gamma_ : d_.terms.phi[i]);
  }

  // The tangent of all that depends on position and velocity - forces, gyroscopic terms, the turning of the reactions,
  // the constraints - by differences along each displacement; inertia and multipliers, which are linear, exactly.
  void factor(double t, double h) {
    const Eigen::Index n = s_.nu, m = s_.m;
    forces_and_gaps(t, h, residual_);
    exact_ = factor_exactly(t, h);
    if (exact_) return;
    spent_ += double(n) + factors_cost * double((n + m) * (n + m));
    tangent_.setZero(n + m, n + m);
    kept_M_ = M_;
    for (const auto& b : s_.structure.D)
      for (int i = 0; i < b.rows; ++i)
        for (int k = 0; k < b.columns; ++k)
          tangent_(b.column + k, n + b.row + i) += heavy_ * s_.units[b.column + k] / s_.row_units[b.row + i] *
                                                   d_.terms.D[std::size_t(b.offset + i * b.columns + k)];
    kept_x_ = x_, kept_u_ = u_;
    const auto from = y_.head(s_.nq);
    // Round-off of large coordinates is divided by the step of the differences, so that both grow together.
    const System::Room room = s_.room(from);
    const double small = 1e-7 * std::sqrt(std::max(room.length, room.angle));
    for (Eigen::Index k = 0; k < n; ++k) {
      change_.head(n) = kept_x_;
      change_[k] += small * s_.units[k];
      const double moved = change_[k] - kept_x_[k];
      q_ = from;
      s_.move(q_, change_.head(n));
      u_ = kept_u_;
      u_[k] += moved * gamma_ / (h * beta_);
      forces_and_gaps(t, h, perturbed_);
      tangent_.col(k) = (s_.units[k] / moved) * (perturbed_ - residual_);
    }
    for (Eigen::Index k = 0; k < n; ++k)
      tangent_.col(k).head(n) +=
          ((1 - alpha_m_) / (1 - alpha_f_) * s_.units[k]) * kept_M_.col(k).cwiseProduct(s_.units);
    u_ = kept_u_;
    q_ = from;
    s_.move(q_, kept_x_);
    ++d_.factorizations;
    factored_h_ = h;
    regular_ = true;
    lu_.compute(tangent_);
    if (!independent()) {  // the smallest multipliers
      regular_ = false;
      rank_revealing_.set_threshold(nearly_singular);
      rank_revealing_.compute(tangent_);
    }
  }

  // With derivatives that somebody offers, at the state last evaluated.
  bool factor_exactly(double t, double h) {
    if (!d_.slopes || refused_ || s_.nu <= few_velocities || held_ < held_well || !s_.mass_is_constant)
      return false;
    if (std::ranges::find(rolls_, true) != rolls_.end() || !d_.slopes->pays(spent_)) return false;
    const double* const values = d_.slopes->at({t, q_, u_, VecX(), next_rate_, next_lambda_}, d_.terms);
    if (!values) return false;
    if (!matrix_) matrix_.emplace(s_, *d_.slopes);
    matrix_->displace(s_, y_.head(s_.nq), x_, q_);
    refused_ = !matrix_->factor(s_, values, d_.terms,
                                {(1 - alpha_m_) / (1 - alpha_f_), h * h * beta_, h * gamma_, heavy_});
    if (refused_) return false;
    ++d_.factorizations;
    factored_h_ = h;
    return true;
  }

  // Bodies may be as light as they like: whether equations depend on each other is decided by the constraints alone.
  bool independent() {
    if (s_.m == 0) return true;
    if (s_.m > s_.nu) return false;
    s_.structure.full(d_.terms.D, D_);
    s_.scale(D_);
    rows_ = D_.transpose();
    for (auto row : rows_.colwise())
      if (row.norm() > 0) row.normalize();
    dependent_.compute(rows_);
    return dependent_.pivot(s_.m - 1) > nearly_singular;
  }

  // Newton's iteration; the tangent of the last step serves as long as it converges quickly.
  bool solve(double t, double h) {
    const System::Room room = s_.room(q_);
    constexpr double round_off = 4 * std::numeric_limits<double>::epsilon();
    const double enough = std::max(options_.tolerance, round_off * std::max(room.length, room.angle));
    const auto n = s_.nu;
    bool fresh = false;
    if (factored_h_ != h || slow_) factor(t, h), fresh = true;
    slow_ = false;
    double last = std::numeric_limits<double>::infinity();
    for (int k = 0; k < options_.iterations; ++k) {
      forces_and_gaps(t, h, residual_);
      finite_ = residual_.allFinite();
      if (!finite_) break;  // least squares would take it for zero
      if (s_.mass_is_constant) {
        way_.noalias() = M_ * next_rate_;
        residual_.head(n) += (h * h * beta_) * way_.cwiseProduct(s_.units);
      }
      const double gap = s_.m > 0 ? residual_.tail(s_.m).lpNorm<Eigen::Infinity>() / heavy_ : 0;
      residual_ *= -1;
      if (exact_)
        matrix_->solve(residual_, change_);
      else if (regular_)
        lu_.solve(residual_, change_);
      else
        rank_revealing_.solve(residual_, change_);
      ++statistics_.iterations;
      const double size = change_.head(n).lpNorm<Eigen::Infinity>();
      finite_ = std::isfinite(size);
      if (!finite_) break;
      next_rate_ += (1 - alpha_m_) / ((1 - alpha_f_) * h * h * beta_) * change_.head(n).cwiseProduct(s_.units);
      next_lambda_ += heavy_ / (h * h * beta_) * change_.tail(s_.m).cwiseQuotient(s_.row_units);
      place(h);
      const bool slow = !(size < 0.1 * last);
      if (size <= enough || (fresh && slow && size < 1e3 * enough)) {  // or at round-off
        if (gap > unclosed) break;  // in a direction that was taken as singular
        slow_ = k > 2;
        return true;
      }
      fresh = slow && k > 0;
      if (fresh) factor(t, h);
      last = size;
    }
    factored_h_ = 0;
    refused_ = refused_ || exact_;  // with differences, if ever
    return false;
  }

  Dynamics& d_;
  System& s_;
  GeneralizedAlpha options_;
  double step_, alpha_m_, alpha_f_, beta_, gamma_;
  double heavy_ = 1;  // [kg m²] scale of the constraint equations
  Grid grid_;
  double at_ = 0, before_ = 0, factored_h_ = 0;  // at_: the time of the state on the grid
  double allowed_ = 0;                           // longest step for which Newton's iteration converges [s]
  bool slow_ = false, regular_ = true, finite_ = true;  // finite_: the last iteration
  std::vector<bool> rolls_;  // per constraint equation: whether it is on velocities alone
  VecX a_, rate_, lambda_;   // a and u̇ of the method, and λ, at t
  VecX next_a_, next_rate_, next_lambda_;
  VecX x_, q_, u_;    // displacement of the step, state at its end
  VecX y0_, k0_, k_;  // state at the start of the last step; rates at both ends, for the work
  VecX residual_, perturbed_, change_;
  VecX kept_x_, kept_u_, bend0_, bend1_, way_;  // work space of factor() and interpolate()
  MatX M_, kept_M_, tangent_;
  MatX D_, rows_;  // the latter transposed, of length one
  PivotedQr dependent_;
  Lu lu_;
  LeastSquares rank_revealing_;
  std::optional<AlphaMatrix> matrix_;
  bool exact_ = false, refused_ = false;  // the present matrix is exact; there is no such matrix
  double spent_ = 0;                      // on differences [evaluations]
  double held_ = 1;                       // how independent constraints were at the last accepted state
};
}  // namespace

std::unique_ptr<Integrator> GeneralizedAlpha::stepper(Dynamics& d, const Stepping& method) {
  if (!method.control.step)
    throw ModelError("treatment 'generalized-alpha' has a fixed step: 'step' is missing in [analysis]");
  if (d.system.nz > 0)
    throw ModelError(
        "treatment 'generalized-alpha' takes no friction that remembers (coulomb, lugre), no tyres and brakes "
        "that "
        "bend, and no signals with states; use another treatment, or another friction law");
  if (d.system.grips.any())
    throw ModelError(
        d.system.grips.all.front().place,
        fmt::format(
            "joint '{}' has friction that sticks, which treatment 'generalized-alpha' does not take: its "
            "steps know no change between sticking and slipping; use another treatment, as projection",
            d.system.joints[std::size_t(d.system.grips.all.front().joint)].name));
  if (radius == 1 && d.system.m > 0)
    throw ModelError(
        "treatment 'generalized-alpha' with radius = 1 damps nothing, not even the round-off of the "
        "multipliers, which then grows; take a little less");
  return std::make_unique<Stepper>(d, *this, *method.control.step);
}
}  // namespace mubody
