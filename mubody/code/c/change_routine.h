#pragma once
// The derivatives of a model's outputs, for compiling changes.c: a mass on a spring has no inputs.
#include "mubody/recording/c_runtime.h"

MB_FN int mb_follow(mb_real* x) { return (void)x, 0; }
MB_FN void mb_change(const mb_real* x, mb_real* y) {
  (void)x;
  y[0] = y[1] = R(0.0);
}
