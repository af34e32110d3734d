#include "mubody/precompute/plan/plan.h"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

namespace mubody {
namespace {
// Weights of a variable relative to the best one:
constexpr double serves = 0.05;   // the least with which it can serve for the whole motion
constexpr double change = 0.3;    // another variable takes over below this
constexpr double overlap = 0.12;  // tables go on down to this, beyond a border or towards a dead point
// Points of the curve by which tables go beyond a border at most, and after which the next region takes over.
constexpr long most_overlap = 8, hysteresis = 2;
constexpr double degree = std::numbers::pi / 180;

double best_weight(const CurvePoint& p) { return p.weights.cwiseAbs().maxCoeff(); }
double share(const CurvePoint& p, int k) { return std::abs(p.weights[k]) / best_weight(p); }

// The last point in one direction up to which variable k keeps growing, or falling, with at least that share.
std::size_t reach(const Curve& c, std::size_t from, int k, int way, double least) {
  const bool up = c.points[from].weights[k] > 0;
  std::size_t at = from;
  for (;;) {
    const std::size_t next = at + std::size_t(way);
    if (next >= c.points.size()) return at;
    const CurvePoint& p = c.points[next];
    if ((p.weights[k] > 0) != up || share(p, k) < least) return at;
    at = next;
  }
}

// The value of variable k where its weight vanishes, beyond point `at`.
std::optional<double> dead_point(const Curve& c, std::size_t at, int k, int way, double unit) {
  for (;; at += std::size_t(way)) {
    const std::size_t next = at + std::size_t(way);
    if (next >= c.points.size()) return {};
    const CurvePoint &a = c.points[at], &b = c.points[next];
    if ((a.weights[k] > 0) == (b.weights[k] > 0)) continue;
    const double part = a.weights[k] / (a.weights[k] - b.weights[k]);
    return a.values[k] + 0.5 * part * (b.way - a.way) * a.weights[k] * unit;
  }
}

RegionPlan region_of(const Variable& v, const CurvePoint& at, int k, double low, double high, bool periodic) {
  RegionPlan r;
  r.variables = {v};
  r.ranges = {{v.name, v.unit, v.turn, periodic, low, high}};
  r.q = at.q;
  r.theta = VecX::Constant(1, at.values[k]);
  return r;
}

void round_trip(const Mechanism& m, const VecX& from, const VecX& to, bool forwards, Plan& plan) {
  const BodyLayout::Round g = BodyLayout(m.dim).round(from, to);
  plan.sign = g.sign;
  for (const double turns : g.turns) plan.gain.push_back(forwards ? turns : -turns);
}

class OneFreedom {
 public:
  OneFreedom(const Mechanism& m, const Wanted& wanted, const VecX& q, double length)
      : m_(m), wanted_(wanted), length_(length) {
    variables_ = joint_coordinates(m);
    if (!wanted.variables.empty()) named_ = index_of(wanted.variables.front());
    for (const auto& r : wanted.given) named_ = index_of(find_variable(m, r.variable));
    if (variables_.empty())
      throw ModelError(
          "no joint has an angle or a slide that could be the independent variable; name a coordinate of a "
          "body, as "
          "in --independent slider.x");
    curve_ = follow(m, variables_, q, length);
    if (curve_.points.empty())
      throw ModelError(
          "the start is a singular position, from which the mechanism can move in several ways; start next to "
          "it");
  }

  Plan plan() {
    if (wanted_.given.size() > 1)
      throw ModelError(
          fmt::format("a mechanism with one freedom has one range, but {} are given", wanted_.given.size()));
    if (!wanted_.given.empty()) return given(wanted_.given.front());
    if (!wanted_.driven.empty() && !goes_round(named_)) return given(wanted_.driven.front(), true);
    if (named_ >= 0) return named(named_);
    int best = -1;
    double most = 0;
    for (int k = 0; k < int(variables_.size()); ++k) {
      double least = 1;
      for (const CurvePoint& p : curve_.points) least = std::min(least, share(p, k));
      if (least > most && reach(curve_, 0, k, 1, 0) + 1 == curve_.points.size()) most = least, best = k;
    }
    if (best >= 0 && most >= serves) return named(best);
    return regions();
  }

