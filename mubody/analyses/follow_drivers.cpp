// Kinematic analysis: the drivers determine the motion.                    docs/theory/kinematic.md
//
// Continuation: each position is predicted from the one before, q + u h + a h²/2, and a step is halved until
// Newton lands near its prediction, so that the motion stays on its branch.  Where the step shrinks to nothing
// the mechanism is at a dead point.  A singular position that the motion goes through is bridged from positions on
// either side of it, since the equations of the position itself determine neither velocities nor forces.
#include "mubody/analyses/follow_drivers.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/analyses/looks.h"
#include "mubody/analyses/round_off.h"
#include "mubody/mechanism/breakpoints.h"
#include "mubody/simulation/begin.h"
#include "mubody/simulation/recorder.h"
#include "mubody/simulation/verdict.h"

namespace mubody {
namespace {
// The joints whose equations are dependent where D is singular: the left singular vector of its smallest value.
std::string contradicting(const System& s, const Terms& terms) {
  MatX D = s.structure.full(terms.D);
  s.scale(D);
  const VecX weights = left_singular(D).vectors.col(s.m - 1);
  std::vector<std::string> names;
  for (const JointRows& j : s.joints)
    if (weights.segment(j.first, j.count).norm() > 0.1) names.push_back("'" + j.name + "'");
  return fmt::format("{}", fmt::join(names, ", "));
}

void expect_driven(const Begun& b, std::string_view analysis) {
  const Freedom& f = b.results.freedom;
  if (f.usual > 0)
    throw ModelError(
        fmt::format("{} analysis needs a driver for every freedom: {} of {} are left; add {} driver{} under "
                    "[drivers], or use analysis type \"forward\"",
                    analysis, f.usual, f.coordinates, f.usual, f.usual > 1 ? "s" : ""));
  for (const JointRows& j : b.system->joints)
    if (j.rolls > 0)
      throw ModelError(j.place,
                       fmt::format("joint '{}' ({}) sets conditions on velocities, which positions do not "
                                   "follow from: use analysis type \"forward\"",
                                   j.name, j.type));
}

// [s] Both sides of an instant at which forces or accelerations jump, or of several of them that cannot be told apart.
struct Break {
  double before, after;
};

// The way along the motion that drivers determine.
class Way {
 public:
  using State = Driven::State;
  Way(Driven& k, Looks* looks, State start, std::vector<Break> breaks, const AnalysisOptions& o,
      const Progress& progress, Results& r)
      : k_(k), looks_(looks), o_(o), patience_(o.patience), progress_(progress), r_(r), bridge_(k),
        breaks_(std::move(breaks)), x_(std::move(start)), span_(span_of(o)), side_(x_.side) {}
  static double span_of(const AnalysisOptions& o) { return o.end > o.start ? o.end - o.start : 1; }

  // Goes to time t, with a step to both sides of every breakpoint before; returns false at a dead point or when the time
  // is up, with y there.
  bool go(double t, State& y) {
    for (; next_ < breaks_.size(); ++next_)
      for (const double stop : {breaks_[next_].before, breaks_[next_].after}) {
        if (stop >= t) return reach(t, y);
        if (stop > x_.t && !reach(stop, y)) return false;
      }
    return reach(t, y);
  }
  // The bridge, if the state at which go() arrived lies on it.
  const Bridge* bridge() const { return bridged_ ? &bridge_ : nullptr; }
  // What kept go() from arriving, if it was no dead point.
  const Outcome& halt() const { return halt_; }

 private:
  // Goes there in steps that are halved where Newton fails.
  bool reach(double t, State& y) {
    for (double h = t - x_.t; x_.t < t;) {
      if (halts()) return y = x_, false;
      const double to = x_.t + h >= t - 1e-12 * span_ ? t : x_.t + h;
      const bool goes = k_.step(x_, to, y);
      if (goes && meets(y) && cross(y)) {
        h = t - x_.t;
        continue;
      }
      // Where there is no bridge, small steps follow what bends, or come to rest, next to a singular position.
      if (!goes || (meets(y) && !k_.held_below(flips(y) ? Driven::unresolved : 2 * Driven::weak, x_))) {
        h /= 2;
        ++r_.statistics.rejected;
        if (h < 1e-11 * span_) return y = x_, false;
        continue;
      }
      step_to(y);
      h *= 2;
    }
    bridged_ = x_.t > t;
    y = bridged_ ? bridge_.at(t) : x_;
    return true;
  }

