// The functions of an emitted header.  What stands before them in an emitted source are the equations of the model:
//
//   mb_rates(x, y)    the rates of the states              mb_keep(x, y)     what is remembered
//   mb_close(x, y)    corrected coordinates                mb_sample(x, y)   what sampled signals keep after an instant
//   mb_settle(x, y)   corrected velocities                 mb_observe(x, y)  the outputs
//   mb_pose(x, y)     where bodies are and how they move   mb_follow(x)      writes what tables of loops say into x; returns 0, or
//                                                                            3 + k if variable k of these is beyond its range
//
// and the numbers mb_first (the start), mb_check (the bodies after a run of the library), mb_period, and the places in x of
// what belongs to sampled signals: mb_due, mb_since, mb_instant.
#include "mubody/code/c/interface.h"

#include <stdint.h>
#include <string.h>

#include "mubody/code/c/routines.h"

/* Whether a number is finite, by its bits: compilers that are told so take that for granted. */
MB_FN int mb_finite(model_real x) {
#ifdef MB_SINGLE
  const uint32_t exponent = UINT32_C(0x7f800000);
  uint32_t bits;
#else
  const uint64_t exponent = UINT64_C(0x7ff0000000000000);
  uint64_t bits;
#endif
  memcpy(&bits, &x, sizeof bits);
  return (bits & exponent) != exponent;
}

/* Lets signals take their samples whose instants have come: to 1e-9 of their period, as in the library, and to round-off of
   the time, of steps and of periods, which grows with the time. */
MB_FN void mb_pass_instants(model_state* state) {
  model_real y[model_INSTANT_NUMBERS + 1], *const x = state->x;
  const model_real bit = sizeof(model_real) < sizeof(double) ? R(1.2e-7) : R(2.3e-16);
  int k, any = 0;
  for (k = 0; k < model_SAMPLED; ++k) {
    const model_real next = mb_first[0] + (model_real)state->instants[k] * mb_period[k];
    const model_real about = R(1e-9) * mb_period[k] + 4 * bit * (x[0] < 0 ? -x[0] : x[0]);
    const int due = x[0] >= next - about;
    x[mb_due[k]] = due ? R(1.0) : R(0.0);
    x[mb_since[k]] = state->instants[k] > 0 ? mb_period[k] : R(0.0);
    state->instants[k] += due;
    any |= due;
  }
  if (!any) return;
  mb_sample(x, y);
  for (k = 0; k < model_INSTANT_NUMBERS; ++k) x[mb_instant[k]] = y[k];
}

/* Remembers which variable is beyond its range, and says that one is. */
MB_FN int mb_told(model_state* state, int code) {
  state->left = code > 2 ? code - 2 : 0;
  return code > 2 ? 2 : code;
}
const char* model_left(const model_state* state) { return mb_variable_name(state->left - 1); }

model_FN int model_start(model_state* state) {
  int code;
  memset(state, 0, sizeof *state);
  memcpy(state->x, mb_first, sizeof state->x);
  code = mb_follow(state->x);
  mb_keep(mb_first, state->x + model_KEPT);
  mb_pass_instants(state);
  return mb_told(state, code);
}

/* Calls a routine where tables are looked up first. */
MB_FN int mb_call(void (*routine)(const mb_real*, mb_real*), const model_state* state, model_real* y) {
  model_real x[model_NUMBERS];
  int code;
  if (model_FOLLOWED == model_KEPT) { /* there are no tables */
    routine(state->x, y);
    return 0;
  }
  memcpy(x, state->x, sizeof x);
  code = mb_follow(x);
  if (code == 0) routine(x, y);
  return code > 2 ? 2 : code;
}

model_FN int model_rates(const model_state* state, model_real* rates) {
  return mb_call(mb_rates, state, rates);
}

model_FN int model_outputs(const model_state* state, model_real* outputs) {
  return mb_call(mb_observe, state, outputs);
}

model_FN int model_bodies(const model_state* state, model_real* bodies) {
  return mb_call(mb_pose, state, bodies);
}

/* x at the time t + s h, with the states y + s h k. */
MB_FN void mb_go(const model_real* from, const model_real* k, model_real h, model_real* x) {
  int n;
  x[0] = from[0] + h;
  for (n = 0; n < model_STATES; ++n) x[model_Q + n] = from[model_Q + n] + h * k[n];
}

