#include "mubody/precompute/precompute.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/analyses/begin.h"
#include "mubody/analyses/reduced.h"
#include "mubody/analyses/run.h"
#include "mubody/precompute/choose.h"
#include "mubody/precompute/real_time.h"
#include "mubody/precompute/samples.h"

namespace mubody {
namespace {
constexpr int most_arguments = 3;
constexpr int stations = 400;       // along each variable, to sort forces by
constexpr double no_motion = 1e-9;  // of a velocity coefficient

// With several arguments cells are many, so that more is asked of each; with three their coefficients are, too.
int degree_for(double bound, int freedoms) {
  if (freedoms > 2) return bound > 1e-7 ? 5 : 7;
  if (freedoms > 1) return bound > 1e-5 ? 5 : 7;
  return bound > 1e-5 ? 3 : bound > 1e-9 ? 5 : bound > 1e-11 ? 7 : 9;
}
int intervals_for(std::size_t arguments) { return arguments == 1 ? 16 : arguments == 2 ? 4 : 2; }

/// Makes the tables of one region.
class RegionMaker {
 public:
  /// `q` is the start of the analysis, where potential energy is counted from.
  RegionMaker(const Study& study, const PrecomputeOptions& o, const RegionPlan& plan, const VecX& q,
              Precomputed& made, const Progress& progress, const MemoryTold& told)
      : study_(study), m_(study.mechanism), o_(o), plan_(plan), start_(q), made_(made), progress_(progress),
        told_(told), closure_(m_, plan.variables, study.analysis.start, plan.q) {
    closure_.put(plan.q, plan.theta);
  }

  /// Lines through the region along which forces are looked at.
  std::vector<std::vector<Station>> lines() {
    std::vector<std::vector<Station>> all;
    for (int k = 0; k < closure_.n(); ++k) {
      const VariableRange& v = plan_.ranges[std::size_t(k)];
      std::vector<Station> line;
      VecX at = plan_.theta;
      for (int s = 0; s <= stations; ++s) {
        at[k] = v.low + (v.high - v.low) * s / stations;
        if (!closure_.go(at)) unreachable(at);
        line.push_back({closure_.q(), closure_.velocity_coefficients()});
      }
      all.push_back(std::move(line));
      closure_.go(plan_.theta);
    }
    return all;
  }

  Region make(const Folding& folding, const std::vector<Measure>& scalars) {
    Region r;
    r.variables = plan_.ranges;
    r.below = plan_.below;
    r.above = plan_.above;
    folding_ = folding;
    find_arguments();
    for (const auto& [arguments, bodies] : groups(true)) {
      Folding own = folding_of(folding, arguments);
      home();
      DynamicsSamples f({closure_, arguments}, m_, study_.analysis.start, bodies, own, start_, plan_.way);
      r.dynamics.push_back({table(f, arguments, "inertia and forces"), f.positional(), f.damped()});
    }
    for (const auto& [arguments, bodies] : groups(false)) {
      home();
      BodySamples f({closure_, arguments}, m_, bodies);
      std::string names;
      for (const int b : bodies) names += (names.empty() ? "" : ", ") + m_.body_name(b);
      r.bodies.push_back({table(f, arguments, "motion of " + names), bodies});
    }
    if (!scalars.empty()) {
      home();
      std::vector<int> all_arguments, all;
      for (int k = 0; k < closure_.n(); ++k) all_arguments.push_back(k);
      for (std::size_t k = 0; k < scalars.size(); ++k) all.push_back(int(k));
      ScalarRows rows(m_, scalars);
      VecX counted(rows.size());
      rows.at(start_, counted);
      for (const VecX& q : plan_.way) rows.at(q, counted);
      ScalarSamples f({closure_, all_arguments}, std::move(rows));
      r.scalars.push_back({table(f, all_arguments, "scalars of forces"), all});
    }
    if (!plan_.next.empty()) {
      home();
      ScalarRows rows(m_, plan_.next);
      VecX now(rows.size());
      rows.at(plan_.q, now);
      ScalarSamples f({closure_, {0}}, std::move(rows), plan_.next_values - now);
      r.next = table(f, {0}, "variables of the next regions");
    }
    return r;
  }
  Closure& closure() { return closure_; }
  void home() { closure_.put(plan_.q, plan_.theta); }

