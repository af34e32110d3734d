#include "mubody/system/grip_forces.h"

#include <cmath>
#include <limits>

#include "mubody/math/finite.h"
#include "mubody/system/dynamics.h"

namespace mubody {
namespace {
constexpr double dependent = 1e-10;  // share of the largest pivot: grips that hold the same motion
constexpr double no_freedom =
    1e-12;  // share of the mobility of the bodies by themselves: others prescribe the motion
constexpr double standing = 1e-12;  // of the characteristic speed: less is rest
constexpr double slightly = 1e-12;  // of the characteristic acceleration
constexpr double beyond = 1e-9;     // share of what a grip holds, by which it is exceeded where it slips
constexpr int most_rounds = 300;    // of loads and friction
constexpr double same = 1e-14;      // share of the largest force: a change that ends the rounds
constexpr double hopeless = 1e6;    // times the first friction: loads and friction raise each other
}  // namespace

GripForces::GripForces(System& s)
    : s_(s), n_(s.grips.size()), free_(VecX::Zero(n_)), A_(MatX::Zero(n_, n_)),
      responses_(MatX::Zero(s.nu, n_)), pressed_(MatX::Zero(3, n_)), pressing_(std::size_t(n_), pressed_),
      scale_(free_), right_(free_), part_(free_), none_(VecX::Zero(s.m)), scaled_(A_), factors_(dependent),
      sticking_(std::size_t(n_), false), at_rest_(sticking_) {}

// What counts as rest, in the unit of the rate.
double GripForces::still(int k) const {
  return standing * (grip(k).turn ? 1 : s_.scales.length) / s_.scales.time;
}
// What counts as no acceleration.
double GripForces::slight(int k) const {
  const double t = s_.scales.time;
  return slightly * (grip(k).turn ? 1 : s_.scales.length) / (t * t);
}

void GripForces::respond(Dynamics& d, int k) {
  d.solve(s_.grips.rows.col(k), none_);
  responses_.col(k) = d.a;
  for (int l = 0; l < n_; ++l) A_(l, k) = s_.grips.rows.col(l).dot(d.a);
  if (s_.grips.loaded) s_.grip_loads(d.terms, d.a, d.lambda, k, pressing_[std::size_t(k)]);
  weigh_hold(d, k);
}

// A driver, or joints that let nothing move, leave the coordinate no acceleration, whatever the friction.
void GripForces::weigh_hold(const Dynamics& d, int k) {
  double alone = 0;
  if (s_.m > 0)
    for (const auto& b : s_.structure.M)
      for (int n = 0; n < b.size; ++n) {
        const double mass = d.terms.M[std::size_t(b.offset + n * (b.size + 1))],
                     w = s_.grips.rows(b.column + n, k);
        if (mass > 0) alone += w * w / mass;
      }
  s_.grips.held[std::size_t(k)] = !(A_(k, k) > no_freedom * alone);
}

void GripForces::gather(Dynamics& d) {
  d.solve(d.terms.Q, d.terms.gamma);
  for (int k = 0; k < n_; ++k) free_[k] = s_.grips.bias[k] + s_.grips.rows.col(k).dot(d.a);
  if (s_.grips.loaded) s_.grip_loads(d.terms, d.a, d.lambda, {}, pressed_);
  for (int k = 0; k < n_; ++k) respond(d, k);
}

// The equations of those grips in their own scale; the others have an equation 1·x = 0 each, so that the size stays.
void GripForces::factor(const std::vector<bool>& those) {
  for (int k = 0; k < n_; ++k) {
    const bool free = those[std::size_t(k)] && !s_.grips.held[std::size_t(k)];
    scale_[k] = free ? 1 / std::sqrt(A_(k, k)) : 0;
  }
  for (int k = 0; k < n_; ++k)
    for (int l = 0; l < n_; ++l)
      scaled_(k, l) = scale_[k] > 0 && scale_[l] > 0 ? A_(k, l) * scale_[k] * scale_[l] : k == l ? 1 : 0;
  factors_.compute(scaled_);
}

double GripForces::load(int k) const {
  Vec<3> reaction = pressed_.col(k);
  if (grip(k).law.reaction)
    for (int l = 0; l < n_; ++l) reaction += s_.grips.force[l] * pressing_[std::size_t(l)].col(k);
  return grip(k).weight(reaction);
}
double GripForces::acceleration(int k) const { return free_[k] + A_.row(k).dot(s_.grips.force); }

// In turns: friction of what slips from the loads, then what the others need to stick.
void GripForces::settle() {
  VecX& F = s_.grips.force;
  F.setZero();
  bool any = false;
  for (int k = 0; k < n_; ++k) {
    sticking_[std::size_t(k)] = grip(k).mode == Grip::sticks;
    any = any || sticking_[std::size_t(k)];
  }
  if (any) factor(sticking_);
  jammed_ = -1;
  double first = 0;
  for (int round = 0; round < most_rounds; ++round) {
    double change = 0, largest = 0;
    const auto take = [&](int k, double force) {
      if (std::abs(force - F[k]) > change) change = std::abs(force - F[k]), jammed_ = k;
      keep_largest(largest, std::abs(force));
      part_[k] = force;
    };
    for (int k = 0; k < n_; ++k)
      if (!sticking_[std::size_t(k)]) take(k, grip(k).slipping(s_.grips.rate[k], load(k)));
    for (int k = 0; k < n_; ++k)
      if (!sticking_[std::size_t(k)]) F[k] = part_[k];
    if (any) {
      for (int k = 0; k < n_; ++k) {
        right_[k] = free_[k];
        for (int l = 0; l < n_; ++l)
          if (!sticking_[std::size_t(l)]) right_[k] += A_(k, l) * F[l];
        right_[k] *= -scale_[k];
      }
      factors_.solve(right_, part_);
      for (int k = 0; k < n_; ++k)
        if (sticking_[std::size_t(k)]) take(k, part_[k] * scale_[k]), F[k] = part_[k];
    }
    if (round == 0) first = largest;
    if (!(change > same * largest)) jammed_ = -1;
    if (jammed_ < 0 || !(largest <= hopeless * first)) break;
  }
  for (int k = 0; k < n_; ++k) {
    const double tiny = s_.grips.held[std::size_t(k)] ? 0 : slight(k) / A_(k, k);
    s_.grips.most[k] = (1 + beyond) * grip(k).law.sticking() * load(k) + tiny;
  }
}

void GripForces::push(Dynamics& d) {
  if (n_ == 0) return;
  gather(d);
  settle();
  for (int k = 0; k < n_; ++k)
    d.terms.Q +=
        (jammed_ < 0 ? s_.grips.force[k] : std::numeric_limits<double>::quiet_NaN()) * s_.grips.rows.col(k);
}

// How much a grip at rest does what it cannot, as a share; not above zero if all is right.
double GripForces::wrong(int k) const {
  const double a = acceleration(k), most = s_.grips.most[k], force = std::abs(s_.grips.force[k]);
  if (grip(k).mode != Grip::sticks) return -grip(k).mode * a / (std::abs(free_[k]) + slight(k)) - beyond;
  if (s_.grips.held[std::size_t(k)]) return std::abs(a) > slight(k) ? 1 : 0;
  return (force - most) / (force + most);
}

// All at rest are tried as sticking.  The worst is put right, one after another; in a long search the first in place of
// the worst, which ends for any number of grips (Murty 1974).
void GripForces::choose(Dynamics& d, const std::vector<bool>& turned, Out u) {
  gather(d);
  for (int k = 0; k < n_; ++k) {
    const double rate = s_.grips.rate[k], rest = still(k);
    const bool back = !turned.empty() && turned[std::size_t(k)] && !s_.grips.held[std::size_t(k)];
    at_rest_[std::size_t(k)] = back || !(std::abs(rate) > 4 * rest);
    grip(k).mode = at_rest_[std::size_t(k)] ? Grip::sticks : rate > 0 ? Grip::forward : Grip::backward;
  }
  stop(u);
  for (int round = 0; round < 16 + 8 * n_; ++round) {
    settle();
    if (jammed_ >= 0) return;
    int worst = -1;
    double most = 0;
    for (int k = 0; k < n_; ++k) {
      if (!at_rest_[std::size_t(k)] || !(wrong(k) > most)) continue;
      worst = k;
      most = wrong(k);
      if (round > 8 + 2 * n_) break;
    }
    if (worst < 0) return;
    const double way = s_.grips.held[std::size_t(worst)] ? acceleration(worst) : -s_.grips.force[worst];
    Grip::Mode& mode = grip(worst).mode;
    mode = mode != Grip::sticks ? Grip::sticks : way > 0 ? Grip::forward : Grip::backward;
  }
}

void GripForces::follow(Dynamics& d) {
  if (n_ == 0) return;
  for (int k = 0; k < n_; ++k) {
    const double rate = s_.grips.rate[k];
    grip(k).mode = !(std::abs(rate) > still(k)) ? Grip::sticks : rate > 0 ? Grip::forward : Grip::backward;
  }
  push(d);
}

// Velocities of the grips at rest become zero, by impulses of their own.
void GripForces::stop(Out u) {
  factor(at_rest_);
  right_ = scale_.cwiseProduct(s_.grips.rate);
  factors_.solve(right_, part_);
  for (int k = 0; k < n_; ++k)
    if (scale_[k] > 0) u -= (part_[k] * scale_[k]) * responses_.col(k);
}

void GripForces::hold(Dynamics& d, Out u) {
  bool any = false;
  for (int k = 0; k < n_; ++k) {
    at_rest_[std::size_t(k)] = grip(k).mode == Grip::sticks;
    any = any || at_rest_[std::size_t(k)];
    if (at_rest_[std::size_t(k)]) respond(d, k);
  }
  if (any) stop(u);
}
}  // namespace mubody