 private:
  // The index of a variable; coordinates of bodies are added when they are asked for.
  int index_of(const Variable& v) {
    const auto at = std::ranges::find(variables_, v.name, &Variable::name);
    const int k = int(at - variables_.begin());
    if (at == variables_.end()) variables_.push_back(v);
    return k;
  }
  // Configurations from one point of the curve to another one.
  std::vector<VecX> way(std::size_t from, std::size_t to) const {
    std::vector<VecX> all;
    const long step = from <= to ? 1 : -1;
    for (std::size_t k = from;; k += std::size_t(step)) {
      all.push_back(curve_.points[k].q);
      if (k == to) return all;
    }
  }
  const CurvePoint& start() const { return curve_.points[curve_.start]; }
  double unit(int k) const { return variables_[std::size_t(k)].turn ? 1 : length_; }

  // A plan with one variable, as far as it serves.
  Plan named(int k) {
    Plan plan;
    plan.rounds.resize(1);
    const Variable& v = variables_[std::size_t(k)];
    check_start(k);
    see_both_sides(k);
    const double least = goes_round(k) ? serves : least_share(k);
    const std::size_t last = reach(curve_, curve_.start, k, 1, least),
                      first = reach(curve_, curve_.start, k, -1, least);
    const CurvePoint &a = curve_.points[first], &b = curve_.points[last];
    const bool whole = first == 0 && last + 1 == curve_.points.size();
    const double low = std::min(a.values[k], b.values[k]), high = std::max(a.values[k], b.values[k]);
    if (whole && curve_.closed) {
      const bool up = b.values[k] > a.values[k];
      // The ends are the same position, found from two sides, so whole turns lie between them.
      const double turn = 2 * std::numbers::pi * std::round((high - low) / (2 * std::numbers::pi));
      plan.regions.push_back(region_of(v, start(), k, up ? low : high - turn, up ? low + turn : high, true));
      round_trip(m_, a.q, b.q, up, plan);
      plan.rounds[0] = way(0, curve_.points.size() - 1);
      if (!up) std::ranges::reverse(plan.rounds[0]);
      return plan;
    }
    if (whole && !(curve_.singular_before && curve_.singular_after))
      throw ModelError(fmt::format("the range of {0} has no end: give one, as in --range {0}={1}:{2}", v.name,
                                   option_text(start().values[k] - 0.5 * unit(k), v.turn),
                                   option_text(start().values[k] + 0.5 * unit(k), v.turn)));
    for (const int way : {-1, 1})
      if (const auto dead = dead_point(curve_, way > 0 ? last : first, k, way, unit(k)))
        plan.remarks.push_back(fmt::format("{} has a dead point at {}: the tables end before it", v.name,
                                           value_text(*dead, v.turn)));
    plan.regions.push_back(region_of(v, start(), k, low, high, false));
    no_round_trip(plan);
    return plan;
  }

  // The share at which tables end before a dead point.
  double least_share(int k) const { return std::min(overlap, 0.5 * share(start(), k)); }
  bool goes_round(int k) const {
    return curve_.closed && reach(curve_, curve_.start, k, 1, serves) + 1 == curve_.points.size() &&
           reach(curve_, curve_.start, k, -1, serves) == 0;
  }

  // A plan with a range from the user, or from a driver.
  Plan given(const PrecomputeOptions::Range& r, bool by_driver = false) {
    const int index = named_;
    const Variable& v = variables_[std::size_t(index)];
    check_start(index);
    Plan plan;
    plan.rounds.resize(1);
    see_both_sides(index);
    const double now = start().values[index];
    if (!(r.low < r.high))
      throw ModelError(fmt::format("--range {}: {} is not below {}", v.name, value_text(r.low, v.turn),
                                   value_text(r.high, v.turn)));
    if (now < r.low || now > r.high)
      throw ModelError(
          fmt::format("--range {}={}:{} does not contain the start, {}; widen it, or start elsewhere", v.name,
                      option_text(r.low, v.turn), option_text(r.high, v.turn), value_text(now, v.turn)));
    const bool up = start().weights[index] > 0;
    std::string limits;
    double low = r.low, high = r.high;  // a range that would do
    for (const bool upper : {false, true}) {
      const int way = upper == up ? 1 : -1;
      const double wanted = upper ? r.high : r.low;
      const std::size_t end = reach(curve_, curve_.start, index, way, 0);
      const double there = curve_.points[end].values[index];
      const bool enough = upper ? there >= wanted : there <= wanted;
      if (enough || (curve_.closed && end == (way > 0 ? curve_.points.size() - 1 : 0))) continue;
      const auto dead = dead_point(curve_, end, index, way, unit(index));
      if (!dead && !(way > 0 ? curve_.singular_after : curve_.singular_before)) continue;
      const double limit = dead.value_or(there);
      const double serving =
          curve_.points[reach(curve_, curve_.start, index, way, least_share(index))].values[index];
      (upper ? high : low) = now + 0.98 * (serving - now);
      limits +=
          fmt::format("{}{} at {}", limits.empty() ? "" : " and ",
                      dead ? "a dead point of " + v.name : "a singular position", value_text(limit, v.turn));
    }
    if (!limits.empty() && by_driver)
      throw ModelError(
          fmt::format("driver '{}' goes from {} to {} during the analysis, beyond {}, where the mechanism "
                      "cannot follow; let it move less, or end the analysis before",
                      v.name, value_text(r.low, v.turn), value_text(r.high, v.turn), limits));
    if (!limits.empty())
      throw ModelError(fmt::format(
          "--range {0}={1}:{2} goes beyond {3}; give --range {0}={4}:{5}, or choose another variable "
          "with --independent ('mubody independent' lists those that serve)",
          v.name, option_text(r.low, v.turn), option_text(r.high, v.turn), limits, option_text(low, v.turn),
          option_text(high, v.turn)));
    plan.regions.push_back(region_of(v, start(), index, r.low, r.high, false));
    no_round_trip(plan);
    return plan;
  }

