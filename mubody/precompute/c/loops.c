// The functions of loops.h; no memory but the stack.
#include "mubody/precompute/c/loops.h"

/* Adds whole turns, and the signs that they give Euler parameters. */
MB_FN void mb_add_laps(const mb_loop* loop, const mb_loop_table* t, const mb_real* s, int body, mb_real* out) {
  int a, k;
  for (a = 0; a < t->table.arguments - t->table.cyclic; ++a) {
    const int v = t->table.argument[a];
    const mb_axis* axis = &t->table.axes[a];
    const mb_real* gain = loop->gain + (v * loop->bodies + body) * COORDINATES;
    const mb_real* sign = loop->sign + (v * loop->bodies + body) * COORDINATES;
    mb_real laps;
    if (!axis->periodic) continue;
    laps = mb_floor((s[v] - axis->low) * axis->per / (mb_real)axis->intervals);
    for (k = 0; k < COORDINATES; ++k) {
      if (laps != R(2.0) * mb_floor(laps / R(2.0))) out[k] *= sign[k];
      out[k] += laps * gain[k];
    }
  }
}

/* The coordinates of the b-th body of a table, columns of B, and (dB/ds s') s'. */
MB_FN void mb_write_member(const mb_loop_table* t, int b, const mb_real* rate, const mb_real* values,
                           const mb_real* slopes, mb_real* out) {
  const int n = mb_variables(&t->table), sums = mb_sums(&t->table),
            first = t->bodies * COORDINATES + b * VELOCITIES * n;
  const mb_real *q = values + b * COORDINATES, *B = values + first;
  mb_real* bend = out + COORDINATES + VELOCITIES * n;
  int a, c, k;
  for (k = 0; k < COORDINATES; ++k) out[k] = q[k];
  for (k = 0; k < VELOCITIES; ++k) bend[k] = R(0.0);
  for (c = 0; c < n; ++c) {
    const mb_real* dB = slopes + c * sums + first;
    for (k = 0; k < VELOCITIES; ++k) {
      mb_real sum = R(0.0);
      out[COORDINATES + VELOCITIES * c + k] = B[k * n + c];
      for (a = 0; a < n; ++a) sum += dB[k * n + a] * rate[t->table.argument[a]];
      bend[k] += sum * rate[t->table.argument[c]];
    }
  }
}

MB_FN int mb_follow_loop(const mb_loop* loop, mb_real* x) {
  const mb_real *s = x + loop->q, *rate = x + loop->u;
  mb_real values[QUANTITIES], slopes[SLOPES], *seen = x + loop->seen;
  int k, b, known = 1;
  for (k = 0; k < loop->variables; ++k)
    known = known && seen[k] == s[k] && seen[loop->variables + k] == rate[k];
  for (k = 0; k < loop->variables - loop->small; ++k) {
    const mb_axis* range = &loop->ranges[k];
    if (!range->periodic && !(s[k] >= range->low && s[k] <= range->high)) return 3 + loop->first + k;
  }
  if (known) return 0;
  seen[0] = R(-1e30); /* nothing equals it, should a table be left after others were read */
  for (k = 0; k < loop->tables; ++k) {
    const mb_loop_table* t = &loop->table[k];
    const int left = mb_read(&t->table, s, values, slopes);
    if (left >= 0) return 3 + loop->first + left;
    for (b = 0; b < t->bodies; ++b) {
      mb_write_member(t, b, rate, values, slopes, x + t->to[b]);
      if (mb_is_series(&t->table) && COORDINATES > VELOCITIES) mb_unit(x + t->to[b] + COORDINATES - 4);
      mb_add_laps(loop, t, s, t->body[b], x + t->to[b]);
    }
  }
  for (k = 0; k < loop->variables; ++k) {
    seen[k] = s[k];
    seen[loop->variables + k] = rate[k];
  }
  return 0;
}
