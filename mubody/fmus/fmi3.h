#pragma once
// The functions of the Functional Mock-up Interface 3.0 that a unit exports, in words of our own.
//
//   Functional Mock-up Interface Specification, version 3.0.1 (2023), Modelica Association; sections 2.2 (common), 3.2 (model
//   exchange) and 4.2 (co-simulation)
//
// Functions that are alike for many types of numbers are written by FMI3_EACH_TYPE(what), which calls what(name, type).
#include <cstddef>
#include <cstdint>

namespace mubody::io::fmi3 {
using Instance = void*;
using State = void*;
using Reference = std::uint32_t;
using Text = const char*;
using Bytes = const std::uint8_t*;
enum Status { ok, warning, discard, error, fatal };
enum DependencyKind { independent, constant, fixed, tunable, discrete, dependent };
enum IntervalQualifier { not_yet_known, unchanged, changed };
using Log = void (*)(void* environment, Status, Text category, Text message);
using Update = void (*)(void* environment, double time, bool set_requested, bool set_allowed, bool get_allowed,
                        bool step_finished, bool may_return, bool* returns, double* until);
using ClockUpdate = void (*)(void* environment);

#define FMI3_EACH_TYPE(what)                                                                       \
  what(Float32, float) what(Int8, std::int8_t) what(UInt8, std::uint8_t) what(Int16, std::int16_t) \
      what(UInt16, std::uint16_t) what(Int32, std::int32_t) what(UInt32, std::uint32_t)            \
          what(Int64, std::int64_t) what(UInt64, std::uint64_t) what(Boolean, bool) what(String, Text)

extern "C" {
Text fmi3GetVersion();
Status fmi3SetDebugLogging(Instance, bool on, std::size_t n, const Text* categories);
Instance fmi3InstantiateModelExchange(Text name, Text token, Text resources, bool visible, bool logging,
                                      void* environment, Log);
Instance fmi3InstantiateCoSimulation(Text name, Text token, Text resources, bool visible, bool logging,
                                     bool event_mode, bool early_return, const Reference* intermediate,
                                     std::size_t n, void* environment, Log, Update);
Instance fmi3InstantiateScheduledExecution(Text name, Text token, Text resources, bool visible, bool logging,
                                           void* environment, Log, ClockUpdate, void (*lock)(),
                                           void (*unlock)());
void fmi3FreeInstance(Instance);
Status fmi3EnterInitializationMode(Instance, bool has_tolerance, double tolerance, double start, bool has_stop,
                                   double stop);
Status fmi3ExitInitializationMode(Instance);
Status fmi3EnterEventMode(Instance);
Status fmi3Terminate(Instance);
Status fmi3Reset(Instance);
Status fmi3GetFloat64(Instance, const Reference*, std::size_t n, double*, std::size_t size);
Status fmi3SetFloat64(Instance, const Reference*, std::size_t n, const double*, std::size_t size);
#define FMI3_ACCESS(name, type)                                                             \
  Status fmi3Get##name(Instance, const Reference*, std::size_t n, type*, std::size_t size); \
  Status fmi3Set##name(Instance, const Reference*, std::size_t n, const type*, std::size_t size);
FMI3_EACH_TYPE(FMI3_ACCESS)
#undef FMI3_ACCESS
Status fmi3GetBinary(Instance, const Reference*, std::size_t n, std::size_t* sizes, Bytes*, std::size_t size);
Status fmi3SetBinary(Instance, const Reference*, std::size_t n, const std::size_t* sizes, const Bytes*,
                     std::size_t size);
Status fmi3GetClock(Instance, const Reference*, std::size_t n, bool*);
Status fmi3SetClock(Instance, const Reference*, std::size_t n, const bool*);
Status fmi3GetNumberOfVariableDependencies(Instance, Reference, std::size_t*);
Status fmi3GetVariableDependencies(Instance, Reference, std::size_t*, Reference*, std::size_t*, DependencyKind*,
                                   std::size_t n);
Status fmi3GetFMUState(Instance, State*);
Status fmi3SetFMUState(Instance, State);
Status fmi3FreeFMUState(Instance, State*);
Status fmi3SerializedFMUStateSize(Instance, State, std::size_t*);
Status fmi3SerializeFMUState(Instance, State, std::uint8_t*, std::size_t);
Status fmi3DeserializeFMUState(Instance, const std::uint8_t*, std::size_t, State*);
Status fmi3GetDirectionalDerivative(Instance, const Reference* unknowns, std::size_t, const Reference* knowns,
                                    std::size_t, const double* seed, std::size_t, double* out, std::size_t);
Status fmi3GetAdjointDerivative(Instance, const Reference* unknowns, std::size_t, const Reference* knowns,
                                std::size_t, const double* seed, std::size_t, double* out, std::size_t);
Status fmi3EnterConfigurationMode(Instance);
Status fmi3ExitConfigurationMode(Instance);
Status fmi3GetIntervalDecimal(Instance, const Reference*, std::size_t, double*, IntervalQualifier*);
Status fmi3GetIntervalFraction(Instance, const Reference*, std::size_t, std::uint64_t*, std::uint64_t*,
                               IntervalQualifier*);
Status fmi3GetShiftDecimal(Instance, const Reference*, std::size_t, double*);
Status fmi3GetShiftFraction(Instance, const Reference*, std::size_t, std::uint64_t*, std::uint64_t*);
Status fmi3SetIntervalDecimal(Instance, const Reference*, std::size_t, const double*);
Status fmi3SetIntervalFraction(Instance, const Reference*, std::size_t, const std::uint64_t*,
                               const std::uint64_t*);
Status fmi3SetShiftDecimal(Instance, const Reference*, std::size_t, const double*);
Status fmi3SetShiftFraction(Instance, const Reference*, std::size_t, const std::uint64_t*,
                            const std::uint64_t*);
Status fmi3EvaluateDiscreteStates(Instance);
Status fmi3UpdateDiscreteStates(Instance, bool* again, bool* terminates, bool* nominals, bool* values,
                                bool* has_next, double* next);
Status fmi3EnterContinuousTimeMode(Instance);
Status fmi3CompletedIntegratorStep(Instance, bool keeps_no_earlier_state, bool* enters_event_mode, bool* ends);
Status fmi3SetTime(Instance, double);
Status fmi3SetContinuousStates(Instance, const double*, std::size_t);
Status fmi3GetContinuousStateDerivatives(Instance, double*, std::size_t);
Status fmi3GetEventIndicators(Instance, double*, std::size_t);
Status fmi3GetContinuousStates(Instance, double*, std::size_t);
Status fmi3GetNominalsOfContinuousStates(Instance, double*, std::size_t);
Status fmi3GetNumberOfEventIndicators(Instance, std::size_t*);
Status fmi3GetNumberOfContinuousStates(Instance, std::size_t*);
Status fmi3EnterStepMode(Instance);
Status fmi3GetOutputDerivatives(Instance, const Reference*, std::size_t, const std::int32_t*, double*,
                                std::size_t);
Status fmi3DoStep(Instance, double now, double step, bool keeps_no_earlier_state, bool* handles_event,
                  bool* ends, bool* early, double* last);
Status fmi3ActivateModelPartition(Instance, Reference clock, double time);
}
}  // namespace mubody::io::fmi3
