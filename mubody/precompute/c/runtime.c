// The functions of runtime.h; no memory but the stack, and always the same number of operations.
#include "mubody/precompute/c/runtime.h"

MB_FN mb_real mb_laps(const mb_region* r, const mb_state* s, int i) {
  const mb_axis* v = &r->ranges[i];
  const mb_real laps = (mb_real)((i == 0 ? s->laps : 0) + s->turns[i]);
  if (v->cyclic) return laps + (s->theta[i] - v->low) / (v->high - v->low);
  return v->periodic ? laps + mb_floor((s->theta[i] - v->low) / (v->high - v->low)) : laps;
}

/* Angles whose turns are counted grow with each way round of a variable, and all the way with a cyclic one. */
MB_FN void mb_wind(const mb_model* m, const mb_state* s, mb_real* x, mb_real* v, mb_real slope[][N]) {
  const mb_region* r = &m->regions[s->region];
  int i, k;
  for (i = 0; i < FREE; ++i) {
    const mb_axis* a = &r->ranges[i];
    const mb_real laps = mb_laps(r, s, i), per = a->cyclic ? R(1.0) / (a->high - a->low) : R(0.0);
    for (k = 0; k < SCALARS; ++k) {
      const mb_real gain = m->scalar_gain[SCALARS * i + k];
      x[k] += laps * gain;
      slope[k][i] += per * gain;
      v[k] += per * gain * s->rate[i];
    }
  }
}

MB_FN void mb_look_up(const mb_model* m, const mb_state* s, mb_real* x, mb_real* v, mb_real slope[][N]) {
  const mb_region* r = &m->regions[s->region];
  mb_real values[QUANTITIES], slopes[SLOPES];
  int d, i, k, l, q;
  for (k = 0; k < SCALARS; ++k) {
    x[k] = v[k] = R(0.0);
    for (i = 0; i < N; ++i) slope[k][i] = R(0.0);
  }
  for (d = 0; d < r->scalars_count; ++d) {
    const mb_table* t = &r->scalars[d].table;
    const int sums = mb_sums(t);
    mb_read(t, s->theta, values, slopes);
    for (q = 0; q < sums; ++q) {
      k = r->scalars[d].scalar[q];
      x[k] = values[q];
      for (l = 0; l < mb_variables(t); ++l) {
        slope[k][t->argument[l]] = slopes[l * sums + q];
        v[k] += slopes[l * sums + q] * s->rate[t->argument[l]];
      }
    }
  }
  if (SCALARS > 0) mb_wind(m, s, x, v, slope);
}

/* The velocities of bodies that forces may act on. */
enum { PUSHED = BODY_FORCES * VELOCITIES * BODIES };

/* What forces at run time are made of. */
MB_FN void mb_see(const mb_model* m, const mb_state* s, mb_real* seen, mb_real slope[][N], mb_real B[][N]) {
  mb_real *const q = seen + 1 + 2 * SCALARS, *const u = q + BODY_FORCES * COORDINATES * BODIES;
  int i, k;
  seen[0] = s->t;
  mb_look_up(m, s, seen + 1, seen + 1 + SCALARS, slope);
  if (BODY_FORCES) mb_move_bodies(m, s, q, B);
  for (k = 0; k < PUSHED; ++k) {
    u[k] = R(0.0);
    for (i = 0; i < N; ++i) u[k] += B[k][i] * s->rate[i];
  }
  for (k = 0; k < KEPT; ++k) u[PUSHED + k] = s->kept[k];
}

MB_FN void mb_keep_turns(const mb_model* m, mb_state* s) {
  mb_real seen[SEEN], slope[SCALARS + 1][N], B[PUSHED + 1][N];
  if (!m->keep) return;
  mb_see(m, s, seen, slope, B);
  m->keep(seen, s->kept);
}

MB_FN void mb_add_forces(const mb_model* m, const mb_state* s, mb_real* b) {
  mb_real seen[SEEN], done[DONE + 1], slope[SCALARS + 1][N], B[PUSHED + 1][N];
  int i, k;
  mb_see(m, s, seen, slope, B);
  m->apply(seen, done);
  for (k = 0; k < FORCES; ++k)
    for (i = 0; i < N; ++i) b[i] += done[k] * slope[m->along[k]][i];
  for (k = 0; k < PUSHED; ++k)
    for (i = 0; i < N; ++i) b[i] += done[FORCES + k] * B[k][i];
}

