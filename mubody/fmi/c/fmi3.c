/* FMI 3.0 for co-simulation over the C of a model.  Nothing else is included: the declarations are those of the Functional
   Mock-up Interface 3.0, in words of our own. */
#include "unit.h"

#include <stdbool.h>
#include <stdint.h>

typedef void (*log_function)(void*, status, text, text);
typedef struct {
  unit u;
  void* environment;
  log_function log;
  listening l;
} instance;

static status said(const instance* i, status s, text what) {
  if (!what) return all_well;
  if (i && i->log && listens(&i->l, s)) i->log(i->environment, s, category_names[s], what);
  return s;
}
static status judged(void* c, text wrong) { return said((instance*)c, failed, wrong); }
static unit* unit_of(void* c) { return c ? &((instance*)c)->u : NULL; }

EXPORTED text fmi3GetVersion(void) { return "3.0"; }
EXPORTED status fmi3SetDebugLogging(void* c, bool on, size_t n, const text* chosen) {
  instance* const i = (instance*)c;
  return said(i, warned, choose(&i->l, on, n, chosen) ? NULL : unknown_category);
}
EXPORTED void* fmi3InstantiateCoSimulation(text name, text its_token, text resources, bool visible, bool logging, bool event_mode,
                                           bool early, const reference* intermediate, size_t n, void* environment,
                                           log_function log, void (*update)(void)) {
  instance* i = (instance*)calloc(1, sizeof *i);
  (void)name, (void)resources, (void)visible, (void)event_mode, (void)early, (void)intermediate, (void)n, (void)update;
  if (!i) return NULL;
  i->environment = environment;
  i->log = log;
  choose(&i->l, logging, 0, NULL);
  if (!its_token || strcmp(its_token, token) != 0) {
    judged(i, "the token is not that of this FMU");
    free(i);
    return NULL;
  }
  find_places(&i->u);
  begin(&i->u);
  return i;
}
EXPORTED void* fmi3InstantiateModelExchange(text name, text its_token, text resources, bool visible, bool logging,
                                            void* environment, log_function log) {
  (void)name, (void)its_token, (void)resources, (void)visible, (void)logging, (void)environment, (void)log;
  return NULL;
}
EXPORTED void* fmi3InstantiateScheduledExecution(text name, text its_token, text resources, bool visible, bool logging,
                                                 void* environment, log_function log, void (*update)(void*), void (*lock)(void),
                                                 void (*unlock)(void)) {
  (void)name, (void)its_token, (void)resources, (void)visible, (void)logging, (void)environment, (void)log;
  (void)update, (void)lock, (void)unlock;
  return NULL;
}
EXPORTED void fmi3FreeInstance(void* c) { free(c); }
EXPORTED status fmi3EnterInitializationMode(void* c, bool has, double tolerance, double start, bool stops, double stop) {
  (void)has, (void)tolerance;
  return judged(c, set_up(unit_of(c), start, stops, stop, initializing));
}
/* Initialized, it makes steps until it is terminated: there are neither events nor structural parameters. */
#define NO_MODE(name) \
  EXPORTED status name(void* c) { return judged(c, "this FMU has neither events nor a configuration"); }
NO_MODE(fmi3EnterEventMode) NO_MODE(fmi3EnterConfigurationMode)
NO_MODE(fmi3ExitConfigurationMode) NO_MODE(fmi3EnterStepMode) NO_MODE(fmi3EvaluateDiscreteStates)
EXPORTED status fmi3ExitInitializationMode(void* c) { return judged(c, moved_on(unit_of(c), initializing, going)); }
EXPORTED status fmi3Terminate(void* c) { return judged(c, moved_on(unit_of(c), going, ended)); }
EXPORTED status fmi3Reset(void* c) {
  begin(unit_of(c));
  return all_well;
}

