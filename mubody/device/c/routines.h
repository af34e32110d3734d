#pragma once
// The equations of a model, for compiling and testing the code beside this file: a mass on a spring, x'' = -x, and one row of
// results, its energy.  What is written for a model has these names with numbers of its own.
#include "mubody/recording/c_runtime.h"

enum {
  MB_POSITIONS = 1,       /* of bodies */
  MB_VELOCITIES = 1,      /* of bodies */
  MB_CONTROLLED = 2,      /* with states of forces and signals: what the error of a step counts */
  MB_STATES = 2,          /* with works */
  MB_ROWS = 0,            /* equations that are kept */
  MB_GAPS = 0,            /* with those that are left out */
  MB_LOOKED = 0,          /* further gaps that results have */
  MB_BODY_COUNT = 1,      /* that move and are the state; 0: it is in other coordinates */
  MB_IN_SPACE = 0,        /* or in the plane */
  MB_HELD = 1,            /* whether a joint holds a body to the ground */
  MB_ARGUMENTS = 3,       /* of the equations: t, the state, what is kept */
  MB_FIRST_FOLLOWED = 3,  /* of what tables say, among the arguments */
  MB_FIRST_KEPT = 3,      /* of what is kept */
  MB_KEPT = 0,            /* numbers that are kept from one accepted state to the next */
  MB_INSTANT_NUMBERS = 0, /* numbers that sampled signals keep */
  MB_SAMPLED = 0,         /* such signals */
  MB_PARAMETERS = 0,      /* numbers that differ between mechanisms */
  MB_KEEPS = 1,           /* what is kept of the results */
  MB_OBSERVED = 5,        /* numbers of a result: channels, energies, multipliers, forces, gaps, independence */
  MB_STAGES = 1,          /* of the method */
  MB_ORDER = 1,           /* of the method */
  MB_CONTROLS = 0,        /* whether it controls its steps */
  MB_DENSE = 0            /* the degree of its dense output; 0 if there is none */
};
MB_TABLE int mb_kept_at[1] = {0}, mb_instant_at[1] = {0}, mb_due_at[1] = {0}, mb_since_at[1] = {0};
MB_TABLE int mb_is_length[1] = {1}, mb_gap_is_length[1] = {0}, mb_looked_is_length[1] = {0};
MB_TABLE mb_real mb_period[1] = {R(1.0)}, mb_kept_start[1] = {R(0.0)}, mb_instant_start[1] = {R(0.0)};
MB_TABLE int mb_keep_what[1] = {0}, mb_keep_kind[1] = {3};
MB_TABLE mb_real mb_keep_time[1] = {R(0.0)};
MB_TABLE mb_real mb_a[1] = {R(0.0)}, mb_b[1] = {R(1.0)}, mb_c[1] = {R(0.0)}, mb_e[1] = {R(0.0)},
                 mb_dense[1] = {R(0.0)};

MB_FN void mb_rates(const mb_real* x, const mb_real* p, mb_real* y) {
  (void)p;
  y[0] = x[2];
  y[1] = -x[1];
  y[2] = R(1.0);
}
MB_FN void mb_gaps(const mb_real* x, const mb_real* p, mb_real* y) { (void)x, (void)p, (void)y; }
MB_FN void mb_tidy(const mb_real* x, const mb_real* p, mb_real* y) { (void)p, y[0] = x[1]; }
MB_FN void mb_close(const mb_real* x, const mb_real* p, mb_real* y) { (void)p, y[0] = x[1]; }
MB_FN void mb_settle(const mb_real* x, const mb_real* p, mb_real* y) { (void)p, y[0] = x[2], y[1] = R(1.0); }
MB_FN void mb_keep(const mb_real* x, const mb_real* p, mb_real* y) { (void)x, (void)p, (void)y; }
MB_FN void mb_sample(const mb_real* x, const mb_real* p, mb_real* y) { (void)x, (void)p, (void)y; }
MB_FN void mb_observe(const mb_real* x, const mb_real* p, mb_real* y) {
  (void)p;
  y[0] = x[1];
  y[1] = x[2] * x[2] / 2;
  y[2] = x[1] * x[1] / 2;
  y[3] = -x[1];
  y[4] = R(1.0);
}
