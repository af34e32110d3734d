#include "mubody/precompute/design.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/math/suggest.h"
#include "mubody/mechanism/compliance.h"
#include "mubody/simulation/begin.h"

namespace mubody {
namespace {
constexpr double small_change = 1e-3;  // relative to the parameter

double change_of(const Study& study, const std::string& name) {
  const double value = std::abs(study.parameters.at(name));
  return small_change * (value > 0 ? value : 1);
}
}  // namespace

void check_design(const Study& study, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const auto& [parameter, value] : study.parameters) known.push_back(parameter);
  for (auto at = names.begin(); at != names.end(); ++at)
    if (std::find(names.begin(), at, *at) != at)
      throw ModelError(fmt::format("design variable '{}' is named twice", *at));
  for (const std::string& name : names)
    if (!study.parameters.contains(name))
      throw ModelError(
          fmt::format("there is no parameter '{}'{}; design variables are names under [parameters]", name,
                      suggestion(name, known)));
}

Study with_rigid_joints(const Study& study) {
  Study ideal = study;
  if (!stiff_variables(study.mechanism).empty()) ideal.mechanism = rigid(study.mechanism);
  return ideal;
}

std::vector<Study> corners_of_design(const Study& study, const std::vector<std::string>& names) {
  constexpr double edge = 2;      // the largest change that difference quotients use, in those of change_of()
  constexpr std::size_t few = 3;  // variables, of which all corners are looked at
  std::vector<std::vector<double>> corners;
  const std::size_t n = names.size();
  for (std::size_t bits = 0; n > 0 && n <= few && bits < std::size_t(1) << n; ++bits) {
    corners.emplace_back();
    for (std::size_t k = 0; k < n; ++k) corners.back().push_back((bits >> k & 1U) != 0 ? edge : -edge);
  }
  for (const double to : {edge, -edge}) {
    if (n <= few) break;
    corners.emplace_back(n, to);
    for (std::size_t k = 0; k < n; ++k) {
      corners.emplace_back(n, 0);
      corners.back()[k] = to;
    }
  }
  std::vector<Study> all;
  for (const std::vector<double>& corner : corners) {
    Study changed = study;
    for (std::size_t k = 0; k < n; ++k)
      if (corner[k] != 0)
        changed =
            changed.with(names[k], study.parameters.at(names[k]) + corner[k] * change_of(study, names[k]));
    all.push_back(std::move(changed));
  }
  return all;
}

void count_as_planned(const RegionPlan& plan, VecX& theta) {
  constexpr double turn = 2 * EIGEN_PI;
  for (Eigen::Index a = 0; a < plan.theta.size(); ++a)
    if (plan.variables[std::size_t(a)].turn) theta[a] += turn * std::round((plan.theta[a] - theta[a]) / turn);
}

DesignFamily::DesignFamily(const Study& study, const std::vector<std::string>& names, const RegionPlan& plan,
                           int arguments, Sampled& nominal, Make make)
    : study_(study), names_(names), plan_(plan), nominal_(nominal), make_(std::move(make)),
      arguments_(arguments) {
  quantities = nominal.quantities;
}

double DesignFamily::step(std::size_t k) const { return change_of(study_, names_[k]); }

DesignFamily::Member& DesignFamily::member(std::size_t k, double change) {
  const auto key = std::pair(k, change);
  if (const auto known = members_.find(key); known != members_.end()) return known->second;
  const double value = study_.parameters.at(names_[k]) + change;
  Member m{study_.with(names_[k], value), nullptr, nullptr};
  const Study ideal = with_rigid_joints(m.study);
  const Begun b = begin(ideal, "precompute");
  if (!b.results.outcome)
    throw ModelError(fmt::format(
        "with {} = {:.6g} the mechanism cannot be assembled, so that its derivatives cannot be taken: {}",
        names_[k], value, b.results.outcome.why));
  std::vector<Variable> variables;
  for (const Variable& v : plan_.variables) variables.push_back(find_variable(m.study.mechanism, v.name));
  for (Variable& v : stiff_variables(m.study.mechanism)) variables.push_back(std::move(v));
  m.closure = std::make_unique<Closure>(m.study.mechanism, variables, m.study.analysis.start, b.q);
  VecX theta = m.closure->theta();
  count_as_planned(plan_, theta);
  m.closure->put(b.q, theta);
  // Cyclic variables are no arguments: they stay where they are in the unchanged model.
  for (Eigen::Index a = 0; a < plan_.theta.size(); ++a)
    if (plan_.ranges[std::size_t(a)].cyclic) theta[a] = plan_.theta[a];
  if (!m.closure->go(theta))
    throw ModelError(fmt::format("with {} = {:.6g} the mechanism cannot go where the unchanged one starts",
                                 names_[k], value));
  m.quantities = make_(m.study, *m.closure, b.q);
  Member& kept = members_.emplace(key, std::move(m)).first->second;
  return kept;
}

bool DesignFamily::at(const VecX& x, Out values, MatX& slopes) {
  const VecX theta = x.head(arguments_);
  MatX own(values.size(), arguments_);
  bool there = true;
  Eigen::Index changed = -1;
  for (Eigen::Index k = arguments_; k < x.size(); ++k)
    if (x[k] != 0) changed = k;
  if (changed < 0) {
    there = nominal_.at(theta, values, own);
  } else {
    there = member(std::size_t(changed - arguments_), x[changed]).quantities->at(theta, values, own);
  }
  slopes.setZero();
  slopes.leftCols(arguments_) = own;
  return there;
}
}  // namespace mubody