EXPORTED status fmi3GetFloat64(void* c, const reference* r, size_t n, double* v, size_t size) {
  text wrong = n == size ? NULL : "there are other numbers of values and of variables";
  size_t k;
  for (k = 0; k < n && !wrong; ++k) wrong = get_number(unit_of(c), r[k], &v[k]);
  return judged(c, wrong);
}
EXPORTED status fmi3SetFloat64(void* c, const reference* r, size_t n, const double* v, size_t size) {
  text wrong = n == size ? NULL : "there are other numbers of values and of variables";
  size_t k;
  for (k = 0; k < n && !wrong; ++k) wrong = set_number(unit_of(c), r[k], v[k]);
  return judged(c, wrong);
}
#define NONE(name, type) \
  EXPORTED status fmi3Get##name(void* c, const reference* r, size_t n, type* v, size_t size) { \
    (void)c, (void)r, (void)v, (void)size; \
    return n > 0 ? failed : all_well; \
  } \
  EXPORTED status fmi3Set##name(void* c, const reference* r, size_t n, const type* v, size_t size) { \
    (void)c, (void)r, (void)v, (void)size; \
    return n > 0 ? failed : all_well; \
  }
NONE(Float32, float) NONE(Int8, int8_t) NONE(UInt8, uint8_t) NONE(Int16, int16_t) NONE(UInt16, uint16_t) NONE(Int32, int32_t)
NONE(UInt32, uint32_t) NONE(Int64, int64_t) NONE(UInt64, uint64_t) NONE(Boolean, bool) NONE(String, text)
EXPORTED status fmi3GetBinary(void* c, const reference* r, size_t n, size_t* sizes, const uint8_t** v, size_t size) {
  (void)c, (void)r, (void)sizes, (void)v, (void)size;
  return n > 0 ? failed : all_well;
}
EXPORTED status fmi3SetBinary(void* c, const reference* r, size_t n, const size_t* sizes, const uint8_t* const* v, size_t size) {
  (void)c, (void)r, (void)sizes, (void)v, (void)size;
  return n > 0 ? failed : all_well;
}
EXPORTED status fmi3GetClock(void* c, const reference* r, size_t n, bool* v) {
  (void)c, (void)r, (void)v;
  return n > 0 ? failed : all_well;
}
EXPORTED status fmi3SetClock(void* c, const reference* r, size_t n, const bool* v) {
  (void)c, (void)r, (void)v;
  return n > 0 ? failed : all_well;
}
EXPORTED status fmi3GetNumberOfVariableDependencies(void* c, reference r, size_t* n) {
  (void)c, (void)r, (void)n;
  return failed;
}
EXPORTED status fmi3GetVariableDependencies(void* c, reference r, size_t* at, reference* of, size_t* of_at, int* kinds, size_t n) {
  (void)c, (void)r, (void)at, (void)of, (void)of_at, (void)kinds, (void)n;
  return failed;
}

EXPORTED status fmi3GetFMUState(void* c, void** s) { return save(unit_of(c), s) ? all_well : failed; }
EXPORTED status fmi3SetFMUState(void* c, void* s) { return judged(c, restore(unit_of(c), s)); }
EXPORTED status fmi3FreeFMUState(void* c, void** s) {
  (void)c;
  if (s) free(*s), *s = NULL;
  return all_well;
}
EXPORTED status fmi3SerializedFMUStateSize(void* c, void* s, size_t* n) {
  (void)c, (void)s;
  *n = bytes_of_state;
  return all_well;
}
EXPORTED status fmi3SerializeFMUState(void* c, void* s, uint8_t* bytes, size_t n) {
  return judged(c, to_bytes(s, (char*)bytes, n));
}
EXPORTED status fmi3DeserializeFMUState(void* c, const uint8_t* bytes, size_t n, void** s) {
  return judged(c, from_bytes((const char*)bytes, n, s));
}

