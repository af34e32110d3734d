#pragma once
// The tables of an emitted model, and the functions that evaluate them: the part that is the same for all
// models.
//
// What stays behind when this is embedded, and what is emitted, is said in interface.h.
//                                                                              docs/user/realtime.md
#include "mubody/precompute/c/interface.h"
#include "mubody/precompute/c/tables.h"

typedef model_state mb_state;

enum {
  N = model_VARIABLES,
  FREE = N - STIFF, /* variables that have ranges; those by which joints give way follow them */
  BODIES = model_BODIES,
  COORDINATES = model_COORDINATES,
  VELOCITIES = model_VELOCITIES,
  KEPT = model_KEPT,
  CHECKED = 2 * N + (COORDINATES + VELOCITIES) * BODIES,
  /* The numbers that forces at run time are made of, and those that they are. */
  SEEN = 1 + 2 * SCALARS + BODY_FORCES * (COORDINATES + VELOCITIES) * BODIES + KEPT,
  DONE = FORCES + BODY_FORCES * VELOCITIES * BODIES
};

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
  mb_real at, shift;
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
  mb_real number[CHECKED];
} mb_check;

typedef struct {
  const mb_region* regions;
  const mb_real* gain; /* what each turn of each variable adds to the coordinates, variable by variable */
  const mb_real* sign; /* the sign that it gives them */
  /* Forces at run time; 0 if there are none.  They see the time, the scalars and their rates, and with BODY_FORCES the
     coordinates and velocities of all bodies; then what they kept.  They are the forces along scalars, then those for the
     velocities. */
  void (*apply)(const mb_real* seen, mb_real* done);
  void (*keep)(const mb_real* seen, mb_real* kept); /* what they remember after a step; 0 if nothing */
  const int* along;                                 /* the scalar of each of the forces along scalars */
  const mb_real* scalar_gain; /* what each turn of each variable adds to the scalars, variable by variable */
  /* Value, rate and acceleration of each variable that a driver prescribes, at a time; 0 if there are none. */
  void (*drive)(const mb_real* t, mb_real* follows);
  const int* driven;                  /* which variables these are */
  const mb_real *stiffness, *damping; /* matrices of the directions in which joints give way, row by row */
  mb_state start;
  const mb_check* checks;
  int checks_count;
  mb_real check_step, check_limit;
} mb_model;

/* How often a variable has gone all the way round; a cyclic one, in parts too. */
MB_FN mb_real mb_laps(const mb_region* r, const mb_state* s, int i);
/* All scalars that forces at run time depend on, their rates, and their slopes by the variables. */
MB_FN void mb_look_up(const mb_model* m, const mb_state* s, mb_real* x, mb_real* v, mb_real slope[][N]);
/* Where bodies are, and their velocities at a rate of 1 of each variable. */
MB_FN void mb_move_bodies(const mb_model* m, const mb_state* s, mb_real* q, mb_real B[][N]);
/* Forces at run time, added to the right-hand side b of J acceleration = b. */
MB_FN void mb_add_forces(const mb_model* m, const mb_state* s, mb_real* b);
/* Variables that drivers prescribe follow them, whatever the state says. */
MB_FN void mb_accelerations(const mb_model* m, const mb_state* s, mb_real* acceleration);
/* The state in which the analysis starts. */
MB_FN void mb_begin(const mb_model* m, mb_state* s);
MB_FN void mb_energies(const mb_model* m, const mb_state* s, mb_real* kinetic, mb_real* potential);
MB_FN int mb_change_region(const mb_model* m, mb_state* s);
MB_FN int mb_advance(const mb_model* m, mb_state* s, mb_real h);
MB_FN mb_real mb_variable(const mb_model* m, const mb_state* s, int k);
MB_FN void mb_positions(const mb_model* m, const mb_state* s, mb_real* q, mb_real* u);
MB_FN mb_real mb_self_test(const mb_model* m);
