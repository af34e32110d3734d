// The functions of runtime.h; no memory but the stack, and always the same number of operations.
#include "mubody/precompute/c/runtime.h"

#include <tgmath.h>

MB_LOCAL real mb_min(real a, real b) { return b < a ? b : a; }
MB_LOCAL real mb_max(real a, real b) { return a < b ? b : a; }
MB_LOCAL real mb_mod(real a, real b) { return a - b * floor(a / b); }
MB_LOCAL real mb_sign(real a) { return a > R(0.0) ? R(1.0) : a < R(0.0) ? -R(1.0) : R(0.0); }
MB_LOCAL real mb_power(real x, int n) {
  real y = n % 2 == 1 ? x : R(1.0);
  for (n /= 2; n > 0; n /= 2) {
    x *= x;
    if (n % 2 == 1) y *= x;
  }
  return y;
}
MB_LOCAL real mb_step(real t, real t0, real h0, real t1, real h1) {
  real s;
  if (t <= t0) return h0;
  if (t >= t1) return h1;
  s = (t - t0) / (t1 - t0);
  return h0 + (h1 - h0) * s * s * (R(3.0) - R(2.0) * s);
}

/* Returns the cell in which x lies, with the place in it from -1 to 1 and how much that changes with x.  Beyond the ends
   of a range it is the end: polynomials hold within their cells only. */
static int mb_locate(const mb_axis* a, real x, real* s, real* slope) {
  real y = (x - a->low) * a->per, f;
  int i, j, parts;
  y = a->periodic ? y - (real)a->intervals * floor(y / (real)a->intervals)
                  : mb_min(mb_max(R(0.0), y), (real)a->intervals);
  i = (int)y;
  if (i < 0) i = 0;
  if (i >= a->intervals) i = a->intervals - 1;
  parts = a->parts[i];
  f = (y - (real)i) * (real)parts;
  j = (int)f;
  if (j < 0) j = 0;
  if (j >= parts) j = parts - 1;
  *s = R(2.0) * (f - (real)j) - R(1.0);
  *slope = R(2.0) * (real)parts * a->per;
  return a->first[i] + j;
}

/* Horner's scheme in one argument: `rows` blocks of DEGREE + 1 times nq become blocks of nq. */
static void mb_contract(const real* in, int rows, int nq, real x, real* value, real* slope) {
  int r, k, q;
  for (r = 0; r < rows; ++r) {
    for (q = 0; q < nq; ++q) {
      real v = in[DEGREE * nq + q], w = R(0.0);
      for (k = DEGREE - 1; k >= 0; --k) {
        w = w * x + v;
        v = v * x + in[k * nq + q];
      }
      value[q] = v;
      if (slope) slope[q] = w;
    }
    in += (DEGREE + 1) * nq;
    value += nq;
    if (slope) slope += nq;
  }
}

MB_LOCAL void mb_evaluate(const mb_table* t, const real* theta, real* values, real* slopes) {
  const int n = t->arguments - t->cyclic, nq = t->quantities, size = t->stride / (DEGREE + 1);
  real s[ARGUMENTS] = {R(0.0)}, scale[ARGUMENTS] = {R(0.0)}, one[SCRATCH], two[SCRATCH];
  real *now = one, *next = two, *other;
  const real* c;
  int a, b, q, rows, cell = 0;
  for (a = 0; a < n; ++a)
    cell = cell * t->axes[a].cells + mb_locate(&t->axes[a], theta[t->argument[a]], &s[a], &scale[a]);
  c = t->numbers + (long)cell * t->stride;
  for (q = n * nq; q < t->arguments * nq; ++q) slopes[q] = R(0.0);
  if (n == 0) {
    for (q = 0; q < nq; ++q) values[q] = c[q];
    return;
  }
  rows = size / nq;
  mb_contract(c, rows, nq, s[n - 1], now, now + size);
  for (a = n - 2; a >= 0; --a) {
    rows /= DEGREE + 1;
    mb_contract(now, rows, nq, s[a], next, next + (n - a) * size);
    for (b = 1; b < n - a; ++b) mb_contract(now + b * size, rows, nq, s[a], next + b * size, 0);
    other = now;
    now = next;
    next = other;
  }
  for (q = 0; q < nq; ++q) {
    values[q] = now[q];
    for (a = 0; a < n; ++a) slopes[a * nq + q] = scale[a] * now[(n - a) * size + q];
  }
}

