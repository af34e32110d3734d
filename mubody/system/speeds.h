#pragma once
// How fast the bodies of a mechanism move against each other.
#include "mubody/system/system.h"

namespace mubody {
/// The fastest of all, whatever they do together: satellites that follow each other are slow, and so are the discs of a
/// shaft.  The ground counts as a body where there is one body alone, and for displacements where a joint holds one to it.
struct Speeds {
  double slide = 0, turn = 0;  // [m/s], [rad/s]
};
/// For velocities of all bodies in body coordinates.  Allocates nothing.
Speeds speeds_of(const System& bodies, const In& u);
/// The same of every group of bodies by itself.
std::vector<Speeds> speeds_of_groups(const System& bodies, const In& u);
}  // namespace mubody
