#include "mubody/system/dynamics.h"

#include <limits>

namespace mubody {
namespace {
// Near a singular position a violation at round-off, divided by a nearly vanishing pivot, would become a visible
// kick of position and velocity.  There corrections are damped; the next ones finish the work.
constexpr double nearly_singular = 1e-4;
constexpr double damping = 1e-6;
constexpr int damped_rounds = 3;
}  // namespace

Dynamics::Dynamics(System& s, bool redundant)
    : system(s), terms(s.make_terms()), a(VecX::Zero(s.nu)), lambda(VecX::Zero(s.m)),
      solver_(s.structure, redundant), zero_(VecX::Zero(s.nu)), correction_(VecX::Zero(s.nu)),
      multipliers_(VecX::Zero(s.m)), minus_(VecX::Zero(s.m)),
      factored_q_(VecX::Constant(s.nq, std::numeric_limits<double>::quiet_NaN())) {
  solver_.set_mass(terms.M);
}

void Dynamics::factor(double t, const In& q) {
  if (t == factored_t_ && q == factored_q_) return;        // the factors depend on t and q only
  solver_.factor(terms.D);
  factored_t_ = t;
  factored_q_ = q;
  ++factorizations;
}

void Dynamics::evaluate(double t, const In& q, const In& u) {
  system.evaluate(t, q, u, terms);
  ++evaluations;
  factor(t, q);
}

void Dynamics::constrain(double t, const In& q, const In& u) {
  system.constraints(t, q, u, terms);
  factor(t, q);
}

// Damped factors in place of the plain ones, which are forgotten.
void Dynamics::soften() {
  solver_.factor(terms.D, damping);
  factored_t_ = std::numeric_limits<double>::quiet_NaN();
}

double Dynamics::project_positions(double t, Out q, const In& u, double tolerance, int most) {
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0;; ++round) {
    constrain(t, q, u);
    const double size = system.m > 0 ? terms.phi.lpNorm<Eigen::Infinity>() : 0;
    if (!(size > tolerance) || round == most || !(size < 0.5 * before) || !std::isfinite(size)) return size;
    before = size;
    if (solver_.independence() < nearly_singular) soften();
    minus_ = -terms.phi;
    solver_.solve(zero_, minus_, correction_, multipliers_);
    system.move(q, correction_);
    ++corrections;
  }
}

void Dynamics::project_velocities(Out u) {
  const bool soft = solver_.independence() < nearly_singular;
  if (soft) soften();
  minus_ = -terms.rate;
  for (int round = 0; round < (soft ? damped_rounds : 1); ++round) {
    solver_.solve(zero_, minus_, correction_, multipliers_);
    u += correction_;
    if (soft) {
      correction_ *= -1;
      system.structure.multiply(terms.D.data(), correction_.data(), minus_.data());
    }
  }
}

void Dynamics::required_velocities(const In& u, Out nu) const {
  nu = -terms.rate;
  system.structure.multiply(terms.D.data(), u.data(), nu.data());
}
}  // namespace mubody
