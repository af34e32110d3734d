// The runtime of emitted C with tables made by hand, against closed forms; built in both precisions.
#include "mubody/precompute/c/runtime.c"

#include <float.h>
#include <stdio.h>

#include "mubody/precompute/c/tables.c"

enum { DEGREE = 3 };

#ifdef MB_SINGLE
static const mb_real epsilon = FLT_EPSILON;
#else
static const mb_real epsilon = DBL_EPSILON;
#endif

static int failures = 0;

static void near_to(mb_real got, mb_real wanted, mb_real tolerance, const char* what) {
  if (mb_fabs(got - wanted) <= tolerance) return;
  printf("%s: got %.17g, expected %.17g\n", what, (double)got, (double)wanted);
  ++failures;
}
static void holds(int condition, const char* what) {
  if (condition) return;
  printf("%s: does not hold\n", what);
  ++failures;
}

/* c0 + c1 x + c2 x^2 + c3 x^3 */
typedef struct {
  mb_real c[4];
} cubic;
static mb_real at(const cubic* p, mb_real x) { return p->c[0] + x * (p->c[1] + x * (p->c[2] + x * p->c[3])); }
static mb_real slope_at(const cubic* p, mb_real x) {
  return p->c[1] + x * (R(2.0) * p->c[2] + x * R(3.0) * p->c[3]);
}

/* The same cubic of s, where x = middle + half s. */
static cubic in_cell(const cubic* p, mb_real middle, mb_real half) {
  cubic s;
  s.c[0] = at(p, middle);
  s.c[1] = slope_at(p, middle) * half;
  s.c[2] = (p->c[2] + R(3.0) * p->c[3] * middle) * half * half;
  s.c[3] = p->c[3] * half * half * half;
  return s;
}

/* Two intervals of [-1, 3]: the first is one cell, the second three. */
static const int parts[2] = {1, 3}, first[2] = {0, 1}, one_part[1] = {1}, from_zero[1] = {0};
static const mb_axis uneven = {4, 2, 0, R(-1.0), R(3.0), R(0.5), parts, first};
static void uneven_cell(int k, mb_real* middle, mb_real* half) {
  *half = k == 0 ? R(1.0) : R(1.0) / R(3.0);
  *middle = k == 0 ? R(0.0) : R(1.0) + (mb_real)(2 * k - 1) / R(3.0);
}
/* One cell from -2 to 2, where x = 2 s. */
static const mb_axis plain = {1, 1, 0, R(-2.0), R(2.0), R(0.25), one_part, from_zero};
static const int variable_0[1] = {0}, variable_1[1] = {1}, both[2] = {0, 1};

/* Writes quantity q of nq in one cell of a table with one argument. */
static void put(mb_real* cell, int nq, int q, cubic p) {
  int k;
  for (k = 0; k <= DEGREE; ++k) cell[k * nq + q] = p.c[k];
}

static void cubics_are_exact_in_cells_of_any_width(void) {
  const cubic p[2] = {{{R(0.5), R(-2.0), R(0.25), R(1.0)}}, {{R(1.0), R(1.0), R(-0.5), R(0.125)}}};
  mb_real numbers[4 * 4 * 2], values[2], slopes[2], theta[N] = {R(0.0)}, middle, half;
  const mb_table t = {1, 2, 8, variable_1, &uneven, numbers, DEGREE, 0, 0, 0};
  int k, q;
  for (k = 0; k < 4; ++k)
    for (q = 0; q < 2; ++q) {
      uneven_cell(k, &middle, &half);
      put(numbers + 8 * k, 2, q, in_cell(&p[q], middle, half));
    }
  for (k = 0; k <= 100; ++k) {
    theta[1] = R(-1.0) + R(0.04) * (mb_real)k;
    mb_evaluate(&t, theta, values, slopes);
    for (q = 0; q < 2; ++q) {
      near_to(values[q], at(&p[q], theta[1]), R(200.0) * epsilon, "value of a cubic");
      near_to(slopes[q], slope_at(&p[q], theta[1]), R(400.0) * epsilon, "slope of a cubic");
    }
  }
}

