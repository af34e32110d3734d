#pragma once
// The equations of a model, for compiling and testing the code beside this file: a mass on a spring, x'' = -x, and the work t of
// a force that brings in one watt.
#include "mubody/recording/c_runtime.h"

#define MB_STATES 2
#define MB_RATES 3
void rates(const mb_real* x, const mb_real* p, mb_real* y, mb_real* more);
