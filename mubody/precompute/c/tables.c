// The functions of tables.h; no memory but the stack.
#include "mubody/precompute/c/tables.h"

/* Returns the cell in which x lies, with the place in it from -1 to 1 and how much that changes with x.  Beyond the ends
   of a range it is the end: polynomials hold within their cells only. */
MB_FN int mb_locate(const mb_axis* a, mb_real x, mb_real* s, mb_real* slope) {
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
MB_FN int mb_descend(const int* tree, int node, mb_real* s, mb_real* slope, int* axis) {
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
MB_INLINE void mb_horner(int degree, const mb_real* in, int rows, int nq, int first, int sloped, mb_real x,
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
MB_FN void mb_contract(int degree, const mb_real* in, int rows, int nq, int first, int sloped, mb_real x,
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
    cell = cell * t->axes[a].cells + mb_locate(&t->axes[a], theta[MB_ONLY(t->argument[a])], &s[a], &scale[a]);
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

/* A series up to its order: f[0] + f[1] s1 + ... */
MB_FN mb_real mb_sum_series(const mb_real* f, int order, const mb_real* s, int n) {
  mb_real all = f[0], second = R(0.0);
  int a, b, k = 1 + n;
  for (a = 0; order > 0 && a < n; ++a) all += f[1 + a] * s[a];
  for (a = 0; order > 1 && a < n; ++a)
    for (b = 0; b <= a; ++b) second += f[k++] * s[a] * s[b];
  return all + second;
}

/* Its slope by the a-th of the small variables. */
MB_FN mb_real mb_sum_slope(const mb_real* f, int order, const mb_real* s, int n, int a) {
  mb_real by = order > 0 ? f[1 + a] : R(0.0);
  int b;
  for (b = 0; order > 1 && b < n; ++b) {
    const int high = a > b ? a : b, low = a > b ? b : a;
    by += (a == b ? R(2.0) : R(1.0)) * f[1 + n + high * (high + 1) / 2 + low] * s[b];
  }
  return by;
}

MB_FN int mb_read(const mb_table* t, const mb_real* theta, mb_real* values, mb_real* slopes) {
  mb_real f[QUANTITIES], df[SLOPES], s[STIFF + 1];
  const int n = t->small;
  int a, q, left, k = 0;
  if (!mb_is_series(t)) return mb_evaluate(t, theta, values, slopes);
  for (a = 0; a < n; ++a) s[a] = theta[t->argument[t->arguments + a]];
  left = mb_evaluate(t, theta, f, df);
  if (left >= 0) return left;
  for (q = 0; q < t->sums; ++q) {
    const int order = t->order[q];
    values[q] = mb_sum_series(f + k, order, s, n);
    for (a = 0; k >= t->sloped && a < t->arguments; ++a)
      slopes[a * t->sums + q] = mb_sum_series(df + a * t->quantities + k, order, s, n);
    for (a = 0; k >= t->sloped && a < n; ++a)
      slopes[(t->arguments + a) * t->sums + q] = mb_sum_slope(f + k, order, s, n, a);
    k += 1 + (order > 0 ? n : 0) + (order > 1 ? n * (n + 1) / 2 : 0);
  }
  return -1;
}

MB_FN void mb_unit(mb_real* p) {
  const mb_real per = R(1.0) / mb_sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
  int k;
  for (k = 0; k < 4; ++k) p[k] *= per;
}
