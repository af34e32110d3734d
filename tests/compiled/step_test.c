/* A step of generated code: an oscillator x'' = -x, x' = v, and the work of one watt, against what its table says. */
#include "mubody/compiled/c/step.c"

#include <stdio.h>

static int failures = 0, asked = 0;
static mb_real limit = R(1e9); /* of the time, from which on equations are hardly independent */

void rates(const mb_real* x, const mb_real* p, mb_real* y, mb_real* more) {
  ++asked;
  y[0] = x[2];
  y[1] = -p[0] * x[1];
  y[2] = R(1.0);
  *more = x[0] < limit ? R(1.0) : -R(1.0);
}

static void expect(const char* what, double value, double wanted, double error) {
  if (fabs(value - wanted) <= error) return;
  printf("%s is %.17g, expected %.17g\n", what, value, wanted);
  ++failures;
}

enum { most = 6 };
typedef struct {
  double k[most][MB_RATES], sum[MB_RATES], lost[MB_RATES], y[MB_RATES], residue[MB_RATES];
  double* places[most];
} numbers;

static int take(numbers* n, int stages, int known, const double* c, const double* a, const double* b,
                double h) {
  static const double p[1] = {1};
  double x[1 + MB_STATES];
  mb_explicit_step s;
  int i;
  for (i = 0; i < stages; ++i) n->places[i] = n->k[i];
  s.stages = stages, s.known = known, s.c = c, s.a = a, s.b = b, s.t = 2, s.h = h, s.least = 0;
  s.y = n->y, s.residue = n->residue, s.k = n->places, s.sum = n->sum, s.lost = n->lost;
  asked = 0;
  return step(x, p, &s);
}

/* The classical method is the series of the solution up to the fourth power. */
static void expect_series(int known) {
  static const double c[4] = {0, 0.5, 0.5, 1}, b[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  static const double a[16] = {0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1, 0};
  const double h = 0.125, u = 1 - h * h / 2 + h * h * h * h / 24, w = h - h * h * h / 6;
  numbers n = {{{0}}, {0}, {0}, {3, -2, 4503599627370496.}, {0, 0, 0.25}, {0}};
  n.k[0][0] = -2, n.k[0][1] = -3, n.k[0][2] = 1;
  if (!take(&n, 4, known, c, a, b, h)) ++failures;
  expect("evaluations", asked, 4 - known, 0);
  expect("position", n.sum[0], 3 * u - 2 * w, 1e-15);
  expect("velocity", n.sum[1], -2 * u - 3 * w, 1e-15);
  /* The work is so large that nothing is left of what is added, unless it is kept. */
  expect("work", n.sum[2] - n.y[2], 0, 0);
  expect("rounding error", n.lost[2], 0.25 + h, 1e-15);
  limit = 2.1;
  if (take(&n, 4, 0, c, a, b, h) != 0) ++failures;
  limit = 1e9;
}

/* Six stages, some of whose numbers vanish, by the definition. */
static void expect_table(void) {
  double c[most], a[most * most], b[most], k[most][2];
  const double h = 0.25, x = 1.5, v = 0.5;
  double position = x, velocity = v;
  numbers n = {{{0}}, {0}, {0}, {1.5, 0.5, 0}, {0, 0, 0}, {0}};
  int i, j;
  for (i = 0; i < most; ++i) {
    double own = x, rate = v;
    c[i] = 0.1 * i;
    b[i] = i == 2 ? 0 : 0.3 - 0.04 * i;
    for (j = 0; j < most; ++j) a[most * i + j] = (i + j) % 4 == 3 || j >= i ? 0 : 0.1 * i - 0.05 * j;
    for (j = 0; j < i; ++j) own += h * a[most * i + j] * k[j][0], rate += h * a[most * i + j] * k[j][1];
    k[i][0] = rate, k[i][1] = -own;
    position += h * b[i] * k[i][0], velocity += h * b[i] * k[i][1];
  }
  if (!take(&n, most, 0, c, a, b, h)) ++failures;
  expect("position of six stages", n.sum[0], position, 1e-15);
  expect("velocity of six stages", n.sum[1], velocity, 1e-15);
  for (i = 0; i < most; ++i) expect("a stage", n.k[i][1], k[i][1], 1e-15);
}

int main(void) {
  expect_series(0);
  expect_series(1);
  expect_table();
  return failures > 0;
}
