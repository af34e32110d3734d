#pragma once
// Points of a sweep on a device that runs many motions at once.                                            docs/user/gpu.md
#include "mubody/device/motion_device.h"
#include "mubody/sweep/quick_points.h"
#include "mubody/sweep/workers.h"

namespace mubody {
/// A device, and what it runs.
struct DevicePlan {
  MotionPlan motions;
  std::shared_ptr<const MotionCode> code;
  std::shared_ptr<MotionDevice> device;
  std::string name{};                        // of the device, in words
  std::shared_ptr<const QuickPoints> quick;  // null: every point is read and assembled
  std::string not_quick{};                   // why
  int callers = 1;                           // workers that share it
  bool alone =
      true;  // points that the device gives up, or cannot run, are run by themselves; else they have failed
};

/// A worker that hands points over in large numbers, while others get theirs ready.  It stops when `going`, which it calls now and
/// then, returns false.  Throws NoDevice.
void work_on_device(const Sweep&, const DevicePlan&, const Progress& going, const NextPoint&, const TakeRow&);
}  // namespace mubody
