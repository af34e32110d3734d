// Ranges of several independent variables: first each by itself, as far as the mechanism can follow from the
// start; then all together.
#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "mubody/precompute/plan/closure.h"
#include "mubody/precompute/plan/cyclic.h"
#include "mubody/precompute/plan/plan.h"

namespace mubody {
namespace {
constexpr double stride = 0.05;  // [rad, or lengths]
// Amplifications, relative to that at the start:
constexpr double near_dead_point = 20;  // the largest in ranges that are given
constexpr double steep = 5;             // in ranges that are found: beyond, tables become large
constexpr double whole_turn = 2 * std::numbers::pi;
constexpr double suspicious = 3;  // in a net: a singular point may be close
// The factor by which ranges are narrowed if the mechanism cannot go everywhere.
constexpr double narrower = 0.8;
constexpr double narrowest = 0.05;
constexpr double same_place = 1e-7;  // [rad, or lengths], or relative to numbers above 1

class SeveralFreedoms {
 public:
  /// The variables from `cyclic` on are so.
  SeveralFreedoms(const Mechanism& m, const Wanted& wanted, std::size_t cyclic, double t, const VecX& q)
      : m_(m), wanted_(wanted), cyclic_(cyclic), q_(q), c_(m, wanted.variables, t, q), start_(c_.theta()),
        usual_(c_.amplification()), side_(c_.side()) {
    if (std::isfinite(usual_) && usual_ <= 1e6 && c_.determined()) return;
    std::string names;
    for (const Variable& v : wanted.variables) names += (names.empty() ? "" : ", ") + v.name;
    throw ModelError(
        fmt::format("{} cannot move the mechanism from its start: they depend on each other there; choose "
                    "others ('mubody independent' lists those that serve)",
                    names));
  }

  Plan plan() {
    RegionPlan r;
    r.variables = wanted_.variables;
    r.q = q_;
    r.theta = start_;
    for (std::size_t k = 0; k < r.variables.size(); ++k) {
      VariableRange v = k < cyclic_ ? range_of(k) : cyclic_range(k);
      const double now = start_[Eigen::Index(k)];
      if (is_free(v) && !v.periodic)
        v.low = now - wanted_.share * (now - v.low), v.high = now + wanted_.share * (v.high - now);
      r.ranges.push_back(std::move(v));
    }
    if (!wanted_.near_motion) fit(r.ranges);
    plan_.free_ranges =
        int(std::ranges::count_if(r.ranges, [this](const auto& v) { return is_free(v) && !v.periodic; }));
    plan_.regions.push_back(std::move(r));
    return std::move(plan_);
  }

 private:
  using Range = PrecomputeOptions::Range;
  const Range* find(const std::vector<Range>& all, const std::string& name) const {
    const auto at =
        std::ranges::find_if(all, [&](const Range& x) { return find_variable(m_, x.variable).name == name; });
    return at == all.end() ? nullptr : &*at;
  }

  // The range of one variable by itself.
  VariableRange range_of(std::size_t k) {
    const Variable& v = wanted_.variables[k];
    const double now = start_[Eigen::Index(k)];
    VariableRange range{v.name, v.unit, v.turn, false, now, now};
    std::vector<double> gain(std::size_t(q_.size()), 0), sign(gain.size(), 1);
    std::vector<VecX> round;
    const Range* given = find(wanted_.given, v.name);
    const Range* const driven = find(wanted_.driven, v.name);
    if (!given && driven && (!v.turn || driven->high - driven->low < whole_turn)) given = driven;
    if (given) {
      range.low = given->low, range.high = given->high;
      if (!(range.low < range.high) || now < range.low || now > range.high)
        throw ModelError(fmt::format("--range {}={}:{} does not contain the start, {}", v.name,
                                     value_text(range.low, v.turn), value_text(range.high, v.turn),
                                     value_text(now, v.turn)));
    }
    const double unit = v.turn ? 1 : c_.length();
    std::string limits;
    VariableRange fits = range;
    for (const int way : {1, -1}) {
      if (given && wanted_.near_motion) continue;
      const double limit = given    ? std::abs((way > 0 ? range.high : range.low) - now)
                           : v.turn ? whole_turn
                                    : 20 * unit;
      std::vector<VecX> passed;
      const double reached = go(k, way, limit, unit, given ? near_dead_point : steep, passed);
      const bool ended = reached < limit;
      if (given && ended) {
        limits +=
            fmt::format("{}near {}", limits.empty() ? "" : " and ", value_text(now + way * reached, v.turn));
        (way > 0 ? fits.high : fits.low) = now + way * 0.98 * reached;
      }
      if (given) continue;
      if (!ended && v.turn && way > 0 && is_back()) {
        range.periodic = true;
        range.high = now + whole_turn;
        const BodyLayout::Round g = c_.system().layout.round(q_, c_.q());
        gain = g.turns, sign = g.sign;
        round = std::move(passed);
        break;
      }
      if (!ended && !v.turn)
        throw ModelError(fmt::format("the range of {0} has no end: give one, as in --range {0}={1:.3g}:{2:.3g}",
                                     v.name, now - 0.1 * unit, now + 0.1 * unit));
      (way > 0 ? range.high : range.low) = now + way * 0.98 * reached;
    }
    if (!limits.empty())
      throw ModelError(
          fmt::format("{0} goes beyond a dead point {1}; give --range {2}={3}:{4}, or choose other variables "
                      "with --independent ('mubody independent' lists those that serve)",
                      given == driven ? fmt::format("driver '{}'", v.name)
                                      : fmt::format("--range {}={}:{}", v.name, option_text(range.low, v.turn),
                                                    option_text(range.high, v.turn)),
                      limits, v.name, option_text(fits.low, v.turn), option_text(fits.high, v.turn)));
    plan_.rounds.push_back(std::move(round));
    plan_.gain.insert(plan_.gain.end(), gain.begin(), gain.end());
    plan_.sign.insert(plan_.sign.end(), sign.begin(), sign.end());
    return range;
  }

