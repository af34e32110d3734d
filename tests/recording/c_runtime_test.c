/* The functions that routines in C call, in C and in both precisions. */
#include "mubody/recording/c_runtime.c"

#include <stdio.h>

static int failures = 0;

static void expect(const char* what, mb_real value, mb_real expected) {
  if (value == expected) return;
  printf("%s is %g, expected %g\n", what, (double)value, (double)expected);
  ++failures;
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
  return failures != 0;
}
