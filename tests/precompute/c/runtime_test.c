// The runtime of emitted C with tables made by hand, against closed forms; built in both precisions.
#include "mubody/precompute/c/runtime.h"

#include <float.h>
#include <stdio.h>
#include <tgmath.h>

#ifdef model_SINGLE
static const real epsilon = FLT_EPSILON;
#else
static const real epsilon = DBL_EPSILON;
#endif

static int failures = 0;

static void near_to(real got, real wanted, real tolerance, const char* what) {
  if (fabs(got - wanted) <= tolerance) return;
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
  real c[4];
} cubic;
static real at(const cubic* p, real x) { return p->c[0] + x * (p->c[1] + x * (p->c[2] + x * p->c[3])); }
static real slope_at(const cubic* p, real x) { return p->c[1] + x * (R(2.0) * p->c[2] + x * R(3.0) * p->c[3]); }

/* The same cubic of s, where x = middle + half s. */
static cubic in_cell(const cubic* p, real middle, real half) {
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
static void uneven_cell(int k, real* middle, real* half) {
  *half = k == 0 ? R(1.0) : R(1.0) / R(3.0);
  *middle = k == 0 ? R(0.0) : R(1.0) + (real)(2 * k - 1) / R(3.0);
}
/* One cell from -2 to 2, where x = 2 s. */
static const mb_axis plain = {1, 1, 0, R(-2.0), R(2.0), R(0.25), one_part, from_zero};
static const int variable_0[1] = {0}, variable_1[1] = {1}, both[2] = {0, 1};

/* Writes quantity q of nq in one cell of a table with one argument. */
static void put(real* cell, int nq, int q, cubic p) {
  int k;
  for (k = 0; k <= DEGREE; ++k) cell[k * nq + q] = p.c[k];
}

static void cubics_are_exact_in_cells_of_any_width(void) {
  const cubic p[2] = {{{R(0.5), R(-2.0), R(0.25), R(1.0)}}, {{R(1.0), R(1.0), R(-0.5), R(0.125)}}};
  real numbers[4 * 4 * 2], values[2], slopes[2], theta[N] = {R(0.0)}, middle, half;
  const mb_table t = {1, 2, 8, variable_1, &uneven, numbers};
  int k, q;
  for (k = 0; k < 4; ++k)
    for (q = 0; q < 2; ++q) {
      uneven_cell(k, &middle, &half);
      put(numbers + 8 * k, 2, q, in_cell(&p[q], middle, half));
    }
  for (k = 0; k <= 100; ++k) {
    theta[1] = R(-1.0) + R(0.04) * (real)k;
    mb_evaluate(&t, theta, values, slopes);
    for (q = 0; q < 2; ++q) {
      near_to(values[q], at(&p[q], theta[1]), R(200.0) * epsilon, "value of a cubic");
      near_to(slopes[q], slope_at(&p[q], theta[1]), R(400.0) * epsilon, "slope of a cubic");
    }
  }
}

static void products_are_exact_in_two_arguments(void) {
  const cubic px = {{R(1.0), R(-1.0), R(0.5), R(0.25)}}, py = {{R(2.0), R(0.5), R(0.0), R(-0.25)}};
  const mb_axis axes[2] = {uneven, plain};
  real numbers[4 * 16], value[1], slopes[2], theta[N], middle, half;
  const mb_table t = {2, 1, 16, both, axes, numbers};
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
      theta[0] = R(-1.0) + R(0.2) * (real)i;
      theta[1] = R(-2.0) + R(0.2) * (real)j;
      mb_evaluate(&t, theta, value, slopes);
      near_to(value[0], at(&px, theta[0]) * at(&py, theta[1]), R(400.0) * epsilon, "value of a product");
      near_to(slopes[0], slope_at(&px, theta[0]) * at(&py, theta[1]), R(800.0) * epsilon, "slope by x");
      near_to(slopes[1], at(&px, theta[0]) * slope_at(&py, theta[1]), R(800.0) * epsilon, "slope by y");
    }
}

