#pragma once
// Loops that hang together, with the body that carries them: the wishbones, hub and rods of one wheel on their chassis.
//
// Loops that share a joint belong to one part.  A part meets the rest of the tree at the body from which its first arc
// leads, its carrier, and at bodies of its own from which other joints lead on.  So it is a joint with several bodies.
//                                                                              docs/theory/loops-as-joints.md
#include <vector>

#include "mubody/mechanism/mechanism.h"
#include "mubody/system/body_layout.h"

namespace mubody {
struct LoopPart {
  int carrier = 0;
  std::vector<int> bodies, joints;  // in the order of the mechanism
  std::vector<int> springs{};  // forces: joints that give way in all directions that they hold, and are links
};
/// The equations that a joint keeps where it gives way are one link.  One that gives way in all directions that it holds keeps none:
/// it is a force, and its loops are open, unless `springs_close` them.
std::vector<LoopPart> loop_parts(const Mechanism&, bool springs_close = false);

/// The part by itself, on the ground in place of its carrier, where its bodies are at q.  Drivers that follow a function of
/// time and act within the part are there too, and the springs of joints that give way.
Mechanism alone(const Mechanism&, const LoopPart&, const BodyLayout&, const In& q);
/// Its body coordinates, and velocities, at those of the whole mechanism.
void seen_from_carrier(const LoopPart&, const BodyLayout&, const In& q, const In& u, VecX& own_q, VecX& own_u);
}  // namespace mubody
