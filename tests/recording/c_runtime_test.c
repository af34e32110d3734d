/* The functions that routines in C call, in C and in both precisions. */
#include "mubody/recording/c_runtime.c"

#include <stdio.h>

static int failures = 0;

static void expect(const char* what, mb_real value, mb_real expected) {
  if (value == expected) return;
  printf("%s is %g, expected %g\n", what, (double)value, (double)expected);
  ++failures;
}

/* Sines and cosines to round-off, also where they are small, and beyond the angles that are reduced. */
static void expect_turns(void) {
#ifdef MB_SINGLE
  const double round_off = 2e-7;
#else
  const double round_off = 3e-16;
#endif
  int k;
  for (k = -4000; k <= 4000; ++k) {
    /* 355/113 is nearly pi. */
    const mb_real near = (mb_real)(k * (355.0 / 226.0)),
                  angles[] = {near, (mb_real)(0.37 * k), (mb_real)(700.3 * k)};
    int n;
    for (n = 0; n < 3; ++n) {
      const double s = sin((double)angles[n]), c = cos((double)angles[n]);
      if (fabs((double)mb_sine(angles[n]) - s) > round_off * fabs(s) ||
          fabs((double)mb_cosine(angles[n]) - c) > round_off * fabs(c)) {
        printf("sine or cosine of %.17g is wrong\n", (double)angles[n]);
        ++failures;
      }
    }
  }
  if (!isnan((double)mb_sine((mb_real)INFINITY)) || !isnan((double)mb_cosine((mb_real)NAN))) ++failures;
}

int main(void) {
  MB_TABLE mb_real begins[] = {R(0.0), R(1.0), R(2.0), R(4.0)};
  expect("min(1, 2)", mb_min(R(1.0), R(2.0)), R(1.0));
  expect("min(2, 1)", mb_min(R(2.0), R(1.0)), R(1.0));
  expect("max(1, 2)", mb_max(R(1.0), R(2.0)), R(2.0));
  expect("max(2, 1)", mb_max(R(2.0), R(1.0)), R(2.0));
  expect("sign(-3)", mb_sign(-R(3.0)), -R(1.0));
  expect("sign(0)", mb_sign(R(0.0)), R(0.0));
  expect("sign(3)", mb_sign(R(3.0)), R(1.0));
  /* The remainder has the sign of the divisor. */
  expect("mod(5, 3)", mb_mod(R(5.0), R(3.0)), R(2.0));
  expect("mod(-5, 3)", mb_mod(-R(5.0), R(3.0)), R(1.0));
  expect("mod(5, -3)", mb_mod(R(5.0), -R(3.0)), -R(1.0));
  expect("mod(-6, 3)", mb_mod(-R(6.0), R(3.0)), R(0.0));
  /* A piece begins at its number; what lies outside belongs to the outer pieces. */
  expect("index(-1)", (mb_real)mb_index(begins, 4, -R(1.0)), R(0.0));
  expect("index(0.5)", (mb_real)mb_index(begins, 4, R(0.5)), R(0.0));
  expect("index(1)", (mb_real)mb_index(begins, 4, R(1.0)), R(1.0));
  expect("index(3)", (mb_real)mb_index(begins, 4, R(3.0)), R(2.0));
  expect("index(9)", (mb_real)mb_index(begins, 4, R(9.0)), R(2.0));
  expect("index of one piece", (mb_real)mb_index(begins, 2, R(9.0)), R(0.0));
  expect_turns();
  {
    MB_TABLE mb_real angles[] = {R(9.0), R(0.5), -R(2.0)};
    MB_TABLE int which[] = {2, 1};
    mb_real w[4];
    mb_turn_all(angles, which, 2, w);
    expect("sine of the first", w[0], mb_sine(-R(2.0)));
    expect("cosine of the second", w[3], mb_cosine(R(0.5)));
  }
  return failures != 0;
}
