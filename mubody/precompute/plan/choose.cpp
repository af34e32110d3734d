#include "mubody/precompute/plan/choose.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/math/dense.h"
#include "mubody/precompute/plan/scalars.h"
#include "mubody/solvers/joint_variables.h"
#include "mubody/solvers/reduced.h"
#include "mubody/solvers/variable_choice.h"

namespace mubody {
namespace {
// Where a driver leads to during the analysis, counted as the variable is.
PrecomputeOptions::Range driven_range(const Variable& v, const AnalysisOptions& a, double length, bool& still) {
  constexpr int looks = 4000;
  constexpr double margin = 0.02, least = 1e-3;  // of the range; rad, or lengths
  const double first = (*v.follows)(a.start).x, shift = v.turn ? first - wrapped(first) : 0;
  PrecomputeOptions::Range r{v.name, first, first};
  for (int k = 0; k <= looks; ++k) {
    const double x = (*v.follows)(a.start + (a.end - a.start) * k / looks).x;
    r.low = std::min(r.low, x), r.high = std::max(r.high, x);
  }
  still = !(r.high > r.low);
  const double more = std::max(margin * (r.high - r.low), least * (v.turn ? 1 : length));
  return {v.name, r.low - shift - more, r.high - shift + more};
}

/// The variables that could be independent at the start, with the rows of a basis V of the motions that leave the
/// drivers alone.
class Candidates {
 public:
  /// `held` are variables that must be among the independent ones.
  Candidates(const Study& study, Begun& b, bool driven, const std::vector<Variable>& held)
      : b_(b), t_(study.analysis.start), freedoms_(b.results.freedom.usual),
        joints_(*b.system, t_, b.q, {}, b.system->scales.length) {
    // Loops give the best basis; drivers, and coordinates of bodies that are asked for, need one in velocities.
    const bool in_velocities = driven || !held.empty();
    const MatX motions = in_velocities ? motions_of_bodies() : MatX();
    V_ = in_velocities ? MatX(joints_.rates(t_, b.q) * motions) : motions_of(joints_.jacobian(t_, b.q));
    std::vector<Variable> usable = joint_coordinates(study.mechanism);
    for (Variable& v : body_coordinates(study.mechanism)) usable.push_back(std::move(v));
    for (std::size_t k = 0; k < joints_.variables().size(); ++k)
      if (const auto v = std::ranges::find(usable, joints_.variables()[k].name, &Variable::name);
          v != usable.end())
        add(*v, V_.row(Eigen::Index(k)));
    for (const Variable& v : held) {
      auto at = std::ranges::find(all_, v.name, &Variable::name);
      if (at == all_.end()) {
        add(v, row_of(study.mechanism, v) * motions);
        at = all_.end() - 1;
      }
      held_.push_back(int(at - all_.begin()));
    }
  }

  /// Throws ModelError if no set of them moves the mechanism.
  std::vector<Variable> best() const {
    const VariableSet set = int(all_.size()) >= freedoms_ ? best_set(rows_, held_) : VariableSet{};
    if (set.empty() || !(hold_of(rows_, set) > least_hold)) refuse_variables();
    std::vector<Variable> chosen;
    for (const int k : set) chosen.push_back(all_[std::size_t(k)]);
    return chosen;
  }

 private:
  static constexpr double least_hold = 1e-6;

  void add(const Variable& v, const Eigen::RowVectorXd& row) {
    all_.push_back(v);
    rows_.conservativeResize(Eigen::Index(all_.size()), row.size());
    rows_.bottomRows(1) = row;
  }

  MatX motions_of_bodies() const {
    const System& s = *b_.system;
    Terms terms = s.make_terms();
    b_.system->constraints(t_, b_.q, b_.u, terms);
    MatX D = s.structure.full(terms.D);
    for (int k = 0; k < s.nu; ++k)
      if (!s.turns[std::size_t(k)]) D.col(k) *= s.scales.length;
    MatX motions = motions_of(D);
    for (int k = 0; k < s.nu; ++k)
      if (!s.turns[std::size_t(k)]) motions.row(k) *= s.scales.length;
    return motions;
  }