EXPORTED status fmi3GetDirectionalDerivative(void* c, const reference* unknowns, size_t n, const reference* knowns, size_t m,
                                             const double* seed, size_t seeds, double* changes, size_t size) {
  if (seeds != m || size != n) return judged(c, "there are other numbers of values and of variables");
  return judged(c, change_of(unit_of(c), unknowns, n, knowns, m, seed, changes));
}
EXPORTED status fmi3GetAdjointDerivative(void* c, const reference* unknowns, size_t n, const reference* knowns, size_t m,
                                         const double* seed, size_t seeds, double* changes, size_t size) {
  (void)c, (void)unknowns, (void)n, (void)knowns, (void)m, (void)seed, (void)seeds, (void)changes, (void)size;
  return failed;
}
#define NO_CLOCK(name, first, second) \
  EXPORTED status name(void* c, const reference* r, size_t n, first a, second b) { \
    (void)c, (void)r, (void)a, (void)b; \
    return n > 0 ? failed : all_well; \
  }
NO_CLOCK(fmi3GetIntervalDecimal, double*, int*) NO_CLOCK(fmi3GetShiftFraction, uint64_t*, uint64_t*)
NO_CLOCK(fmi3SetIntervalFraction, const uint64_t*, const uint64_t*) NO_CLOCK(fmi3SetShiftFraction, const uint64_t*, const uint64_t*)
EXPORTED status fmi3GetIntervalFraction(void* c, const reference* r, size_t n, uint64_t* a, uint64_t* b, int* kinds) {
  (void)c, (void)r, (void)a, (void)b, (void)kinds;
  return n > 0 ? failed : all_well;
}
#define NO_DECIMAL(name, type) \
  EXPORTED status name(void* c, const reference* r, size_t n, type a) { \
    (void)c, (void)r, (void)a; \
    return n > 0 ? failed : all_well; \
  }
NO_DECIMAL(fmi3GetShiftDecimal, double*) NO_DECIMAL(fmi3SetIntervalDecimal, const double*) NO_DECIMAL(fmi3SetShiftDecimal, const double*)
EXPORTED status fmi3UpdateDiscreteStates(void* c, bool* again, bool* ends, bool* nominals, bool* values, bool* has_next,
                                         double* next) {
  (void)again, (void)ends, (void)nominals, (void)values, (void)has_next, (void)next;
  return judged(c, "this FMU has no events");
}

/* Model exchange is not offered, but programs look for its functions. */
EXPORTED status fmi3EnterContinuousTimeMode(void* c) { return (void)c, failed; }
EXPORTED status fmi3CompletedIntegratorStep(void* c, bool keeps, bool* event, bool* ends) {
  (void)c, (void)keeps, (void)event, (void)ends;
  return failed;
}
EXPORTED status fmi3SetTime(void* c, double t) { return (void)c, (void)t, failed; }
#define NO_STATES(name, type) \
  EXPORTED status name(void* c, type v, size_t n) { return (void)c, (void)v, (void)n, failed; }
NO_STATES(fmi3SetContinuousStates, const double*) NO_STATES(fmi3GetContinuousStateDerivatives, double*)
NO_STATES(fmi3GetEventIndicators, double*) NO_STATES(fmi3GetContinuousStates, double*)
NO_STATES(fmi3GetNominalsOfContinuousStates, double*)
EXPORTED status fmi3GetNumberOfEventIndicators(void* c, size_t* n) { return (void)c, *n = 0, all_well; }
EXPORTED status fmi3GetNumberOfContinuousStates(void* c, size_t* n) { return (void)c, *n = 0, all_well; }

EXPORTED status fmi3GetOutputDerivatives(void* c, const reference* r, size_t n, const int32_t* orders, double* v, size_t size) {
  (void)c, (void)r, (void)n, (void)orders, (void)v, (void)size;
  return failed;
}
EXPORTED status fmi3DoStep(void* c, double now, double h, bool keeps, bool* handles_event, bool* ends, bool* early, double* last) {
  const text refused = refusal_of_step(unit_of(c), now, h);
  const text wrong = refused ? NULL : go_on(unit_of(c), now, h);
  (void)keeps;
  *handles_event = *early = false;
  *ends = wrong != NULL;
  *last = unit_of(c)->m.state.x[0];
  return refused ? judged(c, refused) : said((instance*)c, discarded, wrong);
}
EXPORTED status fmi3ActivateModelPartition(void* c, reference clock, double t) { return (void)c, (void)clock, (void)t, failed; }
