#include "mubody/analyses/driven.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mubody/system/rows.h"
#include "mubody/watches/contacts.h"

namespace mubody {
namespace {
constexpr int newton_rounds = 12;
constexpr double closed = 1e-13;   // System::gap() where Newton may stop
constexpr double singular = 1e-6;  // reciprocal condition number of D, in the units of the system, if singular
constexpr double largest_turn = 1.5;  // [rad] per step
constexpr double astray = 0.2;        // share of the step by which Newton may miss its prediction
}  // namespace

// Contacts and the friction of joints follow the state.
void Driven::evaluate(const State& x) {
  close_contacts(s, x.t, x.q, x.u);
  if (!s.grips.any()) return s.evaluate(x.t, x.q, x.u, d.terms);
  d.evaluate(x.t, x.q, x.u);
  d.grips.follow(d);
}

void Driven::complete(State& x) {
  s.constraints(x.t, x.q, x.u, d.terms);
  factor();
  x.u += solve(-d.terms.rate);
  evaluate(x);
  VecX rest = -d.terms.gamma;
  s.structure.multiply(d.terms.D.data(), x.a.data(), rest.data());
  x.a -= solve(rest);
  balance(x, least_squares_);
  best_ = std::max(best_, x.hold);
}

void Driven::find_forces(State& x) {
  evaluate(x);
  factor();
  balance(x, redundant_);
}

void Driven::show(const State& x) {
  evaluate(x);
  s.fill_mass(d.terms);
  d.a = x.a;
  d.lambda = x.lambda;
}

void Driven::find_hold(State& x) {
  s.constraints(x.t, x.q, x.u, d.terms);
  factor();
  x.hold = hold_;
  x.side = redundant_ || !finite_ ? 0 : lu_.sign();
}

double Driven::gap(const State& x) {
  s.constraints(x.t, x.q, x.u, d.terms);
  return s.gap(d.terms.phi, s.room(x.q));
}

bool Driven::step(const State& x, double t, State& y) {
  const double h = t - x.t;
  if (h * turning_.fastest(x.u) > largest_turn) return false;  // turns could not be counted
  y.t = t;
  y.q = x.q;
  s.move(y.q, h * x.u + 0.5 * h * h * x.a);
  y.u = x.u + h * x.a;
  y.a = x.a;
  const System::Room room = s.room(x.q);
  const VecX predicted = y.q;
  double size = 0, before = std::numeric_limits<double>::infinity();
  for (int round = 0; round < newton_rounds; ++round, ++iterations) {
    s.constraints(t, y.q, y.u, d.terms);
    size = s.gap(d.terms.phi, room);
    if (!std::isfinite(size)) return false;
    // Where the drivers hold little, a gap counts for much more in the positions: there it closes to round-off.
    const bool enough = size <= closed && (size == 0 || hold_ > 10 * weak * best_);
    if (enough || (size <= open && size > 0.5 * before)) break;
    before = size;
    factor();
    s.move(y.q, solve(-d.terms.phi));
  }
  if (!(size <= open)) return false;
  if (s.distance(y.q, predicted, room) > astray * s.distance(predicted, x.q, room) + 1e-9) return false;
  complete(y);
  return y.u.allFinite() && y.a.allFinite();
}

Driven::State Driven::disturbed(const State& x, std::minstd_rand& draw) {
  constexpr double last_digits = 2 * std::numeric_limits<double>::epsilon();
  const auto sign = [&] { return draw() % 2 == 0 ? 1. : -1.; };
  State y = x;
  const System::Room room = s.room(x.q);
  s.constraints(x.t, x.q, x.u, d.terms);
  VecX wrong(s.m);
  for (int r = 0; r < s.m; ++r) {
    const double size = s.measures[std::size_t(r)] == System::Measured::length ? room.length : room.angle;
    wrong[r] = sign() * (std::abs(d.terms.phi[r]) + last_digits * size * s.row_units[r]);
  }
  y.t = std::nextafter(x.t, sign() * std::numeric_limits<double>::infinity());
  s.constraints(y.t, x.q, x.u, d.terms);
  factor();
  s.move(y.q, solve(wrong - d.terms.phi));
  complete(y);
  return y;
}

void Driven::factor() {
  // Share of the largest pivot below which a row counts as dependent.
  const double threshold = redundant_ ? 1e-9 : 10 * singular;
  MatX D = s.structure.full(d.terms.D);
  s.scale(D);
  finite_ = D.allFinite();
  hold_ = 0;
  if (!finite_) return;  // factors would be nonsense, and so would their permutations
  if (redundant_) {
    columns_.compute(D);
    hold_ = s.nu > 0 ? columns_.pivot(s.nu - 1) / columns_.pivot(0) : 1;
  } else {
    lu_.compute(D);
    hold_ = lu_.rcond();
    if (!(hold_ > 0)) hold_ = 0;  // not a number where a pivot is zero
  }
  least_squares_ = redundant_ || !(hold_ > singular);
  if (!least_squares_) return;
  cod_.set_threshold(threshold);
  cod_.compute(D);
}

VecX Driven::solve(const VecX& c) const {
  if (!finite_) return VecX::Constant(s.nu, std::numeric_limits<double>::quiet_NaN());
  const VecX scaled = c.cwiseQuotient(s.row_units);
  return s.units.cwiseProduct(least_squares_ ? cod_.solve(scaled) : lu_.solve(scaled));
}

VecX Driven::solve_transposed(const VecX& g, bool least_squares) const {
  const VecX scaled = g.cwiseProduct(s.units);
  return (least_squares ? cod_.solve_transposed(scaled) : lu_.solve_transposed(scaled))
      .cwiseQuotient(s.row_units);
}

// The multipliers of Dᵀ λ = Q − M a, with the terms and the factors of this state.
void Driven::balance(State& x, bool least_squares) {
  s.fill_mass(d.terms);
  VecX g = d.terms.Q;
  s.structure.multiply_mass(-1, d.terms.M.data(), x.a.data(), g.data());
  if (!finite_)
    x.lambda.setConstant(s.m, std::numeric_limits<double>::quiet_NaN());
  else
    x.lambda = solve_transposed(g, least_squares);
  x.hold = hold_;
  // Without the size of det D, which may underflow; 0 if D is singular.
  x.side = least_squares_ || !finite_ ? 0 : lu_.sign();
}
}  // namespace mubody
