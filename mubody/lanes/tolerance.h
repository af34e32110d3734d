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

/// The error that a step may make in each number of the state, as of Sizes and of Speeds.
class LaneTolerance {
 public:
  void take(int lane, const StepControl& c, const Scales& s) {
    const double sizes[] = {s.length, 1};
    relative_[lane] = c.rtol;
    for (int turns = 0; turns < 2; ++turns) {
      const double rate = sizes[turns] / s.time;
      positions_.most[turns][lane] = sizes[turns];
      rates_.most[turns][lane] = slow_[turns][lane] = rate;
      positions_.absolute[turns][lane] = c.atol.value_or(c.absolute() * sizes[turns]);
      rates_.absolute[turns][lane] = c.atol.value_or(c.absolute() * rate);
    }
  }
  /// Lets rates count as far as they differ between bodies, in the lanes of the mask; `held` says whether a joint holds
  /// a body to the ground.
  MUBODY_INLINE void limit_rates(const LaneMask& which, const LaneReal* u, int bodies, bool held) {
    Spread<LaneReal> slide(bodies == 1 || held), turn(bodies == 1);
    for (int b = 0; b < bodies; ++b) slide.add(u + 3 * b, 2), turn.add(u + 3 * b + 2, 1);
    const LaneReal fastest[] = {slide.size(2), turn.size(1)};
    for (int turns = 0; turns < 2; ++turns)
      rates_.most[turns] = choose(which, larger(fastest[turns], slow_[turns]), rates_.most[turns]);
  }
  /// The largest number of x, each relative to its tolerance between y and z, of states that begin with so many positions
  /// and as many rates; not a number if one is none.
  MUBODY_INLINE LaneReal largest(int positions, const LaneReal* x, const LaneReal* y, const LaneReal* z) const {
    return largest_of(positions, [&](int n, const Kind& kind) {
      return magnitude(x[n]) / of(kind, n, larger(magnitude(y[n]), magnitude(z[n])));
    });
  }
  /// The same of y itself, as far as it counts.
  MUBODY_INLINE LaneReal largest(int positions, const LaneReal* y) const {
    return largest_of(positions, [&](int n, const Kind& kind) {
      const LaneReal size = magnitude(y[n]);
      return smaller(size, kind.most[turns(n)]) / of(kind, n, size);
    });
  }

 private:
  struct Kind {
    LaneReal absolute[2], most[2];  // of a length, of an angle
  };
  MUBODY_INLINE static int turns(int n) { return n % 3 == 2 ? 1 : 0; }
  MUBODY_INLINE LaneReal of(const Kind& kind, int n, const LaneReal& size) const {
    return allowed_error(kind.absolute[turns(n)], relative_, size, kind.most[turns(n)]);
  }
  template <class Share> MUBODY_INLINE LaneReal largest_of(int positions, const Share& share) const {
    LaneReal worst(0);
    for (int n = 0; n < 2 * positions; ++n) {
      const LaneReal s = share(n, n < positions ? positions_ : rates_);
      worst = choose(s <= worst, worst, s);
    }
    return worst;
  }

  LaneReal relative_, slow_[2];
  Kind positions_, rates_;
};
}  // namespace mubody