  void check_start(int k) const {
    if (share(start(), k) >= serves) return;
    const Variable& v = variables_[std::size_t(k)];
    throw ModelError(
        fmt::format("the start, {} = {}, is at a dead point of {}; start elsewhere, or choose another "
                    "variable with --independent ('mubody independent' lists those that serve)",
                    v.name, value_text(start().values[k], v.turn), v.name));
  }

  void no_round_trip(Plan& plan) const {
    plan.gain.assign(std::size_t(start().q.size()), 0);
    plan.sign.assign(std::size_t(start().q.size()), 1);
  }

  /// A stretch of the curve that one variable covers.
  struct Stretch {
    int k;
    std::size_t first, last;
  };

  // Variables one after the other along the curve, each as far as it serves well.
  Plan regions() {
    if (!curve_.closed && !(curve_.singular_before && curve_.singular_after))
      throw ModelError(
          "the motion has no end, and no variable serves for all of it; name one and its range, as in "
          "--independent A.angle --range A.angle=-90deg:90deg");
    if (curve_.closed) begin_with_region();
    const std::vector<Stretch> all = stretches();
    Plan plan;
    plan.rounds.resize(1);
    std::string names;
    for (std::size_t i = 0; i < all.size(); ++i) {
      plan.regions.push_back(region(all, i));
      if (curve_.start >= all[i].first && curve_.start <= all[i].last) plan.start = int(i);
      names += (i > 0 ? ", " : "") + plan.regions.back().variables[0].name;
    }
    if (curve_.closed) {
      round_trip(m_, curve_.points.front().q, curve_.points.back().q, true, plan);
      plan.rounds[0] = way(0, curve_.points.size() - 1);
    } else {
      no_round_trip(plan);
    }
    plan.remarks.push_back(
        fmt::format("no variable serves everywhere: {} regions, with the variables {}", all.size(), names));
    return plan;
  }

  std::vector<Stretch> stretches() const {
    std::vector<Stretch> all;
    const std::size_t end = curve_.points.size() - 1;
    for (std::size_t at = 0; at < end;) {
      Stretch p{0, at, at};
      for (int k = 0; k < int(variables_.size()); ++k)
        if (share(curve_.points[at], k) >= change)
          if (const std::size_t to = reach(curve_, at, k, 1, change); to > p.last) p.k = k, p.last = to;
      if (p.last <= at) throw ModelError("no variable serves at some position; name one and its range");
      all.push_back(p);
      at = p.last;
    }
    return all;
  }

  RegionPlan region(const std::vector<Stretch>& all, std::size_t i) const {
    const Stretch& p = all[i];
    const std::size_t middle = (p.first + p.last) / 2;
    const CurvePoint& at = curve_.points[middle];
    RegionPlan r = region_of(variables_[std::size_t(p.k)], at, p.k, 0, 0, false);
    r.way = way(curve_.start, middle);
    const bool up = at.weights[p.k] > 0;
    const End before = end_of(all, i, -1, up), after = end_of(all, i, 1, up);
    const End &low = up ? before : after, &high = up ? after : before;
    r.below = low.border;
    r.above = high.border;
    r.ranges[0].low = std::min(before.value, after.value);
    r.ranges[0].high = std::max(before.value, after.value);
    r.next = {variables_[std::size_t(low.next)], variables_[std::size_t(high.next)]};
    r.next_values = VecX(2);
    r.next_values << at.values[low.next], at.values[high.next];
    return r;
  }

