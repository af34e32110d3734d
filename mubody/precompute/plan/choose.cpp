#include "mubody/precompute/plan/choose.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/solvers/joint_variables.h"
#include "mubody/solvers/reduced.h"
#include "mubody/solvers/variable_choice.h"

namespace mubody {
namespace {
// Where a driver leads to during the analysis, counted as the variable is.
PrecomputeOptions::Range driven_range(const Variable& v, const AnalysisOptions& a, double length) {
  constexpr int looks = 4000;
  constexpr double margin = 0.02, least = 1e-3;  // of the range; rad, or lengths
  const double first = (*v.follows)(a.start).x, shift = v.turn ? first - wrapped(first) : 0;
  PrecomputeOptions::Range r{v.name, first, first};
  for (int k = 0; k <= looks; ++k) {
    const double x = (*v.follows)(a.start + (a.end - a.start) * k / looks).x;
    r.low = std::min(r.low, x), r.high = std::max(r.high, x);
  }
  const double more = std::max(margin * (r.high - r.low), least * (v.turn ? 1 : length));
  return {v.name, r.low - shift - more, r.high - shift + more};
}

// The free variables, besides those of drivers.
std::vector<Variable> free_variables(const Study& study, const PrecomputeOptions& o, Begun& b, bool driven) {
  const int freedoms = b.results.freedom.usual;
  std::vector<Variable> chosen;
  if (!o.independent.empty()) {
    if (int(o.independent.size()) != freedoms)
      throw ModelError(
          fmt::format("the mechanism has {} freedom{}{}, but {} independent variable{} named; name {}",
                      freedoms, freedoms == 1 ? "" : "s", driven ? " besides its drivers" : "",
                      o.independent.size(), o.independent.size() == 1 ? " is" : "s are", freedoms));
    for (const std::string& name : o.independent) chosen.push_back(find_variable(study.mechanism, name));
    return chosen;
  }
  if (freedoms == 0 || (freedoms == 1 && !driven)) return {};
  const double t = study.analysis.start;
  const double length = b.system->scales.length;
  JointVariables variables(*b.system, t, b.q, {}, length);
  // Motions that leave the drivers alone.
  Terms terms = b.system->make_terms();
  b.system->constraints(t, b.q, b.u, terms);
  MatX D = b.system->structure.full(terms.D);
  for (int k = 0; k < b.system->nu; ++k)
    if (!b.system->turns[std::size_t(k)]) D.col(k) *= length;
  MatX motions = choose_variables(D).V;
  for (int k = 0; k < b.system->nu; ++k)
    if (!b.system->turns[std::size_t(k)]) motions.row(k) *= length;
  const MatX V =
      driven ? MatX(variables.rates(t, b.q) * motions) : choose_variables(variables.jacobian(t, b.q)).V;
  std::vector<Variable> usable = joint_coordinates(study.mechanism);
  for (Variable& v : body_coordinates(study.mechanism)) usable.push_back(std::move(v));
  std::vector<int> rows;
  std::vector<const Variable*> which;
  for (std::size_t k = 0; k < variables.variables().size(); ++k)
    if (const auto v = std::ranges::find(usable, variables.variables()[k].name, &Variable::name);
        v != usable.end())
      rows.push_back(int(k)), which.push_back(&*v);
  MatX own(Eigen::Index(rows.size()), V.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) own.row(Eigen::Index(k)) = V.row(rows[k]);
  const VariableSet set = int(rows.size()) >= freedoms ? best_set(own) : VariableSet{};
  if (set.empty() || !(hold_of(own, set) > 1e-6))
    throw ModelError(fmt::format(
        "angles and slides of joints and coordinates of bodies do not determine the {} freedoms: no variables "
        "stand for "
        "the turns of a ball joint, or of a body that flies in space; use 'mubody run' with the model itself",
        freedoms));
  for (const int k : set) chosen.push_back(*which[std::size_t(k)]);
  return chosen;
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
  const bool any = !wanted.variables.empty();
  for (const Variable& v : wanted.variables)
    wanted.driven.push_back(driven_range(v, study.analysis, b.system->scales.length));
  for (Variable& v : free_variables(study, o, b, any)) wanted.variables.push_back(std::move(v));
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
