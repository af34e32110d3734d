#include "mubody/mechanism/unresolved.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mubody/mechanism/functions_of_time.h"

namespace mubody {
namespace {
constexpr int most_steps = 2000;                       // that are looked at
constexpr double shares[] = {0.1371, 0.3823, 0.7857};  // of a step, in tune with nothing
constexpr double noticed = 1e-4;                       // of the range, beside a parabola through a step
constexpr double too_far = 0.01;                       // the same, of a step that is too long
constexpr double follows = 0.01;                       // the same, of a step that would do
constexpr int most_halvings = 40;

/// Steps of a motion, no breakpoint being within any of them or at its ends.
struct StepsOfOneSize {
  std::vector<double> begins;
  double length;
};

StepsOfOneSize steps_between(const std::vector<Breakpoint>& breaks, double from, double to, double step) {
  StepsOfOneSize all{{}, step};
  const double count = std::floor((to - from) / step), every = std::max(1.0, std::floor(count / most_steps));
  for (double k = 0; k < count; k += every) {
    const double t = from + k * step, little = 1e-9 * step;
    const auto next = std::ranges::lower_bound(breaks, t - little, {}, &Breakpoint::t);
    if (next == breaks.end() || next->t > t + step + little) all.begins.push_back(t);
  }
  return all;
}

/// How far a function leaves the parabola through its values at the beginning, in the middle and at the end of a step.
double departure(const FunctionOfTime& f, double t, double h) {
  const double a = f(t), b = f(t + 0.5 * h), c = f(t + h);
  double most = 0;
  for (const double s : shares) {
    const double parabola = a + s * (4 * b - 3 * a - c) + s * s * (2 * a - 4 * b + 2 * c);
    most = std::max(most, std::abs(f(t + s * h) - parabola));
  }
  return most;
}

double range_of(const FunctionOfTime& f, const StepsOfOneSize& steps) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double t : steps.begins)
    for (const double s : {0.0, shares[0], shares[1], shares[2]}) {
      const double x = f(t + s * steps.length);
      low = std::min(low, x), high = std::max(high, x);
    }
  return high - low;
}
}  // namespace

std::vector<Unresolved> unresolved_by(const Mechanism& m, double from, double to, double step) {
  const std::vector<FunctionOfTime> functions = functions_of_time(m);
  std::vector<Unresolved> all;
  if (functions.empty() || !(step > 0)) return all;
  const StepsOfOneSize steps = steps_between(breakpoints_of(m, from, to, {step}), from, to, step);
  for (const FunctionOfTime& f : functions) {
    const double range = range_of(f, steps);
    double worst = 0, at = from;
    for (const double t : steps.begins)
      if (const double d = departure(f, t, step); d > worst) worst = d, at = t;
    if (!(worst > noticed * range)) continue;
    double enough = step;
    for (int k = 0; k < most_halvings && departure(f, at, enough) > follows * range; ++k) enough /= 2;
    const bool clearly = worst > too_far * range;
    const auto same = std::ranges::find(all, f.element, &Unresolved::element);
    if (same == all.end())
      all.push_back({f.element, enough, clearly});
    else
      *same = {f.element, std::min(same->step, enough), same->clearly || clearly};
  }
  return all;
}
}  // namespace mubody
