#pragma once
// The functions of the Functional Mock-up Interface 2.0 that a unit exports, in words of our own.
//
//   Functional Mock-up Interface for Model Exchange and Co-Simulation, version 2.0.4 (2022), Modelica Association;
//   sections 2.1 (common), 3.2 (model exchange) and 4.2 (co-simulation)
#include <cstddef>

namespace mubody::io::fmi2 {
using Component = void*;
using State = void*;
using Reference = unsigned;
using Text = const char*;
using Boolean = int;
enum Status { ok, warning, discard, error, fatal, pending };
enum Kind { model_exchange, co_simulation };
enum StatusKind { do_step_status, pending_status, last_successful_time, terminated };

struct Callbacks {
  void (*logger)(void* environment, Text instance, Status, Text category, Text message, ...);
  void* (*allocate)(std::size_t number, std::size_t size);
  void (*release)(void*);
  void (*step_finished)(void* environment, Status);
  void* environment;
};

struct EventInfo {
  Boolean again, terminates, nominals_changed, values_changed, has_next;
  double next;
};

extern "C" {
Text fmi2GetTypesPlatform();
Text fmi2GetVersion();
Status fmi2SetDebugLogging(Component, Boolean on, std::size_t n, const Text* categories);
Component fmi2Instantiate(Text name, Kind, Text guid, Text resources, const Callbacks*, Boolean visible,
                          Boolean logging);
void fmi2FreeInstance(Component);
Status fmi2SetupExperiment(Component, Boolean has_tolerance, double tolerance, double start, Boolean has_stop,
                           double stop);
Status fmi2EnterInitializationMode(Component);
Status fmi2ExitInitializationMode(Component);
Status fmi2Terminate(Component);
Status fmi2Reset(Component);
Status fmi2GetReal(Component, const Reference*, std::size_t n, double*);
Status fmi2GetInteger(Component, const Reference*, std::size_t n, int*);
Status fmi2GetBoolean(Component, const Reference*, std::size_t n, Boolean*);
Status fmi2GetString(Component, const Reference*, std::size_t n, Text*);
Status fmi2SetReal(Component, const Reference*, std::size_t n, const double*);
Status fmi2SetInteger(Component, const Reference*, std::size_t n, const int*);
Status fmi2SetBoolean(Component, const Reference*, std::size_t n, const Boolean*);
Status fmi2SetString(Component, const Reference*, std::size_t n, const Text*);
Status fmi2GetFMUstate(Component, State*);
Status fmi2SetFMUstate(Component, State);
Status fmi2FreeFMUstate(Component, State*);
Status fmi2SerializedFMUstateSize(Component, State, std::size_t*);
Status fmi2SerializeFMUstate(Component, State, char*, std::size_t);
Status fmi2DeSerializeFMUstate(Component, const char*, std::size_t, State*);
Status fmi2GetDirectionalDerivative(Component, const Reference* unknowns, std::size_t, const Reference* knowns,
                                    std::size_t, const double* seeds, double* out);
Status fmi2SetRealInputDerivatives(Component, const Reference*, std::size_t n, const int* orders,
                                   const double*);
Status fmi2GetRealOutputDerivatives(Component, const Reference*, std::size_t n, const int* orders, double*);
Status fmi2DoStep(Component, double now, double step, Boolean keeps_no_earlier_state);
Status fmi2CancelStep(Component);
Status fmi2GetStatus(Component, StatusKind, Status*);
Status fmi2GetRealStatus(Component, StatusKind, double*);
Status fmi2GetIntegerStatus(Component, StatusKind, int*);
Status fmi2GetBooleanStatus(Component, StatusKind, Boolean*);
Status fmi2GetStringStatus(Component, StatusKind, Text*);
Status fmi2EnterEventMode(Component);
Status fmi2NewDiscreteStates(Component, EventInfo*);
Status fmi2EnterContinuousTimeMode(Component);
Status fmi2CompletedIntegratorStep(Component, Boolean keeps_no_earlier_state, Boolean* enters_event_mode,
                                   Boolean* ends);
Status fmi2SetTime(Component, double);
Status fmi2SetContinuousStates(Component, const double*, std::size_t);
Status fmi2GetDerivatives(Component, double*, std::size_t);
Status fmi2GetEventIndicators(Component, double*, std::size_t);
Status fmi2GetContinuousStates(Component, double*, std::size_t);
Status fmi2GetNominalsOfContinuousStates(Component, double*, std::size_t);
}
}  // namespace mubody::io::fmi2