MB_LOCAL real mb_laps(const mb_region* r, const mb_state* s, int i) {
  const mb_axis* v = &r->ranges[i];
  const real laps = (real)((i == 0 ? s->laps : 0) + s->turns[i]);
  if (v->cyclic) return laps + (s->theta[i] - v->low) / (v->high - v->low);
  return v->periodic ? laps + floor((s->theta[i] - v->low) / (v->high - v->low)) : laps;
}

MB_LOCAL void mb_look_up(const mb_region* r, const mb_state* s, int count, real* x, real* v, real slope[][N]) {
  real values[QUANTITIES], slopes[ARGUMENTS * QUANTITIES];
  int d, i, k, l, q;
  for (k = 0; k < count; ++k) {
    x[k] = v[k] = R(0.0);
    for (i = 0; i < N; ++i) slope[k][i] = R(0.0);
  }
  for (d = 0; d < r->scalars_count; ++d) {
    const mb_table* t = &r->scalars[d].table;
    mb_evaluate(t, s->theta, values, slopes);
    for (q = 0; q < t->quantities; ++q) {
      k = r->scalars[d].scalar[q];
      x[k] = values[q];
      for (l = 0; l < t->arguments; ++l) {
        slope[k][t->argument[l]] = slopes[l * t->quantities + q];
        v[k] += slopes[l * t->quantities + q] * s->rate[t->argument[l]];
      }
    }
  }
}

/* What forces at run time may call, and need not: compilers warn of functions without any use. */
static void mb_mention(void) {
  (void)mb_min, (void)mb_max, (void)mb_mod, (void)mb_sign, (void)mb_power, (void)mb_step, (void)mb_look_up;
}

/* Adds one table to the inertia J and to the right-hand side b of J acceleration = b. */
static void mb_add_dynamics(const mb_dynamics* y, const mb_state* s, real J[N][N], real* b) {
  const int *a = y->table.argument, count = y->table.arguments, nq = y->table.quantities;
  real values[QUANTITIES], slopes[ARGUMENTS * QUANTITIES];
  int i, j, k, l, m, q = 0;
  mb_evaluate(&y->table, s->theta, values, slopes);
  for (k = 0; k < count; ++k)
    for (l = 0; l <= k; ++l, ++q) {
      real change = R(0.0), product;
      i = a[k];
      j = a[l];
      J[i][j] += values[q];
      if (i != j) J[j][i] += values[q];
      for (m = 0; m < count; ++m) change += slopes[m * nq + q] * s->rate[a[m]];
      b[i] -= change * s->rate[j];
      if (i != j) b[j] -= change * s->rate[i];
      product = (i != j ? R(1.0) : R(0.5)) * s->rate[i] * s->rate[j];
      for (m = 0; m < count; ++m) b[a[m]] += slopes[m * nq + q] * product;
    }
  for (m = 0; m < count; ++m) b[a[m]] -= slopes[m * nq + q];
  ++q;
  if (y->positional)
    for (k = 0; k < count; ++k) b[a[k]] += values[q++];
  if (y->damped)
    for (k = 0; k < count; ++k)
      for (l = 0; l < count; ++l) b[a[k]] -= values[q++] * s->rate[a[l]];
}

/* Gauss without pivoting: J is positive definite. */
static void mb_solve(real J[N][N], real* b, real* x) {
  int i, j, k;
  for (i = 0; i < N; ++i)
    for (k = i + 1; k < N; ++k) {
      const real share = J[k][i] / J[i][i];
      for (j = i; j < N; ++j) J[k][j] -= share * J[i][j];
      b[k] -= share * b[i];
    }
  for (i = N - 1; i >= 0; --i) {
    for (j = i + 1; j < N; ++j) b[i] -= J[i][j] * x[j];
    x[i] = b[i] / J[i][i];
  }
}

MB_LOCAL void mb_accelerations(const mb_model* m, const mb_state* s, real* acceleration) {
  const mb_region* r = &m->regions[s->region];
  real J[N][N], b[N];
  int d, i, j;
  for (i = 0; i < N; ++i) {
    for (j = 0; j < N; ++j) J[i][j] = R(0.0);
    b[i] = s->input[i];
  }
  for (d = 0; d < r->dynamics_count; ++d) mb_add_dynamics(&r->dynamics[d], s, J, b);
  if (m->apply) m->apply(r, s, b);
  mb_mention();
  mb_solve(J, b, acceleration);
}

