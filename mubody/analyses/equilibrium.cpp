#include "mubody/analyses/equilibrium.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/analyses/differences.h"
#include "mubody/analyses/friction_left_out.h"
#include "mubody/code/recorded_slopes.h"
#include "mubody/math/dense.h"
#include "mubody/simulation/begin.h"
#include "mubody/simulation/recorder.h"
#include "mubody/simulation/verdict.h"
#include "mubody/solvers/in_bodies.h"
#include "mubody/solvers/statics.h"

namespace mubody {
namespace {
// Sizes of eigenvalues that count as zero: the error of differences, between these shares of the largest
// eigenvalue, or of the stiffness that cancelling forces may cause.
constexpr double round_off = 1e-12, neutral = 1e-7;
constexpr double tied = 1e-9;  // share by which displacements of the same size differ
constexpr std::size_t most_named = 4;
constexpr double nearly_singular = 1e-4;  // independence of the constraints

// The eigenvalues of K, smallest first, each with its displacements of bodies; R in body coordinates.
Table stability_table(const System& s, const MatX& R, const MatX& K, double t) {
  Table table{"stability", {{"time", "s"}, {"eigenvalue", "1/s^2"}}, {}};
  const std::vector<std::string> labels = displacement_labels(s);
  for (int k = 0; k < s.nu; ++k) table.columns.push_back({labels[std::size_t(k)], displacement_unit(s, k)});
  if (K.size() == 0) return table;
  const SymmetricEigen eigen = symmetric_eigen(0.5 * (K + K.transpose()));
  for (Eigen::Index k = 0; k < K.cols(); ++k) {
    VecX shape = R * eigen.vectors.col(k);
    const VecX sizes = shape.cwiseQuotient(s.units).cwiseAbs();
    Eigen::Index first = 0;  // of those that are as large as any, which round-off does not choose from
    while (sizes[first] < (1 - tied) * sizes.maxCoeff()) ++first;
    shape /= shape[first];
    table.values.push_back(t);
    table.values.push_back(eigen.values[k] + 0.0);  // avoids -0
    table.values.insert(table.values.end(), shape.begin(), shape.end());
  }
  return table;
}

// The coordinates that move most in some rows of the table, each once.
std::string moves_most(const Table& table, const std::vector<std::size_t>& rows) {
  std::vector<std::string> names;
  for (const std::size_t row : rows)
    for (std::size_t k = 2; k < table.columns.size(); ++k) {
      if (std::abs(table.at(row, k)) != 1) continue;
      if (std::ranges::find(names, table.columns[k].name) == names.end())
        names.push_back(table.columns[k].name);
      break;
    }
  const std::size_t more = names.size() > most_named ? names.size() - most_named : 0;
  names.resize(names.size() - more);
  return fmt::format("{}{}", fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

// The stiffness that counts as none.
double no_stiffness(const Table& table, double error, double at_work) {
  if (table.rows() == 0) return 0;
  const double largest = std::max({std::abs(table.at(0, 1)), std::abs(table.at(table.rows() - 1, 1)), at_work});
  return std::clamp(10 * error, round_off * largest, neutral * largest);
}

std::string stability_in_words(const Table& table, const MatX& K, double error, double at_work) {
  if (table.rows() == 0) return "nothing can move";
  const double none = no_stiffness(table, error, at_work);
  std::vector<std::size_t> falling, free, held;
  for (std::size_t k = 0; k < table.rows(); ++k)
    (table.at(k, 1) < -none ? falling : table.at(k, 1) <= none ? free : held).push_back(k);
  std::string words;
  if (!falling.empty())
    words = fmt::format(
        "unstable: the stiffness has {} negative eigenvalue{}, the smallest {:.6g} 1/s²; it tips over in {}; "
        "from a "
        "start beside it the search goes downhill",
        falling.size(), falling.size() == 1 ? "" : "s", table.at(0, 1), moves_most(table, falling));
  else if (!free.empty())
    words = fmt::format("neutral: {} of {} freedoms {} without stiffness, free to move in {}{}", free.size(),
                        table.rows(), free.size() == 1 ? "is" : "are", moves_most(table, free),
                        held.empty() ? ""
                                     : fmt::format("; the others are stable from {:.6g} 1/s² upwards",
                                                   table.at(held.front(), 1)));
  else
    words = fmt::format("stable: the smallest eigenvalue of the stiffness is {:.6g} 1/s², softest in {}",
                        table.at(0, 1), moves_most(table, {0}));
  if ((K - K.transpose()).norm() > 1e-6 * K.norm() + error + round_off * at_work)
    words +=
        "; forces are not conservative, so that oscillations may grow all the same: see analysis type "
        "\"modes\"";
  return words;
}

// The error of a position of rest: how far the mechanism may lie from where it rests before a force shows it.  Found by
// moving it so far along every direction in which it may move; the channels differ by their error.
class RestError {
 public:
  RestError(Statics& statics, const MatX& R, const MatX& K, double no_stiffness, double t)
      : statics_(statics), s_(statics.system), R_(R),
        eigen_(K.size() > 0 ? symmetric_eigen(0.5 * (K + K.transpose())) : SymmetricEigen{}),
        no_stiffness_(no_stiffness), t_(t), still_(VecX::Zero(s_.nu)), differences_(s_) {}

  Accuracy accuracy(const VecX& q, const Results& r) {
    const VecX left = statics_.unbalanced(R_);
    const double at_work = statics_.at_work(R_).force;
    double farthest = 0;
    differences_.take(t_, q, still_, statics_.dynamics);
    for (Eigen::Index k = 0; k < R_.cols(); ++k) {
      const VecX shape = eigen_.vectors.col(k), along = R_ * shape;
      const double force = std::abs(left.dot(shape)), stiffness = std::abs(eigen_.values[k]);
      const double far = stiffness > no_stiffness_
                             ? (force + round_off_of_forces * at_work) / stiffness
                             : free_play(q, shape, 10 * std::max(force, unnoticed * at_work));
      farthest = std::max(farthest, far * size_of(s_, along, s_.scales.length));
      for (const double side : {-far, far}) compare(statics_.moved(q, side * along));
    }
    statics_.evaluate_at_rest(q);
    return differences_.accuracy(
        r, fmt::format("the stiffness at rest, which leaves {:.1e} of the size open", farthest));
  }

 private:
  // Shares of the forces at work that cancel: what round-off leaves of them, and what counts as rest without stiffness.
  static constexpr double round_off_of_forces = 1e-15, unnoticed = 1e-11;

  // Without stiffness at rest: how far until forces push back; zero if they never do, since every place is one of rest.
  double free_play(const VecX& q, const VecX& shape, double force) {
    constexpr double least = 1e-9, most = 0.2, next = 1.5;  // rad, or lengths of the mechanism
    const VecX along = R_ * shape / size_of(s_, R_ * shape, s_.scales.length);
    for (double far = least; far < most; far *= next)
      for (const double side : {-far, far}) {
        statics_.evaluate_at_rest(statics_.moved(q, side * along));
        if (std::abs(statics_.unbalanced(R_).dot(shape)) > force)
          return far / size_of(s_, R_ * shape, s_.scales.length);
      }
    return 0;
  }
  void compare(const VecX& q) {
    statics_.evaluate_at_rest(q);
    differences_.compare(t_, q, still_, statics_.dynamics);
  }

  Statics& statics_;
  System& s_;
  const MatX& R_;
  SymmetricEigen eigen_;
  double no_stiffness_, t_;
  VecX still_;
  Differences differences_;
};
}  // namespace

Results Equilibrium::run(const Study& study, const Progress&) const {
  Begun b = begin(study, info.name, Gaps::closed);
  Results& r = b.results;
  if (!r.outcome) return std::move(b.results);
  const Formulated f = formulate(study, b);
  System& s = f.system();
  const double t = study.analysis.start;
  Statics statics(s, f.bodies, r.freedom.always_redundant(), t);
  statics.patience = study.analysis.patience;
  std::string by_differences;  // why
  const std::unique_ptr<ExactSlopes> exact = exact_slopes(b, t, by_differences);
  statics.exact = exact.get();
  VecX q = f.q;
  r.outcome = statics.solve(q);
  s.remember(t, q, VecX::Zero(s.nu));
  statics.evaluate_at_rest(q);
  remark_friction_left_out(s, r);
  remark_contact_friction_left_out(b.mechanism, s, r);
  Recorder recorder(s, f.bodies, study.output, r, false);
  recorder.record(t, q, VecX::Zero(s.nu), statics.dynamics, {});
  recorder.conclude(r);
  r.statistics.iterations = statics.steps;
  r.statistics.evaluations = statics.dynamics.evaluations;
  if (statics.dynamics.terms.rate.size() > 0 && statics.dynamics.terms.rate.lpNorm<Eigen::Infinity>() > 0)
    r.remarks.push_back(fmt::format("drivers move at t = {:.6g} s: they are taken to stand still there", t));
  if (!r.outcome) {
    r.verdict = "do not trust this: " + r.outcome.why;
    return std::move(b.results);
  }
  if (statics.settling > 0)
    r.remarks.push_back(fmt::format(
        "Newton's method did not arrive from this start: {} steps of a heavily damped motion led to rest",
        statics.settling));
  if (!by_differences.empty()) r.remarks.push_back("stiffness by differences, not exactly: " + by_differences);
  double error = 0;
  const MatX R = statics.directions(), K = statics.stiffness(q, R, &error);
  const double work = statics.at_work(R).stiffness;
  Table stability = stability_table(f.bodies, in_bodies(s, f.bodies, q, R), K, t);
  if (study.analysis.estimate && study.analysis.estimate_usual)
    r.accuracy = RestError(statics, R, K, no_stiffness(stability, error, work), t).accuracy(q, r);
  r.tables.push_back(std::move(stability));
  const std::string found = fmt::format(
      "found in {} step{}{}, constraints hold to {:.1e}", statics.steps, statics.steps == 1 ? "" : "s",
      statics.downhill > 0 ? fmt::format(", {} of them downhill", statics.downhill) : "",
      r.statistics.largest_violation);
  const bool singular =
      !r.freedom.always_redundant() && s.m > 0 && statics.dynamics.independence() < nearly_singular;
  const bool closed = positions_close(study.analysis, r.statistics);
  r.trusted = !singular && closed;
  r.verdict =
      singular ? "do not trust this: it rests at a singular position, where motions branch and stiffness says "
                 "little; " +
                     found
               : fmt::format("{}{}; {}", closed ? "" : "do not trust this: constraints are open; ",
                             stability_in_words(r.tables.back(), K, error, work), found);
  return std::move(b.results);
}
}  // namespace mubody
