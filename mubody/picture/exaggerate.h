#pragma once
// Play that can be seen: a scene whose gaps are drawn larger than they are.
//
//   docs/user/pictures.md#clearance
//
//   journal at   o_i + N (o_j − o_i),     bearing − journal = N (R_i − R_j)
//
// The journal, and the ends of its body there, move away from the bearing; nothing else does.  Both circles
// keep the difference of their radii to the same scale, so that they touch in the drawing when they touch.
#include "mubody/picture/playback.h"

namespace mubody::io {
/// The scene at one instant, with all gaps enlarged by the factor `times`.
Scene exaggerated(Scene, const std::vector<Pose>&, double times);
}  // namespace mubody::io
