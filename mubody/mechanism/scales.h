#pragma once
// Sizes that belong to a mechanism: what "small" means for its lengths, masses, times and all that follows from them.
//                                                                              docs/theory/scales.md
namespace mubody {
struct Mechanism;

/// A characteristic length, mass and time.
struct Scales {
  double length = 1, mass = 1, time = 1;  // [m], [kg], [s]

  double speed() const { return length / time; }
  /// Sets the time from the start of a motion: its fastest speed, where a turn counts with the characteristic length,
  /// and its largest force.  Where neither moves anything, it is the time that passes.
  void take_time(double fastest, double force, double passing);
};

/// Length and mass of a mechanism, from its geometry at the start; the time is left at 1 s.
Scales scales_of(const Mechanism&);
}  // namespace mubody
