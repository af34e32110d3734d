// The equations of motion at a singular position itself, seen from both sides of it.
#include <array>
#include <map>
#include <string_view>

#include "mubody/simulation/equation_engine.h"

namespace mubody {
namespace {
// Weights that continue a function to the middle from its means at once, twice and three times a distance h: one without
// odd part, to h⁶; one with a part s/x² from a pole that lies beside the middle, to h⁴.
constexpr std::array without_pole{1.5, -0.6, 0.1}, beside_pole{-13.0 / 24, 8.0 / 3, -9.0 / 8};
}  // namespace

// At a singular position the equations determine neither accelerations nor multipliers, but they do on both sides of it.
// Sides are seen on the motion itself, which takes its accelerations: the second round has them from the first.  Returns
// false if nothing moves, or so slowly that accelerations would change the way to the sides.
bool EquationEngine::solve_from_beside(double t, const In& y) {
  constexpr double turn = 1e-2;  // [rad]
  view_.convert(q(y), u(y));
  const double speed = turning_.fastest(view_.u()), h = stretch_ * turn / speed;
  if (!std::isfinite(h)) return false;
  d_.stiffen(true);
  VecX a = VecX::Zero(s_.nu), lambda = VecX::Zero(s_.m), values = VecX::Zero(Eigen::Index(s_.channels.size()));
  for (const bool last : {false, true}) {
    VecX next = VecX::Zero(s_.nu);
    lambda.setZero();
    for (std::size_t k = 0; k < sides_.size(); ++k) {
      sides_[k].even = sides_[k].odd = VecX::Zero(values.size());
      for (const double side : {-0.5, 0.5}) {
        const double dt = 2 * side * double(k + 1) * h;
        on_ = y;
        s_.move(on_.head(s_.nq), dt * u(y) + 0.5 * dt * dt * a);
        on_.segment(s_.nq, s_.nu) += dt * a;
        treatment_->after_step(d_, t + dt, on_.head(s_.nq), on_.segment(s_.nq, s_.nu));
        solve(t + dt, on_);
        next += 0.5 * without_pole[k] * d_.a;
        lambda += 0.5 * without_pole[k] * d_.lambda;
        if (last) s_.observe(t + dt, q(on_), u(on_), z(on_), d_.a, d_.lambda, values);
        sides_[k].even += 0.5 * values;
        sides_[k].odd += side * values;
      }
    }
    a = next;
    if (!last && bends(q(y), a, h, speed)) {
      d_.stiffen(beside_);
      solve(t, y);
      return false;
    }
  }
  d_.stiffen(beside_);
  d_.evaluate(t, q(y), u(y), z(y));
  d_.a = a;
  d_.lambda = lambda;
  return true;
}

// Whether accelerations add much to a speed [rad/s] within a time.
bool EquationEngine::bends(const In& q, const In& a, double within, double speed) {
  view_.convert(q, a);
  return !(0.5 * within * turning_.fastest(view_.u()) < 0.1 * speed);
}

// Channels that depend on accelerations or multipliers are continued from the sides.  Some grow without bound towards the
// position, A/x: their difference falls with the distance.  What is left of them without that part is given.
void EquationEngine::observe_from_beside(double t, const In& y) {
  constexpr double grows = 1e-2;      // share of a value
  constexpr double round_off = 1e-8;  // share of the largest value of the same unit
  VecX other = seen_ = VecX::Zero(Eigen::Index(s_.channels.size()));
  s_.observe(t, q(y), u(y), z(y), d_.a, d_.lambda, seen_);
  s_.observe(t, q(y), u(y), z(y), d_.a.array() + 1, d_.lambda.array() + 1, other);
  std::map<std::string_view, double> largest;  // of each unit
  for (Eigen::Index k = 0; k < seen_.size(); ++k) {
    double& size = largest[s_.channels[std::size_t(k)].unit];
    size = std::max({size, std::abs(sides_[0].even[k]), std::abs(sides_[0].odd[k])});
  }
  for (Eigen::Index k = 0; k < seen_.size(); ++k) {
    if (seen_[k] == other[k]) continue;
    const double odd = sides_[0].odd[k], pole = 4 * (odd - sides_[1].odd[k] / 2) / 3;
    const bool unbounded = std::abs(pole) > grows * (std::abs(sides_[0].even[k]) + std::abs(odd)) &&
                           std::abs(pole) > round_off * largest[s_.channels[std::size_t(k)].unit];
    seen_[k] = 0;
    for (std::size_t i = 0; i < sides_.size(); ++i)
      seen_[k] += (unbounded ? beside_pole : without_pole)[i] * sides_[i].even[k];
    if (unbounded && unbounded_ < 0) unbounded_ = int(k), unbounded_at_ = t;
  }
}
}  // namespace mubody
