#include "mubody/math/sign_changes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mubody {
namespace {
using Values = std::function<const std::vector<double>&(double)>;

/// The first of two neighbouring numbers beyond which the sign is another.
double change_between(double low, double high, bool positive, const std::function<double(double)>& f) {
  for (;;) {
    const double middle = low + 0.5 * (high - low);
    if (!(middle > low && middle < high)) return high;
    ((f(middle) > 0) == positive ? low : high) = middle;
  }
}

/// Where |f| is smallest between two arguments, by the golden section; stops as soon as the sign is another.
double closest(double low, double high, bool positive, const std::function<double(double)>& f) {
  constexpr double golden = 0.3819660112501051;
  constexpr int most = 80;
  double a = low + golden * (high - low), b = high - golden * (high - low);
  double fa = f(a), fb = f(b);
  for (int k = 0; k < most; ++k) {
    if ((fa > 0) != positive) return a;
    if ((fb > 0) != positive) return b;
    if (std::abs(fa) < std::abs(fb))
      high = b, b = a, fb = fa, a = low + golden * (high - low), fa = f(a);
    else
      low = a, a = b, fa = fb, b = high - golden * (high - low), fb = f(b);
  }
  return a;
}

/// How far from a change the sign flickers: beyond that it is the one before on this side, the other one on that.
double unsure_about(double x, bool positive, double limit, const std::function<double(double)>& f) {
  constexpr double shares[] = {1, 1.3, 1.7, 2.1, 2.6, 3.2, 4};
  constexpr double sure = 16;  // times the distance at which no sign is wrong any more
  const double least = 4 * std::numeric_limits<double>::epsilon() * std::abs(x);
  if (!(least > 0)) return 0;
  for (double far = least; 4 * far < limit; far *= 4)
    if (std::ranges::all_of(shares, [&](double k) {
          return (f(x - k * far) > 0) == positive && (f(x + k * far) > 0) != positive;
        }))
      return far == least ? 0 : sure * far;
  return 0;
}
}  // namespace

std::vector<SignChange> sign_changes(std::size_t count, double from, double to, const Values& values,
                                     int samples, std::size_t most) {
  std::vector<SignChange> found;
  if (!(to > from)) return found;
  std::vector<double> seen;
  const auto at = [&](int k) { return k == samples ? to : from + (to - from) * k / samples; };
  for (int k = 0; k <= samples; ++k) {
    const std::vector<double>& all = values(at(k));
    seen.insert(seen.end(), all.begin(), all.end());
  }
  const double limit = (to - from) / samples;
  for (std::size_t i = 0; i < count; ++i) {
    const auto f = [&](double x) { return values(x)[i]; };
    const auto sampled = [&](int k) { return seen[std::size_t(k) * count + i]; };
    const auto add = [&](double low, double high, bool positive) {
      const double x = change_between(low, high, positive, f);
      found.push_back({x, unsure_about(x, positive, limit, f)});
    };
    std::size_t changes = 0;
    for (int k = 0; k < samples; ++k) changes += (sampled(k) > 0) != (sampled(k + 1) > 0);
    if (changes > most) continue;
    for (int k = 0; k < samples; ++k) {
      const bool positive = sampled(k) > 0;
      if ((sampled(k + 1) > 0) != positive) {
        add(at(k), at(k + 1), positive);
        continue;
      }
      const bool dips = k > 0 && (sampled(k - 1) > 0) == positive &&
                        std::abs(sampled(k)) < std::abs(sampled(k - 1)) &&
                        std::abs(sampled(k)) <= std::abs(sampled(k + 1));
      if (!dips) continue;
      const double x = closest(at(k - 1), at(k + 1), positive, f);
      if ((f(x) > 0) == positive) continue;
      add(at(k - 1), x, positive);
      add(x, at(k + 1), !positive);
    }
  }
  std::ranges::sort(found, {}, &SignChange::at);
  const auto twice = std::ranges::unique(found, {}, &SignChange::at);
  found.erase(twice.begin(), twice.end());
  return found;
}
}  // namespace mubody
