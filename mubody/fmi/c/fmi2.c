/* FMI 2.0 for co-simulation over the C of a model.  Nothing else is included: the declarations are those of the Functional
   Mock-up Interface 2.0, in words of our own. */
#include "unit.h"

typedef void* component;
typedef struct {
  void (*logger)(void*, text, status, text, text, ...);
  void* (*allocate)(size_t, size_t);
  void (*release)(void*);
  void (*finished)(void*, status);
  void* environment;
} callbacks;

typedef struct {
  unit u;
  callbacks f;
  listening l;
  char name[100];
} instance;

static status said(const instance* i, status s, text what) {
  if (!what) return all_well;
  if (i && i->f.logger && listens(&i->l, s)) i->f.logger(i->f.environment, i->name, s, category_names[s], "%s", what);
  return s;
}
static status judged(component c, text wrong) { return said((instance*)c, failed, wrong); }
static unit* unit_of(component c) { return c ? &((instance*)c)->u : NULL; }

EXPORTED text fmi2GetTypesPlatform(void) { return "default"; }
EXPORTED text fmi2GetVersion(void) { return "2.0"; }
EXPORTED status fmi2SetDebugLogging(component c, int on, size_t n, const text* chosen) {
  instance* const i = (instance*)c;
  return said(i, warned, choose(&i->l, on, n, chosen) ? NULL : unknown_category);
}
EXPORTED component fmi2Instantiate(text name, int type, text guid, text resources, const callbacks* f, int visible, int logging) {
  instance* i = (instance*)calloc(1, sizeof *i);
  (void)resources, (void)visible;
  if (!i) return NULL;
  choose(&i->l, logging, 0, NULL);
  if (f) i->f = *f;
  if (name) strncpy(i->name, name, sizeof i->name - 1);
  if (type != 1 || !guid || strcmp(guid, token) != 0) {
    judged(i, type != 1 ? "this FMU is for co-simulation" : "the GUID is not that of this FMU");
    free(i);
    return NULL;
  }
  find_places(&i->u);
  begin(&i->u);
  return i;
}
EXPORTED void fmi2FreeInstance(component c) { free(c); }
EXPORTED status fmi2SetupExperiment(component c, int has, double tolerance, double start, int stops, double stop) {
  (void)has, (void)tolerance;
  return judged(c, set_up(unit_of(c), start, stops, stop, made));
}
EXPORTED status fmi2EnterInitializationMode(component c) { return judged(c, moved_on(unit_of(c), made, initializing)); }
EXPORTED status fmi2ExitInitializationMode(component c) { return judged(c, moved_on(unit_of(c), initializing, going)); }
EXPORTED status fmi2Terminate(component c) { return judged(c, moved_on(unit_of(c), going, ended)); }
EXPORTED status fmi2Reset(component c) {
  begin(unit_of(c));
  return all_well;
}
EXPORTED status fmi2GetReal(component c, const reference* r, size_t n, double* v) {
  text wrong = NULL;
  size_t k;
  for (k = 0; k < n && !wrong; ++k) wrong = get_number(unit_of(c), r[k], &v[k]);
  return judged(c, wrong);
}
EXPORTED status fmi2SetReal(component c, const reference* r, size_t n, const double* v) {
  text wrong = NULL;
  size_t k;
  for (k = 0; k < n && !wrong; ++k) wrong = set_number(unit_of(c), r[k], v[k]);
  return judged(c, wrong);
}
#define NONE(name, type) \
  EXPORTED status name(component c, const reference* r, size_t n, type v) { \
    (void)c, (void)r, (void)v; \
    return n > 0 ? failed : all_well; \
  }
NONE(fmi2GetInteger, int*) NONE(fmi2GetBoolean, int*) NONE(fmi2GetString, text*)
NONE(fmi2SetInteger, const int*) NONE(fmi2SetBoolean, const int*) NONE(fmi2SetString, const text*)

EXPORTED status fmi2GetFMUstate(component c, void** s) { return save(unit_of(c), s) ? all_well : failed; }
EXPORTED status fmi2SetFMUstate(component c, void* s) { return judged(c, restore(unit_of(c), s)); }
EXPORTED status fmi2FreeFMUstate(component c, void** s) {
  (void)c;
  if (s) free(*s), *s = NULL;
  return all_well;
}
EXPORTED status fmi2SerializedFMUstateSize(component c, void* s, size_t* n) {
  (void)c, (void)s;
  *n = bytes_of_state;
  return all_well;
}
EXPORTED status fmi2SerializeFMUstate(component c, void* s, char* bytes, size_t n) {
  return judged(c, to_bytes(s, bytes, n));
}
EXPORTED status fmi2DeSerializeFMUstate(component c, const char* bytes, size_t n, void** s) {
  return judged(c, from_bytes(bytes, n, s));
}

EXPORTED status fmi2GetDirectionalDerivative(component c, const reference* unknowns, size_t n, const reference* knowns, size_t m,
                                             const double* seed, double* changes) {
  return judged(c, change_of(unit_of(c), unknowns, n, knowns, m, seed, changes));
}
EXPORTED status fmi2SetRealInputDerivatives(component c, const reference* r, size_t n, const int* orders, const double* v) {
  (void)r, (void)orders, (void)v;
  return judged(c, n > 0 ? "inputs hold their values during a step: they have no derivatives" : NULL);
}
EXPORTED status fmi2GetRealOutputDerivatives(component c, const reference* r, size_t n, const int* orders, double* v) {
  (void)c, (void)r, (void)n, (void)orders, (void)v;
  return failed;
}
EXPORTED status fmi2DoStep(component c, double now, double h, int keeps) {
  const text refused = refusal_of_step(unit_of(c), now, h);
  (void)keeps;
  if (refused) return judged(c, refused);
  return said((instance*)c, discarded, go_on(unit_of(c), now, h));
}
EXPORTED status fmi2CancelStep(component c) {
  (void)c;
  return failed;
}
EXPORTED status fmi2GetStatus(component c, int k, status* v) {
  (void)c, (void)k, (void)v;
  return discarded;
}
EXPORTED status fmi2GetRealStatus(component c, int k, double* v) {
  if (k != 2) return discarded;
  *v = unit_of(c)->m.state.x[0];
  return all_well;
}
EXPORTED status fmi2GetIntegerStatus(component c, int k, int* v) {
  (void)c, (void)k, (void)v;
  return discarded;
}
EXPORTED status fmi2GetBooleanStatus(component c, int k, int* v) {
  if (k != 3) return discarded;
  *v = unit_of(c)->m.failed;
  return all_well;
}
EXPORTED status fmi2GetStringStatus(component c, int k, text* v) {
  (void)c, (void)k, (void)v;
  return discarded;
}
