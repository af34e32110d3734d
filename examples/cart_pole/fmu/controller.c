/* A PID controller as an FMU 2.0 for co-simulation: what mubody's block 'pid' does when it is sampled, in C of its own.

     w = kp e + x + T ki e + kd (e - f)/(Tf + T),   y = w within the limits
     x = x + T ki e + T g/(1 + T g) (y - w),        f = f + T/(Tf + T) (e - f),   g = sqrt(ki/kd)

   Every step is one instant: it takes the input of that instant, and the output holds until the next one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef void* component;
typedef unsigned reference;
typedef const char* text;
typedef enum { fine, warned, discarded, failed } status;

enum { error, force, kp, ki, kd, filter, low, high, count };
static const double usual[count] = {0, 0, 60, 20, 8, 0.02, -10, 10};

typedef struct {
  double v[count], x, f;
  int begun;
} controller;

static void begin(controller* c) {
  memset(c, 0, sizeof *c);
  memcpy(c->v, usual, sizeof usual);
}

text fmi2GetTypesPlatform(void) { return "default"; }
text fmi2GetVersion(void) { return "2.0"; }
status fmi2SetDebugLogging(component c, int on, size_t n, const text* s) {
  (void)c, (void)on, (void)n, (void)s;
  return fine;
}
component fmi2Instantiate(text name, int type, text guid, text where, const void* f, int visible, int logging) {
  controller* c = malloc(sizeof *c);
  (void)name, (void)where, (void)f, (void)visible, (void)logging;
  if (!c || type != 1 || strcmp(guid, "{cart-pole-controller-1}") != 0) return free(c), NULL;
  begin(c);
  return c;
}
void fmi2FreeInstance(component c) { free(c); }
status fmi2SetupExperiment(component c, int a, double tolerance, double start, int b, double stop) {
  (void)c, (void)a, (void)tolerance, (void)start, (void)b, (void)stop;
  return fine;
}
status fmi2EnterInitializationMode(component c) { return c ? fine : failed; }
status fmi2ExitInitializationMode(component c) { return c ? fine : failed; }
status fmi2Terminate(component c) { return c ? fine : failed; }
status fmi2Reset(component c) { return begin(c), fine; }
status fmi2GetReal(component c, const reference* r, size_t n, double* v) {
  for (size_t k = 0; k < n; ++k) {
    if (r[k] >= count) return failed;
    v[k] = ((controller*)c)->v[r[k]];
  }
  return fine;
}
status fmi2SetReal(component c, const reference* r, size_t n, const double* v) {
  for (size_t k = 0; k < n; ++k) {
    if (r[k] >= count || r[k] == force) return failed;
    ((controller*)c)->v[r[k]] = v[k];
  }
  return fine;
}
#define NONE(name, type) \
  status name(component c, const reference* r, size_t n, type v) { return (void)c, (void)r, (void)v, n ? failed : fine; }
NONE(fmi2GetInteger, int*) NONE(fmi2GetBoolean, int*) NONE(fmi2GetString, text*)
NONE(fmi2SetInteger, const int*) NONE(fmi2SetBoolean, const int*) NONE(fmi2SetString, const text*)

status fmi2DoStep(component c, double t, double h, int keeps) {
  controller* p = c;
  const double* v = p->v;
  const double e = v[error], T = p->begun ? h : 0, g = h * (v[kd] > 0 ? sqrt(v[ki] / v[kd]) : 0);
  double w, y;
  (void)t, (void)keeps;
  if (!p->begun) p->f = e;
  p->begun = 1;
  w = v[kp] * e + p->x + T * v[ki] * e + v[kd] * (T > 0 ? (e - p->f) / (v[filter] + T) : 0);
  y = w > v[high] ? v[high] : w < v[low] ? v[low] : w;
  p->x += T * v[ki] * e + g / (1 + g) * (y - w);
  p->f += T > 0 ? T / (v[filter] + T) * (e - p->f) : 0;
  p->v[force] = y;
  return fine;
}

/* The state is plain data. */
status fmi2GetFMUstate(component c, void** s) {
  if (!*s) *s = malloc(sizeof(controller));
  return *s ? (memcpy(*s, c, sizeof(controller)), fine) : failed;
}
status fmi2SetFMUstate(component c, void* s) { return memcpy(c, s, sizeof(controller)), fine; }
status fmi2FreeFMUstate(component c, void** s) { return (void)c, free(*s), *s = NULL, fine; }
status fmi2SerializedFMUstateSize(component c, void* s, size_t* n) { return (void)c, (void)s, *n = sizeof(controller), fine; }
status fmi2SerializeFMUstate(component c, void* s, char* b, size_t n) {
  return (void)c, n < sizeof(controller) ? failed : (memcpy(b, s, sizeof(controller)), fine);
}
status fmi2DeSerializeFMUstate(component c, const char* b, size_t n, void** s) {
  *s = NULL;
  return n < sizeof(controller) || fmi2GetFMUstate(c, s) != fine ? failed : (memcpy(*s, b, sizeof(controller)), fine);
}

status fmi2GetDirectionalDerivative(component c, const reference* a, size_t n, const reference* b, size_t m, const double* d,
                                    double* e) {
  return (void)c, (void)a, (void)n, (void)b, (void)m, (void)d, (void)e, failed;
}
status fmi2SetRealInputDerivatives(component c, const reference* r, size_t n, const int* o, const double* v) {
  return (void)c, (void)r, (void)n, (void)o, (void)v, failed;
}
status fmi2GetRealOutputDerivatives(component c, const reference* r, size_t n, const int* o, double* v) {
  return (void)c, (void)r, (void)n, (void)o, (void)v, failed;
}
status fmi2CancelStep(component c) { return (void)c, failed; }
status fmi2GetStatus(component c, int k, status* v) { return (void)c, (void)k, (void)v, discarded; }
status fmi2GetRealStatus(component c, int k, double* v) { return (void)c, (void)k, (void)v, discarded; }
status fmi2GetIntegerStatus(component c, int k, int* v) { return (void)c, (void)k, (void)v, discarded; }
status fmi2GetBooleanStatus(component c, int k, int* v) { return (void)c, (void)k, (void)v, discarded; }
status fmi2GetStringStatus(component c, int k, text* v) { return (void)c, (void)k, (void)v, discarded; }
