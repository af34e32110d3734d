#include "mubody/precompute/run/loads.h"

#include <algorithm>

#include "mubody/system/build.h"

namespace mubody {
namespace {
Mechanism only(const Mechanism& m, const std::vector<int>& forces, const std::vector<int>& heavy) {
  Mechanism some = m;
  some.joints.clear();
  some.forces.clear();
  for (const int k : forces) some.forces.push_back(m.forces[std::size_t(k)]);
  for (std::size_t b = 0; b < some.bodies.size(); ++b) {
    some.bodies[b].inertia.setZero();
    if (std::ranges::find(heavy, int(b) + 1) == heavy.end()) some.bodies[b].mass = 0;
  }
  return some;
}
}  // namespace

Loads::Loads(const Mechanism& m, const std::vector<int>& forces, const std::vector<int>& heavy)
    : forces_(forces), empty_(forces.empty() && heavy.empty()), system_(build_system(only(m, forces, heavy))),
      terms_(system_->make_terms()), rest_(VecX::Zero(system_->nu)) {}

const VecX& Loads::at(double t, const In& q, const In& u) {
  system_->evaluate(t, q, u, terms_);
  return terms_.Q;
}

int Loads::contact_of(int force) const {
  const std::vector<ContactSite>& sites = system_->contacts().sites;
  const auto found = std::ranges::find_if(
      sites, [&](const ContactSite& site) { return forces_[std::size_t(site.force)] == force; });
  return found == sites.end() ? -1 : int(found - sites.begin());
}
}  // namespace mubody
