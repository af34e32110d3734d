#include "mubody/solvers/statics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "mubody/math/dense.h"
#include "mubody/solvers/in_bodies.h"

namespace mubody {
namespace {
constexpr int most_steps = 100, last_steps = 20, most_settling = 3000;
constexpr double first_reach = 0.3, longest_reach = 1;  // reach of a step: rad, or lengths of the mechanism
constexpr double there = 1e-12;                         // size of a step that needs no further one
constexpr double nearly_there = 1e-8;                   // the same where steps no longer shrink
constexpr double flat = 1e-11;                          // share of the largest stiffness that counts as zero
constexpr double negligible_force = 1e-11, round_off = 1e-15;  // shares of the forces at work
constexpr double cancelled = 1e-12;                            // share of the stiffness that they may cause
constexpr double doubt = 10;                                   // times the estimated error of differences
constexpr double overshoot = 0.5;  // share of the initial force that may be left reversed at the end of a step

// Steps to rest:
constexpr double first_way = 0.02;   // rad, or lengths of the mechanism
constexpr double solved = 1e-3;      // share of a step that Newton's method may leave open
constexpr double contraction = 0.7;  // largest ratio of a correction to the one before
constexpr int rounds_at_rest = 10, easy_rounds = 5;
constexpr double longer = 2, shorter = 4;  // by how much steps grow and shrink
constexpr double nearby = 1e-2;            // a step after which Newton's method may try to finish
constexpr double slope_step = 1e-6;        // step of differences
constexpr double lost = 100;               // rad, or lengths of the mechanism: a body this far away never rests
}  // namespace

Statics::Statics(System& s, System& of_bodies, bool redundant, double t)
    : system(s), bodies(of_bodies), dynamics(s, redundant), t_(t), still_(VecX::Zero(s.nu)),
      no_acceleration_(VecX::Zero(s.m)), acting_(of_bodies.make_terms()) {
  length_ = s.scales.length;
}

void Statics::evaluate_at_rest(const VecX& q) {
  settle_contacts(system, t_, q, still_);
  dynamics.evaluate(t_, q, still_);
  dynamics.solve(dynamics.terms.Q, no_acceleration_);
  system.fill_mass(dynamics.terms);
  at_ = q;
}

AtWork Statics::at_work(const MatX& R) {
  if (&system == &bodies) return mubody::at_work(system, dynamics.terms, R, length_);
  const VecX q = position_in_bodies(system, bodies, at_), still = VecX::Zero(bodies.nu);
  settle_contacts(bodies, t_, q, still);
  bodies.evaluate(t_, q, still, acting_);
  return mubody::at_work(bodies, acting_, in_bodies(system, bodies, at_, R), length_);
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

// Accelerations from rest are those of drivers that stand still, which recorded equations do not know.
std::optional<MatX> Statics::exact_stiffness(const VecX& q, const MatX& R) {
  if (!exact) return {};
  evaluate_at_rest(q);
  if (!dynamics.terms.gamma.isZero(0) || !dynamics.terms.rate.isZero(0)) return {};
  const VecX at = position_in_bodies(system, bodies, q), still = VecX::Zero(bodies.nu);
  const MatX ways = in_bodies(system, bodies, q, R);
  const auto changes = exact->along(t_, at, still, ways, MatX::Zero(ways.rows(), ways.cols()),
                                    ExactSlopes::Velocities::given, {});
  if (!changes) return {};
  const MatX M = bodies.structure.full_mass(&system == &bodies ? dynamics.terms.M : acting_.M);
  return MatX(-product(transposed_product(ways, M), changes->a));
}

MatX Statics::stiffness(const VecX& q, const MatX& R, double* error) {
  constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
  if (const auto K = exact_stiffness(q, R)) {
    if (error && K->size() > 0) *error = std::max(*error, rounding * K->cwiseAbs().maxCoeff());
    return *K;
  }
  MatX K(R.cols(), R.cols());
  for (Eigen::Index k = 0; k < R.cols(); ++k) {
    const auto force = [&](double z) {
      evaluate_at_rest(moved(q, z * R.col(k)));
      return unbalanced(R);
    };
    VecX errors;
    K.col(k) = -derivative(force, smooth_step(system, t_, q, R.col(k), 0.02 / size(R.col(k))), &errors);
    if (error && errors.size() > 0) *error = std::max(*error, errors.maxCoeff());
  }
  evaluate_at_rest(q);
  return K;
}

// K by plain differences, for steps that need not be exact; leaves the last evaluate_at_rest() at q.
MatX Statics::slopes(const VecX& q, const MatX& R) {
  if (const auto exactly = exact_stiffness(q, R)) return *exactly;
  MatX K(R.cols(), R.cols());
  for (Eigen::Index k = 0; k < R.cols(); ++k) {
    const double h = smooth_step(system, t_, q, R.col(k), slope_step / size(R.col(k)));
    evaluate_at_rest(moved(q, -h * R.col(k)));
    K.col(k) = unbalanced(R);
    evaluate_at_rest(moved(q, h * R.col(k)));
    K.col(k) = (K.col(k) - unbalanced(R)) / (2 * h);
  }
  evaluate_at_rest(q);
  return K;
}

Outcome Statics::not_found(const VecX& q, const std::string& why) {
  evaluate_at_rest(q);
  const VecX a = in_bodies(system, bodies, q, dynamics.a);
  Eigen::Index worst = 0;
  a.cwiseAbs().maxCoeff(&worst);
  return {Outcome::no_equilibrium, t_,
          fmt::format(
              "no equilibrium was found: {}; from rest there, {} would accelerate with {:.3g} {}/s²; something "
              "must hold it: a spring, a contact, a joint",
              why, displacement_labels(bodies)[std::size_t(worst)], a[worst],
              displacement_unit(bodies, int(worst)))};
}

Outcome Statics::solve(VecX& q) {
  steps = downhill = settling = 0;
  std::string why;
  const VecX start = moved(q, still_);
  q = start;
  Memory turns;  // counted so far: every step is remembered, for the way may be longer than half a turn
  system.memory(turns);
  if (newton(q, most_steps, why)) return {};
  q = start;
  Memory as_before = turns.restoring();
  system.memory(as_before);
  if (!patience.lost() && settle(q, why)) return {};
  if (patience.lost()) return patience.outcome(t_, "while rest was looked for");
  return not_found(q, why);
}

void Statics::follow(VecX& q) {
  q = moved(q, still_);
  evaluate_at_rest(q);
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0; round < last_steps; ++round) {
    const MatX R = directions();
    if (R.cols() == 0) return;
    const VecX step = R * FullLu(stiffness(q, R), flat).solve(unbalanced(R));
    const double way = size(step);
    if (!(way < before)) return;
    before = way;
    q = moved(q, step);
    evaluate_at_rest(q);
    if (way <= there) return;
  }
}

bool Statics::newton(VecX& q, int most, std::string& why) {
  double reach = first_reach, before = std::numeric_limits<double>::infinity();
  evaluate_at_rest(q);
  for (int round = 0; round < most && !patience.lost(); ++round, ++steps) {
    why = "forces are not finite";
    if (!dynamics.a.allFinite()) return false;
    const MatX R = directions();
    if (R.cols() == 0) return true;  // nothing can move
    const VecX r = unbalanced(R);
    double error = 0;
    const MatX K = stiffness(q, R, &error);
    const SymmetricEigen eigen = symmetric_eigen(0.5 * (K + K.transpose()));
    const double largest = std::max(eigen.values.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
    const VecX lift = (eigen.values.cwiseAbs().cwiseMax(flat * largest) - eigen.values);

    // Where the forces do not pull back, or the way is too long, it goes downhill.
    VecX step;
    const auto step_with = [&](double mu) {
      const VecX more = (lift.array() + mu).matrix();
      const MatX lifted = K + product(eigen.vectors * more.asDiagonal(), eigen.vectors.transpose());
      step = Lu(lifted).solve(r);
      return size(R * step);
    };
    // A negligible_force step ends the search, whatever the sign of the stiffness: rest may be unstable.  Where the
    // stiffness is within errors of differences and round-off, no step can be found, and no force may remain.
    const AtWork work = at_work(R);
    if (r.norm() <= round_off * work.force) return true;
    const double noise = std::max(doubt * error, cancelled * work.stiffness);
    FullLu lu(K);
    double way = 0, plain = 0;
    for (const double none :
         {flat, lu.largest_pivot() > noise ? std::max(flat, noise / lu.largest_pivot()) : 1.0}) {
      lu.set_threshold(none);
      step = lu.solve(r);
      way = size(R * step);
      const bool balanced = (K * step - r).norm() <= negligible_force * work.force;
      if (balanced && (way <= there || (way <= nearly_there && way > 0.5 * before))) {
        q = moved(q, R * step);
        evaluate_at_rest(q);
        return true;
      }
      if (none == flat) plain = way;
    }
    before = plain;
    double mu = 0;
    way = step_with(mu);
    while (!(way <= reach)) {
      mu = std::max(2 * mu, flat * largest);
      way = step_with(mu);
      if (!std::isfinite(mu)) return false;
    }
    // The force along the step may fall to zero and reverse a little, but not more.
    for (;; reach = way / 4) {
      const VecX to = moved(q, R * step);
      evaluate_at_rest(to);
      const VecX now = unbalanced(R);
      if (now.allFinite() && now.dot(step) >= -overshoot * r.dot(step)) {
        q = to;
        system.remember(t_, q, still_);
        break;
      }
      why = "forces jump from one side to the other";
      if (way < there) return false;
      step /= 4;
      way /= 4;
    }
    if (mu > 0 || lift.maxCoeff() > 0) ++downhill;
    reach = std::min(longest_reach, std::max(reach, 2 * way));
  }
  why = fmt::format("after {} steps the mechanism still moves away", most);
  return false;
}

// One step to rest: z − τ r(z) = 0 by Newton's method, from the last evaluate_at_rest() at q.  `way` becomes its length.
// Returns the number of rounds; 0 if it did not converge.
int Statics::rest_step(VecX& q, const MatX& R, double tau, double& way) {
  VecX z = VecX::Zero(R.cols()), at = q;
  double before = std::numeric_limits<double>::infinity();
  for (int round = 1; round <= rounds_at_rest; ++round) {
    const VecX open = z - tau * unbalanced(R);
    const MatX A = MatX::Identity(R.cols(), R.cols()) + tau * slopes(at, R);
    // If forces push on more strongly than a step damps, the step would run uphill.  On the way a stiff spring
    // may be compressed.
    const bool firm = cholesky(0.5 * (A + A.transpose())).has_value();
    if (round == 1 && !firm) return 0;
    const VecX correction = -Lu(A).solve(open);
    z += correction;
    way = size(R * z);
    if (!(way <= longest_reach)) return 0;
    at = moved(q, R * z);
    evaluate_at_rest(at);
    if (!dynamics.a.allFinite()) return 0;
    const double now = size(R * correction);
    if (now <= solved * way) {
      if (!firm) return 0;
      q = at;
      return round;
    }
    if (now > contraction * before) return 0;
    before = now;
  }
  return 0;
}

// Newton's method from where damped motion has led; if it does not arrive, q stays.
bool Statics::finish(VecX& q) {
  VecX end = q;
  std::string unused;
  if (newton(end, last_steps, unused)) {
    q = end;
    return true;
  }
  evaluate_at_rest(q);
  return false;
}

bool Statics::settle(VecX& q, std::string& why) {
  double tau = 0, travelled = 0;
  int next_try = 1;
  evaluate_at_rest(q);
  for (int round = 1; round <= most_settling && !patience.lost(); ++round) {
    const MatX R = directions();
    const VecX r = unbalanced(R);
    if (tau == 0) tau = first_way / std::max(size(R * r), 1e-300);
    double way = 0;
    const int rounds = rest_step(q, R, tau, way);
    if (rounds == 0) {
      evaluate_at_rest(q);
      tau /= shorter;
      why = "damped, it gets stuck where forces jump or joints lose their hold";
      if (!(tau * size(R * r) > there))
        return finish(q);  // at rest forces are round-off, which no step reduces
      continue;
    }
    ++settling, ++steps;
    system.remember(t_, q, still_);
    travelled += way;
    if (travelled > lost) {
      why = fmt::format("damped, it moved on by {:.2g} times its size, and nothing stops it", travelled);
      return false;
    }
    if (rounds <= easy_rounds) tau *= longer;
    if (way > nearby || round < next_try) continue;
    if (finish(q)) return true;
    next_try = 2 * round;
  }
  why = fmt::format("damped, it still moves after {} steps", settling);
  return false;
}
}  // namespace mubody
