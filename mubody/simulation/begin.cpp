#include "mubody/simulation/begin.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/math/dense.h"
#include "mubody/math/finite.h"
#include "mubody/mechanism/data_range.h"
#include "mubody/mechanism/driver_jumps.h"
#include "mubody/mechanism/groups.h"
#include "mubody/mechanism/shafts.h"
#include "mubody/mechanism/signal_order.h"
#include "mubody/model/version.h"
#include "mubody/simulation/particles.h"
#include "mubody/simulation/warnings.h"
#include "mubody/solvers/assembly.h"
#include "mubody/solvers/freedom.h"
#include "mubody/system/build.h"
#include "mubody/system/speeds.h"
#include "mubody/watches/redundancy.h"

namespace mubody {
namespace {
void remark_redundancies(const Freedom& f, std::vector<std::string>& remarks) {
  const Redundancy* before = nullptr;
  for (const Redundancy& x : f.redundant) {
    if (before && before->joints == x.joints && before->reason == x.reason)
      remarks.back() += "; likewise " + x.equation;
    else
      remarks.push_back("redundant: " + x.equation + " follows from " +
                        fmt::format("{}", fmt::join(x.joints, ", ")) +
                        (x.reason.empty() ? "" : " (" + x.reason + ")"));
    before = &x;
  }
}

// The time scales of a start, of all bodies and of every group.  The largest force counts, and a moment as a force at the
// characteristic length.
void take_times(const Mechanism& m, System& s, double t, const VecX& q, const VecX& u, double passing,
                std::vector<Scales>& of_groups) {
  constexpr double spinning =
      0.1;  // share of a turn that counts as a displacement: rotors are fast and move little
  Terms terms = s.make_terms();
  s.evaluate(t, q, u, terms);
  struct Load {
    double force = 0, moment = 0;
  };
  Load all;
  std::vector<Load> loads(std::size_t(s.groups));
  for (int k = 0; k < s.nu; ++k) {
    const int body = s.body_of_velocity[std::size_t(k)];
    for (Load* load : {&all, &loads[std::size_t(s.group_of_body[std::size_t(body)])]})
      keep_largest(s.turns[std::size_t(k)] ? load->moment : load->force, std::abs(terms.Q[k]));
  }
  const auto take = [&](Scales& scales, const Load& load, const Speeds& speeds) {
    double force = load.force;
    keep_largest(force, load.moment / scales.length);
    scales.take_time(std::max(speeds.slide, spinning * scales.length * speeds.turn), force, passing);
  };
  take(s.scales, all, speeds_of(s, u));
  if (s.groups < 2) return;
  of_groups = scales_of_groups(m, s.group_of_body, s.groups);
  const std::vector<Speeds> speeds = speeds_of_groups(s, u);
  for (std::size_t g = 0; g < of_groups.size(); ++g) take(of_groups[g], loads[g], speeds[g]);
}

// A motion cannot begin beyond a stop, from where it would be thrown back.
void refuse_starts_beyond_stops(const Mechanism& m, System& s, double t, const VecX& q, const VecX& u) {
  if (!s.contacts().any()) return;
  std::vector<ContactNow> now;
  s.contacts().measure_contacts(t, q, u, now);
  for (std::size_t k = 0; k < now.size(); ++k) {
    const ContactSite& site = s.contacts().sites[k];
    const std::string why = m.forces[std::size_t(site.force)].what->refuse_depth(-now[k].gap);
    if (!why.empty()) throw ModelError(site.place, fmt::format("'{}': {}", site.name, why));
  }
}
}  // namespace

namespace {
// With particles the mechanism is another one.
void take_mechanism(const Study& study, bool lasts, Begun& b) {
  refuse_gears_across_shafts(study.mechanism);
  if (may_have_particles(study.mechanism)) {
    auto own = std::make_shared<Mechanism>(study.mechanism);
    b.has_particles = take_particles(study.analysis, *own, b.warnings);
    b.mechanism = SharedMechanism(std::move(own));
  } else if (lasts) {
    b.mechanism = SharedMechanism({std::shared_ptr<void>(), &study.mechanism});
  } else {
    b.mechanism = SharedMechanism(std::make_shared<const Mechanism>(study.mechanism));
  }
}

Begun begun(const Study& study, std::string_view analysis, Gaps gaps, bool lasts) {
  if (gaps == Gaps::closed) refuse_signals_that_remember(study.mechanism);
  Begun b;
  Results& r = b.results;
  take_mechanism(study, lasts, b);
  const Mechanism& mechanism = b.mechanism;
  b.system = build_system(b.mechanism.held());
  System& s = *b.system;
  r.model = study.mechanism.name;
  r.analysis = analysis;
  r.version = version();
  b.q.setZero(s.nq);
  b.u.setZero(s.nu);
  s.start(b.q, b.u);
  const double t = study.analysis.start;
  AssemblyOptions assembly = study.analysis.assembly;
  if (gaps == Gaps::closed) assembly.as_given = false;
  r.outcome = assemble(s, assembly, study.analysis.patience, t, b.q, b.u, r.assembly);
  if (r.outcome)
    refuse_starts_beyond_stops(mechanism, s, t, b.q, b.u);
  else
    r.verdict = r.outcome.why;
  take_times(mechanism, s, t, b.q, b.u, study.analysis.end - t, r.group_scales);
  r.scales = s.scales;
  r.freedom = count_freedom(s, t, b.q, b.u);
  r.reactions = list_reactions(s);
  if (r.freedom.rank < s.m) {
    mark_unique(s, t, b.q, b.u, r.reactions);
    r.open_frictions = open_frictions(s, t, b.q, b.u);
  }
  const bool driven = std::any_of(study.mechanism.joints.begin(), study.mechanism.joints.end(),
                                  [](const auto& j) { return j.driver; });
  if (r.freedom.counted < 0 && r.freedom.actual == 0 && !(driven && r.outcome)) {
    const Redundancy first = r.freedom.redundant.empty() ? Redundancy{} : r.freedom.redundant.front();
    throw ModelError(
        first.place,
        fmt::format("more constraints than coordinates: {} equations for {} coordinates, nothing can move{}{}",
                    s.m, s.nu, first.equation.empty() ? "" : ": " + first.equation + " is one too many",
                    r.outcome ? "" : "; " + r.outcome.why));
  }
  for (std::string& line : remarks_on_data(study.mechanism, t, study.analysis.end))
    b.warnings.push_back(std::move(line));
  if (study.analysis.type->facts().moves())
    for (std::string& line : remarks_on_jumps(driver_jumps(study.mechanism, t, study.analysis.end)))
      b.warnings.push_back(std::move(line));
  if (r.freedom.weakest < 1)
    b.warnings.push_back(
        fmt::format("nearly redundant: equations hold each other up to {:.1e}, which is {}; give axes and "
                    "points that should agree with more digits",
                    r.freedom.weakest, r.freedom.always_redundant() ? "taken as redundant" : "taken as it is"));
  for (std::string& line : warnings_of(study, b)) b.warnings.push_back(std::move(line));
  r.remarks = b.warnings;
  remark_redundancies(r.freedom, r.remarks);
  return b;
}
}  // namespace

Begun begin(const Study& study, std::string_view analysis, Gaps gaps) {
  return begun(study, analysis, gaps, false);
}

Begun begin_lasting(const Study& study, std::string_view analysis) {
  return begun(study, analysis, Gaps::kept, true);
}

namespace {
// The second moment of a thin disc or rod is zero along a line; the solver puts something small in its place and takes
// its effect away again, but not where redundant equations ask for the same care.
void refuse_thin(const Begun& b) {
  constexpr double thin = 1e-6;
  const bool rolls = std::any_of(b.system->joints.begin(), b.system->joints.end(),
                                 [](const JointRows& j) { return j.rolls > 0; });
  if (b.mechanism->dim == 2 || !rolls || !b.results.freedom.always_redundant()) return;
  for (const RigidBody& body : b.mechanism->bodies) {
    const Eigen::Matrix3d P = 0.5 * body.inertia.trace() * Eigen::Matrix3d::Identity() - body.inertia;
    const Vec<3> moments = symmetric_eigen3(P).values;
    if (moments[0] < thin * moments[2])
      throw ModelError(body.place,
                       fmt::format("body '{}' has no extension in one direction, and equations are redundant: "
                                   "Cartesian coordinates do not solve rolling with both; use formulation = "
                                   "\"body\" or \"joint\"",
                                   body.name));
  }
}

// Joints of the tree cannot be open: a start that is taken as given may have had to move.
void report_what_moved(const Formulated& f, Begun& b) {
  constexpr double visible = 1e-9;  // of the characteristic length and time
  VecX q = b.q, u = b.u;
  f.other->to_bodies(f.q, f.u, q, u);
  const Scales& scales = b.system->scales;
  double most = visible;
  std::string what;
  const auto compare = [&](const VecX& now, const VecX& given, const std::vector<System::Name>& names,
                           double time) {
    for (Eigen::Index k = 0; k < now.size(); ++k) {
      const System::Name& name = names[std::size_t(k)];
      if (name.measured == System::Measured::orientation) continue;  // p and −p are one orientation
      const double change = std::abs(now[k] - given[k]);
      const double share = change * time / (name.measured == System::Measured::length ? scales.length : 1);
      if (!(share > most)) continue;
      most = share;
      what = fmt::format("{} by {:.2e} {}", name.text, change, name.unit);
    }
  };
  compare(q, b.q, b.system->coordinates, 1);
  compare(u, b.u, b.system->velocities, scales.time);
  if (!what.empty())
    b.results.remarks.push_back(
        "joint coordinates close the joints of the tree: the start given was changed, most of "
        "all " +
        what);
}
}  // namespace

void remark_friction_left_out(const System& s, Results& r) {
  if (s.grips.any())
    r.remarks.push_back(fmt::format(
        "friction of joint '{}'{} is left out here: with it a mechanism rests wherever the friction "
        "holds it",
        s.joints[std::size_t(s.grips.all.front().joint)].name, s.grips.size() > 1 ? " and others" : ""));
}

Formulated formulate_as(std::string name, std::unique_ptr<System> system, Begun& b) {
  Formulated f{*b.system, std::move(system), b.q, b.u, false};
  f.q.setZero(f.other->nq);
  f.u.setZero(f.other->nu);
  f.other->scales = b.system->scales;
  f.other->from_bodies(b.q, b.u, f.q, f.u);
  b.results.formulation = {std::move(name), f.other->nq, f.other->m, 0, 0, 0, false};
  return f;
}

Formulated formulate(const Study& study, Begun& b) {
  const Coordinates wanted = Coordinates(study.analysis.formulation.index);
  Formulated f{*b.system, nullptr, b.q, b.u};
  if (wanted == Coordinates::cartesian) refuse_thin(b);
  if (wanted != Coordinates::joint && !study.analysis.chords.empty())
    b.results.remarks.push_back(
        fmt::format("'chords' change nothing here: they are for formulation = \"joint\", not for \"{}\"",
                    study.analysis.formulation.word()));
  if (wanted != Coordinates::body) {
    f.other = build_system(b.mechanism.held(), wanted, study.analysis.chords);
    f.q.setZero(f.other->nq);
    f.u.setZero(f.other->nu);
    f.other->scales = b.system->scales;
    f.other->from_bodies(b.q, b.u, f.q, f.u);
    if (wanted == Coordinates::joint) report_what_moved(f, b);
  }
  const System& s = f.system();
  b.results.formulation = {std::string(study.analysis.formulation.word()),
                           s.nq,
                           s.m,
                           s.row_kinds.constant,
                           s.row_kinds.linear,
                           s.row_kinds.other,
                           wanted == Coordinates::body};
  return f;
}
}  // namespace mubody
