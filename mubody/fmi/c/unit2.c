/* FMI 2.0 for co-simulation over the C of a model.  Nothing is included but the model: the declarations are those of the
   Functional Mock-up Interface 2.0, in words of our own. */
#include "model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#if defined _WIN32
#define EXPORTED __declspec(dllexport)
#elif defined __GNUC__
#define EXPORTED __attribute__((visibility("default")))
#else
#define EXPORTED
#endif

typedef void* component;
typedef unsigned reference;
typedef const char* text;
typedef enum { all_well, warned, discarded, failed, fatal, pending } status;
typedef struct {
  void (*logger)(void*, text, status, text, text, ...);
  void* (*allocate)(size_t, size_t);
  void (*release)(void*);
  void (*finished)(void*, status);
  void* environment;
} callbacks;

/* What a reference is about: the step of the integration, or an input, its rate and its acceleration, or an output. */
typedef enum { the_step, an_input, a_rate, an_acceleration, an_output } kind;
typedef struct {
  kind what;
  text name;
} variable;
static const variable variables[] = {@VARIABLES@};
static const text token = "@TOKEN@";
enum { count = sizeof variables / sizeof variables[0] };

typedef struct {
  model_state state;
  double step;
  int failed, fresh;
  double outputs[model_OUTPUTS > 0 ? model_OUTPUTS : 1];
} memory;
typedef struct {
  memory m;
  int place[count];
  callbacks f;
  char name[100];
} unit;

static status complain(unit* u, status s, text category, text what) {
  if (u->f.logger) u->f.logger(u->f.environment, u->name, s, category, what);
  return s;
}
static void begin(unit* u) {
  memset(&u->m, 0, sizeof u->m);
  model_start(&u->m.state);
  u->m.step = @STEP@;
}
static double* number_of(unit* u, reference r) {
  const variable* v = &variables[r - 1];
  if (v->what == the_step) return &u->m.step;
  if (v->what == an_output) {
    model_real now[model_OUTPUTS > 0 ? model_OUTPUTS : 1];
    if (!u->m.fresh) {
      int k;
      model_outputs(&u->m.state, now);
      for (k = 0; k < model_OUTPUTS; ++k) u->m.outputs[k] = now[k];
      u->m.fresh = 1;
    }
    return &u->m.outputs[u->place[r - 1]];
  }
  return &u->m.state.x[model_INPUTS + 3 * u->place[r - 1] + (int)(v->what - an_input)];
}

EXPORTED text fmi2GetTypesPlatform(void) { return "default"; }
EXPORTED text fmi2GetVersion(void) { return "2.0"; }
EXPORTED status fmi2SetDebugLogging(component c, int on, size_t n, const text* categories) {
  (void)c, (void)on, (void)n, (void)categories;
  return all_well;
}
EXPORTED component fmi2Instantiate(text name, int type, text guid, text resources, const callbacks* f, int visible, int logging) {
  unit* u = (unit*)calloc(1, sizeof *u);
  int k;
  (void)resources, (void)visible, (void)logging;
  if (!u) return NULL;
  if (f) u->f = *f;
  if (name) strncpy(u->name, name, sizeof u->name - 1);
  if (type != 1 || !guid || strcmp(guid, token) != 0) {
    complain(u, failed, "logStatusError", type != 1 ? "this FMU is for co-simulation" : "the GUID is not that of this FMU");
    free(u);
    return NULL;
  }
  for (k = 0; k < count; ++k)
    u->place[k] = variables[k].what == an_output ? model_find_output(variables[k].name)
                  : variables[k].what == the_step ? 0
                                                  : model_find_input(variables[k].name);
  begin(u);
  return u;
}
EXPORTED void fmi2FreeInstance(component c) { free(c); }
EXPORTED status fmi2SetupExperiment(component c, int has, double tolerance, double start, int stops, double stop) {
  (void)has, (void)tolerance, (void)stops, (void)stop;
  ((unit*)c)->m.state.x[0] = start;
  return all_well;
}
EXPORTED status fmi2EnterInitializationMode(component c) { return c ? all_well : failed; }
EXPORTED status fmi2ExitInitializationMode(component c) { return c ? all_well : failed; }
EXPORTED status fmi2Terminate(component c) { return c ? all_well : failed; }
EXPORTED status fmi2Reset(component c) {
  begin((unit*)c);
  return all_well;
}
EXPORTED status fmi2GetReal(component c, const reference* r, size_t n, double* v) {
  unit* u = (unit*)c;
  size_t k;
  for (k = 0; k < n; ++k) {
    if (r[k] > count) return complain(u, failed, "logStatusError", "there is no such variable");
    v[k] = r[k] == 0 ? u->m.state.x[0] : *number_of(u, r[k]);
  }
  return all_well;
}
EXPORTED status fmi2SetReal(component c, const reference* r, size_t n, const double* v) {
  unit* u = (unit*)c;
  size_t k;
  for (k = 0; k < n; ++k) {
    if (r[k] == 0 || r[k] > count || variables[r[k] - 1].what == an_output || v[k] != v[k] ||
        (variables[r[k] - 1].what == the_step && !(v[k] > 0)))
      return complain(u, failed, "logStatusError", "a variable cannot be set to this value");
    *number_of(u, r[k]) = v[k];
    u->m.fresh = 0;
  }
  return all_well;
}
#define NONE(name, type) \
  EXPORTED status name(component c, const reference* r, size_t n, type v) { \
    (void)c, (void)r, (void)v; \
    return n > 0 ? failed : all_well; \
  }