/* From -2 to -1 and from 0 to 2, with nothing between. */
static void what_is_absent_is_told(void) {
  const cubic p = {{R(0.5), R(-2.0), R(0.25), R(1.0)}};
  const int tree[10] = {0, 1, 0, 3, -1, 1, -1, 0, -2, 0};
  mb_real numbers[2 * 4], value[1], slope[1], theta[N] = {R(0.0)};
  const mb_table t = {1, 1, 4, variable_1, &plain, numbers, DEGREE, 0, 0, tree};
  int k;
  put(numbers, 1, 0, in_cell(&p, R(-1.5), R(0.5)));
  put(numbers + 4, 1, 0, in_cell(&p, R(1.0), R(1.0)));
  for (k = 0; k <= 100; ++k) {
    const int between = k >= 25 && k < 50;
    theta[1] = R(-2.0) + R(0.04) * (mb_real)k;
    near_to((mb_real)mb_evaluate(&t, theta, value, slope), between ? R(1.0) : R(-1.0), R(0.0), "who has left");
    if (between) continue;
    near_to(value[0], at(&p, theta[1]), R(200.0) * epsilon, "value in a half");
    near_to(slope[0], slope_at(&p, theta[1]), R(400.0) * epsilon, "slope in a half");
  }
}

static void products_are_exact_in_two_arguments(void) {
  const cubic px = {{R(1.0), R(-1.0), R(0.5), R(0.25)}}, py = {{R(2.0), R(0.5), R(0.0), R(-0.25)}};
  const mb_axis axes[2] = {uneven, plain};
  mb_real numbers[4 * 16], value[1], slopes[2], theta[N], middle, half;
  const mb_table t = {2, 1, 16, both, axes, numbers, DEGREE, 0, 0, 0};
  int cell, i, j;
  for (cell = 0; cell < 4; ++cell) {
    cubic x, y;
    uneven_cell(cell, &middle, &half);
    x = in_cell(&px, middle, half);
    y = in_cell(&py, R(0.0), R(2.0));
    for (i = 0; i < 4; ++i)
      for (j = 0; j < 4; ++j) numbers[16 * cell + 4 * i + j] = x.c[i] * y.c[j];
  }
  for (i = 0; i <= 20; ++i)
    for (j = 0; j <= 20; ++j) {
      theta[0] = R(-1.0) + R(0.2) * (mb_real)i;
      theta[1] = R(-2.0) + R(0.2) * (mb_real)j;
      mb_evaluate(&t, theta, value, slopes);
      near_to(value[0], at(&px, theta[0]) * at(&py, theta[1]), R(400.0) * epsilon, "value of a product");
      near_to(slopes[0], slope_at(&px, theta[0]) * at(&py, theta[1]), R(800.0) * epsilon, "slope by x");
      near_to(slopes[1], at(&px, theta[0]) * slope_at(&py, theta[1]), R(800.0) * epsilon, "slope by y");
    }
}

static void periodic_arguments_repeat(void) {
  const mb_axis around = {1, 1, 1, R(-2.0), R(2.0), R(0.25), one_part, from_zero};
  const cubic p = {{R(1.0), R(2.0), R(3.0), R(4.0)}};
  mb_real numbers[4], value[1], slope[1], theta[N] = {R(0.0)};
  const mb_table t = {1, 1, 4, variable_0, &around, numbers, DEGREE, 0, 0, 0};
  int turn;
  put(numbers, 1, 0, in_cell(&p, R(0.0), R(2.0)));
  for (turn = -3; turn <= 3; ++turn) {
    theta[0] = R(0.75) + R(4.0) * (mb_real)turn;
    mb_evaluate(&t, theta, value, slope);
    near_to(value[0], at(&p, R(0.75)), R(100.0) * epsilon, "value some periods away");
    near_to(slope[0], slope_at(&p, R(0.75)), R(100.0) * epsilon, "slope some periods away");
  }
}

