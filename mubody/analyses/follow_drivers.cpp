// Kinematic analysis: the drivers determine the motion.
//
//   Flores & Lankarani (2012), sec. 5: positions by Newton-Raphson, then D u = ν and D a = γ; the step that the
//   text calls 6 returns to 3.  With masses, Dᵀ λ = Q − M a gives driving forces and reactions.
//                                                                           docs/theory/kinematic.md
//
// Continuation: each position is predicted from the one before, q + u h + a h²/2, and a step is halved until
// Newton lands near its prediction, so that the motion stays on its branch.  Where the step shrinks to nothing
// the mechanism is at a dead point.
#include "mubody/analyses/follow_drivers.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "mubody/math/dense.h"
#include "mubody/simulation/begin.h"
#include "mubody/simulation/recorder.h"
#include "mubody/simulation/verdict.h"
#include "mubody/watches/contacts.h"

namespace mubody {
namespace {
constexpr int newton_rounds = 12;
constexpr double closed = 1e-13;   // System::gap() where Newton may stop
constexpr double open = 1e-10;     // System::gap() above which there is no solution
constexpr double singular = 1e-6;  // reciprocal condition number of D, in the units of the system, if singular
constexpr double largest_turn = 1.5;  // [rad] per step
constexpr double astray = 0.2;        // share of the step by which Newton may miss its prediction

class Kinematics {
 public:
  explicit Kinematics(System& s, bool redundant) : s_(s), d(s, redundant), redundant_(redundant) {}

  struct State {
    double t = 0;
    VecX q, u, a;
    int side = 0;  // sign of det D: changes at a singular position
  };

  // Velocities, accelerations and multipliers at positions that satisfy the constraints.  u and a come in as guesses:
  // at a singular position, where the equations leave a choice, the solution nearest to the guess goes on
  // smoothly.
  void complete(State& x) {
    s_.constraints(x.t, x.q, x.u, d.terms);
    factor();
    x.u += solve(-d.terms.rate);
    close_contacts(s_, x.t, x.q, x.u);
    s_.evaluate(x.t, x.q, x.u, d.terms);
    s_.fill_mass(d.terms);
    VecX rest = -d.terms.gamma;
    s_.structure.multiply(d.terms.D.data(), x.a.data(), rest.data());
    x.a -= solve(rest);
    VecX g = d.terms.Q;
    s_.structure.multiply_mass(-1, d.terms.M.data(), x.a.data(), g.data());
    d.a = x.a;
    if (!finite_)
      d.lambda.setConstant(s_.m, std::numeric_limits<double>::quiet_NaN());
    else
      d.lambda = solve_transposed(g);
    x.side = side();
  }

  // Goes from x to time t in one step; returns false if Newton fails or lands on another branch.
  bool step(const State& x, double t, State& y) {
    const double h = t - x.t;
    if (h * fastest_turn(s_, x.u) > largest_turn) return false;  // turns could not be counted
    y.t = t;
    y.q = x.q;
    s_.move(y.q, h * x.u + 0.5 * h * h * x.a);
    y.u = x.u + h * x.a;
    y.a = x.a;
    const System::Room room = s_.room(x.q);
    const VecX predicted = y.q;
    double size = 0, before = std::numeric_limits<double>::infinity();
    for (int round = 0; round < newton_rounds; ++round, ++iterations) {
      s_.constraints(t, y.q, y.u, d.terms);
      size = s_.gap(d.terms.phi, room);
      if (!std::isfinite(size)) return false;
      if (size <= closed || (size <= open && size > 0.5 * before)) break;
      before = size;
      factor();
      s_.move(y.q, solve(-d.terms.phi));
    }
    if (!(size <= open)) return false;
    if (s_.distance(y.q, predicted, room) > astray * s_.distance(predicted, x.q, room) + 1e-9) return false;
    complete(y);
    return y.u.allFinite() && y.a.allFinite();
  }

  // The condition number of the last equations, without those that depend on others.
  double condition() const {
    if (!finite_) return std::numeric_limits<double>::infinity();
    if (!least_squares_) return 1 / lu_.rcond();
    MatX D = s_.structure.full(d.terms.D);
    s_.scale(D);
    const PivotedQr qr(D, threshold());
    return qr.rank() > 0 ? qr.pivot(0) / qr.pivot(qr.rank() - 1) : 1;
  }

  System& s_;
  Dynamics d;
  long iterations = 0;

 private:
  void factor() {
    MatX D = s_.structure.full(d.terms.D);
    s_.scale(D);
    finite_ = D.allFinite();
    if (!finite_) return;  // factors would be nonsense, and so would their permutations
    if (!redundant_) lu_.compute(D);
    least_squares_ = redundant_ || !(lu_.rcond() > singular);
    if (!least_squares_) return;
    cod_.set_threshold(threshold());
    cod_.compute(D);
  }
  // Share of the largest pivot below which a row counts as dependent.
  double threshold() const { return redundant_ ? 1e-9 : 10 * singular; }
  VecX solve(const VecX& c) const {
    if (!finite_) return VecX::Constant(s_.nu, std::numeric_limits<double>::quiet_NaN());
    const VecX scaled = c.cwiseQuotient(s_.row_units);
    return s_.units.cwiseProduct(least_squares_ ? cod_.solve(scaled) : lu_.solve(scaled));
  }
  VecX solve_transposed(const VecX& g) const {
    const VecX scaled = g.cwiseProduct(s_.units);
    return (least_squares_ ? cod_.solve_transposed(scaled) : lu_.solve_transposed(scaled))
        .cwiseQuotient(s_.row_units);
  }
  // The sign of det D, without its size, which may underflow; 0 if D is singular.
  int side() const { return least_squares_ || !finite_ ? 0 : lu_.sign(); }

