#pragma once
// What is emitted beside the C of a model, from the next line on.
/* An instance of an FMU for co-simulation over the C of a model: its variables, its memory and its steps.  The functions of
   FMI 2.0 or 3.0 lie around it.  What goes wrong comes back as a text, and a null pointer says that all is well. */
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

typedef model_real real_number;
typedef unsigned reference;
typedef const char* text;

/* What a reference is about: the step of the integration, or an input, its rate and its acceleration, or an output. */
typedef enum { the_step, an_input, a_rate, an_acceleration, an_output } kind;
typedef struct {
  kind what;
  text name;
} variable;
static const variable variables[] = {@VARIABLES@};
static const char token[] = "@TOKEN@";
enum {
  count = sizeof variables / sizeof variables[0],
  outputs = model_OUTPUTS > 0 ? model_OUTPUTS : 1,
  first_input = model_INPUTS
};

/* What has been called so far. */
enum { made, initializing, going, ended };

/* How well a call went, and the categories of what is said then.  Errors are always told, as nothing else says what is wrong;
   the others if they have been chosen. */
typedef enum { all_well, warned, discarded, failed, fatal, pending } status;
enum { categories = 4 };
static const text category_names[categories] = {"logEvents", "logStatusWarning", "logStatusDiscard", "logStatusError"};
typedef struct {
  int to[categories];
} listening;

static int listens(const listening* l, status s) { return s == failed || l->to[s]; }
/* No names stand for all categories.  Without logging, warnings and discarded steps are told.  Returns whether all names are
   those of categories. */
static int choose(listening* l, int on, size_t n, const text* names) {
  int known = 1, j;
  size_t k;
  for (j = 0; j < categories; ++j) l->to[j] = on ? n == 0 : j != all_well;
  for (k = 0; on && k < n; ++k) {
    int found = 0;
    for (j = 0; names[k] && j < categories; ++j)
      if (strcmp(names[k], category_names[j]) == 0) l->to[j] = found = 1;
    known = known && found;
  }
  if (!known) l->to[warned] = 1;
  return known;
}
static const text unknown_category = "some of the categories are not among those of the description";

/* The memory is plain data: a state is a copy of it. */
typedef struct {
  model_state state;
  double step, stop;
  int phase, failed, fresh;
  double outputs[outputs];
} memory;
typedef struct {
  memory m;
  int place[count];
} unit;

static void begin(unit* u) {
  memset(&u->m, 0, sizeof u->m);
  model_start(&u->m.state);
  u->m.step = @STEP@;
  u->m.stop = HUGE_VAL;
}
static void find_places(unit* u) {
  int k;
  for (k = 0; k < count; ++k)
    u->place[k] = variables[k].what == an_output ? model_find_output(variables[k].name)
                  : variables[k].what == the_step ? 0
                                                  : model_find_input(variables[k].name);
}
/* Where an input, its rate or its acceleration stands among those of all inputs. */
static int place_among_inputs(const unit* u, reference r) {
  return 3 * u->place[r - 1] + (int)(variables[r - 1].what - an_input);
}
static int is_input(reference r) {
  return r > 0 && r <= count && variables[r - 1].what >= an_input && variables[r - 1].what <= an_acceleration;
}

static text get_number(unit* u, reference r, double* v) {
  if (r > count) return "there is no such variable";
  if (r == 0) {
    *v = u->m.state.x[0];
  } else if (variables[r - 1].what == the_step) {
    *v = u->m.step;
  } else if (variables[r - 1].what != an_output) {
    *v = u->m.state.x[first_input + place_among_inputs(u, r)];
  } else {
    if (!u->m.fresh) {
      real_number now[outputs];
      int k;
      model_outputs(&u->m.state, now);
      for (k = 0; k < model_OUTPUTS; ++k) u->m.outputs[k] = now[k];
      u->m.fresh = 1;
    }
    *v = u->m.outputs[u->place[r - 1]];
  }
  return NULL;
}
static text set_number(unit* u, reference r, double v) {
  if (r == 0 || r > count) return "there is no such variable that can be set";
  if (variables[r - 1].what == an_output) return "an output cannot be set";
  if (v - v != 0) return "a variable must be finite";
  if (variables[r - 1].what == the_step) {
    if (u->m.phase > initializing) return "the step of the integration is fixed once the motion has been initialized";
    if (!(v > 0)) return "the step of the integration must be positive";
    u->m.step = v;
  } else {
    u->m.state.x[first_input + place_among_inputs(u, r)] = (real_number)v;
  }
  u->m.fresh = 0;
  return NULL;
}