 private:
  [[noreturn]] void unreachable(const VecX& at) const {
    std::string where;
    for (Eigen::Index k = 0; k < at.size(); ++k)
      where += (k > 0 ? ", " : "") + plan_.ranges[std::size_t(k)].name + " = " +
               value_text(at[k], plan_.ranges[std::size_t(k)].turn);
    throw ModelError(
        fmt::format("the mechanism cannot go to {}: it lies beyond a dead point or a singular position; give "
                    "a smaller range with --range, or other variables with --independent",
                    where));
  }

  // Which variables each body depends on: where B is not zero.
  void find_arguments() {
    const System& s = closure_.system();
    moves_.assign(m_.bodies.size() + 1, std::vector<bool>(std::size_t(closure_.n()), closure_.n() == 1));
    if (closure_.n() == 1) return;
    for (int sample = 0; sample < 9; ++sample) {
      VecX at = plan_.theta;
      for (int k = 0; k < closure_.n(); ++k) {
        const VariableRange& v = plan_.ranges[std::size_t(k)];
        const double share = 0.1 + 0.8 * std::fmod(0.5 + 0.618034 * sample * (k + 1), 1.0);
        at[k] = v.low + share * (v.high - v.low);
      }
      if (!closure_.go(at)) unreachable(at);
      const MatX B = closure_.velocity_coefficients();
      for (int row = 0; row < s.nu; ++row)
        for (int k = 0; k < closure_.n(); ++k)
          if (std::abs(B(row, k)) > no_motion)
            moves_[std::size_t(s.body_of_velocity[std::size_t(row)])][std::size_t(k)] = true;
    }
    home();
  }
  std::vector<int> arguments_of(const std::vector<int>& bodies) const {
    std::vector<int> all;
    for (int k = 0; k < closure_.n(); ++k)
      for (const int b : bodies)
        if (b != ground && moves_[std::size_t(b)][std::size_t(k)]) {
          all.push_back(k);
          break;
        }
    return all;
  }

  struct Group {
    std::vector<int> arguments, bodies;
  };
  // Bodies with the same arguments; `merged`: with those that have some of these.
  std::vector<Group> groups(bool merged) const {
    std::vector<Group> all;
    for (int b = 1; b <= int(m_.bodies.size()); ++b) {
      const std::vector<int> own = arguments_of({b});
      const auto g = std::ranges::find(all, own, &Group::arguments);
      if (g == all.end())
        all.push_back({own, {b}});
      else
        g->bodies.push_back(b);
    }
    if (!merged) return all;
    // Forces in the tables join the groups that they act between.
    for (const auto& some : {folding_.stored, folding_.positional})
      for (const int k : some) {
        const AnyForce& f = *m_.forces[std::size_t(k)].what;
        const std::vector<int> own = arguments_of({f.i().body, f.j().body});
        if (std::ranges::find(all, own, &Group::arguments) == all.end()) all.push_back({own, {}});
      }
    std::ranges::sort(all,
                      [](const Group& a, const Group& b) { return a.arguments.size() > b.arguments.size(); });
    std::vector<Group> kept;
    for (Group& g : all) {
      const auto home_of = std::ranges::find_if(
          kept, [&](const Group& k) { return std::ranges::includes(k.arguments, g.arguments); });
      if (home_of == kept.end())
        kept.push_back(std::move(g));
      else
        home_of->bodies.insert(home_of->bodies.end(), g.bodies.begin(), g.bodies.end());
    }
    return kept;
  }
  // The forces that belong to the first table that has their arguments.
  Folding folding_of(const Folding& all, const std::vector<int>& arguments) const {
    Folding own;
    own.damped = all.damped;
    const auto tables = groups(true);
    const auto take = [&](const std::vector<int>& from, std::vector<int>& to) {
      for (const int k : from) {
        const AnyForce& f = *m_.forces[std::size_t(k)].what;
        const std::vector<int> needs = arguments_of({f.i().body, f.j().body});
        const auto at = std::ranges::find_if(
            tables, [&](const Group& g) { return std::ranges::includes(g.arguments, needs); });
        if (at->arguments == arguments) to.push_back(k);
      }
    };
    take(all.stored, own.stored);
    take(all.positional, own.positional);
    return own;
  }