/* Puts positions and velocities onto the constraints. */
MB_FN int mb_correct(model_real* x) {
  model_real y[model_NUMBERS];
  int n, code = mb_follow(x);
  for (n = 0; n < model_CORRECTIONS && code == 0; ++n) {
    mb_close(x, y);
    memcpy(x + model_Q, y, (model_U - model_Q) * sizeof *x);
    code = mb_follow(x);
  }
  if (model_CORRECTIONS > 0 && code == 0) {
    mb_settle(x, y);
    memcpy(x + model_U, y, (model_Z - model_U) * sizeof *x);
    code = mb_follow(x);
  }
  return code;
}

/* The rates at the time t + h, with the states y + h k. */
MB_FN int mb_stage(const model_real* from, const model_real* k, model_real h, model_real* x,
                   model_real* rates) {
  int n, code;
  for (n = 0; n < model_STATES; ++n)
    if (!mb_finite(k[n])) return 1;
  mb_go(from, k, h, x);
  code = mb_follow(x);
  if (code == 0) mb_rates(x, rates);
  return code;
}

/* A step, with the code of mb_follow. */
MB_FN int mb_step(model_state* state, model_real h) {
  model_real x[model_NUMBERS], k[4][model_STATES], *const from = state->x;
  model_real lost;
  int n, code = mb_follow(from);
  if (code != 0) return code;
  memcpy(x, from, sizeof x);
  mb_rates(from, k[0]);
  if ((code = mb_stage(from, k[0], h / 2, x, k[1])) != 0) return code;
  if ((code = mb_stage(from, k[1], h / 2, x, k[2])) != 0) return code;
  if ((code = mb_stage(from, k[2], h, x, k[3])) != 0) return code;
  for (n = 0; n < model_STATES; ++n) {
    k[0][n] = (k[0][n] + 2 * (k[1][n] + k[2][n]) + k[3][n]) / 6;
    if (!mb_finite(k[0][n])) return 1;
  }
  mb_go(from, k[0], h, x);
  x[0] = from[0] + (h - state->lost); /* a sum of many steps would miss instants */
  lost = (x[0] - from[0]) - (h - state->lost);
  if ((code = mb_correct(x)) != 0) return code;
  for (n = 0; n < model_STATES; ++n)
    if (!mb_finite(x[model_Q + n])) return 1;
  memcpy(from, x, sizeof x);
  state->lost = lost;
  mb_keep(x, from + model_KEPT);
  mb_pass_instants(state);
  return 0;
}

model_FN int model_step(model_state* state, model_real h) { return mb_told(state, mb_step(state, h)); }

model_FN int model_step_with(model_state* state, const model_real* inputs, model_real h) {
  model_real before[model_INPUT_COUNT + 1], *const x = state->x + model_INPUTS;
  int k, code;
  for (k = 0; k < model_INPUT_COUNT; ++k)
    if (!mb_finite(inputs[k])) return mb_told(state, 1);
  for (k = 0; k < model_INPUT_COUNT; ++k) {
    before[k] = x[3 * k];
    x[3 * k] = inputs[k];
  }
  code = model_step(state, h);
  for (k = 0; k < model_INPUT_COUNT && code != 0; ++k) x[3 * k] = before[k];
  return code;
}

static int mb_find(const char* (*name)(int), const char* wanted) {
  int k;
  for (k = 0; name(k); ++k)
    if (strcmp(name(k), wanted) == 0) return k;
  return -1;
}
int model_find_output(const char* name) { return mb_find(model_output_name, name); }
int model_find_input(const char* name) { return mb_find(model_input_name, name); }

model_FN model_real model_self_test(void) {
  model_state state;
  model_real bodies[model_BODY_NUMBERS], most = 0;
  int n;
  model_start(&state);
  for (n = 0; n < model_CHECK_STEPS; ++n)
    if (model_step(&state, mb_check_step) != 0) return 1;
  if (model_bodies(&state, bodies) != 0) return 1;
  for (n = 0; n < model_BODY_NUMBERS; ++n) {
    const model_real wanted = mb_check[n], size = wanted < 0 ? -wanted : wanted;
    const model_real gap = bodies[n] - wanted, error = (gap < 0 ? -gap : gap) / (size > 1 ? size : 1);
    if (!(error <= most)) most = error;
  }
  return most;
}

#ifdef model_SELF_TEST_MAIN
#include <stdio.h>
int main(void) {
  const model_real most = model_self_test();
  printf("%.3e\n", (double)most);
  return most <= mb_check_limit ? 0 : 1;
}
#endif
