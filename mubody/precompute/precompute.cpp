#include "mubody/precompute/precompute.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "mubody/analyses/run.h"
#include "mubody/mechanism/compliance.h"
#include "mubody/model/version.h"
#include "mubody/precompute/make_loops.h"
#include "mubody/precompute/plan/choose.h"
#include "mubody/precompute/plan/cyclic.h"
#include "mubody/precompute/proposals.h"
#include "mubody/precompute/region_maker.h"
#include "mubody/precompute/run/check_tables.h"
#include "mubody/precompute/run/real_time.h"
#include "mubody/simulation/begin.h"
#include "mubody/solvers/reduced.h"

namespace mubody {
namespace {
constexpr int highest_degree = 9;
// Cells of three arguments have a thousand coefficients with degree 9, and do not save memory.
int highest_for(int freedoms) { return freedoms > 2 ? 7 : highest_degree; }
// Tables with several arguments have many cells, so each cell must do more; with three arguments each cell also
// has many coefficients.
int degree_for(double bound, int freedoms) {
  if (freedoms > 2) return bound > 1e-7 ? 5 : 7;
  if (freedoms > 1) return bound > 1e-5 ? 5 : bound > 1e-7 ? 7 : 9;
  return bound > 1e-5 ? 3 : bound > 1e-9 ? 5 : bound > 1e-11 ? 7 : 9;
}

// Loops are evaluated several at a time, where the cost of a cell counts more than how many there are; unless these are very
// many, as with three arguments.
int degree_of_geometry(double bound, int freedoms) {
  if (freedoms > 2) return bound > 1e-5 ? 5 : 7;
  return bound > 1e-6 ? 3 : bound > 1e-10 ? 5 : 7;
}

/// Whether a force is different after its bodies have gone all the way round, like a torsion spring that is
/// wound up.
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
  constexpr double same = 1e-5;  // relative to the largest force; the way round is closed about as well
  return (again.at(t, round.front(), rest) - last).lpNorm<Eigen::Infinity>() > same * size ||
         std::abs(again.energy(t, round.front(), rest).potential - stored) > same * size;
}

/// A configuration with nothing special about it.  At a start bars are often aligned, and seem not to move each
/// other.
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

/// How much the scalars have grown after the way round: by whole turns, but of a cyclic variable by anything.
VecX gained(const Mechanism& m, const std::vector<Measure>& scalars, const std::vector<VecX>& round,
            bool cyclic) {
  ScalarRows rows(m, scalars);
  VecX first(rows.size()), last(rows.size());
  rows.at(round.front(), first);
  for (const VecX& q : round) rows.at(q, last);
  constexpr double turn = 2 * EIGEN_PI;
  if (cyclic) return last - first;
  for (Eigen::Index k = 0; k < last.size(); ++k)
    last[k] =
        scalars[std::size_t(k)].kind == Measure::angle ? turn * std::round((last[k] - first[k]) / turn) : 0;
  return last;
}

bool any_cyclic(const RegionPlan& plan) { return std::ranges::any_of(plan.ranges, &VariableRange::cyclic); }

/// The steps from a study to its tables, one after the other.
class Maker {
 public:
  /// `work` is the most that may be done, as in Effort; with `known` tables, these are of geometry alone.
  Maker(const Study& study, const PrecomputeOptions& o, const Progress& progress, const MemoryNotice& notice,
        CellPolynomials& cells, KnownTables* known, double work = std::numeric_limits<double>::infinity(),
        const Neighbourhood* near = nullptr)
      : study_(study), o_(o), progress_(progress), notice_(notice), geometry_alone_(known != nullptr),
        stiff_(stiff_variables(study.mechanism)), ideal_(with_rigid_joints(study)),
        begun_(begin(ideal_, "precompute")), sizes_(o.bound ? Scales{} : begun_.results.scales), work_(work),
        effort_(cells) {
    effort_.known = known;
    effort_.near = near;
  }
  // The makers of regions refer to what is here.
  Maker(const Maker&) = delete;
  Maker& operator=(const Maker&) = delete;