  // A turn, or one length, after which forces may be different.
  VariableRange cyclic_range(std::size_t k) {
    const Variable& v = wanted_.variables[k];
    const double now = start_[Eigen::Index(k)], unit = v.turn ? 1 : c_.length(),
                 way = v.turn ? whole_turn : unit;
    std::vector<VecX> passed;
    go(k, 1, way, unit, near_dead_point, passed);
    plan_.rounds.push_back(std::move(passed));
    plan_.gain.insert(plan_.gain.end(), std::size_t(q_.size()), 0);
    plan_.sign.insert(plan_.sign.end(), std::size_t(q_.size()), 1);
    return {v.name, v.unit, v.turn, true, now, now + way, true};
  }

  // Whether all bodies are where they were at the start, after whole turns.
  bool is_back() const {
    const BodyLayout& layout = c_.system().layout;
    const auto in_lengths = [&](VecX q) {
      for (Eigen::Index k = 0; k < q.size(); ++k)
        if (k % layout.coordinates < layout.lengths) q[k] /= c_.length();
      return q;
    };
    return layout.same_place(in_lengths(q_), in_lengths(c_.q()), same_place);
  }

  // Moves one variable from the start up to a limit, or until B has grown too much; returns how far it came.
  double go(std::size_t k, int way, double limit, double unit, double most, std::vector<VecX>& passed) {
    c_.put(q_, start_);
    VecX to = start_;
    passed.push_back(q_);
    double reached = 0;
    while (reached < limit) {
      const double next = std::min(reached + stride * unit, limit);
      to[Eigen::Index(k)] = start_[Eigen::Index(k)] + way * next;
      if (!c_.go(to) || !moves_well(most)) break;
      reached = next;
      passed.push_back(c_.q());
    }
    return reached;
  }

  bool is_free(const VariableRange& r) const {
    return !r.cyclic && !find(wanted_.given, r.name) && !find(wanted_.driven, r.name);
  }

  // Narrows ranges that were found one by one until the mechanism can go everywhere in all of them together.  Ranges
  // that were given stay as they are.
  void fit(std::vector<VariableRange>& ranges) {
    const bool any_found = std::ranges::any_of(ranges, [this](const VariableRange& r) { return is_free(r); });
    if (goes_everywhere(ranges, any_found ? steep : near_dead_point)) return;
    const std::vector<VariableRange> found = ranges;
    const double share = narrowed(found, ranges, [this](const VariableRange& r) { return is_free(r); });
    if (share == 0) refuse_ranges(found);
    for (std::size_t k = 0; k < ranges.size(); ++k)
      if (is_free(ranges[k])) plan_.rounds[k].clear();
    plan_.remarks.push_back(
        fmt::format("each variable by itself can go {:.2g} times as far, but not all of them together; give "
                    "other ranges with "
                    "--range",
                    1 / share));
  }

  // The share of the ranges `found` that the mechanism can go through, where some of them are narrowed; 0 if there is
  // none.
  template <class Which>
  double narrowed(const std::vector<VariableRange>& found, std::vector<VariableRange>& ranges,
                  const Which& which) {
    if (std::ranges::none_of(found, which)) return 0;
    for (double share = narrower; share >= narrowest; share *= narrower) {
      for (std::size_t k = 0; k < ranges.size(); ++k) {
        if (!which(found[k])) continue;
        const double now = start_[Eigen::Index(k)];
        const double below = found[k].periodic ? std::numbers::pi : now - found[k].low;
        const double above = found[k].periodic ? std::numbers::pi : found[k].high - now;
        ranges[k].periodic = false;
        ranges[k].low = now - share * below, ranges[k].high = now + share * above;
      }
      if (goes_everywhere(ranges, steep)) return share;
    }
    return 0;
  }

