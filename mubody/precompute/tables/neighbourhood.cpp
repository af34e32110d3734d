#include "mubody/precompute/tables/neighbourhood.h"

#include <algorithm>
#include <cmath>

namespace mubody {
Neighbourhood::Neighbourhood(const std::vector<VecX>& motion, VecX reach) : reach_(std::move(reach)) {
  constexpr double apart = 0.25;  // of the reach, at most
  for (std::size_t t = 0; t < motion.size(); ++t) {
    if (!places_.empty()) {
      const VecX from = places_.back(), way = motion[t] - from;
      const double most = way.cwiseAbs().cwiseQuotient(reach_).maxCoeff();
      const int steps = int(std::ceil(most / apart));
      if (steps == 0) continue;
      for (int k = 1; k < steps; ++k) places_.push_back(from + way * k / steps);
    }
    places_.push_back(motion[t]);
  }
}

Neighbourhood::Share Neighbourhood::of(const std::vector<int>& arguments, const VecX& middle,
                                       const VecX& half) const {
  Share most = outside;
  for (const VecX& p : places_) {
    bool inside = true, near = true;
    for (std::size_t a = 0; a < std::size_t(middle.size()) && near; ++a) {
      const auto k = Eigen::Index(a);
      const double beyond = std::abs(p[arguments[a]] - middle[k]) - half[k];
      inside = inside && beyond <= 0;
      near = beyond <= reach_[arguments[a]];
    }
    if (near && inside) return on_the_way;
    if (near) most = around;
  }
  return most;
}

VecX Neighbourhood::place(const std::vector<int>& arguments, const VecX& x) const {
  const auto away = [&](const VecX& p) {
    double most = 0;
    for (std::size_t a = 0; a < arguments.size(); ++a)
      most = std::max(most, std::abs(p[arguments[a]] - x[Eigen::Index(a)]) / reach_[arguments[a]]);
    return most;
  };
  VecX sum = VecX::Zero(reach_.size());
  if (Eigen::Index(arguments.size()) < reach_.size()) {
    double least = std::numeric_limits<double>::infinity(), weights = 0;
    for (const VecX& p : places_) least = std::min(least, away(p));
    for (const VecX& p : places_) {
      const double weight = std::max(0.0, 1 - (away(p) - least));
      sum += weight * p, weights += weight;
    }
    sum /= weights;
  }
  for (std::size_t a = 0; a < arguments.size(); ++a) sum[arguments[a]] = x[Eigen::Index(a)];
  return sum;
}
}  // namespace mubody