/* J = |3 + y^2  x y|     V = x^2 y       T = (J00 x'^2 + 2 J10 x' y' + J11 y'^2) / 2
       |x y      2  |
   Lagrange:  J00 x" + J10 y" + 2 y x' y' + x y'^2 = -2 x y
              J10 x" + J11 y"                      = -x^2 */
static void accelerations_are_those_of_lagrange(void) {
  static mb_real numbers[16 * 4];
  const mb_axis axes[2] = {plain, plain};
  const mb_dynamics dynamics = {{2, 4, 64, both, axes, numbers, DEGREE, 0, 0}, 0, 0};
  const mb_region region = {axes, 1, 0, 0, &dynamics, 0, 0, 0, {-1, 0, 0, 0}, {-1, 0, 0, 0}};
  const mb_real x = R(0.5), y = R(-0.75), vx = R(1.5), vy = R(-2.0), fx = R(0.25), fy = R(1.0);
  const mb_real J00 = R(3.0) + y * y, J10 = x * y, J11 = R(2.0);
  const mb_real bx = fx - R(2.0) * x * y - R(2.0) * y * vx * vy - x * vy * vy, by = fy - x * x;
  const mb_real determinant = J00 * J11 - J10 * J10;
  mb_model m = {0};
  mb_state s = {0};
  mb_real a[N], kinetic, potential;
  /* x = 2 r, y = 2 s; the number of power r^i s^j, quantity q, is at 4 (4 i + j) + q. */
  numbers[0] = R(3.0), numbers[4 * 2] = R(4.0);
  numbers[4 * (4 + 1) + 1] = R(4.0);
  numbers[2] = R(2.0);
  numbers[4 * (4 * 2 + 1) + 3] = R(8.0);
  m.regions = &region;
  s.theta[0] = x, s.theta[1] = y, s.rate[0] = vx, s.rate[1] = vy, s.input[0] = fx, s.input[1] = fy;
  mb_accelerations(&m, &s, a);
  near_to(a[0], (bx * J11 - by * J10) / determinant, R(50.0) * epsilon, "acceleration of x");
  near_to(a[1], (by * J00 - bx * J10) / determinant, R(50.0) * epsilon, "acceleration of y");
  mb_energies(&m, &s, &kinetic, &potential);
  near_to(kinetic, R(0.5) * J00 * vx * vx + J10 * vx * vy + R(0.5) * J11 * vy * vy, R(50.0) * epsilon, "T");
  near_to(potential, x * x * y, R(10.0) * epsilon, "V");
}

/* J = 2, V = x, forced by 3 and damped by 4 x: 2 x" = -1 + 3 - 4 x x'. */
static void forces_of_the_position_and_damping_act(void) {
  const mb_real numbers[4 * 4] = {R(2.0), R(0.0), R(3.0), R(0.0), R(0.0), R(2.0), R(0.0), R(8.0)};
  const mb_real idle[8] = {R(1.0)};
  const mb_dynamics dynamics[2] = {{{1, 4, 16, variable_0, &plain, numbers, DEGREE, 0, 0}, 1, 1},
                                   {{1, 2, 8, variable_1, &plain, idle, DEGREE, 0, 0}, 0, 0}};
  const mb_axis ranges[2] = {plain, plain};
  const mb_region region = {ranges, 2, 0, 0, dynamics, 0, 0, 0, {-1, 0, 0, 0}, {-1, 0, 0, 0}};
  mb_model m = {0};
  mb_state s = {0};
  mb_real a[N];
  m.regions = &region;
  s.theta[0] = R(0.5), s.rate[0] = R(0.25);
  mb_accelerations(&m, &s, a);
  near_to(a[0], R(0.75), R(4.0) * epsilon, "acceleration with damping");
}

/* An oscillator x" = -x beside a second variable that moves freely and turns with period 4; the body is at
   (x, y, angle) = (x, 2 x, 0) and gains 6 in its angle with each turn of the second variable. */
static const mb_axis turning = {1, 1, 1, R(-2.0), R(2.0), R(0.25), one_part, from_zero};
static const mb_axis swing_ranges[2] = {{1, 1, 0, R(-2.0), R(2.0), R(0.25), one_part, from_zero},
                                        {1, 1, 1, R(-2.0), R(2.0), R(0.25), one_part, from_zero}};
