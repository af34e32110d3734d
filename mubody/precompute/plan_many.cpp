// Ranges of several independent variables: each by itself from the start, as far as the mechanism goes along.
#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "mubody/precompute/closure.h"
#include "mubody/precompute/plan.h"

namespace mubody {
namespace {
constexpr double stride = 0.05;         // [rad], or slide in lengths
constexpr double near_dead_point = 20;  // of what the amplification is at the start
constexpr double whole_turn = 2 * std::numbers::pi;

bool same_place(const Mechanism& m, const VecX& a, const VecX& b) {
  const int per_body = m.dim == 2 ? 3 : 7;
  for (Eigen::Index k = 0; k < a.size(); ++k) {
    double d = b[k] - a[k];
    if (m.dim == 2 && k % per_body == 2) d = wrapped(d);
    if (m.dim == 3 && k % per_body >= 3) d = std::min(std::abs(d), std::abs(b[k] + a[k]));
    if (std::abs(d) > 1e-7 * std::max(1.0, std::abs(a[k]))) return false;
  }
  return true;
}
}  // namespace

Plan plan_many(const Mechanism& m, std::vector<Variable> variables, const PrecomputeOptions& o, double t,
               const VecX& q) {
  Plan plan;
  RegionPlan r;
  r.variables = variables;
  r.q = q;
  Closure c(m, variables, t, q);
  const VecX start = c.theta();
  r.theta = start;
  const double usual = c.amplification();
  if (!std::isfinite(usual) || usual > 1e6) {
    std::string names;
    for (const Variable& v : variables) names += (names.empty() ? "" : ", ") + v.name;
    throw ModelError(
        fmt::format("{} cannot move the mechanism from its start: they depend on each other there; choose "
                    "others ('mubody independent' tells which serve)",
                    names));
  }
  const auto count = Eigen::Index(variables.size());
  for (Eigen::Index k = 0; k < count; ++k) {
    const Variable& v = variables[std::size_t(k)];
    VariableRange range{v.name, v.unit, v.turn, false, start[k], start[k]};
    std::vector<double> gain(std::size_t(q.size()), 0), sign(gain.size(), 1);
    const auto given = std::ranges::find_if(
        o.ranges, [&](const auto& x) { return find_variable(m, x.variable).name == v.name; });
    if (given != o.ranges.end()) {
      range.low = given->low, range.high = given->high;
      if (!(range.low < range.high) || start[k] < range.low || start[k] > range.high)
        throw ModelError(fmt::format("--range {}={}:{} does not hold the start, {}", v.name,
                                     value_text(range.low, v.turn), value_text(range.high, v.turn),
                                     value_text(start[k], v.turn)));
    }
    for (const int way : {1, -1}) {
      c.put(q, start);
      VecX to = start;
      const double unit = v.turn ? 1 : c.length();
      const double limit = given != o.ranges.end() ? std::abs((way > 0 ? range.high : range.low) - start[k])
                           : v.turn                ? whole_turn
                                                   : 20 * unit;
      double reached = 0;
      bool ended = false;
      while (reached < limit && !ended) {
        const double next = std::min(reached + stride * unit, limit);
        to[k] = start[k] + way * next;
        ended = !c.go(to) || c.amplification() > near_dead_point * usual;
        if (!ended) reached = next;
      }
      if (given != o.ranges.end() && ended)
        throw ModelError(fmt::format(
            "--range {0}={1}:{2} goes beyond a dead point near {3}; end it at {4}, or choose other variables "
            "with "
            "--independent ('mubody independent' tells which serve)",
            v.name, value_text(range.low, v.turn), value_text(range.high, v.turn),
            value_text(start[k] + way * reached, v.turn), value_text(start[k] + way * 0.98 * reached, v.turn)));
      if (given != o.ranges.end()) continue;
      if (!ended && v.turn && way > 0 && same_place(m, q, c.q())) {
        range.periodic = true;
        range.high = start[k] + whole_turn;
        for (std::size_t i = 0; i < gain.size(); ++i) {
          const auto at = Eigen::Index(i);
          if (m.dim == 2 && i % 3 == 2) gain[i] = whole_turn * std::round((c.q()[at] - q[at]) / whole_turn);
          if (m.dim == 3 && i % 7 >= 3 && c.q()[at] * q[at] < 0) sign[i] = -1;
        }
        break;
      }
      if (!ended && !v.turn)
        throw ModelError(
            fmt::format("the range of {0} has no end: give one, as in --range {0}=-0.1:0.1", v.name));
      (way > 0 ? range.high : range.low) = start[k] + way * 0.98 * reached;
    }
    r.ranges.push_back(range);
    plan.gain.insert(plan.gain.end(), gain.begin(), gain.end());
    plan.sign.insert(plan.sign.end(), sign.begin(), sign.end());
  }
  plan.regions.push_back(std::move(r));
  return plan;
}
}  // namespace mubody
