#include "mubody/study/state_sizes.h"

#include <limits>

namespace mubody {
Sizes sizes_of(const System& s, int works) {
  Sizes all;
  all.size.setOnes(s.nq + s.nu + s.nz + works);
  all.most.setConstant(all.size.size(), std::numeric_limits<double>::infinity());
  for (int k = 0; k < s.nq; ++k)
    if (s.coordinates[std::size_t(k)].measured == System::Measured::length) all.size[k] = s.scales.length;
  all.most.head(s.nq) = all.size.head(s.nq);
  all.size.segment(s.nq, s.nu) = s.units.array() / s.scales.time;
  all.size.segment(s.nq + s.nu, s.nz - s.signal_states) = s.scales.length;
  return all;
}
}  // namespace mubody
