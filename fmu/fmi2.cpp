// The functions of FMI 2.0.  No exception leaves them.
#include "mubody/fmus/fmi2.h"

#include <cstring>

#include <fmt/format.h>

#include "fmu/instance.h"
#include "fmu/resources.h"

#define MUBODY_EXPORTED __attribute__((visibility("default")))

namespace mubody::fmu {
namespace {
using namespace io::fmi2;

/// What an instance of 2.0 has besides: who listens, and its name.
struct Unit {
  std::string name;
  Callbacks callbacks{};
  Listening listening{};
  std::unique_ptr<Instance> instance;

  void log(Severity severity, const std::string& text) const {
    constexpr Status statuses[] = {ok, warning, discard, error};
    if (!callbacks.logger || !listening.to(severity)) return;
    // The message is a format of printf, in which # begins the reference of a variable.
    std::string message;
    for (const char c : text) {
      message += c;
      if (c == '%' || c == '#') message += c;
    }
    callbacks.logger(callbacks.environment, name.c_str(), statuses[std::size_t(severity)], category(severity),
                     message.c_str());
  }
};

template <class Work> Status guarded(Component c, const Work& work) {
  Unit* const unit = static_cast<Unit*>(c);
  if (!unit) return error;
  try {
    return work(*unit->instance);
  } catch (const std::exception& e) {
    unit->log(Severity::error, e.what());
  } catch (...) {
    unit->log(Severity::error, "an unknown failure");
  }
  return error;
}

// There are no variables of other types.
Status none_of(Component c, std::size_t n, const char* type) {
  return guarded(c, [&](Instance&) {
    if (n > 0) throw ModelError(fmt::format("there are no variables of type {}", type));
    return ok;
  });
}
Status not_there(Component c, const char* what) {
  return guarded(c, [&](Instance&) -> Status { throw ModelError(fmt::format("{} cannot be had", what)); });
}
}  // namespace
}  // namespace mubody::fmu

