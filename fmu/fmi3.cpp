// The functions of FMI 3.0.  No exception leaves them.
#include "mubody/fmus/fmi3.h"

#include <cstring>

#include <fmt/format.h>

#include "fmu/instance.h"

namespace mubody::fmu {
namespace {
namespace f3 = io::fmi3;

struct Unit3 {
  void* environment = nullptr;
  f3::Log logger = nullptr;
  Listening listening{};
  bool early = false;
  std::unique_ptr<Instance> instance;

  void log(Severity severity, const std::string& text) const {
    constexpr f3::Status statuses[] = {f3::ok, f3::warning, f3::discard, f3::error};
    if (!logger || !listening.to(severity)) return;
    logger(environment, statuses[std::size_t(severity)], category(severity), text.c_str());
  }
};

template <class Work> f3::Status guarded3(f3::Instance c, const Work& work) {
  Unit3* const unit = static_cast<Unit3*>(c);
  if (!unit) return f3::error;
  try {
    work(*unit->instance);
    return f3::ok;
  } catch (const std::exception& e) {
    unit->log(Severity::error, e.what());
  } catch (...) {
    unit->log(Severity::error, "an unknown failure");
  }
  return f3::error;
}
f3::Status nothing3(f3::Instance c, std::size_t n, const char* what) {
  return guarded3(c, [&](Instance&) {
    if (n > 0) throw ModelError(fmt::format("there are no {}", what));
  });
}
f3::Status nothing_to_do(f3::Instance c) {
  return guarded3(c, [](Instance&) {});
}
void expect_size(std::size_t n, std::size_t size) {
  if (n != size) throw ModelError(fmt::format("{} values were given for {} variables", size, n));
}
}  // namespace
}  // namespace mubody::fmu

#define MUBODY_EXPORTED __attribute__((visibility("default")))

