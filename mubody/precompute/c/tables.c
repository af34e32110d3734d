// The functions of tables.h; no memory but the stack, and always the same number of operations.
#include "mubody/precompute/c/tables.h"

/* Returns the cell in which x lies, with the place in it from -1 to 1 and how much that changes with x.  Beyond the ends
   of a range it is the end: polynomials hold within their cells only. */
static int mb_locate(const mb_axis* a, mb_real x, mb_real* s, mb_real* slope) {
  mb_real y = (x - a->low) * a->per, f;
  int i, j, parts;
  if (a->periodic)
    y -= (mb_real)a->intervals * mb_floor(y / (mb_real)a->intervals);
  else
    y = !(y > R(0.0)) ? R(0.0) : y < (mb_real)a->intervals ? y : (mb_real)a->intervals;
  i = (int)y;
  if (i < 0) i = 0;
  if (i >= a->intervals) i = a->intervals - 1;
  parts = a->parts[i];
  f = (y - (mb_real)i) * (mb_real)parts;
  j = (int)f;
  if (j < 0) j = 0;
  if (j >= parts) j = parts - 1;
  *s = R(2.0) * (f - (mb_real)j) - R(1.0);
  *slope = R(2.0) * (mb_real)parts * a->per;
  return a->first[i] + j;
}

/* Goes down the tree from a cell to its numbers, -1 if there are none; *axis is the last one that was asked. */
static int mb_descend(const int* tree, int node, mb_real* s, mb_real* slope, int* axis) {
  while (tree[2 * node] >= 0) {
    const int a = tree[2 * node], upper = s[a] >= R(0.0);
    s[a] = R(2.0) * s[a] + (upper ? R(-1.0) : R(1.0));
    slope[a] *= R(2.0);
    node = tree[2 * node + 1] + upper;
    *axis = a;
  }
  return tree[2 * node] == -1 ? tree[2 * node + 1] : -1;
}

/* Horner's scheme in one argument: `rows` blocks of degree + 1 times nq become blocks of nq.  Quantities from `first` on get
   values, and those from `sloped` on slopes too. */
static inline void mb_horner(int degree, const mb_real* in, int rows, int nq, int first, int sloped, mb_real x,
                             mb_real* value, mb_real* slope) {
  int r, k, q;
  for (r = 0; r < rows; ++r, in += (degree + 1) * nq, value += nq, slope += nq) {
    for (q = first; q < sloped; ++q) {
      mb_real v = in[degree * nq + q];
      for (k = degree - 1; k >= 0; --k) v = v * x + in[k * nq + q];
      value[q] = v;
    }
    for (q = sloped; q < nq; ++q) {
      mb_real v = in[degree * nq + q], w = R(0.0);
      for (k = degree - 1; k >= 0; --k) {
        w = w * x + v;
        v = v * x + in[k * nq + q];
      }
      value[q] = v;
      slope[q] = w;
    }
  }
}

/* The same with degrees that the compiler knows. */
static void mb_contract(int degree, const mb_real* in, int rows, int nq, int first, int sloped, mb_real x,
                        mb_real* value, mb_real* slope) {
  switch (degree) {
    case 3: mb_horner(3, in, rows, nq, first, sloped, x, value, slope); break;
    case 5: mb_horner(5, in, rows, nq, first, sloped, x, value, slope); break;
    case 7: mb_horner(7, in, rows, nq, first, sloped, x, value, slope); break;
    case 9: mb_horner(9, in, rows, nq, first, sloped, x, value, slope); break;
    default: mb_horner(degree, in, rows, nq, first, sloped, x, value, slope); break;
  }
}

MB_FN int mb_evaluate(const mb_table* t, const mb_real* theta, mb_real* values, mb_real* slopes) {
  const int n = t->arguments - t->cyclic, nq = t->quantities, size = t->stride / (t->degree + 1);
  mb_real s[ARGUMENTS] = {R(0.0)}, scale[ARGUMENTS] = {R(0.0)}, one[SCRATCH], two[SCRATCH];
  mb_real *now = one, *next = two, *other;
  const mb_real* c;
  int a, b, q, rows, cell = 0;
  for (a = 0; a < n; ++a)
    cell = cell * t->axes[a].cells + mb_locate(&t->axes[a], theta[t->argument[a]], &s[a], &scale[a]);
  if (t->tree) {
    a = n - 1;
    cell = mb_descend(t->tree, cell, s, scale, &a);
    if (cell < 0) return t->argument[a];
  }
  c = t->numbers + (long)cell * t->stride;
  for (q = n * nq; q < t->arguments * nq; ++q) slopes[q] = R(0.0);
  if (n == 0) {
    for (q = 0; q < nq; ++q) values[q] = c[q];
    return -1;
  }
  rows = size / nq;
  mb_contract(t->degree, c, rows, nq, 0, t->sloped, s[n - 1], now, now + size);
  for (a = n - 2; a >= 0; --a) {
    rows /= t->degree + 1;
    mb_contract(t->degree, now, rows, nq, 0, t->sloped, s[a], next, next + (n - a) * size);
    for (b = 1; b < n - a; ++b)
      mb_contract(t->degree, now + b * size, rows, nq, t->sloped, nq, s[a], next + b * size, next);
    other = now;
    now = next;
    next = other;
  }
  for (q = 0; q < nq; ++q) values[q] = now[q];
  for (a = 0; a < n; ++a)
    for (q = t->sloped; q < nq; ++q) slopes[a * nq + q] = scale[a] * now[(n - a) * size + q];
  return -1;
}
