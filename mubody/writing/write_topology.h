#pragma once
// The graph of a mechanism for people, for programs, and as a picture.       docs/user/topology.md
#include <string>

#include "mubody/mechanism/topology.h"

namespace mubody::io {
/// Arcs, chords, loops, and the matrices as long as they fit on a page.
std::string topology_text(const Mechanism&, const Graph&);
std::string topology_json(const Mechanism&, const Graph&);
/// The tree from the ground down, arcs as solid arrows, chords dashed.
std::string topology_svg(const Mechanism&, const Graph&);
}  // namespace mubody::io