/* Adds one table to the inertia J and to the right-hand side b of J acceleration = b. */
MB_FN void mb_add_dynamics(const mb_dynamics* y, const mb_state* s, mb_real J[N][N], mb_real* b) {
  const int *a = y->table.argument, count = mb_variables(&y->table), nq = mb_sums(&y->table);
  mb_real values[QUANTITIES], slopes[SLOPES];
  int i, j, k, l, m, q = 0;
  mb_read(&y->table, s->theta, values, slopes);
  for (k = 0; k < count; ++k)
    for (l = 0; l <= k; ++l, ++q) {
      mb_real change = R(0.0), product;
      i = MB_ONLY(a[k]);
      j = MB_ONLY(a[l]);
      J[i][j] += values[q];
      if (i != j) J[j][i] += values[q];
      for (m = 0; m < count; ++m) change += slopes[m * nq + q] * s->rate[MB_ONLY(a[m])];
      b[i] -= change * s->rate[j];
      if (i != j) b[j] -= change * s->rate[i];
      product = (i != j ? R(1.0) : R(0.5)) * s->rate[i] * s->rate[j];
      for (m = 0; m < count; ++m) b[MB_ONLY(a[m])] += slopes[m * nq + q] * product;
    }
  for (m = 0; m < count; ++m) b[MB_ONLY(a[m])] -= slopes[m * nq + q];
  ++q;
  if (y->positional)
    for (k = 0; k < count; ++k) b[MB_ONLY(a[k])] += values[q++];
  if (y->damped)
    for (k = 0; k < count; ++k)
      for (l = 0; l < count; ++l) b[MB_ONLY(a[k])] -= values[q++] * s->rate[MB_ONLY(a[l])];
}

/* Springs and dampers of joints that give way. */
MB_FN void mb_add_springs(const mb_model* m, const mb_state* s, mb_real* b) {
  int i, j;
  for (i = 0; i < STIFF; ++i)
    for (j = 0; j < STIFF; ++j)
      b[FREE + i] -=
          m->stiffness[i * STIFF + j] * s->theta[FREE + j] + m->damping[i * STIFF + j] * s->rate[FREE + j];
}

/* Gauss without pivoting: J is positive definite. */
MB_FN void mb_solve(mb_real J[N][N], mb_real* b, mb_real* x) {
  int i, j, k;
  for (i = 0; i < N; ++i)
    for (k = i + 1; k < N; ++k) {
      const mb_real share = J[k][i] / J[i][i];
      for (j = i; j < N; ++j) J[k][j] -= share * J[i][j];
      b[k] -= share * b[i];
    }
  for (i = N - 1; i >= 0; --i) {
    for (j = i + 1; j < N; ++j) b[i] -= J[i][j] * x[j];
    x[i] = b[i] / J[i][i];
  }
}

/* Sets variables and rates that drivers prescribe, and their accelerations. */
MB_FN void mb_prescribe(const mb_model* m, mb_state* s, mb_real* acceleration) {
  mb_real follows[3 * DRIVEN + 1];
  int i, k;
  if (!m->drive) return;
  m->drive(&s->t, follows);
  for (k = 0; k < DRIVEN; ++k) {
    const mb_axis* a;
    i = m->driven[k];
    a = &m->regions[s->region].ranges[i];
    s->theta[i] = follows[3 * k] - (mb_real)s->turns[i] * (a->high - a->low);
    s->rate[i] = follows[3 * k + 1];
    acceleration[i] = follows[3 * k + 2];
  }
}

/* Takes the accelerations that are known to the right-hand side. */
MB_FN void mb_hold(const mb_model* m, const mb_real* known, mb_real J[N][N], mb_real* b) {
  int i, j, k;
  for (k = 0; k < DRIVEN; ++k) {
    i = m->driven[k];
    for (j = 0; j < N; ++j) {
      b[j] -= J[j][i] * known[i];
      J[j][i] = J[i][j] = R(0.0);
    }
    J[i][i] = R(1.0);
  }
  for (k = 0; k < DRIVEN; ++k) b[m->driven[k]] = known[m->driven[k]];
}

MB_FN void mb_accelerations(const mb_model* m, const mb_state* s, mb_real* acceleration) {
  const mb_region* r = &m->regions[s->region];
  mb_real J[N][N], b[N];
  mb_state now;
  int d, i, j;
  if (m->drive) {
    now = *s;
    mb_prescribe(m, &now, acceleration);
    s = &now;
  }
  for (i = 0; i < N; ++i) {
    for (j = 0; j < N; ++j) J[i][j] = R(0.0);
    b[i] = s->input[i];
  }
  for (d = 0; d < r->dynamics_count; ++d) mb_add_dynamics(&r->dynamics[d], s, J, b);
  if (STIFF > 0) mb_add_springs(m, s, b);
  if (m->apply) mb_add_forces(m, s, b);
  if (m->drive) mb_hold(m, acceleration, J, b);
  mb_solve(J, b, acceleration);
}