NONE(fmi2GetInteger, int*) NONE(fmi2GetBoolean, int*) NONE(fmi2GetString, text*)
NONE(fmi2SetInteger, const int*) NONE(fmi2SetBoolean, const int*) NONE(fmi2SetString, const text*)

/* The memory is plain data: all of it is one copy. */
EXPORTED status fmi2GetFMUstate(component c, void** s) {
  if (!*s) *s = malloc(sizeof(memory));
  if (!*s) return failed;
  memcpy(*s, &((unit*)c)->m, sizeof(memory));
  return all_well;
}
EXPORTED status fmi2SetFMUstate(component c, void* s) {
  memcpy(&((unit*)c)->m, s, sizeof(memory));
  return all_well;
}
EXPORTED status fmi2FreeFMUstate(component c, void** s) {
  (void)c;
  free(*s);
  *s = NULL;
  return all_well;
}
EXPORTED status fmi2SerializedFMUstateSize(component c, void* s, size_t* n) {
  (void)c, (void)s;
  *n = sizeof(memory);
  return all_well;
}
EXPORTED status fmi2SerializeFMUstate(component c, void* s, char* bytes, size_t n) {
  (void)c;
  if (n < sizeof(memory)) return failed;
  memcpy(bytes, s, sizeof(memory));
  return all_well;
}
EXPORTED status fmi2DeSerializeFMUstate(component c, const char* bytes, size_t n, void** s) {
  (void)c;
  if (n < sizeof(memory)) return failed;
  *s = malloc(sizeof(memory));
  if (!*s) return failed;
  memcpy(*s, bytes, sizeof(memory));
  return all_well;
}

EXPORTED status fmi2GetDirectionalDerivative(component c, const reference* u, size_t nu, const reference* k, size_t nk,
                                             const double* du, double* dk) {
  (void)c, (void)u, (void)nu, (void)k, (void)nk, (void)du, (void)dk;
  return failed;
}
EXPORTED status fmi2SetRealInputDerivatives(component c, const reference* r, size_t n, const int* orders, const double* v) {
  unit* u = (unit*)c;
  size_t k;
  for (k = 0; k < n; ++k) {
    if (r[k] == 0 || r[k] > count || variables[r[k] - 1].what != an_input || orders[k] < 1 || orders[k] > 2) return failed;
    number_of(u, r[k])[orders[k]] = v[k];
    u->m.fresh = 0;
  }
  return all_well;
}
EXPORTED status fmi2GetRealOutputDerivatives(component c, const reference* r, size_t n, const int* orders, double* v) {
  (void)c, (void)r, (void)n, (void)orders, (void)v;
  return failed;
}
EXPORTED status fmi2DoStep(component c, double now, double h, int keeps) {
  unit* u = (unit*)c;
  const int n = h > 0 ? (int)ceil(h / u->m.step - 1e-9) : 0;
  int k;
  (void)keeps;
  u->m.fresh = 0;
  for (k = 0; k < n; ++k) {
    const int wrong = model_step(&u->m.state, (model_real)(h / n));
    if (wrong) {
      u->m.failed = 1;
      return complain(u, discarded, "logStatusDiscard",
                      wrong == 2 ? "the state has left the range of the tables" : "a number of the state is not finite");
    }
  }
  if (n > 0) u->m.state.x[0] = (model_real)(now + h), u->m.state.lost = 0; /* no round-off gathers */
  return all_well;
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
  *v = ((unit*)c)->m.state.x[0];
  return all_well;
}
EXPORTED status fmi2GetIntegerStatus(component c, int k, int* v) {
  (void)c, (void)k, (void)v;
  return discarded;
}
EXPORTED status fmi2GetBooleanStatus(component c, int k, int* v) {
  if (k != 3) return discarded;
  *v = ((unit*)c)->m.failed;
  return all_well;
}
EXPORTED status fmi2GetStringStatus(component c, int k, text* v) {
  (void)c, (void)k, (void)v;
  return discarded;
}
