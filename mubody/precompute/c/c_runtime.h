#pragma once
// The part of an emitted source that does not depend on the model.  NAME stands for the model's name.
namespace mubody {
inline constexpr const char* c_runtime = R"C(
typedef struct {
  int cells, intervals, periodic;
  real low, high, per; /* intervals per unit */
  const int* parts; /* cells of each interval */
  const int* first; /* the first of them */
} mb_axis;

typedef struct {
  int arguments, quantities, stride;
  const int* argument; /* which variables */
  const mb_axis* axes;
  const real* numbers; /* power by power, the quantities side by side */
} mb_table;

typedef struct {
  mb_table table;
  int positional, damped;
} mb_dynamics;

typedef struct {
  mb_table table;
  int bodies;
  const int* body;
} mb_bodies;

typedef struct {
  mb_table table;
  const int* scalar;
} mb_scalars;

typedef struct {
  int region, laps;
  real at, shift;
} mb_border;

typedef struct {
  const mb_axis* ranges;
  int dynamics_count, bodies_count, scalars_count;
  const mb_dynamics* dynamics;
  const mb_bodies* bodies;
  const mb_scalars* scalars;
  const mb_table* next;
  mb_border below, above;
} mb_region;

/* A cell, the place in it from -1 to 1, and how much that changes with x. */
static int mb_locate(const mb_axis* a, real x, real* s, real* slope) {
  real y = (x - a->low) * a->per, f;
  int i, j, parts;
  if (a->periodic) y -= (real)a->intervals * floor(y / (real)a->intervals);
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

/* Values, and the slope of quantity q by the a-th argument at slopes[a * quantities + q]. */
static void mb_evaluate(const mb_table* t, const real* theta, real* values, real* slopes) {
  const int n = t->arguments, nq = t->quantities, size = t->stride / (DEGREE + 1);
  real s[ARGUMENTS] = {R(0.0)}, scale[ARGUMENTS] = {R(0.0)}, one[SCRATCH], two[SCRATCH];
  real *now = one, *next = two, *other;
  const real* c;
  int a, b, q, rows, cell = 0;
  for (a = 0; a < n; ++a)
    cell = cell * t->axes[a].cells + mb_locate(&t->axes[a], theta[t->argument[a]], &s[a], &scale[a]);
  c = t->numbers + (long)cell * t->stride;
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

/* How often a variable has gone all the way round. */
static real mb_laps(const mb_region* r, const NAME_state* s, int i) {
  const mb_axis* v = &r->ranges[i];
  const real laps = (real)((i == 0 ? s->laps : 0) + s->turns[i]);
  return v->periodic ? laps + floor((s->theta[i] - v->low) / (v->high - v->low)) : laps;
}
)C";

inline constexpr const char* c_motion = R"C(
void NAME_accelerations(const NAME_state* s, real* acceleration) {
  const mb_region* r = &regions[s->region];
  real values[QUANTITIES], slopes[ARGUMENTS * QUANTITIES], J[N][N], b[N];
  int d, i, j, k, l, m, q;
  for (i = 0; i < N; ++i) {
    for (j = 0; j < N; ++j) J[i][j] = R(0.0);
    b[i] = s->input[i];
  }
  for (d = 0; d < r->dynamics_count; ++d) {
    const mb_dynamics* y = &r->dynamics[d];
    const int *a = y->table.argument, count = y->table.arguments, nq = y->table.quantities;
    mb_evaluate(&y->table, s->theta, values, slopes);
    q = 0;
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
  mb_apply(r, s, b);
  /* Gauss without pivoting: J is positive definite. */
  for (i = 0; i < N; ++i)
    for (k = i + 1; k < N; ++k) {
      const real share = J[k][i] / J[i][i];
      for (j = i; j < N; ++j) J[k][j] -= share * J[i][j];
      b[k] -= share * b[i];
    }
  for (i = N - 1; i >= 0; --i) {
    for (j = i + 1; j < N; ++j) b[i] -= J[i][j] * acceleration[j];
    acceleration[i] = b[i] / J[i][i];
  }
}

static void mb_energy(const NAME_state* s, real* kinetic, real* potential) {
  const mb_region* r = &regions[s->region];
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

real NAME_energy(const NAME_state* s) {
  real kinetic, potential;
  mb_energy(s, &kinetic, &potential);
  return kinetic + potential;
}

int NAME_settle(NAME_state* s) {
  const mb_region* r = &regions[s->region];
  const mb_border* b;
  real values[QUANTITIES], slopes[ARGUMENTS * QUANTITIES], moving, wanted, kinetic, potential;
  NAME_state x;
  int down, up, k;
  for (k = 0; k < N; ++k) {
    const mb_axis* v = &r->ranges[k];
    if (v->periodic) { /* many rounds are counted apart, so that digits are not lost to them */
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
  if (!down && !up) return 1;
  b = down ? &r->below : &r->above;
  mb_energy(s, &kinetic, &potential);
  wanted = kinetic + potential;
  mb_evaluate(r->next, s->theta, values, slopes);
  x = *s;
  x.region = b->region;
  x.laps += b->laps;
  x.theta[0] = values[down ? 0 : 1] + b->shift;
  x.rate[0] = slopes[down ? 0 : 1] * s->rate[0];
  mb_energy(&x, &moving, &potential);
  wanted -= potential;
  if (moving > R(0.0) && wanted > R(0.0) && fabs(wanted - moving) < R(0.5) * moving) x.rate[0] *= sqrt(wanted / moving);
  *s = x;
  return 1;
}

int NAME_step(NAME_state* s, real h) {
  real a1[N], a2[N], a3[N], a4[N], dt;
  NAME_state x = *s;
  int i;
  NAME_accelerations(&x, a1);
  x.t = s->t + R(0.5) * h;
  for (i = 0; i < N; ++i) {
    x.theta[i] = s->theta[i] + R(0.5) * h * s->rate[i];
    x.rate[i] = s->rate[i] + R(0.5) * h * a1[i];
  }
  NAME_accelerations(&x, a2);
  for (i = 0; i < N; ++i) {
    x.theta[i] = s->theta[i] + R(0.5) * h * (s->rate[i] + R(0.5) * h * a1[i]);
    x.rate[i] = s->rate[i] + R(0.5) * h * a2[i];
  }
  NAME_accelerations(&x, a3);
  x.t = s->t + h;
  for (i = 0; i < N; ++i) {
    x.theta[i] = s->theta[i] + h * (s->rate[i] + R(0.5) * h * a2[i]);
    x.rate[i] = s->rate[i] + h * a3[i];
  }
  NAME_accelerations(&x, a4);
  for (i = 0; i < N; ++i) {
    s->theta[i] += h * (s->rate[i] + h / R(6.0) * (a1[i] + a2[i] + a3[i]));
    s->rate[i] += h / R(6.0) * (a1[i] + R(2.0) * a2[i] + R(2.0) * a3[i] + a4[i]);
  }
  dt = h - s->t_rest; /* what the digits of t cannot hold is kept for the next step */
  x.t = s->t + dt;
  s->t_rest = (x.t - s->t) - dt;
  s->t = x.t;
  return NAME_settle(s);
}

real NAME_variable(const NAME_state* s, int k) {
  const mb_axis* v = &regions[s->region].ranges[k];
  return s->theta[k] + (real)s->turns[k] * (v->high - v->low);
}

void NAME_bodies(const NAME_state* s, real* q, real* u) {
  const mb_region* r = &regions[s->region];
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
    }
  }
  for (i = 0; i < N; ++i) {
    const real laps = mb_laps(r, s, i);
    if (laps == R(0.0)) continue;
    for (k = 0; k < COORDINATES * BODIES; ++k) {
      if (sign[i][k] < 0 && fmod(laps, R(2.0)) != R(0.0)) q[k] = -q[k];
      q[k] += laps * gain[i][k];
    }
  }
}
)C";
}  // namespace mubody
