#pragma once
// Drivers that follow a function of the user's program whose rate or acceleration is not the derivative of its values.
// Positions, velocities and forces contradict each other then, and no equation of the mechanism shows it: each of them is
// met.                                                                              docs/user/trust.md
#include <string>
#include <vector>

#include "mubody/mechanism/mechanism.h"

namespace mubody {
struct WrongSlope {
  std::string driver;
  bool of_rate = false;  // else of the acceleration
  double t = 0;          // [s] where it is off the most
  double given = 0, found = 0;
  std::string unit;  // of the function's value

  /// "driver 'd' asks for a rate of 0 rad/s at t = 0.5 s, where its values change by 0.88 rad/s".
  std::string in_words() const;
};

/// Those that differ by more than a hundredth, at several times between two.  Only functions that are no part of mubody are
/// looked at.
std::vector<WrongSlope> wrong_slopes(const Mechanism&, double from, double to);
}  // namespace mubody
