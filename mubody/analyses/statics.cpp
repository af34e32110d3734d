#include "mubody/analyses/statics.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <fmt/format.h>

namespace mubody {
namespace {
constexpr int most_steps = 400;
constexpr double first_reach = 0.3, longest_reach = 1;  // of a step: rad, or lengths of the mechanism
constexpr double there = 1e-12;        // a step so small that it need not be followed by another
constexpr double nearly_there = 1e-8;  // ... where steps no longer shrink
constexpr double flat = 1e-10;         // share of the largest stiffness that counts as none
constexpr double negligible = 1e-11, round_off = 1e-15;  // shares of the forces at work
constexpr double overshoot = 0.5;                        // of the force at the beginning of a step, at its end
}  // namespace

Statics::Statics(System& s, bool redundant, double t)
    : system(s), dynamics(s, redundant), t_(t), still_(VecX::Zero(s.nu)), no_acceleration_(VecX::Zero(s.m)) {
  VecX q(s.nq), u(s.nu);
  s.start(q, u);
  s.constraints(t, q, u, dynamics.terms);
  length_ = length_scale(s, dynamics.terms);
}

void Statics::look(const VecX& q) {
  settle_contacts(system, t_, q, still_);
  dynamics.evaluate(t_, q, still_);
  dynamics.solve(dynamics.terms.Q, no_acceleration_);
}

VecX Statics::moved(const VecX& q, const VecX& displacement) {
  VecX to = q;
  system.move(to, displacement);
  system.tidy(to);
  dynamics.project_positions(t_, to, still_, 1e-15, 20);
  return to;
}

VecX Statics::unbalanced(const MatX& R) const {
  VecX Ma = VecX::Zero(system.nu);
  system.structure.multiply_mass(1, dynamics.terms.M.data(), dynamics.a.data(), Ma.data());
  return R.transpose() * Ma;
}

MatX Statics::stiffness(const VecX& q, const MatX& R, double* error) {
  MatX K(R.cols(), R.cols());
  for (Eigen::Index k = 0; k < R.cols(); ++k) {
    const auto force = [&](double z) {
      look(moved(q, z * R.col(k)));
      return unbalanced(R);
    };
    K.col(k) = -derivative(force, 0.02 / size_of(system, R.col(k), length_), error);
  }
  look(q);
  return K;
}

Outcome Statics::not_found(const VecX& q, const std::string& why) {
  look(q);
  Eigen::Index worst = 0;
  dynamics.a.cwiseAbs().maxCoeff(&worst);
  return {Outcome::no_equilibrium, t_,
          fmt::format(
              "no equilibrium was found: {}; from rest there, {} would accelerate with {:.3g} {}/s²; something "
              "must hold it: a spring, a contact, a joint",
              why, displacement_labels(system)[std::size_t(worst)], dynamics.a[worst],
              displacement_unit(system, int(worst)))};
}

Outcome Statics::solve(VecX& q) {
  double reach = first_reach, before = std::numeric_limits<double>::infinity();
  q = moved(q, still_);
  look(q);
  for (steps = 0; steps < most_steps; ++steps) {
    if (!dynamics.a.allFinite()) return not_found(q, "forces are not finite");
    const MatX R = directions();
    if (R.cols() == 0) return {};  // nothing can move
    const VecX r = unbalanced(R);
    const MatX K = stiffness(q, R);
    const Eigen::SelfAdjointEigenSolver<MatX> eigen(0.5 * (K + K.transpose()));
    const double largest = std::max(eigen.eigenvalues().cwiseAbs().maxCoeff(), 1e-12);
    const VecX lift = (eigen.eigenvalues().cwiseAbs().cwiseMax(flat * largest) - eigen.eigenvalues());

    // Where the forces do not pull back, or the way is too long, motion is damped.
    VecX step;
    const auto step_with = [&](double mu) {
      const VecX more = (lift.array() + mu).matrix();
      const MatX lifted = K + eigen.eigenvectors() * more.asDiagonal() * eigen.eigenvectors().transpose();
      step = lifted.partialPivLu().solve(r);
      return size_of(system, R * step, length_);
    };
    // A step that would be no way at all is none, whatever the sign of the stiffness: rest may be unstable.
    Eigen::FullPivLU<MatX> lu(K);
    lu.setThreshold(flat);
    step = lu.solve(r);
    double way = size_of(system, R * step, length_);
    const double force = (R.cwiseAbs().transpose() * dynamics.terms.Q.cwiseAbs()).maxCoeff();
    if (r.norm() <= round_off * force) return {};
    const bool balanced = (K * step - r).norm() <= negligible * force;
    if (balanced && (way <= there || (way <= nearly_there && way > 0.5 * before))) {
      q = moved(q, R * step);
      look(q);
      return {};
    }
    before = way;
    double mu = 0;
    way = step_with(mu);
    while (!(way <= reach)) {
      mu = std::max(2 * mu, flat * largest);
      way = step_with(mu);
      if (!std::isfinite(mu)) return not_found(q, "forces are not finite");
    }
    // The force along the way may fall to zero and a little beyond, not farther.
    for (;; reach = way / 4) {
      const VecX to = moved(q, R * step);
      look(to);
      const VecX now = unbalanced(R);
      if (now.allFinite() && now.dot(step) >= -overshoot * r.dot(step)) {
        q = to;
        break;
      }
      if (way < there) return not_found(q, "forces jump from one side to the other");
      step /= 4;
      way /= 4;
    }
    if (mu > 0 || lift.maxCoeff() > 0) ++damped;
    reach = std::min(longest_reach, std::max(reach, 2 * way));
  }
  return not_found(q, fmt::format("after {} steps the mechanism still moves away", steps));
}
}  // namespace mubody