  bool least_squares_ = false, finite_ = true;
  bool redundant_;
  Lu lu_;
  LeastSquares cod_;
};

// The joints whose equations are dependent where D is singular: the left singular vector of its smallest value.
std::string contradicting(const System& s, const Terms& terms) {
  MatX D = s.structure.full(terms.D);
  s.scale(D);
  const VecX weights = left_singular(D).vectors.col(s.m - 1);
  std::vector<std::string> names;
  for (const JointRows& j : s.joints)
    if (weights.segment(j.first, j.count).norm() > 0.1) names.push_back("'" + j.name + "'");
  return fmt::format("{}", fmt::join(names, ", "));
}

// The time at which det D changes its sign, between x and y.
double locate(Kinematics& k, Kinematics::State x, Kinematics::State y, double span) {
  Kinematics::State mid;
  for (int round = 0; round < 60 && y.t - x.t > 1e-12 * std::max(span, std::abs(y.t)); ++round) {
    if (!k.step(x, 0.5 * (x.t + y.t), mid)) break;
    (mid.side == x.side ? x : y) = mid;
  }
  return 0.5 * (x.t + y.t);
}

void expect_driven(const Begun& b, std::string_view analysis) {
  const Freedom& f = b.results.freedom;
  if (f.usual > 0)
    throw ModelError(
        fmt::format("{} analysis needs a driver for every freedom: {} of {} are left; add {} driver{} under "
                    "[drivers], or use analysis type \"forward\"",
                    analysis, f.usual, f.coordinates, f.usual, f.usual > 1 ? "s" : ""));
  for (const JointRows& j : b.system->joints)
    if (j.rolls > 0)
      throw ModelError(j.place,
                       fmt::format("joint '{}' ({}) sets conditions on velocities, which positions do not "
                                   "follow from: use analysis type \"forward\"",
                                   j.name, j.type));
}

// Moves x to time t in steps that are halved where Newton fails; returns false, with x there, at a dead point.
bool go(Kinematics& k, Kinematics::State& x, double t, double span, Results& r) {
  const bool redundant = r.freedom.always_redundant();
  Kinematics::State y;
  for (double h = t - x.t; x.t < t;) {
    const double to = x.t + h >= t - 1e-12 * span ? t : x.t + h;
    if (!k.step(x, to, y)) {
      h /= 2;
      ++r.statistics.rejected;
      if (h < 1e-11 * span) return false;
      continue;
    }
    // Positions at a singular position are as good as their prediction: predict from close by.
    if (y.side == 0 && !redundant && k.step(x, to - (to - x.t) / 64, y)) {
      const Kinematics::State close = y;
      k.step(close, to, y);
    }
    const bool there = y.side == 0 && !redundant;  // exactly at a singular position
    if ((there && x.side != 0) || (!there && x.side != 0 && y.side != x.side))
      r.events.push_back(
          {there ? y.t : locate(k, x, y, span), Event::singular_position, "the motion goes on through it"});
    x = y;
    k.s_.remember(x.t, x.q, x.u);
    h *= 2;
    ++r.statistics.steps;
  }
  return true;
}

void conclude(const AnalysisOptions& o, Condition condition, Results& r) {
  condition.open = r.statistics.violation_share;
  r.accuracy = accuracy_of_solutions(r, condition);
  r.trusted = bool(r.outcome) && positions_close(o, r.statistics);
  const std::string closes = fmt::format("every position closes to {:.1e}", r.statistics.largest_violation);
  r.verdict = r.trusted ? "good: " + closes
              : r.outcome
                  ? fmt::format("do not trust this: {} only, worst in {}", closes, r.statistics.worst_joint)
                  : r.outcome.why;
}
}  // namespace

Results follow_drivers(const Study& study, const Progress& progress, std::string_view analysis,
                       const AtResult& see) {
  if (see && study.analysis.formulation.index != 0) {
    Study in_bodies = study;
    in_bodies.analysis.formulation.index = 0;
    return follow_drivers(in_bodies, progress, analysis, see);
  }
  Begun b = begin(study, analysis, Gaps::closed);
  Results& r = b.results;
  if (!r.outcome) return std::move(b.results);
  expect_driven(b, analysis);
  const AnalysisOptions& o = study.analysis;
  const Formulated f = formulate(study, b);
  System& s = f.system();
  Kinematics k(s, r.freedom.always_redundant());
  Recorder recorder(s, f.bodies, study.output, r, false);
  Kinematics::State x{o.start, f.q, f.u, VecX::Zero(s.nu)};
  k.complete(x);
  s.remember(x.t, x.q, x.u);

  const double span = o.end > o.start ? o.end - o.start : 1;
  Condition condition;
  for (const double t : study.output.at(o)) {
    if (progress && !progress((t - o.start) / span)) {
      r.outcome = {Outcome::interrupted, x.t, fmt::format("stopped by the user at t = {:.6g} s", x.t)};
      break;
    }
    const bool arrived = go(k, x, t, span, r);
    k.complete(x);
    if (!arrived) {
      r.outcome = {Outcome::singular, x.t,
                   fmt::format("dead point at t = {:.9g} s: the drivers cannot move the mechanism on; the "
                               "equations of {} depend on each other there",
                               x.t, contradicting(s, k.d.terms))};
      r.events.push_back({x.t, Event::dead_point, r.outcome.why});
      break;
    }
    recorder.record(x.t, x.q, x.u, k.d, {});
    condition.see(k.condition(), x.t);
    if (see) see(x.t, x.q, x.u, k.d);
  }
  r.statistics.iterations = k.iterations;
  recorder.conclude(r);
  conclude(o, condition, r);
  return std::move(b.results);
}
}  // namespace mubody