static void periodic_arguments_repeat(void) {
  const mb_axis around = {1, 1, 1, R(-2.0), R(2.0), R(0.25), one_part, from_zero};
  const cubic p = {{R(1.0), R(2.0), R(3.0), R(4.0)}};
  real numbers[4], value[1], slope[1], theta[N] = {R(0.0)};
  const mb_table t = {1, 1, 4, variable_0, &around, numbers};
  int turn;
  put(numbers, 1, 0, in_cell(&p, R(0.0), R(2.0)));
  for (turn = -3; turn <= 3; ++turn) {
    theta[0] = R(0.75) + R(4.0) * (real)turn;
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
  static real numbers[16 * 4];
  const mb_axis axes[2] = {plain, plain};
  const mb_dynamics dynamics = {{2, 4, 64, both, axes, numbers}, 0, 0};
  const mb_region region = {axes, 1, 0, 0, &dynamics, 0, 0, 0, {-1, 0, 0, 0}, {-1, 0, 0, 0}};
  const real x = R(0.5), y = R(-0.75), vx = R(1.5), vy = R(-2.0), fx = R(0.25), fy = R(1.0);
  const real J00 = R(3.0) + y * y, J10 = x * y, J11 = R(2.0);
  const real bx = fx - R(2.0) * x * y - R(2.0) * y * vx * vy - x * vy * vy, by = fy - x * x;
  const real determinant = J00 * J11 - J10 * J10;
  mb_model m = {0};
  mb_state s = {0};
  real a[N], kinetic, potential;
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
  const real numbers[4 * 4] = {R(2.0), R(0.0), R(3.0), R(0.0), R(0.0), R(2.0), R(0.0), R(8.0)};
  const real idle[8] = {R(1.0)};
  const mb_dynamics dynamics[2] = {{{1, 4, 16, variable_0, &plain, numbers}, 1, 1},
                                   {{1, 2, 8, variable_1, &plain, idle}, 0, 0}};
  const mb_axis ranges[2] = {plain, plain};
  const mb_region region = {ranges, 2, 0, 0, dynamics, 0, 0, 0, {-1, 0, 0, 0}, {-1, 0, 0, 0}};
  mb_model m = {0};
  mb_state s = {0};
  real a[N];
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
static const real swing_numbers[8] = {R(1.0), R(0.0), R(0.0), R(0.0), R(0.0), R(2.0), R(0.0), R(0.0)};
static const real free_numbers[8] = {R(1.0)};
static const real body_numbers[4 * 6] = {R(0.0), R(0.0), R(0.0), R(1.0), R(2.0), R(0.0), R(2.0), R(4.0)};
static const mb_dynamics swing_dynamics[2] = {{{1, 2, 8, variable_0, &plain, swing_numbers}, 0, 0},
                                              {{1, 2, 8, variable_1, &turning, free_numbers}, 0, 0}};
static const mb_bodies swing_body = {{1, 6, 24, variable_0, &plain, body_numbers}, 1, from_zero};
static const mb_region swing_region = {swing_ranges, 2, 1, 0, swing_dynamics, &swing_body, 0, 0, {-1, 0, 0, 0},
                                       {-1, 0, 0, 0}};
static const real gain[N * 3] = {R(0.0), R(0.0), R(0.0), R(0.0), R(0.0), R(6.0)};
static const real sign[N * 3] = {R(1.0), R(1.0), R(1.0), R(1.0), R(-1.0), R(1.0)};
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
  const real h = R(1.0) / R(1024.0), tolerance = R(1024.0) * epsilon;
  mb_state s = mb_this.start;
  real kinetic, potential;
  int k;
  for (k = 0; k < 1024; ++k) holds(mb_advance(&mb_this, &s, h), "the oscillator stays in its range");
  near_to(s.t, R(1.0), epsilon, "time");
  near_to(s.theta[0], cos(R(1.0)), tolerance, "displacement");
  near_to(s.rate[0], -sin(R(1.0)), tolerance, "rate");
  near_to(s.theta[1], R(3.5), R(4.0) * tolerance, "the free variable");
  mb_energies(&mb_this, &s, &kinetic, &potential);
  near_to(kinetic + potential, R(5.0), R(10.0) * tolerance, "energy");
}

/* 0.001 is no binary fraction: without the rest, a float would be off by 1e-5 after 10000 of them. */
static void time_does_not_drift(void) {
  const real h = R(0.001);
  mb_state s = mb_this.start;
  int k;
  s.theta[0] = R(0.0), s.rate[1] = R(0.0);
  for (k = 0; k < 10000; ++k) mb_advance(&mb_this, &s, h);
  near_to(s.t, (real)(10000.0 * (double)h), R(10.0) * epsilon, "time after ten thousand steps");
}

static void turns_are_counted(void) {
  mb_state s = mb_this.start;
  real q[3], u[3];
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
  real numbers[DEGREE + 1] = {R(0.0)}, theta[N] = {R(0.0)}, value, slope;
  const mb_table t = {1, 1, DEGREE + 1, variable_0, &plain, numbers};
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
  const real numbers[2][8] = {{R(4.0), R(0.0), R(0.0), R(2.0)}, {R(1.0), R(0.0), R(0.0), R(1.0)}};
  const real next_numbers[8] = {R(0.0), R(1.0), R(0.0), R(4.0)};
  const mb_axis ranges[2] = {plain, plain};
  const mb_dynamics idle = {{1, 2, 8, variable_1, &plain, free_numbers}, 0, 0};
  const mb_dynamics low[2] = {{{1, 2, 8, variable_0, &plain, numbers[0]}, 0, 0}, idle};
  const mb_axis wide = {1, 1, 0, R(-2.0), R(6.0), R(0.125), one_part, from_zero};
  const mb_dynamics high[2] = {{{1, 2, 8, variable_0, &wide, numbers[1]}, 0, 0}, idle};
  const mb_table next = {1, 2, 8, variable_0, &plain, next_numbers};
  const mb_region regions[2] = {{ranges, 2, 0, 0, low, 0, 0, &next, {-1, 0, 0, 0}, {1, 1, R(1.0), R(-1.0)}},
                                {ranges, 2, 0, 0, high, 0, 0, 0, {-1, 0, 0, 0}, {-1, 0, 0, 0}}};
  mb_model m = {0};
  mb_state s = {0};
  real kinetic, potential, before;
  m.regions = regions;
  s.theta[0] = R(0.75), s.rate[0] = R(3.0);
  holds(mb_change_region(&m, &s) && s.region == 0, "below the border it stays");
  s.theta[0] = R(1.25);
  mb_energies(&m, &s, &kinetic, &potential);
  before = kinetic + potential;
  holds(mb_change_region(&m, &s) && s.region == 1 && s.laps == 1, "above the border it goes over");
  near_to(s.theta[0], R(2.5), R(10.0) * epsilon, "the variable of the next region");
  near_to(s.rate[0], sqrt(R(2.0) * (before - (s.theta[0] - R(2.0)) / R(4.0))), R(10.0) * epsilon, "its rate");
  mb_energies(&m, &s, &kinetic, &potential);
  near_to(kinetic + potential, before, R(50.0) * epsilon, "energy across the border");
}

/* A spring of stiffness 3 at run time along the scalar x^2. */
static void spring(const mb_region* r, const mb_state* s, real* b) {
  real x[1], v[1], slope[1][N];
  int i;
  mb_look_up(r, s, 1, x, v, slope);
  for (i = 0; i < N; ++i) b[i] += -R(3.0) * x[0] * slope[0][i];
}
static void forces_act_along_scalars(void) {
  const real numbers[4] = {R(0.0), R(0.0), R(4.0)};
  const mb_scalars scalars = {{1, 1, 4, variable_0, &plain, numbers}, from_zero};
  mb_region region = swing_region;
  mb_model m = mb_this;
  mb_state s = mb_this.start;
  real a[N], x[1], v[1], slope[1][N];
  region.scalars_count = 1;
  region.scalars = &scalars;
  m.regions = &region;
  m.apply = spring;
  s.theta[0] = R(0.5), s.rate[0] = R(2.0);
  mb_look_up(&region, &s, 1, x, v, slope);
  near_to(x[0], R(0.25), R(0.0), "scalar");
  near_to(v[0], R(2.0), R(0.0), "its rate");
  near_to(slope[0][1], R(0.0), R(0.0), "its slope by the other variable");
  mb_accelerations(&m, &s, a);
  near_to(a[0], R(-0.5) - R(0.75), R(4.0) * epsilon, "-x - 3 x^2 2 x");
}

static void formulas_are_those_of_model_files(void) {
  near_to(mb_min(R(1.0), R(-2.0)), R(-2.0), R(0.0), "min");
  near_to(mb_max(R(1.0), R(-2.0)), R(1.0), R(0.0), "max");
  near_to(mb_mod(R(-1.0), R(4.0)), R(3.0), R(0.0), "mod");
  near_to(mb_sign(R(-3.0)) + mb_sign(R(0.0)) + R(4.0) * mb_sign(R(2.0)), R(3.0), R(0.0), "sign");
  near_to(mb_power(R(2.0), 5) + mb_power(R(-3.0), 2) + mb_power(R(7.0), 0), R(42.0), R(0.0), "power");
  near_to(mb_step(R(0.0), R(1.0), R(5.0), R(3.0), R(9.0)), R(5.0), R(0.0), "before a step");
  near_to(mb_step(R(2.0), R(1.0), R(5.0), R(3.0), R(9.0)), R(7.0), R(0.0), "in the middle of a step");
  near_to(mb_step(R(4.0), R(1.0), R(5.0), R(3.0), R(9.0)), R(9.0), R(0.0), "after a step");
}

/* The numbers to check claim an angular velocity of 0.5 for a body that does not turn. */
static void the_interface_is_that_of_this_model(void) {
  model_state s;
  real q[3], u[3], a[N];
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
  products_are_exact_in_two_arguments();
  periodic_arguments_repeat();
  accelerations_are_those_of_lagrange();
  forces_of_the_position_and_damping_act();
  an_oscillator_swings_as_the_cosine();
  time_does_not_drift();
  turns_are_counted();
  tables_end_where_their_ranges_end();
  energy_is_kept_at_borders();
  forces_act_along_scalars();
  formulas_are_those_of_model_files();
  the_interface_is_that_of_this_model();
  return failures == 0 ? 0 : 1;
}
