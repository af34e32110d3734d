#include "mubody/system/dynamics.h"

#include <limits>

namespace mubody {
namespace {
// Near a singular position a violation at round-off, divided by a nearly vanishing pivot, would become a visible
// kick of position and velocity.  There corrections are damped; the next ones finish the work.
constexpr double nearly_singular = 1e-4;
constexpr double suspicious = 1e-2;  // in the metric of the mass; below this the geometry is looked at
constexpr double damping = 1e-6;
constexpr int damped_rounds = 3;
}  // namespace

Dynamics::Dynamics(System& s, bool redundant)
    : system(s), terms(s.make_terms()), a(VecX::Zero(s.nu)), lambda(VecX::Zero(s.m)),
      solver_(s.structure, redundant), geometry_(s.structure), redundant_(redundant), zero_(VecX::Zero(s.nu)),
      correction_(VecX::Zero(s.nu)), multipliers_(VecX::Zero(s.m)), minus_(VecX::Zero(s.m)),
      factored_q_(VecX::Constant(s.nq, std::numeric_limits<double>::quiet_NaN())) {
  solver_.set_mass(terms.M);
}

void Dynamics::factor(double t, const In& q) {
  if (t == factored_t_ && q == factored_q_) return;  // the factors depend on t and q only
  solver_.factor(terms.D);
  factored_t_ = t;
  factored_q_ = q;
  independence_known_ = false;
  ++factorizations;
}

// The metric of lengths: a turn counts as the way of the farthest joint of the body.
void Dynamics::measure_arms() {
  std::vector<double> M = terms.M;
  for (const auto& mass : system.structure.M) {
    const auto turns = [&](int k) { return system.velocity_units[std::size_t(mass.column + k)] == "rad"; };
    double arm = 0;
    for (const auto& b : system.structure.D) {
      if (b.column != mass.column) continue;
      for (int r = 0; r < b.rows; ++r) {
        double turn = 0, slide = 0;
        for (int k = 0; k < b.columns; ++k) {
          const double x = terms.D[std::size_t(b.offset + r * b.columns + k)];
          (turns(k) ? turn : slide) += x * x;
        }
        if (slide > 0) arm = std::max(arm, turn / slide);
      }
    }
    for (int k = 0; k < mass.size; ++k)
      for (int l = 0; l < mass.size; ++l)
        M[std::size_t(mass.offset + k * mass.size + l)] = k != l ? 0 : turns(k) && arm > 0 ? arm : 1;
  }
  geometry_.set_mass(M);
  arms_known_ = true;
}

double Dynamics::independence() {
  if (independence_known_) return independence_;
  independence_known_ = true;
  independence_ = redundant_ ? 1 : solver_.independence();
  weakest_ = solver_.weakest_row();
  if (independence_ < suspicious) {
    if (!arms_known_) measure_arms();
    geometry_.factor(terms.D);
    independence_ = geometry_.independence();
    weakest_ = geometry_.weakest_row();
  }
  return independence_;
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
    if (independence() < nearly_singular) soften();
    minus_ = -terms.phi;
    solver_.solve(zero_, minus_, correction_, multipliers_);
    system.move(q, correction_);
    ++corrections;
  }
}

void Dynamics::project_velocities(Out u) {
  const bool soft = independence() < nearly_singular;
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