  // Of the memory [bytes].
  double left() const {
    double used = 0;
    for (const TableReport& t : made_.tables) used += double(t.bytes);
    return o_.memory - used;
  }

  LookupTable table(Sampled& f, const std::vector<int>& arguments, const std::string& what) {
    if (arguments.size() > most_arguments)
      throw ModelError(
          fmt::format("{} depends on {} variables at once, and tables have at most {}: hold some of them "
                      "with a fixed joint, or use 'mubody run' with the model itself",
                      what, arguments.size(), most_arguments));
    TableOptions options;
    options.degree = made_.model.degree;
    options.bound = o_.bound;
    options.memory = left();
    options.intervals = intervals_for(arguments.size());
    options.going = [this] { return !progress_ || progress_(0.5); };
    if (told_) options.tell = [&](double bytes) { told_(what, bytes); };
    std::vector<Axis> axes;
    for (const int k : arguments) {
      const VariableRange& v = plan_.ranges[std::size_t(k)];
      axes.emplace_back(v.low, v.high, v.periodic, options.intervals);
    }
    MadeTable t = make_table(f, arguments, std::move(axes), options);
    if (t.why == "interrupted") {
      made_.outcome = {Outcome::interrupted, 0, "stopped by the user while the table of " + what + " was made"};
      return {};
    }
    if (!t.why.empty()) fail(t, what, arguments);
    TableReport report{what, {}, t.table.cells(), t.table.bytes(), t.certificate.samples, t.certificate.checks,
                       0,    "", f.quantities,    t.certificate};
    for (const int k : arguments) report.arguments.push_back(plan_.ranges[std::size_t(k)].name);
    for (std::size_t q = 0; q < f.quantities.size(); ++q)
      if (const double e = std::max(t.certificate.value[q], t.certificate.slope[q]); e > report.error)
        report.error = e, report.worst = f.quantities[q].name;
    made_.model.certified = std::max(made_.model.certified, report.error);
    made_.tables.push_back(std::move(report));
    return std::move(t.table);
  }

  [[noreturn]] void fail(const MadeTable& t, const std::string& what, const std::vector<int>& arguments) const {
    if (t.where.size() > 0 && t.why == "cannot be reached") {
      VecX at = plan_.theta;
      for (std::size_t a = 0; a < arguments.size(); ++a) at[arguments[a]] = t.where[Eigen::Index(a)];
      unreachable(at);
    }
    if (t.needed > left() && t.why.find("memory") != std::string::npos)
      throw ModelError(fmt::format(
          "the table of {} needs {:.3g} MB for a bound of {:.1g}, and {:.3g} MB may be taken; allow more, as "
          "in --memory "
          "{:.0f}MB, ask for less, as in --bound {:.0e}, give a smaller --range, or a higher --order",
          what, t.needed / 1e6, o_.bound, left() / 1e6, std::ceil(2 * t.needed / 1e6),
          std::max(2 * t.reached, 10 * o_.bound)));
    constexpr double jump = 1e4;  // of the bound
    if (t.reached > jump * o_.bound)
      throw ModelError(
          fmt::format("the table of {} {}: it jumps within the range, as it does in a singular position; give "
                      "a smaller range with --range, or other variables with --independent",
                      what, t.why));
    throw ModelError(
        fmt::format("the table of {} {}: a bound of {:.1g} is more than its numbers can hold; ask for less, as "
                    "in --bound {:.0e}",
                    what, t.why, o_.bound, std::max(4 * t.reached, 10 * o_.bound)));
  }

