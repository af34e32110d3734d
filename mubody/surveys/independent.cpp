#include "mubody/surveys/independent.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "mubody/analyses/run.h"
#include "mubody/math/dense.h"
#include "mubody/math/suggest.h"
#include "mubody/mechanism/topology.h"
#include "mubody/simulation/begin.h"

namespace mubody {
namespace {
constexpr double tie = 1e-9;           // holds that differ by less are equal
constexpr double same_instant = 1e-9;  // share of the time between two output times
constexpr int corrections = 8, bisections = 60, deepest = 6;
constexpr int most_velocities = 600;  // matrices are dense

/// The motion of a run, at its output times and between.
class RecordedMotion {
 public:
  RecordedMotion(System& s, const Results& r) : s_(s), times_(r.times()), terms_(s.make_terms()) {
    for (const auto& name : s.coordinates) q_.push_back(r.column(name.text));
    for (const auto& name : s.velocities) u_.push_back(r.column(name.text));
  }
  std::size_t size() const { return times_.size(); }
  double time(std::size_t row) const { return times_[row]; }
  VecX q(std::size_t row) const { return at(q_, row); }

  /// Hermite's cubic between a row and the next, put on the constraints.  Drivers among these make it exact.
  VecX q(std::size_t row, double t) {
    const double h = times_[row + 1] - times_[row], x = (t - times_[row]) / h;
    const VecX qa = at(q_, row), qb = at(q_, row + 1);
    VecX ra(s_.nq), rb(s_.nq);
    s_.rates(qa, at(u_, row), ra);
    s_.rates(qb, at(u_, row + 1), rb);
    const double y = 1 - x;
    VecX q = y * y * (1 + 2 * x) * qa + x * x * (1 + 2 * y) * qb + h * x * y * (y * ra - x * rb);
    s_.tidy(q);
    const VecX u = VecX::Zero(s_.nu);
    for (int round = 0; round < corrections && s_.m > 0; ++round) {
      s_.constraints(t, q, u, terms_);
      if (s_.gap(terms_.phi) < 1e-14) break;
      MatX D = s_.structure.full(terms_.D);
      s_.scale(D);
      const VecX back = LeastSquares(D, 1e-9).solve(terms_.phi.cwiseQuotient(s_.row_units));
      s_.move(q, -s_.units.cwiseProduct(back));
    }
    return q;
  }

 private:
  static VecX at(const std::vector<std::vector<double>>& columns, std::size_t row) {
    VecX v(Eigen::Index(columns.size()));
    for (std::size_t k = 0; k < columns.size(); ++k) v[Eigen::Index(k)] = columns[k][row];
    return v;
  }
  System& s_;
  std::vector<double> times_;
  std::vector<std::vector<double>> q_, u_;
  Terms terms_;
};

/// Finds where the best set changes.
class Crossings {
 public:
  Crossings(VariableEquations& equations, RecordedMotion& motion, Independence& found)
      : equations_(equations), motion_(motion), found_(found) {}

  /// Searches between a row and the next, from one best set to another.
  void search(std::size_t row, double a, const VariableSet& before, double b, const VariableSet& after,
              int depth) {
    const double instant = same_instant * (motion_.time(row + 1) - motion_.time(row));
    double low = a, high = b;
    for (int round = 0; round < bisections && high - low > 1e-15 * std::max(1.0, std::abs(high)); ++round) {
      const double mid = 0.5 * (low + high);
      const MatX V = tangent(row, mid);
      (hold_of(V, before) > hold_of(V, after) ? low : high) = mid;
    }
    const double t = 0.5 * (low + high);
    const MatX V = tangent(row, t);
    const VariableSet third = best_set(V);
    if (depth < deepest && third.size() == before.size() && t - a > instant && b - t > instant &&
        hold_of(V, third) > std::max(hold_of(V, before), hold_of(V, after)) + tie) {
      search(row, a, before, t, third, depth + 1);
      search(row, t, third, b, after, depth + 1);
      return;
    }
    found_.crossings.push_back({t, before, after, equations_.values(t, motion_.q(row, t))});
  }

 private:
  MatX tangent(std::size_t row, double t) { return motions_of(equations_.jacobian(t, motion_.q(row, t))); }

