#include "mubody/precompute/precompute.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "mubody/analyses/run.h"
#include "mubody/mechanism/compliance.h"
#include "mubody/model/version.h"
#include "mubody/precompute/plan/choose.h"
#include "mubody/precompute/region_maker.h"
#include "mubody/precompute/run/real_time.h"
#include "mubody/simulation/begin.h"
#include "mubody/solvers/reduced.h"

namespace mubody {
namespace {
constexpr int highest_degree = 9;
// With several arguments cells are many, so that more is asked of each; with three their coefficients are, too.
int degree_for(double bound, int freedoms) {
  if (freedoms > 2) return bound > 1e-7 ? 5 : 7;
  if (freedoms > 1) return bound > 1e-5 ? 5 : 7;
  return bound > 1e-5 ? 3 : bound > 1e-9 ? 5 : bound > 1e-11 ? 7 : 9;
}

/// Whether a force has changed when its bodies have gone all the way round: a torsion spring has been wound up.
bool winds_up(const Mechanism& m, double t, int force, const std::vector<VecX>& round) {
  Loads loads(m, {force});
  const VecX rest = VecX::Zero(loads.system().nu);
  double size = 0;
  for (const VecX& q : round) {
    loads.remember(t, q);
    size = std::max(size, loads.at(t, q, rest).lpNorm<Eigen::Infinity>());
  }
  const VecX last = loads.at(t, round.back(), rest);
  const double stored = loads.energy(t, round.back(), rest).potential;
  Loads again(m, {force});
  again.remember(t, round.front());
  // The way round is closed to about this.
  constexpr double same = 1e-5;
  return (again.at(t, round.front(), rest) - last).lpNorm<Eigen::Infinity>() > same * size ||
         std::abs(again.energy(t, round.front(), rest).potential - stored) > same * size;
}

/// A configuration with nothing special about it: at a start bars are often aligned, and seem not to move each other.
VecX somewhere(const Mechanism& m, const RegionPlan& plan, double t) {
  constexpr double golden = 0.618034;
  Closure closure(m, plan.variables, t, plan.q);
  closure.put(plan.q, plan.theta);
  VecX at = plan.theta;
  for (Eigen::Index k = 0; k < at.size(); ++k) {
    const VariableRange& v = plan.ranges[std::size_t(k)];
    at[k] += 0.3 * (v.low + std::fmod(golden * double(k + 1), 1.0) * (v.high - v.low) - at[k]);
  }
  return closure.go(at) ? closure.q() : plan.q;
}

/// What scalars have gained after the way round.
VecX gained(const Mechanism& m, const std::vector<Measure>& scalars, const std::vector<VecX>& round) {
  ScalarRows rows(m, scalars);
  VecX first(rows.size()), last(rows.size());
  rows.at(round.front(), first);
  for (const VecX& q : round) rows.at(q, last);
  constexpr double turn = 2 * EIGEN_PI;
  for (Eigen::Index k = 0; k < last.size(); ++k)
    last[k] =
        scalars[std::size_t(k)].kind == Measure::angle ? turn * std::round((last[k] - first[k]) / turn) : 0;
  return last;
}
}  // namespace

namespace {
Precomputed make(const Study& study, const PrecomputeOptions& o, const Progress& progress,
                 const MemoryTold& told) {
  Precomputed made;
  const std::vector<Variable> stiff = stiff_variables(study.mechanism);
  // Ranges and loops are those of rigid joints.
  Study ideal = study;
  if (!stiff.empty()) ideal.mechanism = rigid(study.mechanism);
  Begun b = begin(ideal, "precompute");
  made.outcome = b.results.outcome;
  if (!made.outcome) return made;
  check_design(study, o.design, !stiff.empty());
  refuse(ideal, b);
  const std::vector<Variable> driven = driven_variables(study.mechanism);
  const int freedoms = b.results.freedom.usual + int(driven.size());
  if (freedoms + int(stiff.size()) > RealTime::most)
    throw ModelError(
        fmt::format("{} freedoms are too many: tables have at most {} arguments, and a precomputed model {} "
                    "freedoms; fix bodies that need not move, or use 'mubody run' with the model itself",
                    freedoms + int(stiff.size()), RegionMaker::most_arguments, RealTime::most));
  RealTimeModel& model = made.model;
  model.name = study.mechanism.name;
  model.version = version();
  model.bound = o.bound;
  model.degree = o.degree > 0 ? o.degree : degree_for(o.bound, freedoms);
  model.t = study.analysis.start;

  for (const Variable& v : stiff) model.stiff.push_back({v.name, v.unit, v.turn});
  const StiffMatrices springs = stiff_matrices(study.mechanism);
  model.stiffness.assign(springs.K.data(), springs.K.data() + springs.K.size());
  model.damping.assign(springs.C.data(), springs.C.data() + springs.C.size());
  for (const std::string& name : o.design)
    model.design.push_back({name, study.parameters.at(name), study.parameters.at(name)});

  const Wanted wanted = choose(ideal, o, b, driven);
  Terms terms = b.system->make_terms();
  b.system->constraints(model.t, b.q, b.u, terms);
  const Plan plan = freedoms == 1 ? plan_one(ideal.mechanism, wanted, b.q, length_scale(*b.system, terms))
                                  : plan_many(ideal.mechanism, wanted, model.t, b.q);
  made.remarks = plan.remarks;
  made.regions_planned = double(plan.regions.size());
  model.gain = plan.gain;
  model.sign = plan.sign;
  model.start_region = plan.start;
  if (!o.design.empty() && plan.regions.size() > 1)
    throw ModelError(
        "no variable serves for the whole motion, and design variables need one that does; give a smaller "
        "range with "
        "--independent and --range");

  std::vector<RegionMaker> makers;
  makers.reserve(plan.regions.size());
  std::vector<std::vector<Station>> lines;
  for (const RegionPlan& r : plan.regions) {
    makers.emplace_back(study, o, r, stiff, b.q, made, progress, told);
    for (auto& line : makers.back().lines()) lines.push_back(std::move(line));
  }
  Folding folding;
  std::vector<bool> late(study.mechanism.forces.size(), false);
  for (const auto& line : lines) {
    const Folding f = sort_forces(study.mechanism, model.t, line, o.bound);
    for (const int k : f.run_time) late[std::size_t(k)] = true;
    for (const int k : f.positional)
      if (std::ranges::find(folding.positional, k) == folding.positional.end()) folding.positional.push_back(k);
    folding.damped |= f.damped;
  }
  for (int k = 0; k < int(late.size()); ++k) {
    if (is_compliance(*study.mechanism.forces[std::size_t(k)].what)) continue;
    for (const auto& round : plan.rounds)
      if (!round.empty() && !late[std::size_t(k)])
        late[std::size_t(k)] = winds_up(study.mechanism, model.t, k, round);
    const bool positional = std::ranges::find(folding.positional, k) != folding.positional.end();
    if (late[std::size_t(k)])
      folding.run_time.push_back(k);
    else if (!positional)
      folding.stored.push_back(k);
    (late[std::size_t(k)] ? made.run_time : made.folded).push_back(study.mechanism.forces[std::size_t(k)].name);
  }
  std::erase_if(folding.positional, [&](int k) { return late[std::size_t(k)]; });
  model.run_time = folding.run_time;
  const std::vector<Measure> scalars = seen_by(study.mechanism, folding);

  for (const auto& round : plan.rounds) {
    const VecX gain =
        round.empty() ? VecX::Zero(Eigen::Index(scalars.size())) : gained(study.mechanism, scalars, round);
    model.scalar_gain.insert(model.scalar_gain.end(), gain.begin(), gain.end());
  }
  // A degree that does not reach the bound gives way to the next one, unless it was asked for.
  for (bool done = false; !done;) {
    const Precomputed before = made;
    try {
      for (RegionMaker& maker : makers) {
        maker.home();
        model.regions.push_back(maker.make(folding, scalars));
        if (!made.outcome) return made;
      }
      done = true;
    } catch (const TooTight&) {
      if (o.degree > 0 || model.degree == highest_degree) throw;
      made = before;
      model.degree += 2;
    }
  }
  // The start, in the variables of its region.
  const RegionPlan& first = plan.regions[std::size_t(plan.start)];
  Begun bent = begin(study, "precompute");
  made.outcome = bent.results.outcome;
  if (!made.outcome) return made;
  Closure at(study.mechanism, both(first.variables, stiff), model.t, bent.q);
  const VecX rates = at.rates(bent.u);
  for (int k = 0; k < at.n(); ++k) {
    if (k >= int(first.variables.size())) {
      model.start.push_back(at.theta()[k]);
      model.start_rate.push_back(rates[k]);
      continue;
    }
    const VariableRange& v = first.ranges[std::size_t(k)];
    double x = at.theta()[k];
    if (v.turn && !v.periodic)
      while (x < v.low) x += 2 * EIGEN_PI;
    if (v.turn && !v.periodic)
      while (x > v.high) x -= 2 * EIGEN_PI;
    model.start.push_back(x);
    model.start_rate.push_back(rates[k]);
  }
  made.order = loop_order(*b.system, model.t, somewhere(ideal.mechanism, first, model.t),
                          joint_names(first.variables, b, model.t));
  const RealTime run(model, study.mechanism);
  made.operations = run.operations();
  made.reads = run.reads();
  return made;
}

/// Whether tables can be made so; they are not kept.  The size of those that can [bytes].
std::optional<double> size_if_possible(const Study& study, const PrecomputeOptions& o,
                                       const Progress& progress) {
  try {
    const Precomputed made = make(study, o, progress, {});
    if (made.outcome) return double(made.model.bytes());
  } catch (const TooTight&) {
    return {};
  }
  return {};
}

/// What would do in place of a bound or a memory that does not: it is tried before it is proposed.
std::string proposals(const Study& study, const PrecomputeOptions& o, const Progress& progress, bool memory) {
  std::string all;
  constexpr double cheap = 20e6;  // [bytes], to be tried
  for (double more = 8 * o.memory; memory && more <= std::min(512 * o.memory, cheap); more *= 8) {
    PrecomputeOptions other = o;
    other.memory = more;
    if (const auto size = size_if_possible(study, other, progress)) {
      all = fmt::format("--memory {:.0f}kB, ", std::ceil(*size / 1000));
      break;
    }
  }
  if (memory && all.empty()) all = "more with --memory, ";
  for (double factor = 10; factor <= 1e8; factor *= 10) {
    PrecomputeOptions other = o;
    other.bound = factor * o.bound;
    other.memory = std::min(o.memory, cheap);
    if (size_if_possible(study, other, progress)) return all + fmt::format("--bound {:.0e}, ", other.bound);
  }
  return all;
}
}  // namespace

Precomputed precompute(const Study& study, const PrecomputeOptions& o, const Progress& progress,
                       const MemoryTold& told) {
  try {
    return make(study, o, progress, told);
  } catch (const TooTight& e) {
    throw ModelError(fmt::format("{}; give {}{}or a smaller --range", e.what(),
                                 proposals(study, o, progress, e.memory),
                                 o.degree > 0 && o.degree < highest_degree ? "a higher --order, " : ""));
  }
}
}  // namespace mubody