  // The rate of a variable per unit of every velocity, with slides in units of the length.
  MatX row_of(const Mechanism& m, const Variable& v) const {
    ScalarRows one(m, {v});
    VecX value(1);
    MatX R;
    one.at(b_.q, value, &R);
    return R / (v.turn ? 1 : b_.system->scales.length);
  }

  [[noreturn]] void refuse_variables() const {
    if (int(all_.size()) >= freedoms_ && hold_of(rows_, best_set(rows_)) > least_hold) {
      std::vector<std::string> names;
      for (const int k : held_) names.push_back(all_[std::size_t(k)].name);
      throw ModelError(fmt::format(
          "--range is given for {}, which cannot be independent at the start: {}; give ranges of other "
          "variables ('mubody independent' lists those that serve)",
          fmt::join(names, ", "),
          names.size() > 1 ? "they depend on each other there, or do not move" : "it does not move there"));
    }
    throw ModelError(
        fmt::format("angles and slides of joints and coordinates of bodies do not determine the {} freedoms: "
                    "no variables stand "
                    "for {}; use 'mubody run' with the model itself",
                    freedoms_, not_represented()));
  }

  // What moves most while all candidates stand still.
  std::string not_represented() const {
    MatX still = MatX::Zero(std::max<Eigen::Index>(rows_.rows(), V_.cols()), V_.cols());
    still.topRows(rows_.rows()) = rows_;
    Eigen::Index at = 0;
    (V_ * right_singular(still).vectors.rightCols<1>()).cwiseAbs().maxCoeff(&at);
    const JointVariables::Variable& v = joints_.variables()[std::size_t(at)];
    if (v.joint < 0)
      return fmt::format(
          "the turns of body '{}', which flies in space",
          b_.system->body_names[std::size_t(b_.system->body_of_velocity[std::size_t(v.velocity)])]);
    const JointRows& joint = b_.system->joints[std::size_t(v.joint)];
    return fmt::format("the turns of joint '{}' ({}), which are about all axes", joint.name, joint.type);
  }