static const mb_real swing_numbers[8] = {R(1.0), R(0.0), R(0.0), R(0.0), R(0.0), R(2.0), R(0.0), R(0.0)};
static const mb_real free_numbers[8] = {R(1.0)};
static const mb_real body_numbers[4 * 6] = {R(0.0), R(0.0), R(0.0), R(1.0), R(2.0), R(0.0), R(2.0), R(4.0)};
static const mb_dynamics swing_dynamics[2] = {
    {{1, 2, 8, variable_0, &plain, swing_numbers, DEGREE, 0, 0}, 0, 0},
    {{1, 2, 8, variable_1, &turning, free_numbers, DEGREE, 0, 0}, 0, 0}};
static const mb_bodies swing_body = {{1, 6, 24, variable_0, &plain, body_numbers, DEGREE, 0, 0}, 1, from_zero};
static const mb_region swing_region = {swing_ranges, 2, 1, 0, swing_dynamics, &swing_body, 0, 0, {-1, 0, 0, 0},
                                       {-1, 0, 0, 0}};
static const mb_real gain[N * 3] = {R(0.0), R(0.0), R(0.0), R(0.0), R(0.0), R(6.0)};
static const mb_real sign[N * 3] = {R(1.0), R(1.0), R(1.0), R(1.0), R(-1.0), R(1.0)};
static const mb_check swing_checks[1] = {
    {0, {R(1.0), R(0.5), R(0.0), R(3.0), R(1.0), R(2.0), R(0.0), R(0.0), R(0.0), R(0.5)}}};
const mb_model mb_this = {.regions = &swing_region,
                          .gain = gain,
                          .sign = sign,
                          .start = {.theta = {R(1.0), R(0.5)}, .rate = {R(0.0), R(3.0)}},
                          .checks = swing_checks,
                          .checks_count = 1,
                          .check_step = R(1e-3),
                          .check_limit = R(0.25)};

/* A step of h = 1/1024 has an error of h^5/120; 1024 of them round some 1024 times. */
static void an_oscillator_swings_as_the_cosine(void) {
  const mb_real h = R(1.0) / R(1024.0), tolerance = R(1024.0) * epsilon;
  mb_state s = mb_this.start;
  mb_real kinetic, potential;
  int k;
  for (k = 0; k < 1024; ++k) holds(mb_advance(&mb_this, &s, h), "the oscillator stays in its range");
  near_to(s.t, R(1.0), epsilon, "time");
  near_to(s.theta[0], mb_cos(R(1.0)), tolerance, "displacement");
  near_to(s.rate[0], -mb_sin(R(1.0)), tolerance, "rate");
  near_to(s.theta[1], R(3.5), R(4.0) * tolerance, "the free variable");
  mb_energies(&mb_this, &s, &kinetic, &potential);
  near_to(kinetic + potential, R(5.0), R(10.0) * tolerance, "energy");
}

/* 0.001 is no binary fraction: without the rest, a float would be off by 1e-5 after 10000 of them. */
static void time_does_not_drift(void) {
  const mb_real h = R(0.001);
  mb_state s = mb_this.start;
  int k;
  s.theta[0] = R(0.0), s.rate[1] = R(0.0);
  for (k = 0; k < 10000; ++k) mb_advance(&mb_this, &s, h);
  near_to(s.t, (mb_real)(10000.0 * (double)h), R(10.0) * epsilon, "time after ten thousand steps");
}