  bool halts() {
    if (progress_ && !progress_((x_.t - o_.start) / span_))
      halt_ = {Outcome::interrupted, x_.t, fmt::format("stopped by the user at t = {:.6g} s", x_.t)};
    else if (patience_.lost())
      halt_ = patience_.outcome(x_.t, at_time(x_.t));
    else
      look_at_pace();
    return !halt_;
  }

  // Steps are short without end where a driver's function gives another rate than that of its values: no prediction comes
  // true then.  Where twice as many as are allowed would not do at the present pace, nor at that before, the rest is not
  // worth the wait.
  void look_at_pace() {
    const long tried = r_.statistics.steps + r_.statistics.rejected,
               stretch = std::max(1, o_.control.steps / 500);
    if (tried - paced_steps_ < stretch) return;
    const double rest = o_.end - x_.t, gone = x_.t - paced_from_;
    const double needed = double(tried) + rest * double(tried - paced_steps_) / gone;
    const bool slow = !(needed < 2. * o_.control.steps);
    if (tried >= o_.control.steps || (slow && slow_))
      halt_ = {Outcome::too_many_steps, x_.t,
               fmt::format("{} steps lead to t = {:.6g} s, and at this pace the end at {:.6g} s needs {:.1e}: "
                           "positions do not "
                           "go on as their velocities say; see max_steps",
                           tried, x_.t, o_.end, needed)};
    slow_ = slow;
    paced_steps_ = tried;
    paced_from_ = x_.t;
  }

  bool flips(const State& y) const { return x_.side * y.side < 0; }
  // Whether a step leads to a singular position, or across one.
  bool meets(const State& y) const {
    return !k_.held_below(Driven::weak, x_) && (flips(y) || k_.held_below(Driven::weak, y));
  }

  bool cross(const State& y) {
    if (no_bridge_) return false;
    no_bridge_ = true;
    for (const double share : {Driven::weak, 0.1 * Driven::weak})
      if (bridge_.build(x_, y, share)) {
        const double t = bridge_.weakest();
        if (bridge_.changes_side() || k_.held_below(Driven::exact, bridge_.at(t))) pass(t, bridge_.strains(t));
        if (looks_) {
          looks_->within(x_, bridge_.first());
          looks_->end_at(bridge_.first());
        }
        take(bridge_.last());
        return true;
      }
    return false;
  }

  void pass(double t, bool strains) {
    r_.events.push_back(
        {t, Event::singular_position,
         std::string("the motion goes on through it") + (strains ? "; reactions have no bound there" : "")});
    side_ = 0;
  }

  void step_to(const State& y) {
    if (looks_) across_break(y) ? looks_->end_at(x_) : looks_->within(x_, y);
    take(y);
  }

  // Whether a step leads from one side of a breakpoint to the other, or a part of that way; a row may lie between them,
  // or beside them by round-off.
  bool across_break(const State& y) const {
    const double little = 2 * beside(y.t, span_);
    const auto beyond = std::ranges::upper_bound(breaks_, x_.t + little, {}, &Break::before);
    return beyond != breaks_.begin() && y.t <= std::prev(beyond)->after + little;
  }

  void take(const State& y) {
    if (y.hold > x_.hold) no_bridge_ = false;
    if (!k_.held_below(Driven::weak, y)) {
      if (side_ * y.side < 0) pass(x_.t, false);
      side_ = y.side;
    }
    x_ = y;
    k_.s.remember(x_.t, x_.q, x_.u);
    ++r_.statistics.steps;
  }

