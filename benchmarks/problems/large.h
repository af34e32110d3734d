#pragma once
// Mechanisms of any size.
#include "mubody/study/options.h"

namespace mubody::bench {
/// A ladder of N four-bars side by side: N + 1 verticals on the ground, N rods along the top, each 1 m and 1 kg, uniform;
/// upright at the start, all verticals turning at −1 rad/s.  Its verticals stay parallel:
///
///   θ̈ = κ sin θ,   κ = 3 g (3N + 1) / (2 (4N + 1)),   θ from the vertical, positive in the sense of −z
Study ladder(int windows);
double ladder_constant(int windows);
/// The angle of its verticals from the x axis at time t [rad].
double ladder_angle(int windows, double t);

/// N rods of 1 m and 1 kg, hinged to each other in a spiral, in the plane.
Study chain(int rods);
}  // namespace mubody::bench
