#pragma once
// What an emitted header offers, for a model that is called `model`.
//
// Lines that begin with // or include a file of ours stay behind when this is embedded; everything else is
// emitted, with the name of the model in place of `model` in all identifiers that begin with model_.
#include "mubody/precompute/c/sizes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  model_real t; /* [s] */
  model_real theta[model_VARIABLES], rate[model_VARIABLES];
  /* Forces from outside on the variables [N, N m], which a controller may change between steps.  A force on the
     velocities of the bodies acts through the columns of B: the velocities from model_bodies at rates of 1. */
  model_real input[model_VARIABLES];
  int region, laps, turns[model_VARIABLES];
  model_real t_rest;
  model_real kept[model_KEPT]; /* what forces that count turns remember of the last step */
} model_state;

/* Sets the state in which the analysis starts. */
void model_start(model_state* state);
/* The k-th variable, counted over all turns.  After eight turns theta returns to the range of the tables. */
model_real model_variable(const model_state* state, int k);
/* Second derivatives of the independent variables.  Variables that drivers prescribe follow them, whatever the state says. */
void model_accelerations(const model_state* state, model_real* acceleration);
/* One step of the classical Runge-Kutta method: four evaluations, always the same number of operations.
   Returns 0 if the state has left the range of the tables, where everything is as at the end of the range. */
int model_step(model_state* state, model_real h);
/* Moves the state into the next region where it has to, and counts turns; call it after a step of your own.
   Returns 0 if the state is out of range. */
int model_change_region(model_state* state);
/* Positions, model_BODIES times model_COORDINATES, and velocities, model_BODIES times model_VELOCITIES. */
void model_bodies(const model_state* state, model_real* positions, model_real* velocities);
/* Kinetic energy, and the potential energy of what is in the tables [J]. */
model_real model_energy(const model_state* state);
/* Repeats a run of the library; returns the largest difference from its numbers, relative to max(1, size). */
model_real model_self_test(void);

#ifdef __cplusplus
}
#endif