MB_FN void mb_energies(const mb_model* m, const mb_state* s, mb_real* kinetic, mb_real* potential) {
  const mb_region* r = &m->regions[s->region];
  mb_real values[QUANTITIES], slopes[SLOPES];
  int d, k, l, q;
  *kinetic = *potential = R(0.0);
  for (d = 0; d < r->dynamics_count; ++d) {
    const mb_table* t = &r->dynamics[d].table;
    mb_read(t, s->theta, values, slopes);
    q = 0;
    for (k = 0; k < mb_variables(t); ++k)
      for (l = 0; l <= k; ++l, ++q)
        *kinetic += (k == l ? R(0.5) : R(1.0)) * values[q] * s->rate[t->argument[k]] * s->rate[t->argument[l]];
    *potential += values[q];
  }
  for (k = 0; k < STIFF; ++k)
    for (l = 0; l < STIFF; ++l)
      *potential += R(0.5) * m->stiffness[k * STIFF + l] * s->theta[FREE + k] * s->theta[FREE + l];
}

/* Into the region behind a border: the energy is kept where tables of both regions differ a little. */
MB_FN void mb_cross_border(const mb_model* m, mb_state* s, int down) {
  const mb_region* r = &m->regions[s->region];
  const mb_border* b = down ? &r->below : &r->above;
  mb_real values[QUANTITIES], slopes[SLOPES], moving, wanted, kinetic, potential;
  mb_state x = *s;
  mb_energies(m, s, &kinetic, &potential);
  wanted = kinetic + potential;
  mb_read(r->next, s->theta, values, slopes);
  x.region = b->region;
  x.laps += b->laps;
  x.theta[0] = values[down ? 0 : 1] + b->shift;
  x.rate[0] = slopes[down ? 0 : 1] * s->rate[0];
  mb_energies(m, &x, &moving, &potential);
  wanted -= potential;
  if (moving > R(0.0) && wanted > R(0.0) && mb_fabs(wanted - moving) < R(0.5) * moving)
    x.rate[0] *= mb_sqrt(wanted / moving);
  *s = x;
}

MB_FN int mb_change_region(const mb_model* m, mb_state* s) {
  const mb_region* r = &m->regions[s->region];
  mb_real prescribed[N];
  int down, up, k;
  mb_prescribe(m, s, prescribed);
  for (k = 0; k < FREE; ++k) {
    const mb_axis* v = &r->ranges[k];
    if (v->periodic) { /* many turns are counted apart, so that digits are not lost to them */
      const mb_real rounds = mb_floor((s->theta[k] - v->low) / (v->high - v->low));
      if (mb_fabs(rounds) > R(8.0)) {
        s->theta[k] -= rounds * (v->high - v->low);
        s->turns[k] += (int)rounds;
      }
    } else if (!(s->theta[k] >= v->low && s->theta[k] <= v->high)) {
      return 0;
    }
  }
  down = r->below.region >= 0 && s->theta[0] < r->below.at;
  up = r->above.region >= 0 && s->theta[0] > r->above.at;
  if (down || up) mb_cross_border(m, s, down);
  mb_keep_turns(m, s);
  return 1;
}

MB_FN void mb_begin(const mb_model* m, mb_state* s) {
  *s = m->start;
  mb_keep_turns(m, s);
}