namespace mubody::io::fmi2 {
using namespace mubody::fmu;
extern "C" {
MUBODY_EXPORTED Text fmi2GetTypesPlatform() { return "default"; }
MUBODY_EXPORTED Text fmi2GetVersion() { return "2.0"; }

MUBODY_EXPORTED Status fmi2SetDebugLogging(Component c, Boolean on, std::size_t n, const Text* categories) {
  if (!c) return error;
  Unit& unit = *static_cast<Unit*>(c);
  if (unit.listening.choose(on, n, categories)) return ok;
  unit.log(Severity::warning, not_all_categories);
  return warning;
}

MUBODY_EXPORTED Component fmi2Instantiate(Text name, Kind kind, Text guid, Text resources,
                                          const Callbacks* callbacks, Boolean, Boolean logging) {
  std::unique_ptr<Unit> unit;
  try {
    unit = std::make_unique<Unit>();
    unit->name = name ? name : "";
    if (callbacks) unit->callbacks = *callbacks;
    unit->listening = Listening(logging);
    if (!guid || !resources) throw ModelError("the GUID or the location of the resources is missing");
    if (kind != co_simulation && kind != model_exchange)
      throw ModelError(fmt::format("there is no kind {} of FMUs", int(kind)));
    const Unit* const own = unit.get();
    unit->instance = std::make_unique<Instance>(folder_of_uri(resources), guid,
                                                kind == co_simulation ? StepsBy::itself : StepsBy::others,
                                                [own](Severity s, const std::string& t) { own->log(s, t); });
    return unit.release();
  } catch (const std::exception& e) {
    if (unit) unit->log(Severity::error, e.what());
  } catch (...) {
    if (unit) unit->log(Severity::error, "an unknown failure");
  }
  return nullptr;
}
MUBODY_EXPORTED void fmi2FreeInstance(Component c) { delete static_cast<Unit*>(c); }

MUBODY_EXPORTED Status fmi2SetupExperiment(Component c, Boolean has_tolerance, double tolerance, double start,
                                           Boolean has_stop, double stop) {
  return guarded(c, [&](Instance& x) {
    x.setup(has_tolerance ? std::optional(tolerance) : std::nullopt, start,
            has_stop ? std::optional(stop) : std::nullopt);
    return ok;
  });
}
MUBODY_EXPORTED Status fmi2EnterInitializationMode(Component c) {
  return guarded(c, [](Instance& x) { return x.enter_initialization(), ok; });
}
MUBODY_EXPORTED Status fmi2ExitInitializationMode(Component c) {
  return guarded(c, [](Instance& x) { return x.initialize(), ok; });
}
MUBODY_EXPORTED Status fmi2Terminate(Component c) {
  return guarded(c, [](Instance& x) { return x.terminate(), ok; });
}
MUBODY_EXPORTED Status fmi2Reset(Component c) {
  return guarded(c, [](Instance& x) { return x.reset(), ok; });
}

MUBODY_EXPORTED Status fmi2GetReal(Component c, const Reference* r, std::size_t n, double* v) {
  return guarded(c, [&](Instance& x) {
    for (std::size_t k = 0; k < n; ++k) v[k] = x.value(r[k]);
    return ok;
  });
}
MUBODY_EXPORTED Status fmi2SetReal(Component c, const Reference* r, std::size_t n, const double* v) {
  return guarded(c, [&](Instance& x) {
    for (std::size_t k = 0; k < n; ++k) x.set(r[k], v[k]);
    return ok;
  });
}
MUBODY_EXPORTED Status fmi2GetInteger(Component c, const Reference*, std::size_t n, int*) {
  return none_of(c, n, "Integer");
}
MUBODY_EXPORTED Status fmi2GetBoolean(Component c, const Reference*, std::size_t n, Boolean*) {
  return none_of(c, n, "Boolean");
}
MUBODY_EXPORTED Status fmi2GetString(Component c, const Reference*, std::size_t n, Text*) {
  return none_of(c, n, "String");
}
MUBODY_EXPORTED Status fmi2SetInteger(Component c, const Reference*, std::size_t n, const int*) {
  return none_of(c, n, "Integer");
}
MUBODY_EXPORTED Status fmi2SetBoolean(Component c, const Reference*, std::size_t n, const Boolean*) {
  return none_of(c, n, "Boolean");
}
MUBODY_EXPORTED Status fmi2SetString(Component c, const Reference*, std::size_t n, const Text*) {
  return none_of(c, n, "String");
}

MUBODY_EXPORTED Status fmi2GetFMUstate(Component c, State* s) {
  return guarded(c, [&](Instance& x) {
    std::unique_ptr<SavedState> saved = x.save();
    if (*s)
      *static_cast<SavedState*>(*s) = std::move(*saved);
    else
      *s = saved.release();
    return ok;
  });
}
MUBODY_EXPORTED Status fmi2SetFMUstate(Component c, State s) {
  return guarded(c, [&](Instance& x) {
    if (!s) throw ModelError("there is no state to go back to");
    x.restore(*static_cast<const SavedState*>(s));
    return ok;
  });
}
MUBODY_EXPORTED Status fmi2FreeFMUstate(Component c, State* s) {
  return guarded(c, [&](Instance&) {
    if (s) delete static_cast<SavedState*>(*s), *s = nullptr;
    return ok;
  });
}
MUBODY_EXPORTED Status fmi2SerializedFMUstateSize(Component c, State s, std::size_t* size) {
  return guarded(c, [&](Instance& x) {
    *size = x.bytes_of(*static_cast<const SavedState*>(s)).size();
    return ok;
  });
}
MUBODY_EXPORTED Status fmi2SerializeFMUstate(Component c, State s, char* bytes, std::size_t size) {
  return guarded(c, [&](Instance& x) {
    const std::string all = x.bytes_of(*static_cast<const SavedState*>(s));
    if (size < all.size()) throw ModelError(fmt::format("a state takes {} bytes, not {}", all.size(), size));
    std::memcpy(bytes, all.data(), all.size());
    return ok;
  });
}
MUBODY_EXPORTED Status fmi2DeSerializeFMUstate(Component c, const char* bytes, std::size_t size, State* s) {
  return guarded(c, [&](Instance& x) {
    *s = x.from_bytes({bytes, size}).release();
    return ok;
  });
}

MUBODY_EXPORTED Status fmi2GetDirectionalDerivative(Component c, const Reference*, std::size_t,
                                                    const Reference*, std::size_t, const double*, double*) {
  return not_there(c, "directional derivatives");
}
MUBODY_EXPORTED Status fmi2SetRealInputDerivatives(Component c, const Reference* r, std::size_t n,
                                                   const int* orders, const double* v) {
  return guarded(c, [&](Instance& x) {
    for (std::size_t k = 0; k < n; ++k) x.set_derivative(r[k], orders[k], v[k]);
    return ok;
  });
}
MUBODY_EXPORTED Status fmi2GetRealOutputDerivatives(Component c, const Reference*, std::size_t, const int*,
                                                    double*) {
  return not_there(c, "derivatives of outputs");
}

MUBODY_EXPORTED Status fmi2DoStep(Component c, double now, double step, Boolean) {
  return guarded(
      c, [&](Instance& x) { return x.step(now, step, false) == Instance::Step::failed ? discard : ok; });
}
MUBODY_EXPORTED Status fmi2CancelStep(Component c) { return not_there(c, "steps beside the caller"); }
MUBODY_EXPORTED Status fmi2GetStatus(Component, StatusKind, Status*) { return discard; }
MUBODY_EXPORTED Status fmi2GetRealStatus(Component c, StatusKind kind, double* v) {
  if (kind != last_successful_time) return discard;
  return guarded(c, [&](Instance& x) { return *v = x.last_time(), ok; });
}
MUBODY_EXPORTED Status fmi2GetIntegerStatus(Component, StatusKind, int*) { return discard; }
MUBODY_EXPORTED Status fmi2GetBooleanStatus(Component c, StatusKind kind, Boolean* v) {
  if (kind != terminated) return discard;
  return guarded(c, [&](Instance& x) { return *v = x.has_failed(), ok; });
}
MUBODY_EXPORTED Status fmi2GetStringStatus(Component, StatusKind, Text*) { return discard; }

MUBODY_EXPORTED Status fmi2EnterEventMode(Component c) {
  return guarded(c, [](Instance& x) { return x.enter_event(), ok; });
}
MUBODY_EXPORTED Status fmi2NewDiscreteStates(Component c, EventInfo* info) {
  return guarded(c, [&](Instance& x) {
    *info = {0, 0, 0, 0, 0, 0};
    info->values_changed = x.new_states();
    if (const std::optional<double> next = x.next_instant()) info->has_next = 1, info->next = *next;
    return ok;
  });
}
MUBODY_EXPORTED Status fmi2EnterContinuousTimeMode(Component c) {
  return guarded(c, [](Instance& x) { return x.leave_event(), ok; });
}
MUBODY_EXPORTED Status fmi2CompletedIntegratorStep(Component c, Boolean, Boolean* event, Boolean* ends) {
  return guarded(c, [&](Instance& x) { return *event = x.complete(), *ends = 0, ok; });
}
MUBODY_EXPORTED Status fmi2SetTime(Component c, double t) {
  return guarded(c, [&](Instance& x) { return x.set_time(t), ok; });
}
MUBODY_EXPORTED Status fmi2SetContinuousStates(Component c, const double* v, std::size_t n) {
  return guarded(c, [&](Instance& x) { return x.set_states(v, n), ok; });
}
MUBODY_EXPORTED Status fmi2GetDerivatives(Component c, double* v, std::size_t n) {
  return guarded(c, [&](Instance& x) { return x.get_rates(v, n), ok; });
}
MUBODY_EXPORTED Status fmi2GetEventIndicators(Component c, double* v, std::size_t n) {
  return guarded(c, [&](Instance& x) { return x.get_indicators(v, n), ok; });
}
MUBODY_EXPORTED Status fmi2GetContinuousStates(Component c, double* v, std::size_t n) {
  return guarded(c, [&](Instance& x) { return x.get_states(v, n), ok; });
}
MUBODY_EXPORTED Status fmi2GetNominalsOfContinuousStates(Component c, double* v, std::size_t n) {
  return guarded(c, [&](Instance&) { return std::fill_n(v, n, 1.0), ok; });
}
}
}  // namespace mubody::io::fmi2