  Driven& k_;
  Looks* looks_;  // null if extremes are those of the rows
  const AnalysisOptions& o_;
  Patience patience_;
  const Progress& progress_;
  Results& r_;
  Bridge bridge_;
  std::vector<Break> breaks_;  // in order, apart from each other
  std::size_t next_ = 0;
  State x_;
  double span_;
  int side_;  // of the last position that is no singular one
  bool bridged_ = false;
  Outcome halt_;
  long paced_steps_ = 0;          // when the pace was last looked at ...
  double paced_from_ = o_.start;  // ... and the time then [s]
  bool slow_ = false;             // the last look found it too slow
  bool no_bridge_ = false;        // towards the singular position ahead
};

std::vector<Break> breaks_of(const Mechanism& m, double start, double end) {
  std::vector<Break> all;
  for (const Breakpoint& b : breakpoints_of(m, start, end, {end - start})) {
    if (!b.jumps) continue;
    const double far = std::max(beside(b.t, end - start), b.unsure);
    if (!all.empty() && b.t - far <= all.back().after)
      all.back().after = std::max(all.back().after, b.t + far);
    else
      all.push_back({b.t - far, b.t + far});
  }
  return all;
}

// Why the motion does not go on from a state: a driver that jumps, or a dead point.
Outcome stuck_at(const Driven::State& x, std::span<const DriverJump> jumps, double span, Driven& k,
                 Results& r) {
  for (const DriverJump& jump : jumps)
    if (jump.of_position && std::abs(jump.t - x.t) <= 2 * std::max(beside(x.t, span), jump.unsure))
      return {Outcome::not_finite, x.t, jump.in_words() + "; " + DriverJump::advice};
  Outcome o{Outcome::singular, x.t,
            fmt::format("dead point at t = {:.9g} s: the drivers cannot move the mechanism on; the "
                        "equations of {} depend on each other there",
                        x.t, contradicting(k.s, k.d.terms))};
  r.events.push_back({x.t, Event::dead_point, o.why});
  return o;
}

void conclude(const AnalysisOptions& o, Results& r) {
  r.trusted = bool(r.outcome) && positions_close(o, r.statistics);
  const std::string closes = fmt::format("every position closes to {:.1e}", r.statistics.largest_violation);
  r.verdict = r.trusted ? "good: " + closes
              : r.outcome
                  ? fmt::format("do not trust this: {} only, worst in {}", closes, r.statistics.worst_joint)
                  : r.outcome.why;
}
// A motion that drivers prescribe is found instant by instant, and states of forces follow from the time before.
void refuse_states(const Mechanism& m, std::string_view analysis) {
  for (const auto& force : m.forces)
    if (force.what->states() > 0)
      throw ModelError(
          force.place,
          fmt::format("force '{}' ({}) has states of its own, which '{}' does not follow; use a forward "
                      "analysis with the same drivers",
                      force.name, force.what->info().name, analysis));
}
}  // namespace

Results follow_drivers(const Study& study, const Progress& progress, std::string_view analysis,
                       const AtResult& see) {
  refuse_states(study.mechanism, analysis);
  Begun b = begin(study, analysis, Gaps::closed);
  Results& r = b.results;
  if (!r.outcome) return std::move(b.results);
  expect_driven(b, analysis);
  const AnalysisOptions& o = study.analysis;
  const Formulated f = formulate(study, b);
  System& s = f.system();
  Driven k(s, r.freedom.always_redundant());
  Recorder recorder(s, f.bodies, study.output, r, false);
  Driven::State x{o.start, f.q, f.u, VecX::Zero(s.nu), {}};
  k.complete(x);
  s.remember(x.t, x.q, x.u);

  const double span = Way::span_of(o);
  const std::vector<DriverJump> jumps = driver_jumps(b.mechanism, o.start, o.end);
  const std::vector<double> times = study.output.at(o);
  const bool redundant = r.freedom.always_redundant();
  std::optional<RoundOff> round_off;
  if (o.estimate && o.estimate_usual) round_off.emplace(s, redundant, times.size());
  std::optional<Looks> looks;
  if (o.extremes && recorder.extremes().listed()) looks.emplace(s, redundant, recorder.extremes());
  Way way(k, looks ? &*looks : nullptr, x, breaks_of(b.mechanism, o.start, o.end), o, progress, r);
  for (const double t : times) {
    const bool arrived = way.go(t, x);
    k.show(x);
    if (!arrived) {
      r.outcome = !way.halt() ? way.halt() : stuck_at(x, jumps, span, k, r);
      break;
    }
    recorder.record(x.t, x.q, x.u, k.d, {});
    if (see) see(x.t, x.q, x.u, k.d, f.bodies);
    if (round_off) round_off->see(x, way.bridge());
  }
  if (looks) looks->closer();
  r.statistics.iterations = k.iterations;
  recorder.conclude(r);
  if (looks) looks->report(r);
  if (round_off) r.accuracy = round_off->accuracy(r);
  conclude(o, r);
  return std::move(b.results);
}
}  // namespace mubody
