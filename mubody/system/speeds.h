#pragma once
// How fast the bodies of a mechanism move against each other.
#include "mubody/system/system.h"

namespace mubody {
/// The fastest of all, whatever they do together: satellites that follow each other are slow, and so are the discs of a
/// shaft.  The ground counts as a body where there is one body alone, and for displacements where a joint holds one to it.
struct Speeds {
  double slide = 0, turn = 0;  // [m/s], [rad/s]
};
/// For velocities in body coordinates; of one group of bodies, or of all if that is negative.  Allocates nothing.
Speeds speeds_of(const System& bodies, const In& u, int group = -1);
}  // namespace mubody