  const Study& study_;
  const Mechanism& m_;
  const PrecomputeOptions& o_;
  const RegionPlan& plan_;
  const VecX& start_;
  Precomputed& made_;
  const Progress& progress_;
  const MemoryTold& told_;
  Closure closure_;
  Folding folding_;
  std::vector<std::vector<bool>> moves_;
};

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

void PrecomputeOptions::fields(Fields& f) {
  f.optional("bound", bound, "1", "largest error of any tabulated quantity, in SI units");
  f.optional("order", degree, "1", "degree of the polynomials: 3, 5, 7 or 9");
}

void PrecomputeOptions::check() const {
  require(bound > 0, "bound", "must be positive");
  require(degree == 0 || degree == 3 || degree == 5 || degree == 7 || degree == 9, "order",
          "must be 3, 5, 7 or 9");
}

Precomputed precompute(const Study& study, const PrecomputeOptions& o, const Progress& progress,
                       const MemoryTold& told) {
  Begun b = begin(study, "precompute");
  Precomputed made;
  made.outcome = b.results.outcome;
  if (!made.outcome) return made;
  refuse(study, b);
  const std::vector<Variable> driven = driven_variables(study.mechanism);
  const int freedoms = b.results.freedom.usual + int(driven.size());
  if (freedoms > RealTime::most)
    throw ModelError(
        fmt::format("{} freedoms are too many: tables have at most {} arguments, and a precomputed model {} "
                    "freedoms; fix bodies that need not move, or use 'mubody run' with the model itself",
                    freedoms, most_arguments, RealTime::most));
  RealTimeModel& model = made.model;
  model.name = study.mechanism.name;
  model.version = version();
  model.bound = o.bound;
  model.degree = o.degree > 0 ? o.degree : degree_for(o.bound, freedoms);
  model.t = study.analysis.start;

  const Wanted wanted = choose(study, o, b, driven);
  Terms terms = b.system->make_terms();
  b.system->constraints(model.t, b.q, b.u, terms);
  const Plan plan = freedoms == 1 ? plan_one(study.mechanism, wanted, b.q, length_scale(*b.system, terms))
                                  : plan_many(study.mechanism, wanted, model.t, b.q);
  made.remarks = plan.remarks;
  model.gain = plan.gain;
  model.sign = plan.sign;
  model.start_region = plan.start;

  std::vector<RegionMaker> makers;
  makers.reserve(plan.regions.size());
  std::vector<std::vector<Station>> lines;
  for (const RegionPlan& r : plan.regions) {
    makers.emplace_back(study, o, r, b.q, made, progress, told);
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
  std::vector<Measure> scalars;
  for (const int k : folding.run_time)
    if (const auto form = study.mechanism.forces[std::size_t(k)].what->scalars(study.mechanism.dim))
      scalars.insert(scalars.end(), form->sees.begin(), form->sees.end());

  for (const auto& round : plan.rounds) {
    const VecX gain =
        round.empty() ? VecX::Zero(Eigen::Index(scalars.size())) : gained(study.mechanism, scalars, round);
    model.scalar_gain.insert(model.scalar_gain.end(), gain.begin(), gain.end());
  }
  for (RegionMaker& maker : makers) {
    maker.home();
    model.regions.push_back(maker.make(folding, scalars));
    if (!made.outcome) return made;
  }
  // The start, in the variables of its region.
  const RegionPlan& first = plan.regions[std::size_t(plan.start)];
  Closure at(study.mechanism, first.variables, model.t, b.q);
  const VecX rates = at.rates(b.u);
  for (int k = 0; k < at.n(); ++k) {
    const VariableRange& v = first.ranges[std::size_t(k)];
    double x = at.theta()[k];
    if (v.turn && !v.periodic)
      while (x < v.low) x += 2 * EIGEN_PI;
    if (v.turn && !v.periodic)
      while (x > v.high) x -= 2 * EIGEN_PI;
    model.start.push_back(x);
    model.start_rate.push_back(rates[k]);
  }
  made.order = loop_order(*b.system, model.t, b.q, joint_names(first.variables, b, model.t));
  const RealTime run(model, study.mechanism);
  made.operations = run.operations();
  made.reads = run.reads();
  return made;
}
}  // namespace mubody
