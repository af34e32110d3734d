#pragma once
// Instants at which the motion that a driver asks for jumps, or its velocity does.  Accelerations and forces have no bound
// there, so that no finite number is right.                                         docs/theory/breakpoints.md
#include <string>
#include <vector>

#include "mubody/mechanism/mechanism.h"

namespace mubody {
struct DriverJump {
  static constexpr const char* advice =
      "use interpolation = \"monotone\" or \"spline\" for data, and step(t, ...) in formulas";
  std::string driver;
  double t = 0;              // [s]
  bool of_position = false;  // else of the velocity
  double before = 0, after = 0;
  std::string unit;   // of what jumps
  double unsure = 0;  // [s] so far on either side round-off decides whether it has jumped

  /// "driver 'd' asks for a velocity that jumps from 2 to -1.6 m/s at t = 0.5 s".
  std::string in_words() const;
};

/// Those of all drivers after `from` and before `to`, in order of time.
std::vector<DriverJump> driver_jumps(const Mechanism&, double from, double to);

/// A remark for each driver that has some.
std::vector<std::string> remarks_on_jumps(const std::vector<DriverJump>&);
}  // namespace mubody
