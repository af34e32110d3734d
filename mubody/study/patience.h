#pragma once
// How long an analysis may take: a limit of CPU time, so that no run is endless.               docs/user/limits.md
//
// The library reads no clock.  Whoever sets a limit hands in the clock that measures it; the readers of model files hand
// in that of the calling thread.  An analysis begins the time, and all that it computes shares it.
#include <optional>
#include <string_view>

#include "mubody/results/outcome.h"

namespace mubody {
class Patience {
 public:
  using Clock = double (*)();  // the CPU time [s] that the calling thread has taken

  std::optional<double> limit;  // [s]; without one nothing is measured
  Clock clock = nullptr;        // without one there is no limit

  /// Whether there is a limit whose time has not begun.
  bool waits() const { return limit && clock && !until_; }
  /// Begins the time, unless it has begun.
  void begin();
  /// Whether the limit is reached.  It may be asked in every step, for it seldom looks at the clock.
  bool lost();
  /// What is said then: `where` is "at t = 2 s", or what was done when it was reached.
  Outcome outcome(double t, std::string_view where) const;

 private:
  std::optional<double> until_;    // on the clock
  double asked_ = 0;               // when the clock was read
  int questions_ = 1, every_ = 1;  // until it is read again; how many from one reading to the next
};

/// "at t = 1.5 s"
std::string at_time(double t);
}  // namespace mubody
