#include "mubody/mechanism/breakpoints.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mubody/mechanism/functions_of_time.h"
#include "mubody/mechanism/tables_over_time.h"

namespace mubody {
namespace {
// Where steps have to end so that they do not pass over what a function does within a short time.
std::vector<double> features_of(const FunctionOfTime& f, double from, double to, const StepLength& step) {
  if (!f.formula) return short_features(f, from, to, step);
  std::vector<double> times;
  for (const Expression& part : f.formula->sharp_parts()) {
    const auto at = [&](double t) { return part(std::span(&t, 1)); };
    const std::vector<double> more = short_features(at, from, to, step, part.sharp_places(from, to));
    times.insert(times.end(), more.begin(), more.end());
  }
  return times;
}
constexpr double past = 1e-9;  // of the span: so far functions are looked at beyond it for a jump at its end

std::vector<Breakpoint> find(const Mechanism& m, double from, double to, const StepLength& step, bool through) {
  std::vector<Breakpoint> all;
  const double end = through ? to + past * std::max(to - from, std::abs(to)) : to;
  const auto take = [&](const Breakpoint& b) {
    if (b.t >= from && (b.t < to || (through && b.jumps && before(b, to - from) <= to))) all.push_back(b);
  };
  for (const FunctionOfTime& f : functions_of_time(m)) {
    const Breakpoints b = f.breakpoints(from, end);
    for (const double t : b.jumps) take({t, true});
    for (const SignChange& c : b.blurred) take({c.at, true, c.unsure});
    for (const double t : b.knots) take({t, false});
    const bool names_its_own = !f.formula && !(b.jumps.empty() && b.knots.empty());
    if (!names_its_own)
      for (const double t : features_of(f, from, to, step)) take({t, false});
  }
  for (const double t : points_passed(m, from, end)) take({t, false});
  std::ranges::sort(all, {}, &Breakpoint::t);
  return all;
}

// Times that differ by round-off are one instant.
std::vector<Breakpoint> each_once(const std::vector<Breakpoint>& all, double span) {
  std::vector<Breakpoint> each;
  for (const Breakpoint& b : all) {
    const double near = 1e-13 * std::max(1e-3 * span, std::abs(b.t));
    if (!each.empty() && b.t - each.back().t <= near) {
      each.back().jumps |= b.jumps;
      each.back().unsure = std::max(each.back().unsure, b.unsure);
    } else {
      each.push_back(b);
    }
  }
  return each;
}
}  // namespace

double beside(double t, double span) {
  return 8 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), 1e-3 * std::abs(span));
}

std::vector<Breakpoint> breakpoints_of(const Mechanism& m, double from, double to, const StepLength& step) {
  return each_once(find(m, from, to, step, false), to - from);
}
std::vector<Breakpoint> breakpoints_through(const Mechanism& m, double from, double to,
                                            const StepLength& step) {
  return each_once(find(m, from, to, step, true), to - from);
}
}  // namespace mubody
