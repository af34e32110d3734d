#pragma once
// Tables in C, and how they are looked up.
//
// What stays behind when this is embedded, and what is emitted, is said in interface.h.
//                                                                              docs/theory/tables.md
#include "mubody/precompute/c/sizes.h"
#include "mubody/recording/c_runtime.h"

/* One argument of a table: a range in equal intervals, each in a number of equal cells of its own. */
typedef struct {
  int cells, intervals, periodic;
  mb_real low, high, per; /* intervals per unit */
  const int* parts;       /* cells in each interval */
  const int* first;       /* the first cell of each interval */
  int cyclic;             /* of a variable: nothing depends on it */
} mb_axis;

/* Polynomials in each argument, cell by cell. */
typedef struct {
  int arguments, quantities, stride; /* numbers in a cell */
  const int* argument;               /* the variables that are the arguments */
  const mb_axis* axes;
  const mb_real* numbers; /* power by power, the quantities side by side */
  int degree;
  int sloped; /* slopes are asked for from this quantity on */
  int cyclic; /* so many of the arguments, the last ones, have no axes: nothing depends on them */
  /* Of a table that covers the neighbourhood of a motion, pairs of kind and place, first of all cells of the axes: a kind that is
     an axis divides a cell into the nodes at place and after it, -1 has numbers at place, -2 nothing.  0 if all is there. */
  const int* tree;
  /* Numbers may be the terms of series in small variables s, which stand behind the arguments in `argument`:
     1, then s1, s2, ..., then s1 s1, s2 s1, s2 s2, ... */
  const int* order; /* of the series of each quantity: 0, 1 or 2; no array if there are none */
  int sums, small;  /* quantities, and small variables */
} mb_table;

/* The place of a variable of a table, which is known where all have one and the same. */
#define MB_ONLY(place) (PLACES == 1 ? 0 : (place))

/* Whether its numbers are terms of series; the variables by which there are slopes, and the quantities, once these are
   summed. */
MB_INLINE int mb_is_series(const mb_table* t) { return STIFF > 0 && t->order; }
MB_INLINE int mb_variables(const mb_table* t) { return t->arguments + (STIFF > 0 ? t->small : 0); }
MB_INLINE int mb_sums(const mb_table* t) { return mb_is_series(t) ? t->sums : t->quantities; }

/* Values, and the slope of quantity q by the a-th argument at slopes[a * quantities + q], for q from t->sloped on.  Returns -1, or
   the variable that has left what the table covers, and then writes nothing; beyond the ends of axes it is not asked. */
MB_FN int mb_evaluate(const mb_table* t, const mb_real* theta, mb_real* values, mb_real* slopes);
/* The same with series summed: the slope of quantity q by the a-th variable at slopes[a * mb_sums(t) + q]. */
MB_FN int mb_read(const mb_table* t, const mb_real* theta, mb_real* values, mb_real* slopes);
/* Gives four Euler parameters the length 1: sums of series have it nearly. */
MB_FN void mb_unit(mb_real* p);
