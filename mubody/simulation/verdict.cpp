#include "mubody/simulation/verdict.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/mechanism/driver_slopes.h"

namespace mubody {
namespace {
// Without a target in the file: a millionth of the characteristic length, and a ten-thousandth of the energy that moves
// about.
constexpr double usual_violation = 1e-6;
constexpr double usual_energy = 1e-4;
constexpr double at_rest =
    1e-10;  // of force times size: what a structure at rest may seem to lose by round-off
}  // namespace

namespace {
// An error that can be seen in a drawing, or one that is larger than was asked for.
void add_doubts(const Accuracy& a, std::vector<std::string>& faults) {
  constexpr double visible = 0.01;  // of the range
  for (const ChannelAccuracy::Kind kind : {ChannelAccuracy::position, ChannelAccuracy::velocity}) {
    const ChannelAccuracy* w = a.worst(kind);
    if (!w || w->share() <= visible || a.until) continue;
    if (std::isnan(w->share())) {
      faults.push_back(fmt::format("the error of {} could not be found", w->channel));
      break;
    }
    faults.push_back(fmt::format("the error of {} is about {:.2g} {} at {:.4g} s, {:.2g} % of its range",
                                 w->channel, w->error, w->unit, w->at, 100 * w->share()));
    break;
  }
  if (a.until) faults.push_back(fmt::format("the motion is not known after {:.3g} s", *a.until));
  if (a.wanted > 0 && !a.missing.empty())
    faults.push_back(fmt::format("{} digits were asked for, and none is known: {}", a.wanted, a.missing));
  else if (a.wanted > 0 && a.digits() < a.wanted)
    faults.push_back(fmt::format("{} digits were asked for, {} are reached after {} runs", a.wanted,
                                 int(a.digits()), a.runs));
}

// Bodies that nothing connects balance their energies each for themselves: a lot of energy in one group must not hide what
// another one misses.
void doubt_group(const std::vector<GroupBalance>& all, double limit, std::vector<std::string>& faults) {
  const GroupBalance* worst = nullptr;
  const auto share = [](const GroupBalance& g) { return g.scale > 0 ? g.residual / g.scale : 0; };
  for (const GroupBalance& g : all)
    if (share(g) > limit && g.residual > at_rest * g.load && (!worst || share(g) > share(*worst))) worst = &g;
  if (!worst) return;
  constexpr std::size_t named = 3;
  const std::size_t shown = std::min(named, worst->bodies.size());
  const std::vector<std::string> first(worst->bodies.begin(), worst->bodies.begin() + std::ptrdiff_t(shown));
  faults.push_back(fmt::format(
      "the energy balance of '{}'{} misses {:.2e} J, {:.1e} of the energy in play there, more than {:.0e}",
      fmt::join(first, "', '"), shown < worst->bodies.size() ? " and those connected with them" : "",
      worst->residual, share(*worst), limit));
}

std::string not_finite_in_words(const Results& r) {
  const auto first = std::ranges::min_element(r.not_finite, {}, &NotFinite::at);
  const std::size_t others = r.not_finite.size() - 1;
  return fmt::format("'{}' is not finite at t = {:.6g} s{}", first->channel, first->at,
                     others == 0   ? ""
                     : others == 1 ? ", nor is another column"
                                   : fmt::format(", nor are {} other columns", others));
}

std::string open_frictions_in_words(const std::vector<std::string>& joints) {
  return fmt::format("friction of joint '{}'{} is not determined, and the motion is one of many",
                     joints.front(), joints.size() == 1 ? "" : " and others");
}

// What step control, loops and rank have to say beside violation and energy.
std::vector<std::string> signs(const Results& r) {
  std::vector<std::string> all;
  const Statistics& s = r.statistics;
  if (s.rejected > s.steps / 2 && s.rejected > 20)
    all.push_back(fmt::format("step control struggled: {} steps rejected, {} taken, the smallest of {:.1e} s",
                              s.rejected, s.steps, s.smallest_step));
  int passed = 0, unknown = 0;
  for (const LoopBranch& l : r.loops) passed += l.passed, unknown += l.unknown > 0;
  if (passed > 0 && r.trusted)
    all.push_back(fmt::format("{} kept through {} singular position{}",
                              r.loops.size() > 1 ? "branches" : "branch", passed, passed > 1 ? "s" : ""));
  if (unknown > 0)
    all.push_back(
        fmt::format("steps too large to follow the branch of {} loop{}", unknown, unknown > 1 ? "s" : ""));
  const auto changes = std::count_if(r.events.begin(), r.events.end(),
                                     [](const Event& e) { return e.kind == Event::redundancy; });
  if (changes > 0)
    all.push_back(
        fmt::format("the rank of the constraints changed {} time{}", changes, changes > 1 ? "s" : ""));
  return all;
}
}  // namespace

bool positions_close(const AnalysisOptions& o, const Statistics& s) {
  constexpr double usual = 1e-9;
  return o.accuracy ? s.largest_violation <= *o.accuracy : s.violation_share <= usual;
}

void distrust_not_finite(Results& r) {
  if (r.not_finite.empty() || !r.trusted) return;
  r.trusted = false;
  r.doubts = not_finite_in_words(r);
  r.verdict = "do not trust this: " + r.doubts + "; " + r.verdict;
}

void note_jumps(std::span<const DriverJump> jumps, Results& r) {
  for (const DriverJump& jump : jumps) {
    const std::string what = (jump.of_position ? "velocity of " : "acceleration of ") + jump.driver;
    if (std::ranges::find(r.not_finite, what, &NotFinite::channel) == r.not_finite.end())
      r.not_finite.push_back({what, jump.t});
  }
}

void remark_unbounded(Results& r) {
  const auto size = [](const Reaction& x) { return std::abs(x.largest); };
  const auto largest = std::ranges::max_element(r.reactions, {}, size);
  if (largest == r.reactions.end()) return;
  for (const Event& e : r.events)
    if (e.kind == Event::singular_position && std::abs(e.t - largest->at) <= r.statistics.largest_step) {
      r.remarks.push_back(fmt::format(
          "the largest reaction, {} at t = {:.6g} s, is beside the singular position that is passed at "
          "{:.6g} s: towards it reactions may grow without bound, and the largest is that of the "
          "closest look",
          largest->channel, largest->at, e.t));
      return;
    }
}

namespace {
void distrust(const std::string& why, Results& r) {
  constexpr std::string_view good = "good: ";
  std::string before = r.doubts.empty() ? r.verdict : r.doubts;
  if (before.starts_with(good)) before.erase(0, good.size());
  r.doubts = why + (r.doubts.empty() ? "" : "; " + r.doubts);
  r.verdict = "do not trust this: " + why + "; " + before;
  r.trusted = false;
}

// A function that ends the look at it, as one that knows no more times does, has said so in the run as well.
void distrust_drivers(const Mechanism& m, Results& r) {
  const std::vector<double> times = r.times();
  if (times.empty()) return;
  std::vector<WrongSlope> wrong;
  try {
    wrong = wrong_slopes(m, times.front(), std::max(times.back(), r.outcome ? times.back() : r.outcome.at));
  } catch (const std::exception&) {
    return;
  }
  for (const WrongSlope& slope : wrong) {
    const std::string why =
        slope.in_words() + ": positions, velocities and forces contradict each other; correct its function";
    if (!r.outcome && r.outcome.kind != Outcome::interrupted) r.outcome.why += "; " + why;
    distrust(why, r);
  }
}

void distrust_depths(const Mechanism& m, Results& r) {
  for (const auto& force : m.forces) {
    const double most = force.what->most_depth();
    const auto through = std::ranges::find_if(
        r.contacts, [&](const ContactRecord& c) { return c.contact == force.name && c.deepest > most; });
    if (through == r.contacts.end()) continue;
    distrust(fmt::format("bodies pass through each other at '{}': after {:.6g} s it is {:.3g} m deep, and from "
                         "{:.3g} m on the "
                         "centre of one is beyond the surface of the other; make the contact stiffer",
                         force.name, through->onset, through->deepest, most),
             r);
  }
}
}  // namespace

void distrust_elements(const Mechanism& m, Results& r) {
  distrust_drivers(m, r);
  distrust_depths(m, r);
}

void judge(const AnalysisOptions& o, Results& r) {
  const Statistics& s = r.statistics;
  const double share_limit = std::max(o.accuracy ? 0 : usual_violation, s.expected_violation);
  const bool closed = (o.accuracy && s.largest_violation <= *o.accuracy) || s.violation_share <= share_limit;
  const double energy_limit = o.accuracy.value_or(usual_energy);
  const double share = s.energy_scale > 0 ? s.energy_residual / s.energy_scale : 0;
  std::vector<std::string> faults;
  if (!r.outcome) faults.push_back(r.outcome.why);
  if (!closed)
    faults.push_back(fmt::format(
        "constraints are violated by up to {:.2e} ({}), more than {}", s.largest_violation,
        s.worst_body.empty() ? "joint '" + s.worst_joint + "'" : "unit vectors of body '" + s.worst_body + "'",
        o.accuracy
            ? fmt::format("{:.0e}", *o.accuracy)
            : fmt::format("{:.0e} of the characteristic length, {:.3g} m", share_limit, r.scales.length)));
  if (!std::isfinite(s.energy_residual) || (share > energy_limit && s.energy_residual > at_rest * s.load_scale))
    faults.push_back(
        fmt::format("the energy balance misses {:.2e} J, {:.1e} of the energy in play, more than {:.0e}",
                    s.energy_residual, share, energy_limit));
  else
    doubt_group(r.balances, energy_limit, faults);
  if (!r.not_finite.empty()) faults.push_back(not_finite_in_words(r));
  if (!r.open_frictions.empty()) faults.push_back(open_frictions_in_words(r.open_frictions));
  if (r.accuracy) add_doubts(*r.accuracy, faults);
  r.trusted = faults.empty();
  const std::vector<std::string> more = r.outcome ? signs(r) : std::vector<std::string>{};
  const std::string energies =
      share > energy_limit
          ? fmt::format("the energy in play, {:.3g} J, is round-off beside forces at rest and proves nothing",
                        s.energy_scale)
          : fmt::format("the energy balance closes to {:.1e} J of {:.3g} J in play", s.energy_residual,
                        s.energy_scale);
  std::string reasons = r.trusted ? fmt::format("constraints hold to {:.1e}, {}", s.largest_violation, energies)
                                  : fmt::format("{}", fmt::join(faults, "; "));
  if (r.accuracy && !r.accuracy->channels.empty()) {
    const std::string digits = r.accuracy->in_words();
    reasons = r.trusted ? digits + "; " + reasons : reasons + "; " + digits;
  }
  for (const std::string& sign : more) reasons += "; " + sign;
  r.verdict = (r.trusted ? "good: " : "do not trust this: ") + reasons;
  r.doubts = r.trusted ? "" : reasons;
}
}  // namespace mubody