static void turns_are_counted(void) {
  mb_state s = mb_this.start;
  mb_real q[3], u[3];
  s.theta[1] = R(0.5) + R(4.0) * R(9.0);
  s.rate[0] = R(2.0);
  near_to(mb_laps(&swing_region, &s, 1), R(9.0), R(0.0), "turns before they are counted apart");
  holds(mb_change_region(&mb_this, &s) && s.turns[1] == 9, "nine turns are counted apart");
  near_to(s.theta[1], R(0.5), R(0.0), "the variable in the range of its tables");
  near_to(mb_variable(&mb_this, &s, 1), R(36.5), R(0.0), "the variable over all turns");
  mb_positions(&mb_this, &s, q, u);
  near_to(q[0], R(1.0), R(0.0), "x");
  near_to(q[1], R(-2.0), R(0.0), "y, whose sign changes with each turn");
  near_to(q[2], R(54.0), R(0.0), "angle after nine turns");
  near_to(u[0], R(2.0), R(0.0), "x'");
  near_to(u[1], R(4.0), R(0.0), "y'");
  s.theta[0] = R(2.5);
  holds(!mb_change_region(&mb_this, &s), "2.5 is out of range");
}

/* x^3 on one cell from -2 to 2; beyond it the polynomial is not followed. */
static void tables_end_where_their_ranges_end(void) {
  const cubic cube = {{R(0.0), R(0.0), R(0.0), R(8.0)}};
  mb_real numbers[DEGREE + 1] = {R(0.0)}, theta[N] = {R(0.0)}, value, slope;
  const mb_table t = {1, 1, DEGREE + 1, variable_0, &plain, numbers, DEGREE, 0, 0, 0};
  put(numbers, 1, 0, cube);
  theta[0] = R(5.0);
  mb_evaluate(&t, theta, &value, &slope);
  near_to(value, R(8.0), R(0.0), "the value at the upper end");
  near_to(slope, R(12.0), R(0.0), "the slope at the upper end");
  theta[0] = R(-100.0);
  mb_evaluate(&t, theta, &value, &slope);
  near_to(value, R(-8.0), R(0.0), "the value at the lower end");
}

/* Region 0 has x, region 1 has y = 2 x + 1 less a shift of 1: J = 4 and V = x become J = 1 and V = y / 2. */
static void energy_is_kept_at_borders(void) {
  const mb_real numbers[2][8] = {{R(4.0), R(0.0), R(0.0), R(2.0)}, {R(1.0), R(0.0), R(0.0), R(1.0)}};
  const mb_real next_numbers[8] = {R(0.0), R(1.0), R(0.0), R(4.0)};
  const mb_axis ranges[2] = {plain, plain};
  const mb_dynamics idle = {{1, 2, 8, variable_1, &plain, free_numbers, DEGREE, 0, 0}, 0, 0};
  const mb_dynamics low[2] = {{{1, 2, 8, variable_0, &plain, numbers[0], DEGREE, 0, 0}, 0, 0}, idle};
  const mb_axis wide = {1, 1, 0, R(-2.0), R(6.0), R(0.125), one_part, from_zero};
  const mb_dynamics high[2] = {{{1, 2, 8, variable_0, &wide, numbers[1], DEGREE, 0, 0}, 0, 0}, idle};
  const mb_table next = {1, 2, 8, variable_0, &plain, next_numbers, DEGREE, 0, 0, 0};
  const mb_region regions[2] = {{ranges, 2, 0, 0, low, 0, 0, &next, {-1, 0, 0, 0}, {1, 1, R(1.0), R(-1.0)}},
                                {ranges, 2, 0, 0, high, 0, 0, 0, {-1, 0, 0, 0}, {-1, 0, 0, 0}}};
  mb_model m = {0};
  mb_state s = {0};
  mb_real kinetic, potential, before;
  m.regions = regions;
  s.theta[0] = R(0.75), s.rate[0] = R(3.0);
  holds(mb_change_region(&m, &s) && s.region == 0, "below the border it stays");
  s.theta[0] = R(1.25);
  mb_energies(&m, &s, &kinetic, &potential);
  before = kinetic + potential;
  holds(mb_change_region(&m, &s) && s.region == 1 && s.laps == 1, "above the border it goes over");
  near_to(s.theta[0], R(2.5), R(10.0) * epsilon, "the variable of the next region");
  near_to(s.rate[0], mb_sqrt(R(2.0) * (before - (s.theta[0] - R(2.0)) / R(4.0))), R(10.0) * epsilon,
          "its rate");
  mb_energies(&m, &s, &kinetic, &potential);
  near_to(kinetic + potential, before, R(50.0) * epsilon, "energy across the border");
}

