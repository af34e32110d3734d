#pragma once
// A step of an explicit Runge-Kutta method, as the program hands it to generated code.  The numbers of the method are those of its
// table (integrators/runge_kutta.h): what is compiled serves all of them.

/* The stages of a step from y at the time t, and the sum that they lead to. */
typedef struct {
  int stages, known;         /* how many, and of how many the rates k are known */
  const double *c, *a, *b;   /* nodes, stages and weights; a row by row, each as long as there are stages */
  double t, h;               /* [s] */
  double least;              /* hold, below which equations are hardly independent */
  const double *y, *residue; /* the states, and rounding errors of them that the sum is to make good */
  double* const* k;          /* rates of each stage */
  double *sum, *lost;        /* the states after the step, and rounding errors of them */
} mb_explicit_step;
