#include "mubody/precompute/make_loops.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/mechanism/compliance.h"
#include "mubody/model/version.h"
#include "mubody/precompute/design.h"
#include "mubody/precompute/plan/along_motion.h"
#include "mubody/precompute/plan/plan.h"
#include "mubody/precompute/region_maker.h"
#include "mubody/precompute/run/loop_map.h"
#include "mubody/precompute/trial.h"
#include "mubody/precompute/twins.h"
#include "mubody/simulation/begin.h"
#include "mubody/system/jointed.h"

namespace mubody {
namespace {
constexpr int most_for_whole =
    2;  // freedoms of a mechanism whose tables are those of the whole, if nothing is chosen
constexpr double few_seconds = 3, many_seconds = 20;  // for tables over variables that nobody asked for

bool names_one_of(const Mechanism& part, const std::string& name) {
  const auto has = [&](const std::vector<Variable>& all) {
    return std::ranges::find(all, name, &Variable::name) != all.end();
  };
  const auto joint = [&](const auto& j) { return j.name == name; };
  return has(joint_coordinates(part)) || has(ball_angles(part)) || has(sums_of_angles(part)) ||
         has(body_coordinates(part)) || std::ranges::any_of(part.joints, joint);
}

/// Those that are driven included.
int freedoms_of(const Mechanism& m, const Begun& begun) {
  const auto drivers = std::ranges::count_if(m.joints, [](const auto& j) { return j.driver; });
  return begun.results.freedom.usual + int(drivers);
}

/// The options that concern one part.
PrecomputeOptions options_for(const Mechanism& part, const PrecomputeOptions& o) {
  PrecomputeOptions own = o;
  std::erase_if(own.independent, [&](const std::string& name) { return !names_one_of(part, name); });
  std::erase_if(own.ranges, [&](const auto& r) { return !names_one_of(part, r.variable); });
  return own;
}

void refuse_what_tables_do_not_hold(const Mechanism& m, const LoopPart& part) {
  for (const Named<AnyJoint>& joint : m.joints)
    if (joint.of_particle && std::ranges::find(part.bodies, joint.what->j().body) != part.bodies.end())
      throw ModelError(
          joint.place,
          fmt::format("body '{}' is a particle that nothing turns, in a loop that is tabulated: give it "
                      "an inertia, or use 'mubody run' with the model itself",
                      m.body_name(joint.what->j().body)));
  for (const int k : part.joints) {
    const Named<AnyJoint>& joint = m.joints[std::size_t(k)];
    if (joint.what->friction)
      throw ModelError(
          joint.place,
          fmt::format("joint '{}' has friction and is part of a loop, whose reactions tables do not "
                      "hold: leave the friction out, or use 'mubody run' with the model itself",
                      joint.name));
    if (joint.what->rolls(m.dim) > 0)
      throw ModelError(
          joint.place,
          fmt::format("joint '{}' ({}) sets conditions on velocities and is part of a loop, which no "
                      "table of positions can hold: use 'mubody run' with the model itself",
                      joint.name, joint.what->info().name));
  }
}

std::string names_of(const Mechanism& m, const LoopPart& part) {
  std::vector<std::string> names;
  for (const int body : part.bodies) names.push_back(m.body_name(body));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Takes the tables of one part into the whole.
void take(Precomputed& all, Precomputed&& one, const LoopPart& part) {
  LoopTable loop{part.carrier,
                 part.bodies,
                 one.model.degree,
                 std::move(one.model.regions.front()),
                 std::move(one.model.gain),
                 std::move(one.model.sign),
                 std::move(one.model.stiff)};
  all.model.loops.push_back(std::move(loop));
  all.model.degree = std::max(all.model.degree, one.model.degree);
  all.model.certified = std::max(all.model.certified, one.model.certified);
  for (TableReport& t : one.tables) all.tables.push_back(std::move(t));
  for (std::string& line : one.remarks) all.remarks.push_back(std::move(line));
}

/// The motion of the model, found out when the first part asks for it.
class KnownMotion {
 public:
  /// Tables are planned with rigid joints, and so is the motion that shows how far they have to go.
  KnownMotion(const Study& study, bool springs_close) : study_(study) {
    study_.mechanism = springs_close ? rigid(study.mechanism) : with_rigid_links(study.mechanism);
  }

  /// As it is seen from the carrier of a part.
  std::vector<VecX> of(const LoopPart& part) {
    if (!motion_) motion_ = trial_motion(study_);
    const BodyLayout layout(study_.mechanism.dim);
    const VecX rest = VecX::Zero(Eigen::Index(study_.mechanism.bodies.size()) * layout.velocities);
    std::vector<VecX> seen;
    VecX unused;
    for (const VecX& q : motion_->q) seen_from_carrier(part, layout, q, rest, seen.emplace_back(), unused);
    return seen;
  }
  double end() const { return motion_->end; }

 private:
  Study study_;
  std::optional<TrialMotion> motion_;
};

/// Variables that are asked for, by name or by a range.
AskedAlong asked_of(const Mechanism& part, const PrecomputeOptions& o) {
  AskedAlong asked{driven_variables(part), {}, o.ranges};
  const auto add = [&](const std::string& name) {
    Variable v = find_variable(part, name);
    for (const auto& some : {asked.driven, asked.held})
      if (std::ranges::find(some, v.name, &Variable::name) != some.end()) return;
    asked.held.push_back(std::move(v));
  };
  for (const std::string& name : o.independent) add(name);
  for (auto& r : asked.ranges) {
    add(r.variable);
    r.variable = find_variable(part, r.variable).name;
  }
  return asked;
}

std::string names_in(const Region& made, const VariablesAlong& v) {
  std::string all;
  for (const VariableRange& r : made.variables)
    if (std::ranges::find(v.names, r.name) != v.names.end()) all += (all.empty() ? "" : ", ") + text(r);
  return all;
}

std::string why_chosen(const Region& made, const VariablesAlong& v, double end) {
  return fmt::format(
      "{}: chosen by a trial run up to t = {:.4g} s, where {} without a dead point; ranges that are not given, "
      "and end, "
      "are {:.0f} % wider than the motion at either end",
      names_in(made, v), end, v.names.size() == 1 ? "it serves" : "they serve", 100 * v.margin);
}

std::string why_near(const Region& made, const VariablesAlong& v, double end) {
  return fmt::format(
      "{}: chosen by a trial run up to t = {:.4g} s; dead points lie in these ranges, so that tables cover "
      "what "
      "is within {:.0f} % "
      "of them from the motion, and nothing else: for another motion, precompute with that one",
      names_in(made, v), end, 100 * v.margin);
}

/// Whether bodies go anywhere [m, or rad].
bool moves(const std::vector<VecX>& motion) {
  constexpr double little = 1e-3;
  return std::ranges::any_of(
      motion, [&](const VecX& q) { return (q - motion.front()).lpNorm<Eigen::Infinity>() > little; });
}

/// What tables of one part are made from.
struct PartJob {
  const Study& own;
  const Mechanism& rigid;  // the same, where nothing gives way
  const PrecomputeOptions& o;
  KnownTables& known;
  const Progress& progress;
  const MemoryNotice& notice;

  bool has_range(const Variable& v) const {
    return std::ranges::any_of(o.ranges,
                               [&](const auto& r) { return find_variable(rigid, r.variable).name == v.name; });
  }
};

/// Tables over ranges that are a little wider than the motion, if some can be made in so many seconds.
std::optional<Precomputed> tabulate_ranges(const PartJob& job, const std::vector<VariablesAlong>& sets,
                                           double end, double seconds) {
  for (const VariablesAlong& set : sets) {
    PrecomputeOptions chosen = job.o;
    chosen.independent = set.names;
    chosen.ranges = set.ranges;
    // What goes nearly all the way round has a range of its own.
    constexpr double nearly_round = 5;  // [rad]
    std::erase_if(chosen.ranges, [&](const auto& r) {
      const Variable v = find_variable(job.rigid, r.variable);
      return v.turn && !job.has_range(v) && r.high - r.low > nearly_round;
    });
    try {
      std::optional<Precomputed> made =
          tabulate_quickly(job.own, chosen, &job.known, job.progress, job.notice, seconds);
      if (made && made->outcome) made->remarks.push_back(why_chosen(made->model.regions.front(), set, end));
      return made;
    } catch (const ModelError&) {
      // A dead point lies between the places that were looked at; the next set may have none.
    }
  }
  return {};
}

/// Tables of the neighbourhood of the motion, where ranges as a whole would hold dead points.
std::optional<Precomputed> tabulate_near(const PartJob& job, const std::vector<VariablesAlong>& sets,
                                         double end) {
  for (const VariablesAlong& set : sets) {
    PrecomputeOptions chosen = job.o;
    chosen.independent = set.names;
    chosen.ranges = set.ranges;
    const Neighbourhood near(set.motion, set.reach);
    try {
      std::optional<Precomputed> made =
          tabulate_quickly(job.own, chosen, &job.known, job.progress, job.notice, many_seconds, &near);
      // What goes round and round comes back to places that were seen in another lap.
      if (!made || std::ranges::any_of(made->model.regions.front().variables, &VariableRange::periodic))
        continue;
      if (made->outcome) made->remarks.push_back(why_near(made->model.regions.front(), set, end));
      return made;
    } catch (const ModelError&) {
      // The motion comes too close to a dead point of these.
    }
  }
  return {};
}

/// Tables over variables that serve for the motion of the model, if there is one and not all is given; `uncovered` if
/// there are none such.
std::optional<Precomputed> tabulate_along(const PartJob& job, const LoopPart& part, int freedoms,
                                          KnownMotion& trial, bool& uncovered) {
  const Mechanism& m = job.rigid;
  const AskedAlong asked = asked_of(m, job.o);
  if (std::ranges::count_if(asked.held, [&](const Variable& v) { return job.has_range(v); }) >= freedoms)
    return {};
  const std::vector<VecX> motion = trial.of(part);
  if (!moves(motion)) return {};
  const auto first = [](std::vector<VariablesAlong> sets) {
    constexpr std::size_t tries = 3;
    sets.resize(std::min(sets.size(), tries));
    return sets;
  };
  // Ranges as a whole are better, unless they take much longer.  With three arguments everything takes long.
  const std::vector<VariablesAlong> sets = first(serve_along(m, motion, asked));
  std::vector<VariablesAlong> near;
  // Series in deflections need all that is around a place.
  const bool could_be_near = job.o.ranges.empty() && stiff_variables(job.own.mechanism).empty(),
             two = freedoms == 2 && could_be_near;
  if (two) near = first(serve_near(m, motion, asked));
  constexpr double much = 1.5;
  std::optional<Precomputed> made;
  if (near.empty() || sets.empty() || sets.front().size < much * near.front().size)
    made = tabulate_ranges(job, sets, trial.end(), two ? few_seconds : many_seconds);
  if (!made && !two && could_be_near) near = first(serve_near(m, motion, asked));
  if (!made) made = tabulate_near(job, near, trial.end());
  if (!made && two) made = tabulate_ranges(job, sets, trial.end(), many_seconds);
  uncovered = !made;
  return made;
}

/// A variable that is asked for and is none of a loop; empty if there is none.
std::string name_of_none(const std::vector<Mechanism>& parts, const PrecomputeOptions& o) {
  const auto is_of_none = [&](const std::string& name) {
    return std::ranges::none_of(parts, [&](const Mechanism& m) { return names_one_of(m, name); });
  };
  for (const std::string& name : o.independent)
    if (is_of_none(name)) return name;
  for (const auto& r : o.ranges)
    if (is_of_none(r.variable)) return r.variable;
  return {};
}

ModelError none_of_a_loop(const std::string& name, const std::vector<Mechanism>& parts) {
  std::vector<std::string> names;
  for (const Mechanism& part : parts)
    for (const Variable& v : joint_coordinates(part)) names.push_back(v.name);
  constexpr std::size_t few = 12;
  const bool many = names.size() > few;
  names.resize(std::min(names.size(), few));
  return ModelError(fmt::format(
      "{} is no variable of a loop: only loops are tabulated here, and other joints and free bodies have no "
      "range; leave it out, take one of {}{}, or give --tables-of whole",
      name, fmt::join(names, ", "), many ? ", ..." : ""));
}

/// All parts by themselves, where nothing gives way.
std::vector<Mechanism> rigid_parts(const Mechanism& m, const std::vector<LoopPart>& parts, const Begun& begun) {
  std::vector<Mechanism> all;
  for (const LoopPart& part : parts) all.push_back(rigid(alone(m, part, begun.system->layout, begun.q)));
  return all;
}

/// A variable that is asked for and is none of a loop, not even if nothing gave way; empty if there is none.
std::string stranger(const Mechanism& m, const PrecomputeOptions& o, const Begun& begun) {
  const Mechanism closed = rigid(m);
  return name_of_none(rigid_parts(closed, loop_parts(closed), begun), o);
}

/// Whether loops that springs in place of a joint open are more than tables can hold, and are taken as closed.
bool springs_must_close(const Study& study, const Begun& begun) {
  const Mechanism& m = study.mechanism;
  const std::vector<LoopPart> open = loop_parts(m), closed = loop_parts(m, true);
  const auto has_springs = [](const LoopPart& p) { return !p.springs.empty(); };
  if (std::ranges::none_of(closed, has_springs)) return false;
  for (const Mechanism& part : rigid_parts(m, open, begun)) {
    Study own = study;
    own.mechanism = part;
    if (freedoms_of(part, begin(own, "precompute")) > RegionMaker::most_arguments) return true;
  }
  return false;
}
}  // namespace

bool could_be_loops(const Study& study, const PrecomputeOptions& o) {
  const Mechanism& m = study.mechanism;
  const std::vector<LoopPart> parts = loop_parts(m);
  if (parts.empty() || !o.design.empty()) return false;
  const Begun begun = begin(with_rigid_joints(study), "precompute");
  if (!begun.results.outcome || freedoms_of(m, begun) < 2) return false;
  return stranger(m, o, begun).empty();
}

void refuse_names_of_no_loop(const Study& study, const PrecomputeOptions& o) {
  if (o.tables_of.index != PrecomputeOptions::as_suits || (o.independent.empty() && o.ranges.empty())) return;
  PrecomputeOptions others = o;
  others.independent.clear(), others.ranges.clear();
  if (!wants_loops(study, others)) return;
  const Begun begun = begin(with_rigid_joints(study), "precompute");
  // Tables of the whole hold few freedoms, and these may be asked for.
  if (freedoms_of(study.mechanism, begun) <= most_for_whole + 1 && study.mechanism.signals.empty()) return;
  const Mechanism closed = rigid(study.mechanism);
  if (const std::string name = stranger(closed, o, begun); !name.empty())
    throw none_of_a_loop(name, rigid_parts(closed, loop_parts(closed), begun));
}

bool wants_loops(const Study& study, const PrecomputeOptions& o) {
  const Mechanism& m = study.mechanism;
  if (o.tables_of.index == PrecomputeOptions::loops) return true;
  if (o.tables_of.index == PrecomputeOptions::whole || !o.design.empty()) return false;
  const std::vector<LoopPart> parts = loop_parts(m);
  const Begun begun = begin(with_rigid_joints(study), "precompute");
  if (!begun.results.outcome) return false;
  const std::vector<Mechanism> alones = rigid_parts(m, parts, begun);
  if (!stranger(m, o, begun).empty()) return false;
  if (std::ranges::any_of(parts, [](const LoopPart& p) { return p.carrier != ground; })) return true;
  const int all = freedoms_of(m, begun);
  int in_loops = 0;
  for (const Mechanism& part : alones) {
    Study own = study;
    own.mechanism = part;
    in_loops += freedoms_of(part, begin(own, "precompute"));
  }
  if (all > most_for_whole || (!parts.empty() && (in_loops < all || !m.signals.empty()))) return true;
  // In space inertia takes many more cells than geometry, and ranges that nobody gives are then made small.
  const auto driven = std::ranges::count_if(m.joints, [](const auto& j) { return j.driver; });
  return m.dim == 3 && all > 1 && !parts.empty() && driven + int(o.ranges.size()) < all;
}

Precomputed precompute_loops(const Study& study, const PrecomputeOptions& o, const Progress& progress,
                             const MemoryNotice& notice) {
  if (!o.design.empty())
    throw ModelError(
        "--design is for tables of the whole mechanism, and those of loops hold the geometry of these alone: "
        "leave "
        "it out, and change anything else by --set when they are run; or give --tables-of whole");
  Precomputed made;
  const Begun begun = begin(study, "precompute");
  made.outcome = begun.results.outcome;
  if (!made.outcome) return made;
  RealTimeModel& model = made.model;
  model.name = study.mechanism.name;
  model.version = version();
  model.bound = o.share();
  model.in_si = o.bound.has_value();
  model.t = study.analysis.start;
  model.loops_as_joints = true;
  model.degree = 3;
  const bool springs_close = springs_must_close(study, begun);
  const std::vector<LoopPart> parts = loop_parts(study.mechanism, springs_close);
  const std::vector<Mechanism> alones = rigid_parts(study.mechanism, parts, begun);
  if (const std::string name = stranger(study.mechanism, o, begun); !name.empty())
    throw none_of_a_loop(name, alones);
  if (const std::string name = name_of_none(alones, o); !name.empty())
    made.remarks.push_back(name +
                           " has no table: a joint of its loop gives way in all directions, which opens it");
  KnownMotion trial(study, springs_close);
  KnownTables known;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    refuse_what_tables_do_not_hold(study.mechanism, parts[k]);
    Study own = study;
    own.mechanism = alones[k];
    const Begun of_part = begin(own, "precompute");
    const bool driven = std::ranges::any_of(own.mechanism.joints, [](const auto& j) { return j.driver; });
    if (of_part.results.freedom.usual == 0 && !driven) {
      made.remarks.push_back(names_of(study.mechanism, parts[k]) + " cannot move, and keep their equations");
      continue;
    }
    const PrecomputeOptions asked = options_for(alones[k], o);
    own.mechanism = alone(study.mechanism, parts[k], begun.system->layout, begun.q);
    const Progress of_all = [&, k](double share) {
      return !progress || progress((double(k) + share) / double(parts.size()));
    };
    bool uncovered = false;
    std::optional<Precomputed> along = tabulate_along({own, alones[k], asked, known, of_all, notice}, parts[k],
                                                      of_part.results.freedom.usual, trial, uncovered);
    Precomputed one = along ? std::move(*along) : tabulate(own, asked, &known, of_all, notice);
    made.outcome = one.outcome;
    if (!made.outcome) return made;
    if (uncovered)
      one.remarks.push_back(
          "no variables were found whose tables cover the motion of a trial run: it may leave the ranges");
    take(made, std::move(one), parts[k]);
  }
  for (const LoopTable& loop : model.loops)
    for (const BodyTable& t : loop.region.bodies) {
      made.operations += t.table.operations();
      if (!t.order.empty())
        made.operations += t.table.quantities() * long(t.table.arguments().size() + t.stiff.size() + 1);
      long in_cell = t.table.quantities();
      for (std::size_t a = 0; a < t.table.axes().size(); ++a) in_cell *= t.table.degree() + 1;
      made.reads += in_cell;
    }
  for (const auto& f : study.mechanism.forces) made.run_time.push_back(f.name);
  // Throws if the tree of joint coordinates does not lead from carriers to their loops.
  build_following(begun.mechanism, following_parts({std::shared_ptr<void>(), &model}, begun.mechanism));
  return made;
}
}  // namespace mubody
