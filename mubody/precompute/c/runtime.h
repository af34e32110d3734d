#pragma once
// The tables of an emitted model, and the functions that evaluate them: the part that is the same for all
// models.
//
// What stays behind when this is embedded, and what is emitted, is said in interface.h.
//                                                                              docs/user/realtime.md
#include "mubody/precompute/c/interface.h"

typedef model_real real;
typedef model_state mb_state;

#ifdef model_SINGLE
#define R(x) x##f
#else
#define R(x) x
#endif

enum {
  N = model_VARIABLES,
  BODIES = model_BODIES,
  COORDINATES = model_COORDINATES,
  VELOCITIES = model_VELOCITIES,
  CHECKED = 2 * N + (COORDINATES + VELOCITIES) * BODIES
};

/* One argument of a table: a range in equal intervals, each in a number of equal cells of its own. */
typedef struct {
  int cells, intervals, periodic;
  real low, high, per; /* intervals per unit */
  const int* parts;    /* cells in each interval */
  const int* first;    /* the first cell of each interval */
  int cyclic;          /* of a variable: nothing depends on it */
} mb_axis;

/* Polynomials of degree DEGREE in each argument, cell by cell. */
typedef struct {
  int arguments, quantities, stride; /* numbers in a cell */
  const int* argument;               /* the variables that are the arguments */
  const mb_axis* axes;
  const real* numbers; /* power by power, the quantities side by side */
  int cyclic;          /* so many of the arguments, the last ones, have no axes: nothing depends on them */
} mb_table;

/* Inertia J row by row up to the diagonal; potential energy; forces, if positional; damping, if damped. */
typedef struct {
  mb_table table;
  int positional, damped;
} mb_dynamics;

/* The coordinates of each body, then its velocities at rates of 1, row by row. */
typedef struct {
  mb_table table;
  int bodies;
  const int* body;
} mb_bodies;

/* Scalars that forces at run time depend on. */
typedef struct {
  mb_table table;
  const int* scalar;
} mb_scalars;

/* The way into a neighbouring region; there is none if region is -1. */
typedef struct {
  int region, laps;
  real at, shift;
} mb_border;

typedef struct {
  const mb_axis* ranges;
  int dynamics_count, bodies_count, scalars_count;
  const mb_dynamics* dynamics;
  const mb_bodies* bodies;
  const mb_scalars* scalars;
  const mb_table* next; /* the first variable of the regions below and above */
  mb_border below, above;
} mb_region;

/* What the library found after some steps: theta, rate, positions, velocities. */
typedef struct {
  int step;
  real number[CHECKED];
} mb_check;

typedef struct {
  const mb_region* regions;
  const real* gain; /* what each turn of each variable adds to the coordinates, variable by variable */
  const real* sign; /* the sign that it gives them */
  /* Adds forces at run time to b; 0 if there are none. */
  void (*apply)(const mb_region* region, const mb_state* state, real* b);
  mb_state start;
  const mb_check* checks;
  int checks_count;
  real check_step, check_limit;
} mb_model;

/* Emitted sources keep these functions to themselves, since a program may contain several models. */
#ifndef MB_LOCAL
#define MB_LOCAL
#endif

/* Functions that formulas of forces call. */
MB_LOCAL real mb_min(real a, real b);
MB_LOCAL real mb_max(real a, real b);
MB_LOCAL real mb_mod(real a, real b);
MB_LOCAL real mb_sign(real a);
MB_LOCAL real mb_power(real x, int n);
MB_LOCAL real mb_step(real t, real t0, real h0, real t1, real h1);

/* Values, and the slope of quantity q by the a-th argument at slopes[a * quantities + q]. */
MB_LOCAL void mb_evaluate(const mb_table* t, const real* theta, real* values, real* slopes);
/* How often a variable has gone all the way round; a cyclic one, in parts too. */
MB_LOCAL real mb_laps(const mb_region* r, const mb_state* s, int i);
/* All `count` scalars that forces at run time depend on, their rates, and their slopes by the variables. */
MB_LOCAL void mb_look_up(const mb_region* r, const mb_state* s, int count, real* x, real* v, real slope[][N]);
MB_LOCAL void mb_accelerations(const mb_model* m, const mb_state* s, real* acceleration);
MB_LOCAL void mb_energies(const mb_model* m, const mb_state* s, real* kinetic, real* potential);
MB_LOCAL int mb_change_region(const mb_model* m, mb_state* s);
MB_LOCAL int mb_advance(const mb_model* m, mb_state* s, real h);
MB_LOCAL real mb_variable(const mb_model* m, const mb_state* s, int k);
MB_LOCAL void mb_positions(const mb_model* m, const mb_state* s, real* q, real* u);
MB_LOCAL real mb_self_test(const mb_model* m);