MB_LOCAL void mb_energies(const mb_model* m, const mb_state* s, real* kinetic, real* potential) {
  const mb_region* r = &m->regions[s->region];
  real values[QUANTITIES], slopes[ARGUMENTS * QUANTITIES];
  int d, k, l, q;
  *kinetic = *potential = R(0.0);
  for (d = 0; d < r->dynamics_count; ++d) {
    const mb_table* t = &r->dynamics[d].table;
    mb_evaluate(t, s->theta, values, slopes);
    q = 0;
    for (k = 0; k < t->arguments; ++k)
      for (l = 0; l <= k; ++l, ++q)
        *kinetic += (k == l ? R(0.5) : R(1.0)) * values[q] * s->rate[t->argument[k]] * s->rate[t->argument[l]];
    *potential += values[q];
  }
}

/* Into the region behind a border: the energy is kept where tables of both regions differ a little. */
static void mb_cross(const mb_model* m, mb_state* s, int down) {
  const mb_region* r = &m->regions[s->region];
  const mb_border* b = down ? &r->below : &r->above;
  real values[QUANTITIES], slopes[ARGUMENTS * QUANTITIES], moving, wanted, kinetic, potential;
  mb_state x = *s;
  mb_energies(m, s, &kinetic, &potential);
  wanted = kinetic + potential;
  mb_evaluate(r->next, s->theta, values, slopes);
  x.region = b->region;
  x.laps += b->laps;
  x.theta[0] = values[down ? 0 : 1] + b->shift;
  x.rate[0] = slopes[down ? 0 : 1] * s->rate[0];
  mb_energies(m, &x, &moving, &potential);
  wanted -= potential;
  if (moving > R(0.0) && wanted > R(0.0) && fabs(wanted - moving) < R(0.5) * moving)
    x.rate[0] *= sqrt(wanted / moving);
  *s = x;
}

MB_LOCAL int mb_change_region(const mb_model* m, mb_state* s) {
  const mb_region* r = &m->regions[s->region];
  int down, up, k;
  for (k = 0; k < N; ++k) {
    const mb_axis* v = &r->ranges[k];
    if (v->periodic) { /* many turns are counted apart, so that digits are not lost to them */
      const real rounds = floor((s->theta[k] - v->low) / (v->high - v->low));
      if (fabs(rounds) > R(8.0)) {
        s->theta[k] -= rounds * (v->high - v->low);
        s->turns[k] += (int)rounds;
      }
    } else if (!(s->theta[k] >= v->low && s->theta[k] <= v->high)) {
      return 0;
    }
  }
  down = r->below.region >= 0 && s->theta[0] < r->below.at;
  up = r->above.region >= 0 && s->theta[0] > r->above.at;
  if (down || up) mb_cross(m, s, down);
  return 1;
}

MB_LOCAL int mb_advance(const mb_model* m, mb_state* s, real h) {
  real a1[N], a2[N], a3[N], a4[N], dt;
  mb_state x = *s;
  int i;
  mb_accelerations(m, &x, a1);
  x.t = s->t + R(0.5) * h;
  for (i = 0; i < N; ++i) {
    x.theta[i] = s->theta[i] + R(0.5) * h * s->rate[i];
    x.rate[i] = s->rate[i] + R(0.5) * h * a1[i];
  }
  mb_accelerations(m, &x, a2);
  for (i = 0; i < N; ++i) {
    x.theta[i] = s->theta[i] + R(0.5) * h * (s->rate[i] + R(0.5) * h * a1[i]);
    x.rate[i] = s->rate[i] + R(0.5) * h * a2[i];
  }
  mb_accelerations(m, &x, a3);
  x.t = s->t + h;
  for (i = 0; i < N; ++i) {
    x.theta[i] = s->theta[i] + h * (s->rate[i] + R(0.5) * h * a2[i]);
    x.rate[i] = s->rate[i] + h * a3[i];
  }
  mb_accelerations(m, &x, a4);
  for (i = 0; i < N; ++i) {
    s->theta[i] += h * (s->rate[i] + h / R(6.0) * (a1[i] + a2[i] + a3[i]));
    s->rate[i] += h / R(6.0) * (a1[i] + R(2.0) * a2[i] + R(2.0) * a3[i] + a4[i]);
  }
  dt = h - s->t_rest; /* what the digits of t cannot hold is kept for the next step */
  x.t = s->t + dt;
  s->t_rest = (x.t - s->t) - dt;
  s->t = x.t;
  return mb_change_region(m, s);
}

MB_LOCAL real mb_variable(const mb_model* m, const mb_state* s, int k) {
  const mb_axis* v = &m->regions[s->region].ranges[k];
  return s->theta[k] + (real)s->turns[k] * (v->high - v->low);
}