/* How outputs change at once when inputs change by a seed. */
static text change_of(const unit* u, const reference* unknowns, size_t n, const reference* knowns, size_t m,
                      const double* seed, double* changes) {
  real_number by[3 * model_INPUT_COUNT + 1] = {0}, of[outputs];
  size_t k;
  for (k = 0; k < m; ++k) {
    if (!is_input(knowns[k])) return "outputs have derivatives with respect to inputs alone";
    by[place_among_inputs(u, knowns[k])] += (real_number)seed[k];
  }
  model_change(&u->m.state, by, of);
  for (k = 0; k < n; ++k) {
    if (unknowns[k] == 0 || unknowns[k] > count || variables[unknowns[k] - 1].what != an_output)
      return "only outputs have derivatives";
    changes[k] = of[u->place[unknowns[k] - 1]];
  }
  return NULL;
}

/* The functions of an instance are called in an order. */
static text moved_on(unit* u, int from, int to) {
  if (!u) return "there is no instance";
  if (u->m.phase != from) return "this function was called out of order";
  u->m.phase = to;
  return NULL;
}
static text set_up(unit* u, double start, int stops, double stop, int next) {
  const text wrong = moved_on(u, made, made);
  if (wrong) return wrong;
  if (start - start != 0) return "the start must be finite";
  if (stops && !(stop >= start)) return "the stop must not come before the start";
  u->m.stop = stops ? stop : HUGE_VAL;
  u->m.fresh = 0;
  u->m.state.x[0] = (real_number)start;
  return moved_on(u, made, next);
}

/* Equal steps of at most the step of the integration. */
static double number_of_steps(const unit* u, double h) { return h > 0 ? ceil(h / u->m.step - 1e-9) : 0; }
static text refusal_of_step(const unit* u, double now, double h) {
  if (u->m.phase != going) return "a step was asked for out of order";
  if (!(h >= 0 && number_of_steps(u, h) <= 1e9)) return "a step of this length cannot be made";
  if (!(fabs(now - u->m.state.x[0]) <= 1e-9 * (fabs(now) + h + 1))) return "a step was asked for from where the motion is not";
  if (now + h > u->m.stop + 1e-9 * (fabs(now) + h)) return "a step must not go past the stop that was set";
  return NULL;
}
static text go_on(unit* u, double now, double h) {
  const int n = (int)number_of_steps(u, h);
  int k;
  u->m.fresh = 0;
  for (k = 0; k < n; ++k) {
    const int wrong = model_step(&u->m.state, (real_number)(h / n));
    if (!wrong) continue;
    u->m.failed = 1;
    return wrong == 2 ? "the state has left the range of the tables" : "a number of the state is not finite";
  }
  if (n > 0) u->m.state.x[0] = (real_number)(now + h), u->m.state.lost = 0; /* no round-off gathers */
  return NULL;
}

static int save(const unit* u, void** s) {
  if (!*s) *s = malloc(sizeof(memory));
  if (*s) memcpy(*s, &u->m, sizeof(memory));
  return *s != NULL;
}
static text restore(unit* u, const void* s) {
  if (!s) return "there is no state to go back to";
  memcpy(&u->m, s, sizeof(memory));
  return NULL;
}
/* A state as bytes: whose it is, and the memory. */
enum { bytes_of_state = sizeof token + sizeof(memory) };
static text to_bytes(const void* s, char* bytes, size_t n) {
  if (!s) return "there is no state to write";
  if (n < bytes_of_state) return "a state takes more bytes";
  memcpy(bytes, token, sizeof token);
  memcpy(bytes + sizeof token, s, sizeof(memory));
  return NULL;
}
static text from_bytes(const char* bytes, size_t n, void** s) {
  if (n < sizeof token || memcmp(bytes, token, sizeof token) != 0) return "these bytes are not a state of this FMU";
  if (n != bytes_of_state) return "these bytes are no whole state of an FMU";
  *s = malloc(sizeof(memory));
  if (!*s) return "there is no memory for a state";
  memcpy(*s, bytes + sizeof token, sizeof(memory));
  return NULL;
}
