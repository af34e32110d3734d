// Equilibrium: where the mechanism rests, with its reactions there, and whether it stays when it is disturbed.
//
//   docs/theory/equilibrium.md
//
//   Rᵀ Q(t, q, 0) = 0  on the constraints (statics.h);   K = −∂(RᵀQ)/∂z:  all eigenvalues positive means stable
//
// In coordinates that are orthonormal in the metric of the mass the eigenvalues of K are ω² [1/s²].
#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "mubody/analyses/begin.h"
#include "mubody/analyses/recorder.h"
#include "mubody/analyses/run.h"
#include "mubody/analyses/statics.h"

namespace mubody {
namespace {
constexpr double neutral = 1e-7;          // share of the largest eigenvalue that counts as none
constexpr double nearly_singular = 1e-4;  // independence of the constraints

// The eigenvalues of K, smallest first, each with its displacements.
Table stability_table(const System& s, const MatX& R, const MatX& K, double t) {
  Table table{"stability", {{"time", "s"}, {"eigenvalue", "1/s^2"}}, {}};
  const std::vector<std::string> labels = displacement_labels(s);
  for (int k = 0; k < s.nu; ++k) table.columns.push_back({labels[std::size_t(k)], displacement_unit(s, k)});
  if (K.size() == 0) return table;
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(0.5 * (K + K.transpose()));
  for (Eigen::Index k = 0; k < K.cols(); ++k) {
    VecX shape = R * eigen.eigenvectors().col(k);
    Eigen::Index largest = 0;
    shape.cwiseAbs().maxCoeff(&largest);
    shape /= shape[largest];
    table.values.push_back(t);
    table.values.push_back(eigen.eigenvalues()[k] + 0.0);  // no -0
    table.values.insert(table.values.end(), shape.begin(), shape.end());
  }
  return table;
}

std::string stability_in_words(const System& s, const Table& table, const MatX& K) {
  if (table.rows() == 0) return "nothing can move";
  const double smallest = table.at(0, 1);
  const double largest = std::max(std::abs(smallest), std::abs(table.at(table.rows() - 1, 1)));
  const std::vector<std::string> labels = displacement_labels(s);
  std::string moves;
  for (int k = 0; k < s.nu && moves.empty(); ++k)
    if (std::abs(table.at(0, std::size_t(k) + 2)) == 1) moves = labels[std::size_t(k)];
  const bool is_neutral = std::abs(smallest) <= neutral * largest;
  std::string words = fmt::format("{}: the smallest eigenvalue of the stiffness is {:.6g} 1/s², {} in {}",
                                  is_neutral     ? "neutral"
                                  : smallest > 0 ? "stable"
                                                 : "unstable",
                                  smallest,
                                  smallest > 0 && !is_neutral ? "softest"
                                  : is_neutral                ? "free to move"
                                                              : "it tips over",
                                  moves);
  if ((K - K.transpose()).norm() > 1e-6 * K.norm())
    words +=
        "; forces are not conservative, so that oscillations may grow all the same: see analysis type "
        "\"modes\"";
  return words;
}
}  // namespace

Results run_equilibrium(const Study& study) {
  Begun b = begin(study, "equilibrium");
  Results& r = b.results;
  System& s = *b.system;
  const double t = study.analysis.start;
  if (!r.outcome) {
    r.verdict = r.outcome.why;
    return std::move(b.results);
  }
  Statics statics(s, r.freedom.always_redundant(), t);
  VecX q = b.q;
  r.outcome = statics.solve(q);
  s.remember(t, q, VecX::Zero(s.nu));
  statics.look(q);
  Recorder recorder(s, study.output, r, false);
  recorder.record(t, q, VecX::Zero(s.nu), statics.dynamics, {});
  r.statistics.iterations = statics.steps;
  r.statistics.evaluations = statics.dynamics.evaluations;
  if (statics.dynamics.terms.rate.size() > 0 && statics.dynamics.terms.rate.lpNorm<Eigen::Infinity>() > 0)
    r.remarks.push_back(fmt::format("drivers move at t = {:.6g} s: they are taken to stand still there", t));
  if (!r.outcome) {
    r.verdict = "do not trust this: " + r.outcome.why;
    return std::move(b.results);
  }
  const MatX R = statics.directions(), K = statics.stiffness(q, R);
  r.tables.push_back(stability_table(s, R, K, t));
  const bool singular =
      !r.freedom.always_redundant() && s.m > 0 && statics.dynamics.independence() < nearly_singular;
  r.trusted = !singular && r.statistics.largest_violation <= study.analysis.accuracy.value_or(1e-9);
  r.verdict =
      fmt::format("{}; found in {} step{}{}, constraints hold to {:.1e}",
                  stability_in_words(s, r.tables.back(), K), statics.steps, statics.steps == 1 ? "" : "s",
                  statics.damped > 0 ? fmt::format(", {} of them damped", statics.damped) : "",
                  r.statistics.largest_violation);
  if (singular)
    r.verdict = "do not trust this: it rests at a singular position, where motions branch; " + r.verdict;
  return std::move(b.results);
}
}  // namespace mubody