  VariableEquations& equations_;
  RecordedMotion& motion_;
  Independence& found_;
};

/// The variables that the user names, or the best ones.
VariableSet set_of(const IndependentOptions& o, const Independence& found) {
  if (o.set.empty()) return found.start.choice.best;
  VariableSet set;
  std::vector<std::string> known;
  for (const Column& v : found.variables) known.push_back(v.name);
  for (const std::string& name : o.set) {
    const auto at = std::ranges::find(known, name);
    if (at == known.end()) throw ModelError(fmt::format("no variable '{}'{}", name, suggestion(name, known)));
    set.push_back(int(at - known.begin()));
  }
  std::ranges::sort(set);
  if (int(set.size()) != found.start.choice.freedoms)
    throw ModelError(
        fmt::format("{} cannot be the independent ones: as many variables as freedoms are needed, {}",
                    fmt::join(o.set, ", "), found.start.choice.freedoms));
  return set;
}

void follow(const Study& study, System& s, VariableEquations& equations, MinimalForm* minimal,
            Independence& found, const Progress& progress) {
  const Results r = run(study, progress);
  found.outcome = r.outcome;
  RecordedMotion motion(s, r);
  Crossings crossings(equations, motion, found);
  VariableSet now;
  Patience patience = study.analysis.patience;
  for (std::size_t row = 0; row < motion.size(); ++row) {
    if (row > 0 && progress && !progress(double(row) / double(motion.size()))) {
      found.outcome = {Outcome::interrupted, motion.time(row - 1),
                       fmt::format("stopped by the user at t = {:.6g} s", motion.time(row - 1))};
      break;
    }
    if (row > 0 && patience.lost()) {
      if (found.outcome) found.outcome = patience.outcome(motion.time(row - 1), at_time(motion.time(row - 1)));
      break;
    }
    found.motion.push_back(equations.choose(motion.time(row), motion.q(row)));
    if (minimal) found.motion.back().coefficients = minimal->at(motion.time(row), motion.q(row), true);
    const VariableChoice& c = found.motion.back().choice;
    if (row == 0) {
      now = c.best;
      continue;
    }
    if (c.best.size() != now.size()) {
      found.remarks.push_back(
          fmt::format("the number of freedoms changes from {} to {} near t = {:.6g} s: a singular "
                      "position",
                      now.size(), c.best.size(), motion.time(row)));
      now = c.best;
      continue;
    }
    // Among equal sets the one in use stays.
    if (hold_of(c.V, c.best) <= hold_of(c.V, now) + tie) continue;
    crossings.search(row - 1, motion.time(row - 1), now, motion.time(row), c.best, 0);
    now = c.best;
  }
  if (motion.size() == 0) return;
  double from = motion.time(0);
  const double end = motion.time(found.motion.size() - 1), instant = same_instant * (end - from);
  for (const Crossing& x : found.crossings) {
    if (x.t - from > instant) found.ranges.push_back({from, x.t, x.before});
    from = x.t;
  }
  if (end > from || found.ranges.empty()) found.ranges.push_back({from, end, now});
}
}  // namespace

Independence find_independent(const Study& study, const IndependentOptions& wanted, const Progress& progress) {
  if (study.analysis.patience.waits()) return find_independent(with_time_begun(study), wanted, progress);
  IndependentOptions o = wanted;
  if (o.chords.empty()) o.chords = study.analysis.chords;
  graph_of(study.mechanism, o.chords);  // reports what is wrong with the chords
  Begun b = begin(study, "independent", Gaps::closed);
  System& s = *b.system;
  if (s.nu > most_velocities)
    throw ModelError(
        fmt::format("{} velocities are too many: independent variables are looked for with dense matrices, "
                    "of at most {}",
                    s.nu, most_velocities));
  Independence found;
  found.model = study.mechanism.name;
  found.length = o.length;
  found.outcome = b.results.outcome;
  if (!found.outcome) return found;
  const double t = study.analysis.start;
  VariableEquations equations(s, {o.body, o.length, o.chords}, t, b.q);
  found.variables = equations.candidates();
  found.start = equations.choose(t, b.q);
  bool slides = false, turns = false;
  for (const CandidateVariable& v : found.variables) (v.slides ? slides : turns) = true;
  if (slides && turns)
    found.remarks.push_back(fmt::format("slides and turns are compared as if {:.6g} m were 1 rad", o.length));
  for (const JointRows& j : s.joints)
    if (j.rolls > 0) {
      found.remarks.emplace_back("conditions on velocities count: freedoms are those of velocities");
      break;
    }
  std::unique_ptr<MinimalForm> minimal;
  if (o.coefficients && found.start.choice.freedoms > 0) {
    found.set = set_of(o, found);
    minimal = std::make_unique<MinimalForm>(
        s, [&](double at, const In& q) { return equations.rates(at, q); }, found.set);
    found.start.coefficients = minimal->at(t, b.q, true);
  }
  if (o.along) follow(study, s, equations, minimal.get(), found, progress);
  return found;
}
}  // namespace mubody
