#include "mubody/precompute/proposals.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/mechanism/scales.h"

namespace mubody {
namespace {
/// Memory that would do; "more" if it is so much that it is not tried.
std::string proposed_memory(const PrecomputeOptions& o, const TooTight& e, const Trial& trial) {
  constexpr double cheap = 20e6;  // [bytes]
  for (double more = 8 * o.memory; more <= std::min(512 * o.memory, cheap); more *= 8) {
    if (more < e.excess * o.memory) continue;
    PrecomputeOptions other = o;
    other.memory = more;
    if (const auto size = trial(other)) return fmt::format("--memory {:.0f}kB, ", std::ceil(*size / 1000));
  }
  return "more with --memory, ";
}

/// A bound that would do, or nothing.
std::string proposed_bound(const Study& study, const PrecomputeOptions& o, const TooTight& e,
                           const Trial& trial) {
  // A bound that is given is one in SI units.  The usual one is a share of the characteristic length, of which more than a
  // few hundredths would leave nothing of the mechanism.
  const double first =
      o.bound ? *o.bound : std::pow(10, std::ceil(std::log10(o.share() * scales_of(study.mechanism).length)));
  const double most = o.bound ? 1e8 : 1e6;
  // Errors fall with about the fifth power of the width of cells, or faster.
  const double n = std::max<double>(1, double(e.ranges.size()));
  const double at_least = e.size() && n > 1 ? std::pow(e.excess, 5 / n) : 1;
  int tries = e.ranges.size() > 1 ? 2 : 9;  // those of several variables take long
  for (double factor = 10; factor <= most && tries > 0; factor *= e.ranges.size() > 1 ? 100 : 10) {
    if (factor < at_least) continue;
    --tries;
    PrecomputeOptions other = o;
    other.bound = factor * first;
    if (trial(other)) return fmt::format("--bound {:.0e}, ", *other.bound);
  }
  return {};
}

/// Ranges around the start that would do, or nothing.
std::string proposed_ranges(const Study& study, const PrecomputeOptions& o, const TooTight& e,
                            const Trial& trial) {
  constexpr int tries = 3;
  double share = 1;
  const auto may_change = [](const VariableRange& v) { return !v.cyclic && !v.periodic; };
  const auto n = std::ranges::count_if(e.ranges, may_change);
  if (n == 0 || !e.size()) return {};
  for (int k = 0; k < tries; ++k) {
    share *= k == 0 ? std::pow(4 * e.excess, -1.0 / double(n)) : 0.5;
    PrecomputeOptions other = o;
    std::string text;
    for (std::size_t i = 0; i < e.ranges.size(); ++i) {
      const VariableRange& v = e.ranges[i];
      if (!may_change(v)) continue;
      const double now = e.start[Eigen::Index(i)];
      const double low = now - share * (now - v.low), high = now + share * (v.high - now);
      std::erase_if(other.ranges,
                    [&](const auto& r) { return find_variable(study.mechanism, r.variable).name == v.name; });
      other.ranges.push_back({v.name, low, high});
      text += fmt::format("--range {}={}:{} ", v.name, option_text(low, v.turn), option_text(high, v.turn));
    }
    if (trial(other)) return text;
  }
  return {};
}

}  // namespace

std::string proposals(const Study& study, const PrecomputeOptions& o, const TooTight& e, const Trial& trial) {
  constexpr int highest = 9;  // degree
  std::string all = e.size() ? proposed_memory(o, e, trial) : "";
  all += proposed_bound(study, o, e, trial);
  if (o.degree > 0 && o.degree < highest) all += "a higher --order, ";
  const std::string ranges = proposed_ranges(study, o, e, trial);
  return all + "or " + (ranges.empty() ? "a smaller --range" : ranges.substr(0, ranges.size() - 1));
}
}  // namespace mubody