  Begun& b_;
  double t_;
  int freedoms_;
  JointVariables joints_;
  MatX V_, rows_;  // of all variables of joints; of the candidates
  std::vector<Variable> all_;
  VariableSet held_;
};

// The free variables, besides those of drivers.
std::vector<Variable> free_variables(const Study& study, const PrecomputeOptions& o, Begun& b,
                                     const std::vector<Variable>& driven) {
  const int freedoms = b.results.freedom.usual;
  const bool any_driven = !driven.empty();
  std::vector<Variable> chosen;
  if (!o.independent.empty()) {
    if (int(o.independent.size()) != freedoms)
      throw ModelError(
          fmt::format("the mechanism has {} freedom{}{}, but {} independent variable{} named; name {}",
                      freedoms, freedoms == 1 ? "" : "s", any_driven ? " besides its drivers" : "",
                      o.independent.size(), o.independent.size() == 1 ? " is" : "s are", freedoms));
    for (const std::string& name : o.independent) chosen.push_back(find_variable(study.mechanism, name));
    return chosen;
  }
  if (freedoms == 0 || (freedoms == 1 && !any_driven)) return {};
  std::vector<Variable> held;
  for (const auto& r : o.ranges)
    if (Variable v = find_variable(study.mechanism, r.variable);
        std::ranges::find(driven, v.name, &Variable::name) == driven.end())
      held.push_back(std::move(v));
  if (int(held.size()) > freedoms)
    throw ModelError(
        fmt::format("the mechanism has {} freedom{}{}, but ranges of {} variables are given; leave some "
                    "of them out",
                    freedoms, freedoms == 1 ? "" : "s", any_driven ? " besides its drivers" : "", held.size()));
  return Candidates(study, b, any_driven, held).best();
}

// A range that nobody would look at is refused.
void refuse_other_ranges(const Mechanism& m, const Wanted& wanted) {
  std::vector<std::string> names;
  for (const Variable& v : wanted.variables) names.push_back(v.name);
  for (const auto& r : wanted.given)
    if (const std::string asked = find_variable(m, r.variable).name;
        !names.empty() && std::ranges::find(names, asked) == names.end())
      throw ModelError(
          fmt::format("--range is for {}, but the independent variable{} {}; give the range of {}, or "
                      "leave --independent out",
                      asked, names.size() == 1 ? " is" : "s are", fmt::join(names, ", "),
                      names.size() == 1 ? "that" : "one of these"));
}
}  // namespace

void refuse(const Study& study, const Begun& b) {
  const Mechanism& m = study.mechanism;
  for (const JointRows& j : b.system->joints)
    if (j.rolls > 0)
      throw ModelError(j.place,
                       fmt::format("joint '{}' ({}) sets conditions on velocities, which no table of positions "
                                   "can hold: leave it out, or use 'mubody run' with the model itself",
                                   j.name, j.type));
  if (const Grips& grips = b.system->grips; grips.any())
    throw ModelError(
        grips.all.front().place,
        fmt::format("joint '{}' has friction that sticks and slips, which no table of positions can "
                    "hold: leave the friction out, or use 'mubody run' with the model itself",
                    b.system->joints[std::size_t(grips.all.front().joint)].name));
  for (const auto& force : m.forces)
    if (force.what->is_clearance())
      throw ModelError(force.place,
                       fmt::format("joint '{}' has clearance: it is a contact in the loop, which opens and "
                                   "closes, so that the mechanism has no fixed freedoms to tabulate; give the "
                                   "joint without clearance, or use 'mubody run' with the model itself",
                                   force.name));
  if (!m.signals.empty())
    throw ModelError(
        m.signals.front().place,
        fmt::format("'{}': signals and coordinates of joints in formulas cannot be followed from tables; use "
                    "'mubody run' with the model itself",
                    m.signals.front().name));
  for (const auto& force : m.forces)
    if (force.what->states() > 0)
      throw ModelError(force.place,
                       fmt::format("force '{}' ({}) has states of its own, which tables do not follow; use "
                                   "'mubody run' with the model itself",
                                   force.name, force.what->info().name));
  if (b.system->nz > 0)
    throw ModelError(
        b.system->contacts().sites.front().place,
        "friction that remembers (coulomb, lugre) cannot be applied at run time; choose another friction "
        "law, or use 'mubody run' with the model itself");
  const bool driven = std::ranges::any_of(m.joints, [](const auto& j) { return j.driver; });
  if (b.results.freedom.usual == 0 && !driven)
    throw ModelError("nothing can move: a precomputed model needs at least one freedom; leave out a joint");
}

Wanted choose(const Study& study, const PrecomputeOptions& o, Begun& b, std::vector<Variable> driven) {
  Wanted wanted{std::move(driven), o.ranges, {}};
  for (const Variable& v : wanted.variables) {
    bool still = false;
    wanted.driven.push_back(driven_range(v, study.analysis, b.system->scales.length, still));
    if (still && std::ranges::find(o.ranges, v.name, &PrecomputeOptions::Range::variable) == o.ranges.end())
      wanted.still.push_back(v.name);
  }
  for (Variable& v : free_variables(study, o, b, wanted.variables)) wanted.variables.push_back(std::move(v));
  refuse_other_ranges(study.mechanism, wanted);
  return wanted;
}

std::vector<std::string> joint_names(const std::vector<Variable>& all, Begun& b, double t) {
  JointVariables variables(*b.system, t, b.q);
  const MatX R = variables.rates(t, b.q);
  Terms terms = b.system->make_terms();
  b.system->constraints(t, b.q, b.u, terms);
  const MatX D = b.system->structure.full(terms.D);
  std::vector<std::string> names;
  for (const Variable& v : all) {
    names.push_back(v.name);
    const auto driver = std::ranges::find(b.system->joints, v.name, &JointRows::name);
    if (!v.follows || driver == b.system->joints.end()) continue;
    for (Eigen::Index k = 0; k < R.rows(); ++k)
      if ((R.row(k) - D.row(driver->first)).norm() < 1e-9 * R.row(k).norm())
        names.back() = variables.variables()[std::size_t(k)].name;
  }
  return names;
}
}  // namespace mubody
