#include "mubody/analyses/differences.h"

#include <cmath>

#include "mubody/results/found_errors.h"

namespace mubody {
namespace {
constexpr double safety = 3;  // from a few samples to the largest error
constexpr const char* energies[] = {"kinetic", "potential", "total", "driver_power"};
}  // namespace

Differences::Differences(System& s)
    : s_(s), nu_(VecX::Zero(s.m)), here_(VecX::Zero(Eigen::Index(s.channels.size() + std::size(energies)))),
      there_(here_), worst_(here_), worst_at_(here_) {}

void Differences::read(double t, const VecX& q, const VecX& u, const Dynamics& d, VecX& values) {
  s_.observe(t, q, u, d.a, d.lambda, values.head(Eigen::Index(s_.channels.size())));
  const Energy e = s_.energy(t, q, u);
  d.required_velocities(u, nu_);
  values.tail(Eigen::Index(std::size(energies))) << e.kinetic, e.potential, e.kinetic + e.potential,
      -d.lambda.dot(nu_);
}

void Differences::compare(double t, const VecX& q, const VecX& u, const Dynamics& d) {
  ++compared_;
  read(t, q, u, d, there_);
  for (Eigen::Index k = 0; k < here_.size(); ++k)
    if (const double by = std::abs(there_[k] - here_[k]); !(by <= worst_[k]) && !std::isnan(worst_[k]))
      worst_[k] = by, worst_at_[k] = t;
}

Accuracy Differences::accuracy(const Results& r, std::string method) const {
  std::vector<FoundError> found;
  for (Eigen::Index k = 0; k < worst_.size(); ++k) {
    const auto c = std::size_t(k), count = s_.channels.size();
    found.push_back({c < count ? s_.channels[c].name : energies[c - count], safety * worst_[k], worst_at_[k]});
  }
  return accuracy_of_solutions(r, found, std::move(method));
}
}  // namespace mubody
