#include "mubody/system/speeds.h"

#include <algorithm>

#include "mubody/math/spread.h"

namespace mubody {
Speeds speeds_of(const System& s, const In& u, int group) {
  const auto counts = [&](int body) { return group < 0 || s.group_of_body[std::size_t(body)] == group; };
  const auto last = int(s.body_names.size()) - 1;
  int bodies = 0;
  for (int body = 1; body <= last; ++body) bodies += counts(body);
  if (bodies == 0) return {};
  const bool held = std::ranges::any_of(s.joints, [&](const JointRows& j) {
    return (group < 0 || s.group_of(j) == group) && std::ranges::find(j.bodies, 0) != j.bodies.end();
  });
  Spread<double> slide(bodies == 1 || held), turn(bodies == 1);
  const int lengths = s.layout.lengths, spins = s.layout.spins();
  for (int body = 1; body <= last; ++body) {
    if (!counts(body)) continue;
    const double* own = u.data() + s.layout.first_velocity(body);
    slide.add(own, lengths);
    turn.add(own + lengths, spins);
  }
  return {slide.size(lengths), turn.size(spins)};
}
}  // namespace mubody