  /// Where a region ends, and what follows there.
  struct End {
    double value;  // of its variable
    int next;      // the variable of the next region; its own if there is none
    Border border{};
  };
  // The end of stretch i in one direction along the curve.  Tables go on a little beyond the border, as long as
  // both variables serve, so that a state near it does not go to and fro between the regions.
  End end_of(const std::vector<Stretch>& all, std::size_t i, int way, bool up) const {
    const Stretch& p = all[i];
    const std::size_t border = way < 0 ? p.first : p.last, count = all.size();
    const bool seam = way < 0 ? i == 0 : i + 1 == count;
    if (seam && !curve_.closed) return {curve_.points[border].values[p.k], p.k};
    const std::size_t other = (i + count + std::size_t(way)) % count;
    const int k = all[other].k;
    double far = curve_.points[border].values[p.k], at_border = far;
    for (long steps = 1; steps <= most_overlap; ++steps) {
      const auto [point, lap] = beyond(long(border) + way * steps);
      if (share(point, p.k) < overlap || share(point, k) < overlap || (point.weights[p.k] > 0) != up) break;
      far = point.values[p.k] + lap * total(p.k);
      if (steps <= hysteresis) at_border = far;
    }
    return {far, k, {int(other), at_border, seam ? -way * total(k) : 0, seam ? way : 0}};
  }

  // The change of a variable over the whole closed curve.
  double total(int k) const { return curve_.points.back().values[k] - curve_.points.front().values[k]; }
  // A point of a closed curve that is counted on beyond its ends, and the number of laps.
  std::pair<const CurvePoint&, int> beyond(long k) const {
    const long last = long(curve_.points.size()) - 1;
    const int lap = k < 0 ? -1 : k > last ? 1 : 0;
    return {curve_.points[std::size_t(k - lap * last)], lap};
  }

  // Puts a lap before a closed curve that begins at the start, since a variable that does not go round moves
  // both ways from there.
  void see_both_sides(int k) {
    if (!curve_.closed || goes_round(k) || curve_.start > 0) return;
    std::vector<CurvePoint> both = curve_.points;
    for (CurvePoint& p : both) lap_back(p);
    curve_.start = both.size() - 1;
    both.insert(both.end(), curve_.points.begin() + 1, curve_.points.end());
    curve_.points = std::move(both);
  }
  void lap_back(CurvePoint& p) const {
    const CurvePoint &front = curve_.points.front(), &back = curve_.points.back();
    p.values -= back.values - front.values;
    p.way -= back.way - front.way;
    BodyLayout(m_.dim).take_back(front.q, back.q, p.q);
  }
  // Makes a closed curve begin where one region ends anyway.
  void begin_with_region() {
    std::size_t farthest = 0;
    for (int k = 0; k < int(variables_.size()); ++k)
      if (share(curve_.points[0], k) >= change) farthest = std::max(farthest, reach(curve_, 0, k, 1, change));
    rotate(farthest);
  }
  // Makes another point the first one of a closed curve that begins at the start.
  void rotate(std::size_t by) {
    if (by == 0 || by + 1 >= curve_.points.size()) return;
    std::vector<CurvePoint>& p = curve_.points;
    std::vector<CurvePoint> rotated(p.begin() + std::ptrdiff_t(by), p.end());
    for (CurvePoint& before : rotated) lap_back(before);  // so that the start is what it was
    rotated.insert(rotated.end(), p.begin() + 1, p.begin() + std::ptrdiff_t(by) + 1);
    curve_.start = p.size() - 1 - by;
    p = std::move(rotated);
  }

  const Mechanism& m_;
  const Wanted& wanted_;
  double length_;
  std::vector<Variable> variables_;
  int named_ = -1;  // the variable that the user names
  Curve curve_;
};
}  // namespace

std::string value_text(double value, bool turn) {
  return turn ? fmt::format("{:.6g} deg", value / degree) : fmt::format("{:.6g} m", value);
}

std::string option_text(double value, bool turn) {
  return turn ? fmt::format("{:.6g}deg", value / degree) : fmt::format("{:.6g}", value);
}

std::string text(const VariableRange& r) {
  if (r.cyclic) return fmt::format("{}, cyclic: nothing in the tables depends on it", r.name);
  if (r.periodic) return fmt::format("{}, all the way round", r.name);
  return fmt::format("{} from {} to {}", r.name, value_text(r.low, r.turn), value_text(r.high, r.turn));
}

Plan plan_one(const Mechanism& m, const Wanted& wanted, const VecX& q, double length) {
  return OneFreedom(m, wanted, q, length).plan();
}
}  // namespace mubody
