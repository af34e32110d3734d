#pragma once
// What the code of a model says beside its equations: the numbers of a mechanism that is to be run, and of one that is under way.
// All are doubles.  Number n of mechanism k of `count` stands at [n * count + k], so that threads side by side read side by side.
//
//   docs/theory/gpu.md#layout

/* The numbers that a mechanism comes with, in this order; then absolute errors and the sizes up to which errors grow, of each
   number that is controlled; the start; the parameters; and so many breakpoints, each with its time, what lies beside it, and whether
   something jumps. */
enum {
  MB_START,      /* of the motion [s] */
  MB_END,        /* of the motion [s] */
  MB_STEP,       /* the step, or the first one; 0: none is given [s] */
  MB_RTOL,       /* relative error of a step */
  MB_LONGEST,    /* step [s] */
  MB_LENGTH,     /* characteristic length [m] */
  MB_TIME,       /* characteristic time [s] */
  MB_TOLERANCE,  /* of the projection */
  MB_ITERATIONS, /* of the projection, at most */
  MB_MOST_STEPS, /* steps, at most */
  MB_BREAKS,     /* how many breakpoints it has */
  MB_FIRST       /* of the numbers that follow */
};

/* How far a mechanism has come. */
enum { MB_RUNNING, MB_ENDED, MB_LEFT };

/* The first numbers of a mechanism that is under way are its results; the values that are kept follow, then their times. */
enum {
  MB_HOW,             /* one of the three above */
  MB_NOW,             /* the time that it has reached [s] */
  MB_TAKEN,           /* steps */
  MB_REJECTED,        /* steps */
  MB_SMALLEST,        /* step [s] */
  MB_LARGEST,         /* step [s] */
  MB_VIOLATION,       /* the largest gap [m, rad] */
  MB_VIOLATION_SHARE, /* the same, of the characteristic length */
  MB_RESIDUAL,        /* of the energy balance [J] */
  MB_ENERGY_SCALE,    /* energies in play [J] */
  MB_LOAD_SCALE,      /* forces times the size of the mechanism [J] */
  MB_VALUES           /* that are kept */
};
