#include "mubody/signals/past.h"

#include <algorithm>
#include <cstddef>

namespace mubody {
void Past::take(double t, double value, double span) {
  if (times_.empty()) first_ = t;
  // A state that is shown twice adds nothing.
  if (!times_.empty() && times_.back() == t && values_.back() == value) return;
  times_.push_back(t);
  values_.push_back(value);
  constexpr std::size_t room = 64;
  const auto old = std::size_t(std::ranges::lower_bound(times_, t - span) - times_.begin());
  if (old < room || old < times_.size() / 2) return;
  constexpr std::size_t beside = 4;  // the cubic needs neighbours
  times_.erase(times_.begin(), times_.begin() + std::ptrdiff_t(old - beside));
  values_.erase(values_.begin(), values_.begin() + std::ptrdiff_t(old - beside));
}

double Past::at(double t) const {
  if (t <= times_.front()) return values_.front();
  if (t >= times_.back()) return values_.back();
  const auto above = std::size_t(std::ranges::upper_bound(times_, t) - times_.begin());
  std::size_t begin = above - 1, end = above + 1;  // of the times that are used
  const double h = times_[above] - times_[begin];
  const auto apart = [&](std::size_t k) { return times_[k + 1] - times_[k] > one_time * h; };
  if (begin > 0 && apart(begin - 1)) --begin;
  if (end < times_.size() && apart(end - 1)) ++end;
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    double weight = 1;
    for (std::size_t j = begin; j < end; ++j)
      if (j != i) weight *= (t - times_[j]) / (times_[i] - times_[j]);
    sum += weight * values_[i];
  }
  return sum;
}
}  // namespace mubody
