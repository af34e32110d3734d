#include "mubody/system/speeds.h"

#include <algorithm>

#include "mubody/math/spread.h"

namespace mubody {
Speeds speeds_of(const System& s, const In& u) {
  const auto bodies = int(s.body_names.size()) - 1;
  if (bodies == 0) return {};
  const bool held = std::ranges::any_of(
      s.joints, [](const JointRows& j) { return std::ranges::find(j.bodies, 0) != j.bodies.end(); });
  Spread<double> slide(bodies == 1 || held), turn(bodies == 1);
  const int lengths = s.layout.lengths, spins = s.layout.spins();
  for (int body = 1; body <= bodies; ++body) {
    const double* own = u.data() + s.layout.first_velocity(body);
    slide.add(own, lengths);
    turn.add(own + lengths, spins);
  }
  return {slide.size(lengths), turn.size(spins)};
}
}  // namespace mubody
