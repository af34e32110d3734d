#include "mubody/analyses/independent.h"

#include <algorithm>
#include <limits>
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
constexpr double same_instant = 1e-9;  // of the time between two output times
constexpr int newton_rounds = 8, bisections = 60, deepest = 6;
constexpr int most_velocities = 600;  // matrices are dense

/// The equations J ṗ = 0 of the variables that were asked for.
class VariableEquations {
 public:
  VariableEquations(System& s, const IndependentOptions& o, double t, const In& q)
      : s_(s), o_(o), terms_(s.make_terms()) {
    if (!o.body) joints_ = std::make_unique<JointVariables>(s, t, q, o.chords, o.length);
  }
  std::vector<Column> names() const {
    std::vector<Column> all;
    if (joints_) {
      for (const auto& v : joints_->variables()) all.push_back({v.name, v.unit});
    } else {
      for (const auto& v : s_.nq == s_.nu ? s_.coordinates : s_.velocities) all.push_back({v.text, v.unit});
    }
    return all;
  }
  VecX values(double t, const In& q) {
    if (joints_) return joints_->values(t, q);
    return s_.nq == s_.nu ? VecX(q) : VecX(VecX::Constant(s_.nu, std::numeric_limits<double>::quiet_NaN()));
  }
  /// Rates of the variables per unit of every velocity, in SI units.
  MatX rates(double t, const In& q) {
    if (!joints_) return MatX::Identity(s_.nu, s_.nu);
    MatX R = joints_->rates(t, q);
    for (std::size_t k = 0; k < joints_->variables().size(); ++k)
      if (joints_->variables()[k].slide) R.row(Eigen::Index(k)) *= o_.length;
    return R;
  }
  MatX operator()(double t, const In& q) {
    if (joints_) return joints_->jacobian(t, q);
    s_.constraints(t, q, VecX::Zero(s_.nu), terms_);
    const MatX D = s_.structure.full(terms_.D);
    MatX J(s_.m, s_.nu);
    Eigen::Index rows = 0;
    for (const JointRows& j : s_.joints)
      if (!j.driver) J.middleRows(rows, j.count) = D.middleRows(j.first, j.count), rows += j.count;
    for (int k = 0; k < s_.nu; ++k)
      if (!s_.turns[std::size_t(k)]) J.col(k) *= o_.length;
    return J.topRows(rows);
  }

 private:
  System& s_;
  const IndependentOptions& o_;
  Terms terms_;
  std::unique_ptr<JointVariables> joints_;
};

SetQuality judge(const MatX& J, const MatX& V, const VariableSet& set) {
  const double hold = hold_of(V, set);
  return {set, condition_with(J, set), hold > 0 ? 1 / hold : std::numeric_limits<double>::infinity()};
}

IndependentAt look(VariableEquations& equations, double t, const In& q) {
  IndependentAt now;
  now.t = t;
  now.values = equations.values(t, q);
  const MatX J = equations(t, q);
  now.choice = choose_variables(J);
  const VariableChoice& c = now.choice;
  now.lu = judge(J, c.V, c.lu);
  now.qr = judge(J, c.V, c.qr);
  now.svd = judge(J, c.V, c.svd);
  now.best = judge(J, c.V, c.best);
  if (c.freedoms == 1)
    for (int k = 0; k < int(J.cols()); ++k) now.single.push_back(judge(J, c.V, {k}));
  return now;
}

/// The motion of a run, at its output times and between.
class Motion {
 public:
  Motion(System& s, const Results& r) : s_(s), times_(r.times()), terms_(s.make_terms()) {
    for (const auto& name : s.coordinates) q_.push_back(r.column(name.text));
    for (const auto& name : s.velocities) u_.push_back(r.column(name.text));
  }
  std::size_t size() const { return times_.size(); }
  double time(std::size_t row) const { return times_[row]; }
  VecX q(std::size_t row) const { return at(q_, row); }

  /// Between a row and the next: Hermite's cubic, put on the constraints.  Drivers among these make it exact.
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
    for (int round = 0; round < newton_rounds && s_.m > 0; ++round) {
      s_.constraints(t, q, u, terms_);
      if (terms_.phi.lpNorm<Eigen::Infinity>() < 1e-14) break;
      s_.move(q, -LeastSquares(s_.structure.full(terms_.D), 1e-9).solve(terms_.phi));
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
  Crossings(VariableEquations& equations, Motion& motion, Independence& found)
      : equations_(equations), motion_(motion), found_(found) {}

  /// Between a row and the next: from one set that is best to another.
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
  MatX tangent(std::size_t row, double t) { return choose_variables(equations_(t, motion_.q(row, t))).V; }

  VariableEquations& equations_;
  Motion& motion_;
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
  Motion motion(s, r);
  Crossings crossings(equations, motion, found);
  VariableSet now;
  for (std::size_t row = 0; row < motion.size(); ++row) {
    found.motion.push_back(look(equations, motion.time(row), motion.q(row)));
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
    // Of equal sets the one that is in use stays.
    if (hold_of(c.V, c.best) <= hold_of(c.V, now) + tie) continue;
    crossings.search(row - 1, motion.time(row - 1), now, motion.time(row), c.best, 0);
    now = c.best;
  }
  if (motion.size() == 0) return;
  double from = motion.time(0);
  const double end = motion.time(motion.size() - 1), instant = same_instant * (end - from);
  for (const Crossing& x : found.crossings) {
    if (x.t - from > instant) found.ranges.push_back({from, x.t, x.before});
    from = x.t;
  }
  if (end > from || found.ranges.empty()) found.ranges.push_back({from, end, now});
}
}  // namespace

Independence find_independent(const Study& study, const IndependentOptions& wanted, const Progress& progress) {
  IndependentOptions o = wanted;
  if (o.chords.empty()) o.chords = study.analysis.chords;
  graph_of(study.mechanism, o.chords);  // says what is wrong with the chords
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
  VariableEquations equations(s, o, t, b.q);
  found.variables = equations.names();
  found.start = look(equations, t, b.q);
  bool slides = false, turns = false;
  for (const Column& v : found.variables) (v.unit.starts_with("m") ? slides : turns) = true;
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
