#include "benchmarks/peers/take_pins.h"

#include "mubody/simulation/begin.h"

namespace mubody::bench {
namespace {
Spot spot(const Marker& m) { return {m.at.x(), m.at.y()}; }
}  // namespace

Pins pins_of(const Study& study, const std::string& watched) {
  const Begun begun = begin(study, "peers");
  const Mechanism& m = study.mechanism;
  Pins pins;
  pins.gravity = -m.gravity.y();
  // The search goes breadth first from the ground; a body that is reached twice closes a loop.
  std::vector<int> number(m.bodies.size() + 1, -1), queue{ground};
  number[ground] = 0;
  std::vector<bool> used(m.joints.size(), false);
  for (std::size_t next = 0; next < queue.size(); ++next)
    for (std::size_t k = 0; k < m.joints.size(); ++k) {
      const Marker &i = m.joints[k].what->i(), &j = m.joints[k].what->j();
      if (used[k] || (i.body != queue[next] && j.body != queue[next])) continue;
      const Marker &near = i.body == queue[next] ? i : j, &far = i.body == queue[next] ? j : i;
      used[k] = true;
      if (number[std::size_t(far.body)] >= 0) {
        pins.loops.push_back(
            {number[std::size_t(near.body)], number[std::size_t(far.body)], spot(near), spot(far)});
        continue;
      }
      const RigidBody& body = m.bodies[std::size_t(far.body - 1)];
      const int at = 3 * (far.body - 1);
      pins.rods.push_back({body.mass, body.inertia(2, 2), begun.q[at], begun.q[at + 1], begun.q[at + 2],
                           begun.u[at + 2], number[std::size_t(near.body)], spot(near), spot(far)});
      number[std::size_t(far.body)] = int(pins.rods.size());
      if (body.name == watched) pins.watched = int(pins.rods.size());
      queue.push_back(far.body);
    }
  return pins;
}
}  // namespace mubody::bench
