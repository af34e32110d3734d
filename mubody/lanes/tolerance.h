#pragma once
// What is small for the mechanism of each lane, as System::gap() and integrators/tolerance.h measure it.
//                                                                              docs/theory/scales.md
#include <vector>

#include "mubody/integrators/tolerance.h"
#include "mubody/lanes/lane.h"

namespace mubody {
/// What lengths and angles are measured against: their units, or the largest of a state; see System::room().
struct LaneRoom {
  LaneReal length, angle;

  MUBODY_INLINE LaneRoom(const LaneReal& unit, const LaneReal* q, int n) : length(unit), angle(1) {
    for (int k = 0; k < n; ++k) {
      LaneReal& most = k % 3 == 2 ? angle : length;
      most = larger(most, magnitude(q[k]));
    }
  }
  /// The largest |Φ|, measured like that; not a number if one is none.
  MUBODY_INLINE LaneReal gap(const LaneReal* phi, const std::vector<bool>& angles) const {
    LaneReal size(0);
    for (std::size_t r = 0; r < angles.size(); ++r) {
      const LaneReal one = magnitude(phi[r]) / (angles[r] ? angle : length);
      size = choose(one <= size, size, one);
    }
    return size;
  }
};

/// The error that a step may make in each number of the state.
struct LaneTolerance {
  LaneReal relative, most[2];     // most that counts of a length, of an angle
  LaneReal position[2], rate[2];  // absolute, likewise

  void take(int lane, const StepControl& c, const Scales& s) {
    const double sizes[] = {s.length, 1};
    relative[lane] = c.rtol;
    for (int turns = 0; turns < 2; ++turns) {
      most[turns][lane] = sizes[turns];
      position[turns][lane] = c.atol.value_or(c.absolute() * sizes[turns]);
      rate[turns][lane] = c.atol.value_or(c.absolute() * sizes[turns] / s.time);
    }
  }
  /// For number n of a state whose first half are positions, where it is as large as this.
  MUBODY_INLINE LaneReal of(int n, int positions, const LaneReal& size) const {
    const int turns = n % 3 == 2 ? 1 : 0;
    if (n >= positions) return rate[turns] + relative * size;
    return larger(position[turns] + relative * smaller(size, most[turns]), Tolerance::round_off * size);
  }
};
}  // namespace mubody
