#pragma once
// Where the points of a sweep are run, by the options --device and --fallback.                                docs/user/gpu.md
#include <future>
#include <optional>
#include <string>

#include "mubody/sweep/on_device.h"

namespace mubody::cli {
struct DeviceChoice {
  enum Kind { cpu, compiled, cuda, automatic };
  Kind kind = cpu;
  std::optional<int> which;  // of several processors; none: all

  /// What the file of rows calls it: the last digits of results depend on it.
  std::string engine() const { return kind == compiled ? "compiled" : "cuda"; }
};
/// cpu, compiled, cuda, cuda:K or auto.  Throws UsageError.
DeviceChoice device_choice(const std::string& text);
/// Under mpirun every process takes one processor, by its rank, unless one is named.
DeviceChoice of_process(DeviceChoice, int rank, int processes);

/// None if points are run by the cores of this machine.  Throws UsageError, with the reason, if there is no such device, or if it cannot
/// run the model, unless `fallback` says to go on without it, or the choice is automatic; that is remarked on stderr.
std::optional<DevicePlan> device_plan(const DeviceChoice&, bool fallback, bool untrusted, const Sweep&,
                                      const std::optional<LanePlan>&, std::string no_lanes);
/// Gives the device back, if there is one, while others go on: a graphics processor takes its time.
std::future<void> give_back(std::optional<DevicePlan>&);
}  // namespace mubody::cli
