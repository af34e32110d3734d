#pragma once
// Loops as joints in C: tables that say where the bodies of a loop are, relative to the body that carries them.
//
// What stays behind when this is embedded, and what is emitted, is said in interface.h.
//                                                                              docs/theory/loops-as-joints.md
#include "mubody/precompute/c/tables.h"

/* The coordinates of some bodies, then the velocities of each at rates of 1, row by row. */
typedef struct {
  mb_table table;
  int bodies;
  const int* body; /* which ones of the loop */
  const int* to;   /* where in x their numbers go */
} mb_loop_table;

typedef struct {
  int q, u, variables,
      seen;  /* places in x: the variables, their rates, and both of them as tables saw them last */
  int small; /* so many of them, the last ones, are directions in which joints give way, and have no range */
  const mb_axis* ranges; /* of the others */
  int first;             /* the place of the first of them among those of all loops */
  int bodies, tables;
  const mb_loop_table* table;
  const mb_real *gain,
      *sign; /* what each turn of each variable does to the coordinates, variable by variable */
} mb_loop;

/* Writes what the tables of a loop say into x; returns 3 + k if variable k of all loops is beyond its range, and then what is there
   is not to be used. */
MB_FN int mb_follow_loop(const mb_loop* loop, mb_real* x);
