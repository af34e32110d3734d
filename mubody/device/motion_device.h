#pragma once
// What runs the motions of many mechanisms at once: a graphics processor, or the cores of this one with code compiled for it.
//
//   docs/theory/gpu.md
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "mubody/device/motion_code.h"

namespace mubody {
/// There is no such device, or it cannot do this; the message says why in one line.
struct NoDevice : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class MotionDevice {
 public:
  virtual ~MotionDevice() = default;

  /// Runs mechanisms to their ends, or until each has taken the limit of time, and returns the numbers of MotionCode::results() of
  /// each; none if `going`, which is called now and then, returned false.  Several threads may call this at once.  Throws
  /// NoDevice.
  virtual std::vector<double> run(const MotionPoints&, const std::function<bool()>& going) = 0;
  /// How many mechanisms with so many numbers it takes at once, if `callers` do so.
  virtual int most(int numbers, int callers) const = 0;
  /// How many mechanisms keep one caller of several busy.
  virtual int suitable(int callers) const = 0;
  /// In words, as "NVIDIA H200".
  virtual std::string name() const = 0;
};
}  // namespace mubody
