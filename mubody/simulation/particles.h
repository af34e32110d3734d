#pragma once
// Particles: bodies without inertia that nothing turns.
#include "mubody/study/options.h"

namespace mubody {
/// Whether some body lacks an inertia, and may be a particle.
bool may_have_particles(const Mechanism&);
/// Makes particles of the bodies of a mechanism that are such, with a remark for each; returns whether there are any.
///
/// Any inertia will do for them, and an equation keeps them from turning, so that the turns are no freedoms.  A body in
/// space that lacks an inertia about one axis alone gets one there, and does not spin.
bool take_particles(const AnalysisOptions&, Mechanism&, std::vector<std::string>& remarks);

/// The same study with its particles, also where a parameter is changed.
Study with_particles(Study);
}  // namespace mubody