/* Along the scalar x^2 a spring of stiffness 3 + t; on the body a spring along its x and a damper along its y. */
static void springs(const mb_real* seen, mb_real* done) {
  const mb_real t = seen[0], scalar = seen[1], body_x = seen[3], body_vy = seen[7];
  done[0] = -(R(3.0) + t) * scalar;
  done[1] = R(-5.0) * body_x;
  done[2] = -body_vy;
  done[3] = R(7.0); /* it does not turn */
}
static void forces_act_along_scalars_and_on_bodies(void) {
  const mb_real numbers[4] = {R(0.0), R(0.0), R(4.0)}, scalar_gain[N] = {R(0.0), R(4.0)};
  const mb_scalars scalars = {{1, 1, 4, variable_0, &plain, numbers, DEGREE, 0, 0}, from_zero};
  mb_region region = swing_region;
  mb_model m = mb_this;
  mb_state s = mb_this.start;
  mb_real a[N], x[1], v[1], slope[1][N];
  region.scalars_count = 1;
  region.scalars = &scalars;
  m.regions = &region;
  m.apply = springs;
  m.along = from_zero;
  m.scalar_gain = scalar_gain;
  s.t = R(1.0), s.theta[0] = R(0.5), s.rate[0] = R(2.0);
  mb_look_up(&m, &s, x, v, slope);
  near_to(x[0], R(0.25), R(0.0), "scalar");
  near_to(v[0], R(2.0), R(0.0), "its rate");
  near_to(slope[0][1], R(0.0), R(0.0), "its slope by the other variable");
  mb_accelerations(&m, &s, a);
  near_to(a[0], R(-0.5) - R(1.0) - R(2.5) - R(8.0), R(20.0) * epsilon, "-x - 4 x^2 2 x - 5 x - 2 x' 2");
  near_to(a[1], R(0.0), R(0.0), "the free variable feels nothing");
  s.theta[1] += R(4.0);
  mb_look_up(&m, &s, x, v, slope);
  near_to(x[0], R(4.25), R(0.0), "scalar after a turn of the other variable");
  s.turns[1] = 2;
  mb_look_up(&m, &s, x, v, slope);
  near_to(x[0], R(12.25), R(0.0), "scalar after turns that are counted apart");
}

static void keep_count(const mb_real* seen, mb_real* kept) {
  kept[0] = seen[SEEN - 1] + seen[0]; /* what was kept before, and the time */
}
static void numbers_are_kept_from_step_to_step(void) {
  const mb_real scalar_gain[N] = {R(0.0)};
  mb_model m = mb_this;
  mb_state s;
  m.keep = keep_count;
  m.scalar_gain = scalar_gain;
  m.start.t = R(0.5);
  mb_begin(&m, &s);
  near_to(s.kept[0], R(0.5), R(0.0), "kept at the start");
  mb_advance(&m, &s, R(0.25));
  near_to(s.kept[0], R(1.25), R(0.0), "kept after a step");
}

/* Of a cyclic variable scalars grow all the way: by 4 on a way of 4. */
static void scalars_follow_cyclic_variables(void) {
  const mb_real numbers[4] = {R(0.0)}, scalar_gain[N] = {R(0.0), R(4.0)};
  const mb_scalars scalars = {{1, 1, 4, variable_0, &plain, numbers, DEGREE, 0, 0}, from_zero};
  const mb_axis ranges[2] = {{1, 1, 0, R(-2.0), R(2.0), R(0.25), one_part, from_zero},
                             {1, 1, 1, R(-2.0), R(2.0), R(0.25), one_part, from_zero, 1}};
  mb_region region = swing_region;
  mb_model m = mb_this;
  mb_state s = mb_this.start;
  mb_real x[1], v[1], slope[1][N];
  region.scalars_count = 1;
  region.scalars = &scalars;
  region.ranges = ranges;
  m.regions = &region;
  m.scalar_gain = scalar_gain;
  mb_look_up(&m, &s, x, v, slope);
  near_to(x[0], R(2.5), R(0.0), "scalar from the lower end of the range");
  near_to(v[0], R(3.0), R(0.0), "its rate");
  near_to(slope[0][1], R(1.0), R(0.0), "its slope");
}

