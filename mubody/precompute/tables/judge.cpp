#include "mubody/precompute/tables/judge.h"

#include <algorithm>
#include <cmath>

namespace mubody {
void Judge::begin() {
  c_.largest.assign(quantities_.size(), 0);
  steepest_.assign(quantities_.size(), 0);
}

void Judge::take(const VecX& values, const MatX& slopes) {
  for (Eigen::Index q = 0; q < values.size(); ++q) {
    double &largest = c_.largest[std::size_t(q)], &steepest = steepest_[std::size_t(q)];
    largest = std::max(largest, std::abs(values[q]));
    for (int a = 0; a < n_; ++a) steepest = std::max(steepest, unit(a) * std::abs(slopes(q, a)));
  }
}

void Judge::take_sizes() {
  c_.value.assign(quantities_.size(), 0);
  c_.slope.assign(quantities_.size(), 0);
  c_.value_size.clear(), c_.slope_size.clear();
  for (std::size_t q = 0; q < quantities_.size(); ++q) {
    const Sampled::Quantity& what = quantities_[q];
    c_.value_size.push_back(o_.own_scale ? std::max(what.size, what.factor * c_.largest[q]) : what.size);
    c_.slope_size.push_back(o_.own_scale ? std::max(what.size, what.factor * steepest_[q]) : what.size);
  }
  c_.worst = 0;
}

void Judge::note(double& worst, double share, int q) {
  if (!(share > worst)) return;
  worst = share;
  if (share > c_.worst) worst_ = q;
}

double Judge::error(const std::vector<double>& looked, const std::vector<double>& looked_slopes,
                    const VecX& values, const MatX& slopes, const VecX& half) {
  double worst = 0;
  for (std::size_t k = 0; k < quantities_.size(); ++k) {
    const auto q = Eigen::Index(k);
    const Sampled::Quantity& what = quantities_[k];
    const double counts = Certificate::margin * what.factor;
    const double value = counts * std::abs(looked[k] - values[q]);
    c_.value[k] = std::max(c_.value[k], value);
    note(worst, value / std::max(o_.bound * c_.value_size[k], round_off * (n_ == 1 ? 1 : n_ * n_) * size_of(k)),
         int(k));
    if (!what.slopes_used || !what.exact_slopes) continue;
    for (int a = 0; a < n_; ++a) {
      const double slope =
          counts * unit(a) * std::abs(looked_slopes[std::size_t(a) * quantities_.size() + k] - slopes(q, a));
      c_.slope[k] = std::max(c_.slope[k], slope);
      note(worst, slope / allowed(k, half[a] / unit(a)), int(k));
    }
  }
  return worst;
}

// The error that slopes may have: the bound, but not less than their round-off.  With one argument slopes are
// interpolated themselves.  With several, the slopes of a polynomial can be degree² times its values
// (Markov).
double Judge::allowed(std::size_t q, double half) const {
  const double amplified = n_ == 1 ? 1 : o_.degree * o_.degree;
  return std::max({o_.bound * c_.slope_size[q], amplified * round_off * size_of(q) / std::min(1.0, half),
                   solved * round_off * quantities_[q].factor * steepest_[q]});
}
}  // namespace mubody