  // Proposes ranges in which the mechanism can go everywhere.
  [[noreturn]] void refuse_ranges(const std::vector<VariableRange>& found) {
    std::string all, proposal;
    for (const VariableRange& r : found) all += (all.empty() ? "" : ", ") + text(r);
    std::vector<VariableRange> ranges = found;
    const auto may_be_given = [this](const VariableRange& r) {
      return !r.cyclic && !find(wanted_.driven, r.name);
    };
    if (narrowed(found, ranges, may_be_given) > 0)
      for (const VariableRange& r : ranges)
        if (may_be_given(r))
          proposal +=
              fmt::format(" --range {}={}:{}", r.name, option_text(r.low, r.turn), option_text(r.high, r.turn));
    throw ModelError(
        fmt::format("the mechanism cannot go everywhere with {}: dead points lie between; give{}, or other "
                    "variables with --independent",
                    all, proposal.empty() ? " smaller ranges with --range" : proposal));
  }

  // Whether the mechanism is on the same side of all singular positions as at the start, and not close to one.
  bool moves_well(double most) { return c_.side() == side_ && c_.amplification() <= most * usual_; }

  // Looks along a net of lines, close enough to each other that no singular line is likely to lie between them.  A singular
  // point may: where B grows, as it does around one, the net is looked at more closely.
  bool goes_everywhere(const std::vector<VariableRange>& ranges, double most) {
    constexpr std::size_t scanned = 4;  // variables; others keep their values at the start
    const std::size_t n = std::min(cyclic_, scanned), places = n == 2 ? 25 : n == 3 ? 9 : 5;
    VecX step = VecX::Zero(start_.size());
    for (std::size_t k = 0; k < n; ++k)
      step[Eigen::Index(k)] = (ranges[k].high - ranges[k].low) / double(places - 1);
    std::vector<VecX> steep_places;
    c_.put(q_, start_);
    const bool everywhere = each_place(n, places, [&](const std::vector<std::size_t>& at) {
      VecX to = start_;
      for (std::size_t k = 0; k < n; ++k)
        to[Eigen::Index(k)] = ranges[k].low + double(at[k]) * step[Eigen::Index(k)];
      if (!c_.go(to) || !moves_well(most)) return false;
      if (!moves_well(suspicious)) steep_places.push_back(to);
      return true;
    });
    return everywhere && std::ranges::all_of(steep_places, [&](const VecX& about) {
             return goes_around(about, step, ranges, n, most);
           });
  }

  // The same between a place of the net and its neighbours.
  bool goes_around(const VecX& about, const VecX& step, const std::vector<VariableRange>& ranges, std::size_t n,
                   double most) {
    const std::size_t places = n < 3 ? 9 : 5;
    c_.put(q_, start_);
    return each_place(n, places, [&](const std::vector<std::size_t>& at) {
      VecX to = about;
      for (std::size_t k = 0; k < n; ++k) {
        double& x = to[Eigen::Index(k)];
        x += (2 * double(at[k]) / double(places - 1) - 1) * step[Eigen::Index(k)];
        x = std::clamp(x, ranges[k].low, ranges[k].high);
      }
      return c_.go(to) && moves_well(most);
    });
  }

  // Visits a net of so many places along each variable to and fro, so that each is close to the one before, as long as
  // `visit` says that it can go there.
  template <class Visit> static bool each_place(std::size_t n, std::size_t places, const Visit& visit) {
    std::size_t count = 1;
    for (std::size_t k = 0; k < n; ++k) count *= places;
    std::vector<std::size_t> at(n);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0, rest = i; k < n; ++k, rest /= places)
        at[k] = rest / places % 2 == 0 ? rest % places : places - 1 - rest % places;
      if (!visit(at)) return false;
    }
    return true;
  }

  const Mechanism& m_;
  const Wanted& wanted_;
  std::size_t cyclic_;
  const VecX& q_;
  Closure c_;
  VecX start_;
  double usual_;
  int side_;  // of singular positions, at the start
  Plan plan_;
};
}  // namespace

Plan plan_many(const Mechanism& m, const Wanted& wanted, double t, const VecX& q) {
  Closure c(m, wanted.variables, t, q);
  const std::vector<bool> steady = steady_motions(c);
  std::vector<std::string> cyclic;
  for (std::size_t k = 0; k < steady.size(); ++k) {
    const std::string& name = wanted.variables[k].name;
    const bool given = std::ranges::any_of(
        wanted.given, [&](const auto& r) { return find_variable(m, r.variable).name == name; });
    if (steady[k] && !given && std::ranges::find(wanted.tabulated, name) == wanted.tabulated.end())
      cyclic.push_back(name);
  }
  Wanted ordered = wanted;
  const auto last = std::ranges::stable_partition(
      ordered.variables, [&](const Variable& v) { return std::ranges::find(cyclic, v.name) == cyclic.end(); });
  return SeveralFreedoms(m, ordered, std::size_t(last.begin() - ordered.variables.begin()), t, q).plan();
}
}  // namespace mubody
