#pragma once
// What steps many simulations together: a graphics processor, or the cores of this one with code compiled for it.
//
//   docs/python/simulations.md
#include <memory>
#include <string>
#include <vector>

#include "mubody/device/batch_code.h"
#include "mubody/device/motion_device.h"

namespace mubody {
/// Inputs where the device finds them, simulation after simulation; none: they stay as they are.
struct BatchInputs {
  const void* at = nullptr;
  bool single = false;     // floats in place of doubles
  void* stream = nullptr;  // of the work that makes them, if it is not the usual one
};

class BatchDevice {
 public:
  virtual ~BatchDevice() = default;

  virtual int count() const = 0;
  /// Takes so many steps of h seconds, and writes outputs; a graphics processor does so later, in order with other work of the usual stream.
  virtual void advance(const BatchInputs&, double h, int steps) = 0;
  /// Takes simulations to the start: all, or those with a mark where the device finds it.
  virtual void reset(const unsigned char* which) = 0;
  /// Marks in memory of this machine are taken over.
  virtual void reset_marked(const std::vector<unsigned char>& which) = 0;
  /// Outputs, simulation after simulation, where the device has them; they change with the next steps.
  virtual double* outputs() = 0;
  /// Numbers of this machine where the device finds them, until the next call.
  virtual const void* here(const double*, std::size_t count) = 0;
  /// The times of all [s].  Waits for all work.
  virtual std::vector<double> times() = 0;
  /// 0, or why each has failed: 1, a number is not finite; 2, a variable has left the range of its table.  Waits for all work.
  virtual std::vector<int> codes() = 0;
  /// Waits for all work.
  virtual void wait() = 0;
  /// The number of the graphics processor; −1: memory is that of this machine.
  virtual int processor() const = 0;
  virtual std::string name() const = 0;
};
}  // namespace mubody
