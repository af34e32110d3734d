#include "mubody/forces/equivalent_bushing.h"

namespace mubody {
EquivalentBushing equivalent_bushing(const std::vector<BushingPart>& parts, const std::vector<int>& motions) {
  const auto n = Eigen::Index(motions.size());
  EquivalentBushing e{MatX::Zero(n, n), MatX::Zero(n, n), {}};
  for (const BushingPart& part : parts) {
    MatX B(6, n);
    for (Eigen::Index k = 0; k < n; ++k)
      B.col(k) = displaced_at(part.at, SixMotions(SixMotions::Unit(motions[std::size_t(k)])));
    e.K += B.transpose() * part.stiffness.asDiagonal() * B;
    e.C += B.transpose() * part.damping.asDiagonal() * B;
    e.B.push_back(std::move(B));
  }
  return e;
}
}  // namespace mubody
