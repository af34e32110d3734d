#include "mubody/math/sign_changes.h"

#include <algorithm>
#include <cmath>

namespace mubody {
namespace {
constexpr int samples = 20'000;
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
}  // namespace

std::vector<double> sign_changes(std::size_t count, double from, double to, const Values& values) {
  std::vector<double> found;
  if (!(to > from)) return found;
  std::vector<double> seen;
  const auto at = [&](int k) { return k == samples ? to : from + (to - from) * k / samples; };
  for (int k = 0; k <= samples; ++k) {
    const std::vector<double>& all = values(at(k));
    seen.insert(seen.end(), all.begin(), all.end());
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto f = [&](double x) { return values(x)[i]; };
    const auto sampled = [&](int k) { return seen[std::size_t(k) * count + i]; };
    for (int k = 0; k < samples; ++k) {
      const bool positive = sampled(k) > 0;
      if ((sampled(k + 1) > 0) != positive) {
        found.push_back(change_between(at(k), at(k + 1), positive, f));
        continue;
      }
      const bool dips = k > 0 && (sampled(k - 1) > 0) == positive &&
                        std::abs(sampled(k)) < std::abs(sampled(k - 1)) &&
                        std::abs(sampled(k)) <= std::abs(sampled(k + 1));
      if (!dips) continue;
      const double x = closest(at(k - 1), at(k + 1), positive, f);
      if ((f(x) > 0) == positive) continue;
      found.push_back(change_between(at(k - 1), x, positive, f));
      found.push_back(change_between(x, at(k + 1), !positive, f));
    }
  }
  std::ranges::sort(found);
  const auto twice = std::ranges::unique(found);
  found.erase(twice.begin(), twice.end());
  return found;
}
}  // namespace mubody