  Precomputed make() {
    made_.outcome = begun_.results.outcome;
    if (!made_.outcome) return std::move(made_);
    count_freedoms();
    describe();
    if (!make_tables() || geometry_alone_ || !place_start()) return std::move(made_);
    const RegionPlan& first = plan_.regions[std::size_t(plan_.start)];
    made_.order = loop_order(*begun_.system, model().t, somewhere(ideal_.mechanism, first, model().t),
                             joint_names(first.variables, begun_, model().t));
    const RealTime run(model(), study_.mechanism);
    made_.operations = run.operations();
    made_.reads = run.reads();
    return std::move(made_);
  }

 private:
  RealTimeModel& model() { return made_.model; }

  void count_freedoms();
  void describe();
  bool make_tables();
  bool make_tables_once();
  bool narrow(const TooTight&);
  bool look();
  void plan();
  void sort();
  bool tabulate_more();
  std::vector<std::string> not_cyclic_in(const Study& changed, std::vector<VecX>& rates);
  void count_laps_of_scalars();
  bool fill();
  bool place_start();

  const Study& study_;
  const PrecomputeOptions& o_;
  const Progress& progress_;
  const MemoryNotice& notice_;
  const bool geometry_alone_;  // where bodies are, and nothing of forces
  const std::vector<Variable> stiff_;
  const Study ideal_;  // ranges and loops are those of rigid joints
  Begun begun_;
  const Scales sizes_;  // what errors are measured in
  Precomputed made_;
  std::vector<Variable> driven_;
  int freedoms_ = 0;
  const double work_;  // the most that may be done
  bool patient_ = false;
  Effort effort_;
  double share_ = 1, wider_ = 1;                             // of the ranges that are found, now and before
  double excess_ = std::numeric_limits<double>::infinity();  // with the wider ones
  std::vector<std::string> tabulated_;                       // variables that are not cyclic, as was found
  Plan plan_;
  std::vector<RegionMaker> regions_;
  Folding folding_;
  std::vector<Measure> scalars_;
};

/// Throws ModelError if there are too many freedoms, or the mechanism cannot be precomputed for another reason.
void Maker::count_freedoms() {
  check_design(study_, o_.design);
  refuse(ideal_, begun_);
  driven_ = driven_variables(study_.mechanism);
  freedoms_ = begun_.results.freedom.usual + int(driven_.size());
  const std::size_t most = geometry_alone_ ? most_stiff_variables : std::size_t(RealTime::most);
  if (std::size_t(freedoms_) + stiff_.size() > most)
    throw ModelError(
        fmt::format("{} freedoms are too many: tables have at most {} arguments, and a precomputed model {} "
                    "freedoms; fix bodies that need not move, or use 'mubody run' with the model itself",
                    freedoms_ + int(stiff_.size()), RegionMaker::most_arguments, most));
}

/// Sets the name of the model, and everything else that is not in tables.
void Maker::describe() {
  model().name = study_.mechanism.name;
  model().version = version();
  model().bound = o_.share();
  model().in_si = o_.bound.has_value();
  model().degree = o_.degree > 0                      ? o_.degree
                   : geometry_alone_ && !effort_.near ? degree_of_geometry(o_.share(), freedoms_)
                                                      : degree_for(o_.share(), freedoms_);
  model().t = study_.analysis.start;
  for (const Variable& v : stiff_) model().stiff.push_back({v.name, v.unit, v.turn});
  const StiffMatrices springs = stiff_matrices(study_.mechanism);
  model().stiffness.assign(springs.K.data(), springs.K.data() + springs.K.size());
  model().damping.assign(springs.C.data(), springs.C.data() + springs.C.size());
  for (const std::string& name : o_.design)
    model().design.push_back({name, study_.parameters.at(name), study_.parameters.at(name)});
}

/// Plans and fills all tables; returns false if it was interrupted.  Ranges that nobody gave are narrowed until tables are
/// made in some seconds and in the memory there is.
bool Maker::make_tables() {
  const Precomputed nothing = made_;
  for (;;) {
    try {
      return make_tables_once();
    } catch (TooTight& e) {
      if (narrow(e)) {
        made_ = nothing;
        continue;
      }
      if (plan_.regions.size() == 1) {
        e.ranges = plan_.regions.front().ranges;
        e.start = plan_.regions.front().theta;
      }
      throw;
    }
  }
}

bool Maker::make_tables_once() {
  if (geometry_alone_) {
    plan();
    return fill();
  }
  do {
    plan();
    sort();
  } while (tabulate_more());
  count_laps_of_scalars();
  return fill();
}

/// Whether there are ranges that can be made smaller, so that tables are.  Where that does not pay, as if most cells lie along
/// a variable that goes all the way round, tables are made however long it takes.
bool Maker::narrow(const TooTight& e) {
  constexpr double least = 0.02, spare = 0.9, pays = 0.8;
  const int n = plan_.free_ranges;
  if (!e.size() || n == 0 || share_ < least) return false;
  if (e.excess > pays * excess_) {
    if (patient_ || std::isfinite(work_)) return false;
    patient_ = true;
    share_ = wider_;
    excess_ = std::numeric_limits<double>::infinity();
    return true;
  }
  excess_ = e.excess;
  wider_ = share_;
  share_ *= std::max(0.3, spare * std::pow(e.excess, -1.0 / n));
  return true;
}

/// Foresees what all tables need; throws TooTight if that is too much, and returns false if it was interrupted.
bool Maker::look() {
  effort_.bytes = effort_.work = 0;
  effort_.only_look = true;
  for (RegionMaker& region : regions_) {
    region.home();
    region.make(scalars_);
    if (!made_.outcome) return false;
  }
  effort_.only_look = false;
  if (effort_.bytes > o_.memory)
    throw TooTight(fmt::format("the tables need at least {:.3g} MB for a bound of {:.1g} with polynomials of "
                               "degree {}, and {:.3g} MB may be taken",
                               effort_.bytes / 1e6, o_.share(), model().degree, o_.memory / 1e6),
                   effort_.bytes / o_.memory);
  if (effort_.work > effort_.most) throw TooTight("the tables take long to make", effort_.work / effort_.most);
  return true;
}

/// Chooses the variables, their ranges and regions.
void Maker::plan() {
  Wanted wanted = choose(ideal_, o_, begun_, driven_);
  wanted.tabulated = tabulated_;
  wanted.share = share_;
  wanted.near_motion = effort_.near != nullptr;
  if (freedoms_ == 1) {
    plan_ = plan_one(ideal_.mechanism, wanted, begun_.q, begun_.system->scales.length);
    if (geometry_alone_ && plan_.regions.size() > 1)
      wanted.variables = plan_.regions[std::size_t(plan_.start)].variables;
  }
  // Cyclic variables belong to a whole mechanism, and bodies that follow have one region.
  if (geometry_alone_)
    for (const Variable& v : wanted.variables) wanted.tabulated.push_back(v.name);
  if (freedoms_ > 1 || (geometry_alone_ && plan_.regions.size() > 1))
    plan_ = plan_many(ideal_.mechanism, wanted, model().t, begun_.q);
  made_.remarks = plan_.remarks;
  for (const std::string& name : wanted.still)
    made_.remarks.push_back(
        fmt::format("driver '{0}' stays where it is in this analysis, so that tables reach no further than "
                    "that; if an input "
                    "or another function is to move it, give --range {0}=LOW:HIGH",
                    name));
  effort_.most = plan_.free_ranges > 0 && !patient_ ? std::min(work_, Effort::some_seconds) : work_;
  if (share_ < 1)
    made_.remarks.push_back(fmt::format(
        "ranges that are not given are {:.2g} of how far their variables can go, so that tables stay "
        "small and are made in some seconds; give others with --range",
        share_));
  made_.regions_planned = double(plan_.regions.size());
  model().gain = plan_.gain;
  model().sign = plan_.sign;
  model().start_region = plan_.start;
  if (!o_.design.empty() && plan_.regions.size() > 1)
    throw ModelError(
        "no variable serves for the whole motion, and design variables need one that does; give a smaller "
        "range with --independent and --range");
  regions_.clear();
  regions_.reserve(plan_.regions.size());
  for (const RegionPlan& r : plan_.regions)
    regions_.emplace_back(study_, o_, r, stiff_, begun_.q, sizes_, made_, progress_, notice_, effort_,
                          geometry_alone_);
}

/// Sorts the forces.  Those go into the tables that may do so along all lines through all regions, and do not
/// wind up.
void Maker::sort() {
  folding_ = {};
  made_.folded.clear();
  made_.run_time.clear();
  const Mechanism& m = study_.mechanism;
  const double energy = sizes_.mass * sizes_.speed() * sizes_.speed();
  std::vector<bool> late(m.forces.size(), false);
  std::vector<std::vector<Station>> lines;
  for (RegionMaker& region : regions_)
    for (auto& line : region.lines()) lines.push_back(std::move(line));
  for (const auto& line : lines) {
    const Folding f = sort_forces(m, model().t, line, o_.share() * energy);
    for (const int k : f.run_time) late[std::size_t(k)] = true;
    for (const int k : f.positional)
      if (std::ranges::find(folding_.positional, k) == folding_.positional.end())
        folding_.positional.push_back(k);
    folding_.damped |= f.damped;
  }
  for (int k = 0; k < int(late.size()); ++k) {
    if (is_compliance(*m.forces[std::size_t(k)].what)) continue;
    for (const auto& round : plan_.rounds)
      if (!round.empty() && !late[std::size_t(k)]) late[std::size_t(k)] = winds_up(m, model().t, k, round);
    const bool positional = std::ranges::find(folding_.positional, k) != folding_.positional.end();
    if (late[std::size_t(k)])
      folding_.run_time.push_back(k);
    else if (!positional)
      folding_.stored.push_back(k);
    (late[std::size_t(k)] ? made_.run_time : made_.folded).push_back(m.forces[std::size_t(k)].name);
  }
  std::erase_if(folding_.positional, [&](int k) { return late[std::size_t(k)]; });
  model().run_time = folding_.run_time;
}

/// Whether variables that seemed to be cyclic are not, so that all is to be planned anew.
bool Maker::tabulate_more() {
  scalars_ = seen_by(study_.mechanism, folding_);
  const std::size_t before = tabulated_.size();
  for (RegionMaker& region : regions_) {
    std::vector<VecX> rates;
    for (std::string& name : region.not_cyclic(folding_, scalars_, rates))
      tabulated_.push_back(std::move(name));
    if (tabulated_.size() == before && any_cyclic(plan_.regions.front()))
      for (const Study& corner : corners_of_design(study_, o_.design))
        for (std::string& name : not_cyclic_in(corner, rates)) tabulated_.push_back(std::move(name));
  }
  return tabulated_.size() > before;
}

/// The cyclic variables that are not so with other values of design variables, which may disturb a symmetry.
std::vector<std::string> Maker::not_cyclic_in(const Study& changed, std::vector<VecX>& rates) {
  RegionPlan plan = plan_.regions.front();  // several regions have no design variables
  const Study ideal = with_rigid_joints(changed);
  const Begun b = begin(ideal, "precompute");
  std::vector<std::string> names;
  std::vector<bool> steady(plan.ranges.size(), false);
  for (Variable& v : plan.variables) v = find_variable(changed.mechanism, v.name);
  Closure closure(ideal.mechanism, plan.variables, model().t, b.q);
  if (b.results.outcome) steady = steady_motions(closure);
  for (std::size_t k = 0; k < plan.ranges.size(); ++k)
    if (plan.ranges[k].cyclic && !steady[k]) names.push_back(plan.ranges[k].name);
  if (!names.empty()) return names;
  plan.q = b.q;
  plan.theta = closure.theta();
  count_as_planned(plan_.regions.front(), plan.theta);
  RegionMaker region(changed, o_, plan, stiff_, b.q, sizes_, made_, progress_, notice_, effort_, false);
  return region.not_cyclic(folding_, seen_by(changed.mechanism, folding_), rates);
}

void Maker::count_laps_of_scalars() {
  const std::vector<VariableRange>& ranges = plan_.regions.front().ranges;
  for (std::size_t k = 0; k < plan_.rounds.size(); ++k) {
    const auto& round = plan_.rounds[k];
    const VecX gain = round.empty() ? VecX::Zero(Eigen::Index(scalars_.size()))
                                    : gained(study_.mechanism, scalars_, round, ranges[k].cyclic);
    model().scalar_gain.insert(model().scalar_gain.end(), gain.begin(), gain.end());
  }
}

/// Makes all tables; returns false if it was interrupted.  A degree that does not reach the bound gives way to
/// the next one, unless it was asked for.
bool Maker::fill() {
  for (RegionMaker& region : regions_) region.prepare(folding_, scalars_);
  for (;;) {
    const Precomputed before = made_;
    try {
      if (freedoms_ > 1 && !look()) return false;
      for (RegionMaker& region : regions_) {
        region.home();
        model().regions.push_back(region.make(scalars_));
        if (!made_.outcome) return false;
      }
      return true;
    } catch (const TooTight& e) {
      effort_.only_look = false;
      if (o_.degree > 0 || model().degree >= (e.size() ? highest_for(freedoms_) : highest_degree)) throw;
      made_ = before;
      model().degree += 2;
    }
  }
}

/// Sets the start in the variables of its region; returns false if the mechanism with its compliances cannot be
/// assembled.
bool Maker::place_start() {
  const RegionPlan& first = plan_.regions[std::size_t(plan_.start)];
  const Begun bent = begin(study_, "precompute");
  made_.outcome = bent.results.outcome;
  if (!made_.outcome) return false;
  Closure at(study_.mechanism, both(first.variables, stiff_), model().t, bent.q);
  const VecX rates = at.rates(bent.u);
  for (int k = 0; k < at.n(); ++k) {
    double x = at.theta()[k];
    if (k < int(first.ranges.size()) && first.ranges[std::size_t(k)].turn &&
        !first.ranges[std::size_t(k)].periodic) {
      const VariableRange& v = first.ranges[std::size_t(k)];
      while (x < v.low) x += 2 * EIGEN_PI;
      while (x > v.high) x -= 2 * EIGEN_PI;
    }
    model().start.push_back(x);
    model().start_rate.push_back(rates[k]);
  }
  return true;
}

/// Work that is done to see whether a proposal holds, as in Effort.
constexpr double work_of_trial = 0.5 * Effort::some_seconds;

/// The size of the tables with these options [bytes], if they can be made with little work; they are not kept.
std::optional<double> size_if_possible(const Study& study, const PrecomputeOptions& o, const Progress& progress,
                                       CellPolynomials& cells, bool geometry_alone) {
  try {
    KnownTables none;
    const Precomputed made =
        Maker(study, o, progress, {}, cells, geometry_alone ? &none : nullptr, work_of_trial).make();
    if (made.outcome) return double(made.model.bytes());
  } catch (const TooTight&) {
    return {};
  }
  return {};
}
}  // namespace

Precomputed tabulate(const Study& study, const PrecomputeOptions& o, KnownTables* known,
                     const Progress& progress, const MemoryNotice& notice) {
  CellPolynomials cells;
  try {
    return Maker(study, o, progress, notice, cells, known).make();
  } catch (const TooTight& e) {
    throw ModelError(
        fmt::format("{}; give {}", e.what(), proposals(study, o, e, [&](const PrecomputeOptions& other) {
                      return size_if_possible(study, other, progress, cells, known != nullptr);
                    })));
  }
}

std::optional<Precomputed> tabulate_quickly(const Study& study, const PrecomputeOptions& o, KnownTables* known,
                                            const Progress& progress, const MemoryNotice& notice,
                                            double seconds, const Neighbourhood* near) {
  CellPolynomials cells;
  try {
    return Maker(study, o, progress, notice, cells, known, seconds / 10 * Effort::some_seconds, near).make();
  } catch (const TooTight&) {
    return {};
  }
}
}  // namespace mubody
