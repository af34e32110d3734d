#pragma once
// The past of a number at accepted states, for delays.                        docs/theory/signals.md#delay
#include <vector>

#include "mubody/math/memory.h"

namespace mubody {
class Past {
 public:
  /// Takes the value at a time, which is not before the last one; what is older than `span` is forgotten.  Two values at
  /// one time are those on both sides of a jump.
  void take(double t, double value, double span);
  bool any() const { return !times_.empty(); }
  double first() const { return first_; }
  /// The value at a time: the cubic through the nearest four times, or through fewer where there is a jump between them.
  double at(double t) const;
  void memory(Memory& m) { m(times_, values_, first_); }

 private:
  static constexpr double one_time = 1e-9;  // of the distance to the next: such times are the sides of a jump

  std::vector<double> times_, values_;
  double first_ = 0;
};
}  // namespace mubody
