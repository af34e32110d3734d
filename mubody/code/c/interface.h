#pragma once
// What an emitted header offers, for a model that is called `model`.
//
// Lines that begin with // or include a file of ours stay behind when this is embedded; everything else is
// emitted, with the name of the model in place of `model` in all identifiers that begin with model_.
#include "mubody/code/c/sizes.h"

/* Before functions that run where the model does; for graphics processors it says so. */
#ifndef model_FN
#define model_FN
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* All numbers of the model: the time x[0], from x[model_Q] on the coordinates, from x[model_U] on the velocities, from
   x[model_Z] on the states of forces and signals, from x[model_INPUTS] on value, rate and acceleration of each input, which hold
   during a step and may be changed between steps, then what tables of loops say, which follows from the rest, and from
   x[model_KEPT] on what is remembered, as turns are. */
typedef struct {
  model_real x[model_NUMBERS];
  model_real lost;                  /* what the time has too much by round-off of its sum */
  long instants[model_SAMPLED + 1]; /* how many instants each sampled signal has passed */
  int left;                         /* for model_left */
} model_state;

/* These functions return 0, or 2 if a variable of a loop is beyond the range of its table; nothing is written then.  Steps
   also return 1 if a number is not finite, and then, too, the state is that before the step. */

/* The name of the variable that was beyond its range, if the last step, or the start, returned 2; a null pointer if it did not.
   The other functions do not change that. */
const char* model_left(const model_state* state);

/* Sets the state in which the analysis starts. */
model_FN int model_start(model_state* state);

/* The rates of coordinates, velocities and states of forces and signals: model_STATES numbers. */
model_FN int model_rates(const model_state* state, model_real* rates);
/* One step of the classical Runge-Kutta method, then corrections that put the state onto the constraints: always the same
   number of operations. */
model_FN int model_step(model_state* state, model_real h);
/* The same with the values that all inputs have during the step, model_INPUT_COUNT of them; their rates and accelerations
   stay as they are in x, 0 at the start: set those of drivers that move there. */
model_FN int model_step_with(model_state* state, const model_real* inputs, model_real h);
/* model_OUTPUTS numbers, named by model_output_name and model_output_unit. */
model_FN int model_outputs(const model_state* state, model_real* outputs);
/* The coordinates of all bodies, then their velocities: model_BODY_NUMBERS numbers. */
model_FN int model_bodies(const model_state* state, model_real* bodies);
/* Names and units; a null pointer beyond the last one. */
const char* model_output_name(int k);
const char* model_output_unit(int k);
const char* model_input_name(int k);
const char* model_input_unit(int k);
/* The place of an output or an input by its name; -1 if there is none. */
int model_find_output(const char* name);
int model_find_input(const char* name);
/* Repeats a run of the library; returns the largest difference from its numbers, relative to max(1, size). */
model_FN model_real model_self_test(void);

#ifdef __cplusplus
}
#endif