MB_FN int mb_advance(const mb_model* m, mb_state* s, mb_real h) {
  mb_real a1[N], a2[N], a3[N], a4[N], dt;
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

MB_FN mb_real mb_variable(const mb_model* m, const mb_state* s, int k) {
  const mb_axis* v = &m->regions[s->region].ranges[k < FREE ? k : 0];
  if (k >= FREE) return s->theta[k];
  return s->theta[k] + (mb_real)s->turns[k] * (v->high - v->low);
}

/* Moves a body on by the i-th variable, a cyclic one: along a line, and about an axis that is fixed in it.  B are its
   velocities; angular ones are in body axes, which turn. */
MB_FN void mb_move(int i, mb_real way, mb_real* q, mb_real B[][N]) {
  const int spins = VELOCITIES == 3 ? 1 : 3, first = VELOCITIES - spins;
  mb_real w[3], p[4], e[4], size = R(0.0), half;
  int j, k;
  for (k = 0; k < first; ++k) q[k] += way * B[k][i];
  if (spins == 1) {
    q[first] += way * B[first][i];
    return;
  }
  for (k = 0; k < 3; ++k) {
    w[k] = B[first + k][i];
    size += w[k] * w[k];
  }
  size = mb_sqrt(size);
  if (size == R(0.0)) return;
  half = R(0.5) * size * way;
  e[0] = mb_cos(half);
  for (k = 0; k < 3; ++k) e[k + 1] = mb_sin(half) * w[k] / size;
  for (k = 0; k < 4; ++k) p[k] = q[first + k];
  q[first] = p[0] * e[0] - p[1] * e[1] - p[2] * e[2] - p[3] * e[3];
  for (k = 0; k < 3; ++k) {
    const int x = (k + 1) % 3, y = (k + 2) % 3;
    q[first + 1 + k] = p[0] * e[k + 1] + e[0] * p[k + 1] + p[x + 1] * e[y + 1] - p[y + 1] * e[x + 1];
  }
  /* Each v turned back by the same angle: v + 2 e0 (v x e) + 2 (v x e) x e */
  for (j = 0; j < N; ++j) {
    mb_real(*const v)[N] = B + first;
    for (k = 0; k < 3; ++k)
      w[k] = v[(k + 1) % 3][j] * e[(k + 2) % 3 + 1] - v[(k + 2) % 3][j] * e[(k + 1) % 3 + 1];
    for (k = 0; k < 3; ++k) {
      const int x = (k + 1) % 3, y = (k + 2) % 3;
      v[k][j] += R(2.0) * (e[0] * w[k] + w[x] * e[y + 1] - w[y] * e[x + 1]);
    }
  }
}

/* What whole turns of variables add to coordinates. */
MB_FN void mb_wind_bodies(const mb_model* m, const mb_state* s, mb_real* q) {
  const mb_region* r = &m->regions[s->region];
  int i, k;
  for (i = 0; i < FREE; ++i) {
    const mb_real laps = mb_laps(r, s, i);
    if (laps == R(0.0) || r->ranges[i].cyclic) continue;
    for (k = 0; k < COORDINATES * BODIES; ++k) {
      const int at_turn = COORDINATES * BODIES * i + k;
      if (m->sign[at_turn] < R(0.0) && mb_fmod(laps, R(2.0)) != R(0.0)) q[k] = -q[k];
      q[k] += laps * m->gain[at_turn];
    }
  }
}

MB_FN void mb_move_bodies(const mb_model* m, const mb_state* s, mb_real* q, mb_real B[][N]) {
  const mb_region* r = &m->regions[s->region];
  mb_real values[QUANTITIES], slopes[SLOPES];
  int d, i, k, l, n, at;
  for (k = 0; k < VELOCITIES * BODIES; ++k)
    for (i = 0; i < N; ++i) B[k][i] = R(0.0);
  for (d = 0; d < r->bodies_count; ++d) {
    const mb_bodies* y = &r->bodies[d];
    mb_read(&y->table, s->theta, values, slopes);
    at = 0;
    for (n = 0; n < y->bodies; ++n) {
      mb_real *const place = q + COORDINATES * y->body[n], (*const velocity)[N] = B + VELOCITIES * y->body[n];
      for (k = 0; k < COORDINATES; ++k) place[k] = values[at++];
      if (mb_is_series(&y->table) && COORDINATES > VELOCITIES) mb_unit(place + COORDINATES - 4);
      for (k = 0; k < VELOCITIES; ++k)
        for (l = 0; l < mb_variables(&y->table); ++l) velocity[k][y->table.argument[l]] = values[at++];
      for (l = y->table.arguments - y->table.cyclic; l < y->table.arguments; ++l) {
        i = y->table.argument[l];
        mb_move(i, mb_laps(r, s, i) * (r->ranges[i].high - r->ranges[i].low), place, velocity);
      }
    }
  }
  mb_wind_bodies(m, s, q);
}

MB_FN void mb_positions(const mb_model* m, const mb_state* s, mb_real* q, mb_real* u) {
  mb_real B[VELOCITIES * BODIES][N];
  int i, k;
  mb_move_bodies(m, s, q, B);
  for (k = 0; k < VELOCITIES * BODIES; ++k) {
    u[k] = R(0.0);
    for (i = 0; i < N; ++i) u[k] += B[k][i] * s->rate[i];
  }
}

MB_FN mb_real mb_self_test(const mb_model* m) {
  mb_real most = R(0.0), x[CHECKED];
  mb_state s;
  int k, i, step = 0;
  mb_begin(m, &s);
  for (k = 0; k < m->checks_count; ++k) {
    for (; step < m->checks[k].step; ++step) mb_advance(m, &s, m->check_step);
    for (i = 0; i < N; ++i) {
      x[i] = mb_variable(m, &s, i);
      x[N + i] = s.rate[i];
    }
    mb_positions(m, &s, x + 2 * N, x + 2 * N + COORDINATES * BODIES);
    for (i = 0; i < CHECKED; ++i) {
      const mb_real wanted = m->checks[k].number[i], size = mb_fabs(wanted) > R(1.0) ? mb_fabs(wanted) : R(1.0);
      const mb_real miss = mb_fabs(x[i] - wanted) / size;
      if (!(miss <= most)) most = miss;
    }
  }
  return most;
}