namespace mubody::io::fmi3 {
using mubody::fmu::expect_size;
using mubody::fmu::guarded3;
using mubody::fmu::Listening;
using mubody::fmu::not_all_categories;
using mubody::fmu::nothing3;
using mubody::fmu::nothing_to_do;
using mubody::fmu::SavedState;
using mubody::fmu::Severity;
using mubody::fmu::StepsBy;
using mubody::fmu::Unit3;
using Fmu = mubody::fmu::Instance;

namespace {
Instance made(Text token, Text resources, StepsBy stepping, bool uses_events, Unit3 wanted) {
  std::unique_ptr<Unit3> unit;
  try {
    unit = std::make_unique<Unit3>(std::move(wanted));
    if (!token || !resources) throw ModelError("the token or the path of the resources is missing");
    const Unit3* const own = unit.get();
    unit->instance = std::make_unique<Fmu>(resources, token, stepping,
                                           [own](Severity s, const std::string& text) { own->log(s, text); });
    unit->instance->use_events(uses_events);
    return unit.release();
  } catch (const std::exception& e) {
    if (unit) unit->log(Severity::error, e.what());
  } catch (...) {
    if (unit) unit->log(Severity::error, "an unknown failure");
  }
  return nullptr;
}
Status leave_event(Instance c, StepsBy stepping) {
  return guarded3(c, [&](Fmu& x) {
    if (x.steps_outside() != (stepping == StepsBy::others))
      throw ModelError("this mode belongs to the other kind of FMUs");
    x.leave_event();
  });
}
}  // namespace

extern "C" {
MUBODY_EXPORTED Text fmi3GetVersion() { return "3.0"; }
MUBODY_EXPORTED Status fmi3SetDebugLogging(Instance c, bool on, std::size_t n, const Text* categories) {
  if (!c) return error;
  Unit3& unit = *static_cast<Unit3*>(c);
  if (unit.listening.choose(on, n, categories)) return ok;
  unit.log(Severity::warning, not_all_categories);
  return warning;
}

MUBODY_EXPORTED Instance fmi3InstantiateModelExchange(Text, Text token, Text resources, bool, bool logging,
                                                      void* environment, Log log) {
  return made(token, resources, StepsBy::others, true, {environment, log, Listening(logging), false, nullptr});
}
MUBODY_EXPORTED Instance fmi3InstantiateScheduledExecution(Text, Text, Text, bool, bool logging,
                                                           void* environment, Log log, ClockUpdate, void (*)(),
                                                           void (*)()) {
  Unit3{environment, log, Listening(logging), false, nullptr}.log(Severity::error, "this FMU has no clocks");
  return nullptr;
}
MUBODY_EXPORTED Instance fmi3InstantiateCoSimulation(Text, Text token, Text resources, bool, bool logging,
                                                     bool uses_events, bool early, const Reference*,
                                                     std::size_t, void* environment, Log log, Update) {
  return made(token, resources, StepsBy::itself, uses_events,
              {environment, log, Listening(logging), early, nullptr});
}
MUBODY_EXPORTED void fmi3FreeInstance(Instance c) { delete static_cast<Unit3*>(c); }

MUBODY_EXPORTED Status fmi3EnterInitializationMode(Instance c, bool has_tolerance, double tolerance,
                                                   double start, bool has_stop, double stop) {
  return guarded3(c, [&](Fmu& x) {
    x.setup(has_tolerance ? std::optional(tolerance) : std::nullopt, start,
            has_stop ? std::optional(stop) : std::nullopt);
    x.enter_initialization();
  });
}
MUBODY_EXPORTED Status fmi3ExitInitializationMode(Instance c) {
  return guarded3(c, [](Fmu& x) { x.initialize(); });
}
MUBODY_EXPORTED Status fmi3EnterEventMode(Instance c) {
  return guarded3(c, [](Fmu& x) { x.enter_event(); });
}
MUBODY_EXPORTED Status fmi3EnterStepMode(Instance c) { return leave_event(c, StepsBy::itself); }
MUBODY_EXPORTED Status fmi3Terminate(Instance c) {
  return guarded3(c, [](Fmu& x) { x.terminate(); });
}
MUBODY_EXPORTED Status fmi3Reset(Instance c) {
  return guarded3(c, [](Fmu& x) { x.reset(); });
}

MUBODY_EXPORTED Status fmi3GetFloat64(Instance c, const Reference* r, std::size_t n, double* v,
                                      std::size_t size) {
  return guarded3(c, [&](Fmu& x) {
    expect_size(n, size);
    for (std::size_t k = 0; k < n; ++k) v[k] = x.value(r[k]);
  });
}
MUBODY_EXPORTED Status fmi3SetFloat64(Instance c, const Reference* r, std::size_t n, const double* v,
                                      std::size_t size) {
  return guarded3(c, [&](Fmu& x) {
    expect_size(n, size);
    for (std::size_t k = 0; k < n; ++k) x.set(r[k], v[k]);
  });
}
#define FMU_NO_ACCESS(name, type)                                                                         \
  MUBODY_EXPORTED Status fmi3Get##name(Instance c, const Reference*, std::size_t n, type*, std::size_t) { \
    return nothing3(c, n, "variables of type " #name);                                                    \
  }                                                                                                       \
  MUBODY_EXPORTED Status fmi3Set##name(Instance c, const Reference*, std::size_t n, const type*,          \
                                       std::size_t) {                                                     \
    return nothing3(c, n, "variables of type " #name);                                                    \
  }
FMI3_EACH_TYPE(FMU_NO_ACCESS)
#undef FMU_NO_ACCESS
MUBODY_EXPORTED Status fmi3GetBinary(Instance c, const Reference*, std::size_t n, std::size_t*, Bytes*,
                                     std::size_t) {
  return nothing3(c, n, "variables of type Binary");
}
MUBODY_EXPORTED Status fmi3SetBinary(Instance c, const Reference*, std::size_t n, const std::size_t*,
                                     const Bytes*, std::size_t) {
  return nothing3(c, n, "variables of type Binary");
}
MUBODY_EXPORTED Status fmi3GetClock(Instance c, const Reference*, std::size_t n, bool*) {
  return nothing3(c, n, "clocks");
}
MUBODY_EXPORTED Status fmi3SetClock(Instance c, const Reference*, std::size_t n, const bool*) {
  return nothing3(c, n, "clocks");
}
MUBODY_EXPORTED Status fmi3GetNumberOfVariableDependencies(Instance c, Reference, std::size_t*) {
  return nothing3(c, 1, "dependencies that change");
}
MUBODY_EXPORTED Status fmi3GetVariableDependencies(Instance c, Reference, std::size_t*, Reference*,
                                                   std::size_t*, DependencyKind*, std::size_t) {
  return nothing3(c, 1, "dependencies that change");
}

MUBODY_EXPORTED Status fmi3GetFMUState(Instance c, State* s) {
  return guarded3(c, [&](Fmu& x) {
    std::unique_ptr<SavedState> saved = x.save();
    if (*s)
      *static_cast<SavedState*>(*s) = std::move(*saved);
    else
      *s = saved.release();
  });
}
MUBODY_EXPORTED Status fmi3SetFMUState(Instance c, State s) {
  return guarded3(c, [&](Fmu& x) {
    if (!s) throw ModelError("there is no state to go back to");
    x.restore(*static_cast<const SavedState*>(s));
  });
}
MUBODY_EXPORTED Status fmi3FreeFMUState(Instance c, State* s) {
  return guarded3(c, [&](Fmu&) {
    if (s) delete static_cast<SavedState*>(*s), *s = nullptr;
  });
}
MUBODY_EXPORTED Status fmi3SerializedFMUStateSize(Instance c, State s, std::size_t* size) {
  return guarded3(c, [&](Fmu& x) { *size = x.bytes_of(*static_cast<const SavedState*>(s)).size(); });
}
MUBODY_EXPORTED Status fmi3SerializeFMUState(Instance c, State s, std::uint8_t* bytes, std::size_t size) {
  return guarded3(c, [&](Fmu& x) {
    const std::string all = x.bytes_of(*static_cast<const SavedState*>(s));
    if (size < all.size()) throw ModelError(fmt::format("a state takes {} bytes, not {}", all.size(), size));
    std::memcpy(bytes, all.data(), all.size());
  });
}
MUBODY_EXPORTED Status fmi3DeserializeFMUState(Instance c, const std::uint8_t* bytes, std::size_t size,
                                               State* s) {
  return guarded3(c, [&](Fmu& x) {
    *s = x.from_bytes({reinterpret_cast<const char*>(bytes), size}).release();
  });
}

MUBODY_EXPORTED Status fmi3GetDirectionalDerivative(Instance c, const Reference*, std::size_t, const Reference*,
                                                    std::size_t, const double*, std::size_t, double*,
                                                    std::size_t) {
  return nothing3(c, 1, "directional derivatives");
}
MUBODY_EXPORTED Status fmi3GetAdjointDerivative(Instance c, const Reference*, std::size_t, const Reference*,
                                                std::size_t, const double*, std::size_t, double*, std::size_t) {
  return nothing3(c, 1, "adjoint derivatives");
}
MUBODY_EXPORTED Status fmi3EnterConfigurationMode(Instance c) {
  return nothing3(c, 1, "structural parameters");
}
MUBODY_EXPORTED Status fmi3ExitConfigurationMode(Instance c) { return nothing3(c, 1, "structural parameters"); }
#define FMU_NO_CLOCK(name, ...)                                                           \
  MUBODY_EXPORTED Status name(Instance c, const Reference*, std::size_t n, __VA_ARGS__) { \
    return nothing3(c, n, "clocks");                                                      \
  }
FMU_NO_CLOCK(fmi3GetIntervalDecimal, double*, IntervalQualifier*)
FMU_NO_CLOCK(fmi3GetIntervalFraction, std::uint64_t*, std::uint64_t*, IntervalQualifier*)
FMU_NO_CLOCK(fmi3GetShiftDecimal, double*)
FMU_NO_CLOCK(fmi3GetShiftFraction, std::uint64_t*, std::uint64_t*)
FMU_NO_CLOCK(fmi3SetIntervalDecimal, const double*)
FMU_NO_CLOCK(fmi3SetIntervalFraction, const std::uint64_t*, const std::uint64_t*)
FMU_NO_CLOCK(fmi3SetShiftDecimal, const double*)
FMU_NO_CLOCK(fmi3SetShiftFraction, const std::uint64_t*, const std::uint64_t*)
#undef FMU_NO_CLOCK
MUBODY_EXPORTED Status fmi3EvaluateDiscreteStates(Instance c) { return nothing_to_do(c); }
// A motion that makes its own steps has dealt with its events when a step returns; there is nothing left to iterate.
MUBODY_EXPORTED Status fmi3UpdateDiscreteStates(Instance c, bool* again, bool* terminates, bool* nominals,
                                                bool* values, bool* has_next, double* next) {
  return guarded3(c, [&](Fmu& x) {
    *again = *nominals = *values = *has_next = false;
    *terminates = x.has_failed();
    *next = 0;
    x.expect_event("the update of the discrete states");
    if (!x.steps_outside()) return;
    *values = x.new_states();
    if (const std::optional<double> instant = x.next_instant()) *has_next = true, *next = *instant;
  });
}

MUBODY_EXPORTED Status fmi3EnterContinuousTimeMode(Instance c) { return leave_event(c, StepsBy::others); }
MUBODY_EXPORTED Status fmi3CompletedIntegratorStep(Instance c, bool, bool* event, bool* ends) {
  return guarded3(c, [&](Fmu& x) { *event = x.complete(), *ends = false; });
}
MUBODY_EXPORTED Status fmi3SetTime(Instance c, double t) {
  return guarded3(c, [&](Fmu& x) { x.set_time(t); });
}
MUBODY_EXPORTED Status fmi3SetContinuousStates(Instance c, const double* v, std::size_t n) {
  return guarded3(c, [&](Fmu& x) { x.set_states(v, n); });
}
MUBODY_EXPORTED Status fmi3GetContinuousStateDerivatives(Instance c, double* v, std::size_t n) {
  return guarded3(c, [&](Fmu& x) { x.get_rates(v, n); });
}
MUBODY_EXPORTED Status fmi3GetEventIndicators(Instance c, double* v, std::size_t n) {
  return guarded3(c, [&](Fmu& x) { x.get_indicators(v, n); });
}
MUBODY_EXPORTED Status fmi3GetContinuousStates(Instance c, double* v, std::size_t n) {
  return guarded3(c, [&](Fmu& x) { x.get_states(v, n); });
}
MUBODY_EXPORTED Status fmi3GetNominalsOfContinuousStates(Instance c, double* v, std::size_t n) {
  return guarded3(c, [&](Fmu&) { std::fill_n(v, n, 1.0); });
}
MUBODY_EXPORTED Status fmi3GetNumberOfEventIndicators(Instance c, std::size_t* n) {
  return guarded3(c, [&](Fmu& x) { *n = x.indicators(); });
}
MUBODY_EXPORTED Status fmi3GetNumberOfContinuousStates(Instance c, std::size_t* n) {
  return guarded3(c, [&](Fmu& x) { *n = x.states(); });
}

MUBODY_EXPORTED Status fmi3GetOutputDerivatives(Instance c, const Reference*, std::size_t n,
                                                const std::int32_t*, double*, std::size_t) {
  return nothing3(c, n, "derivatives of outputs");
}
MUBODY_EXPORTED Status fmi3DoStep(Instance c, double now, double step, bool, bool* handles_event, bool* ends,
                                  bool* early, double* last) {
  Fmu::Step made = Fmu::Step::done;
  *handles_event = *ends = *early = false;
  const Status status = guarded3(c, [&](Fmu& x) {
    made = x.step(now, step, static_cast<Unit3*>(c)->early);
    *last = x.last_time();
    *early = made == Fmu::Step::early;
    *ends = made == Fmu::Step::failed;
  });
  return made == Fmu::Step::failed ? discard : status;
}
MUBODY_EXPORTED Status fmi3ActivateModelPartition(Instance c, Reference, double) {
  return nothing3(c, 1, "model partitions");
}
}
}  // namespace mubody::io::fmi3