/* Moves a body on by a cyclic variable: along a line, and about an axis that is fixed in it.  `a` is its velocity at a rate
   of 1; angular velocities are in body axes, which turn. */
static void mb_move(const real* a, int step, real way, real* q, real* u) {
  const int spins = VELOCITIES == 3 ? 1 : 3, first = VELOCITIES - spins;
  real w[3], p[4], e[4], *const v = u + first, size = R(0.0), half;
  int k;
  for (k = 0; k < first; ++k) q[k] += way * a[k * step];
  if (spins == 1) {
    q[first] += way * a[first * step];
    return;
  }
  for (k = 0; k < 3; ++k) {
    w[k] = a[(first + k) * step];
    size += w[k] * w[k];
  }
  size = sqrt(size);
  if (size == R(0.0)) return;
  half = R(0.5) * size * way;
  e[0] = cos(half);
  for (k = 0; k < 3; ++k) e[k + 1] = sin(half) * w[k] / size;
  for (k = 0; k < 4; ++k) p[k] = q[first + k];
  q[first] = p[0] * e[0] - p[1] * e[1] - p[2] * e[2] - p[3] * e[3];
  for (k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    q[first + 1 + k] = p[0] * e[k + 1] + e[0] * p[k + 1] + p[i + 1] * e[j + 1] - p[j + 1] * e[i + 1];
  }
  /* v turned back by the same angle: v + 2 e0 (v x e) + 2 (v x e) x e */
  for (k = 0; k < 3; ++k) w[k] = v[(k + 1) % 3] * e[(k + 2) % 3 + 1] - v[(k + 2) % 3] * e[(k + 1) % 3 + 1];
  for (k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    v[k] += R(2.0) * (e[0] * w[k] + w[i] * e[j + 1] - w[j] * e[i + 1]);
  }
}

MB_LOCAL void mb_positions(const mb_model* m, const mb_state* s, real* q, real* u) {
  const mb_region* r = &m->regions[s->region];
  real values[QUANTITIES], slopes[ARGUMENTS * QUANTITIES];
  int d, i, k, l, n, at;
  for (d = 0; d < r->bodies_count; ++d) {
    const mb_bodies* y = &r->bodies[d];
    mb_evaluate(&y->table, s->theta, values, slopes);
    at = 0;
    for (n = 0; n < y->bodies; ++n) {
      for (k = 0; k < COORDINATES; ++k) q[COORDINATES * y->body[n] + k] = values[at++];
      for (k = 0; k < VELOCITIES; ++k) {
        real sum = R(0.0);
        for (l = 0; l < y->table.arguments; ++l) sum += values[at++] * s->rate[y->table.argument[l]];
        u[VELOCITIES * y->body[n] + k] = sum;
      }
      for (l = y->table.arguments - y->table.cyclic; l < y->table.arguments; ++l) {
        i = y->table.argument[l];
        mb_move(values + at - VELOCITIES * y->table.arguments + l, y->table.arguments,
                mb_laps(r, s, i) * (r->ranges[i].high - r->ranges[i].low), q + COORDINATES * y->body[n],
                u + VELOCITIES * y->body[n]);
      }
    }
  }
  for (i = 0; i < N; ++i) {
    const real laps = mb_laps(r, s, i);
    if (laps == R(0.0) || r->ranges[i].cyclic) continue;
    for (k = 0; k < COORDINATES * BODIES; ++k) {
      const int at_turn = COORDINATES * BODIES * i + k;
      if (m->sign[at_turn] < R(0.0) && fmod(laps, R(2.0)) != R(0.0)) q[k] = -q[k];
      q[k] += laps * m->gain[at_turn];
    }
  }
}

MB_LOCAL real mb_self_test(const mb_model* m) {
  real most = R(0.0), x[CHECKED];
  mb_state s = m->start;
  int k, i, step = 0;
  for (k = 0; k < m->checks_count; ++k) {
    for (; step < m->checks[k].step; ++step) mb_advance(m, &s, m->check_step);
    for (i = 0; i < N; ++i) {
      x[i] = mb_variable(m, &s, i);
      x[N + i] = s.rate[i];
    }
    mb_positions(m, &s, x + 2 * N, x + 2 * N + COORDINATES * BODIES);
    for (i = 0; i < CHECKED; ++i) {
      const real wanted = m->checks[k].number[i], size = fabs(wanted) > R(1.0) ? fabs(wanted) : R(1.0);
      const real miss = fabs(x[i] - wanted) / size;
      if (!(miss <= most)) most = miss;
    }
  }
  return most;
}