/* The second variable is t^2; J = |3 1; 1 2|, so that 3 x" + 2 = f. */
static void follow_the_square(const mb_real* t, mb_real* follows) {
  follows[0] = *t * *t;
  follows[1] = R(2.0) * *t;
  follows[2] = R(2.0);
}
static void drivers_prescribe_variables(void) {
  static mb_real numbers[16 * 4];
  const mb_axis axes[2] = {plain, {1, 1, 1, R(-2.0), R(2.0), R(0.25), one_part, from_zero}};
  const mb_dynamics dynamics = {{2, 4, 64, both, axes, numbers, DEGREE, 0, 0}, 0, 0};
  const mb_region region = {axes, 1, 0, 0, &dynamics, 0, 0, 0, {-1, 0, 0, 0}, {-1, 0, 0, 0}};
  mb_model m = {0};
  mb_state s = {0};
  mb_real a[N];
  numbers[0] = R(3.0), numbers[1] = R(1.0), numbers[2] = R(2.0);
  m.regions = &region;
  m.drive = follow_the_square;
  m.driven = variable_1;
  s.input[0] = R(5.0), s.input[1] = R(100.0); /* a driver has any force */
  mb_accelerations(&m, &s, a);
  near_to(a[0], R(1.0), R(4.0) * epsilon, "acceleration of the free variable");
  near_to(a[1], R(2.0), R(0.0), "acceleration of the driven variable");
  s.rate[0] = R(-0.5);
  holds(mb_advance(&m, &s, R(0.5)), "a step with a driver stays in the range");
  near_to(s.theta[0], R(-0.125), R(4.0) * epsilon, "the free variable after a step");
  near_to(s.theta[1], R(0.25), R(0.0), "the driven variable after a step");
  near_to(s.rate[1], R(1.0), R(0.0), "its rate");
  s.t = R(7.0);
  holds(mb_change_region(&m, &s) && s.turns[1] == 12, "turns of a driven variable are counted apart");
  near_to(s.theta[1], R(1.0), R(0.0), "49 in the range of its tables");
  near_to(mb_variable(&m, &s, 1), R(49.0), R(0.0), "over all turns");
  holds(mb_change_region(&m, &s) && s.turns[1] == 12, "they are counted once");
}

#include "mubody/precompute/c/interface.c"

/* The numbers to check claim an angular velocity of 0.5 for a body that does not turn. */
static void the_interface_is_that_of_this_model(void) {
  model_state s;
  mb_real q[3], u[3], a[N];
  model_start(&s);
  near_to(model_energy(&s), R(5.0), R(10.0) * epsilon, "energy at the start");
  model_accelerations(&s, a);
  near_to(a[0], R(-1.0), R(4.0) * epsilon, "acceleration at the start");
  holds(model_step(&s, R(0.5)) && model_change_region(&s), "a step stays in the range");
  near_to(model_variable(&s, 1), R(2.0), R(4.0) * epsilon, "the free variable after a step");
  model_bodies(&s, q, u);
  near_to(q[1], R(-2.0) * q[0], R(4.0) * epsilon, "the place of the body after one turn");
  near_to(model_self_test(), R(0.5), R(0.0), "the error that the self-test finds");
}

int main(void) {
  cubics_are_exact_in_cells_of_any_width();
  what_is_absent_is_told();
  products_are_exact_in_two_arguments();
  periodic_arguments_repeat();
  accelerations_are_those_of_lagrange();
  forces_of_the_position_and_damping_act();
  an_oscillator_swings_as_the_cosine();
  time_does_not_drift();
  turns_are_counted();
  tables_end_where_their_ranges_end();
  energy_is_kept_at_borders();
  forces_act_along_scalars_and_on_bodies();
  numbers_are_kept_from_step_to_step();
  scalars_follow_cyclic_variables();
  drivers_prescribe_variables();
  the_interface_is_that_of_this_model();
  return failures == 0 ? 0 : 1;
}
