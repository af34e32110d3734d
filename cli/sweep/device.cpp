#include "cli/sweep/device.h"

#include <charconv>
#include <future>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "cli/exit.h"
#include "mubody/compiled/compiled_motions.h"
#include "mubody/cuda/motions.h"

namespace mubody::cli {
DeviceChoice device_choice(const std::string& text) {
  if (text == "cpu") return {DeviceChoice::cpu, {}};
  if (text == "compiled") return {DeviceChoice::compiled, {}};
  if (text == "auto") return {DeviceChoice::automatic, {}};
  constexpr std::string_view cuda = "cuda";
  if (text == cuda) return {DeviceChoice::cuda, {}};
  int which = -1;
  const char* const end = text.data() + text.size();
  if (text.starts_with("cuda:") && std::from_chars(text.data() + cuda.size() + 1, end, which).ptr == end &&
      which >= 0)
    return {DeviceChoice::cuda, which};
  throw UsageError(fmt::format("--device is cpu, compiled, cuda, cuda:K or auto, got '{}'", text));
}

DeviceChoice of_process(DeviceChoice choice, int rank, int processes) {
  const bool cuda = choice.kind == DeviceChoice::cuda || choice.kind == DeviceChoice::automatic;
  if (processes < 2 || !cuda || choice.which) return choice;
  const int there = io::cuda_processors();
  if (there > 0) choice.which = rank % there;
  return choice;
}

std::optional<DevicePlan> device_plan(const DeviceChoice& choice, bool fallback, bool untrusted,
                                      const Sweep& sweep, const std::optional<LanePlan>& lanes,
                                      std::string no_lanes) {
  if (choice.kind == DeviceChoice::cpu) return {};
  const bool alone = fallback || choice.kind == DeviceChoice::automatic;
  try {
    if (untrusted) throw NoDevice("code is not made of models of strangers (--untrusted)");
    const std::optional<MotionPlan> motions = sweep.tables ? plan_tables(sweep, no_lanes)
                                              : lanes      ? std::optional(motion_plan(sweep, *lanes))
                                                           : std::nullopt;
    if (!motions) throw NoDevice(fmt::format("a device cannot run this sweep: {}", no_lanes));
    DevicePlan plan;
    plan.motions = *motions;
    plan.code = std::make_shared<const MotionCode>(motions->equations, *motions->table, motions->kept);
    const bool by_cores = choice.kind == DeviceChoice::compiled;
    constexpr std::size_t many = 500;  // points, which take longer than it takes to find their numbers
    const auto find = [&] { return QuickPoints::find(sweep, plan.motions, *plan.code, plan.not_quick); };
    // That takes about as long as to compile, or to wake a graphics processor; where there is no thread for it, it is done later.
    std::future<std::shared_ptr<const QuickPoints>> quick;
    if (sweep.plan.size() >= many && (by_cores || io::cuda_processors() > 0))
      quick = std::async(std::launch::async | std::launch::deferred, find);
    plan.device = by_cores ? io::compiled_motions(*plan.code) : io::cuda_motions(*plan.code, choice.which);
    plan.name = plan.device->name();
    plan.alone = alone;
    if (quick.valid()) plan.quick = quick.get();
    return plan;
  } catch (const NoDevice& e) {
    if (!alone) throw UsageError(fmt::format("{}; --fallback runs it on the cores of this machine", e.what()));
    note(fmt::format("mubody: {}: the cores of this machine are used\n", e.what()));
    return {};
  }
}

std::future<void> give_back(std::optional<DevicePlan>& plan) {
  if (!plan) return {};
  const auto device = std::make_shared<std::shared_ptr<MotionDevice>>(std::move(plan->device));
  try {
    return std::async(std::launch::async, [device] { device->reset(); });
  } catch (const std::system_error&) {  // there are too many threads
    device->reset();
    return {};
  }
}
}  // namespace mubody::cli
