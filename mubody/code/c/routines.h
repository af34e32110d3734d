#pragma once
// The equations of a model, for compiling and testing the code beside this file: a mass on a spring, x'' = -x.
#include "mubody/recording/c_runtime.h"

static const mb_real mb_first[3] = {R(0.0), R(1.0), R(0.0)};
static const mb_real mb_check[2] = {R(0.99500416527802571), R(-0.099833416646828155)};
#define mb_check_limit R(1e-6)
#define mb_check_step R(1e-3)
static const mb_real mb_period[1] = {R(1.0)};
static const int mb_due[1] = {0}, mb_since[1] = {0}, mb_instant[1] = {0};

MB_FN void mb_rates(const mb_real* x, mb_real* y) {
  y[0] = x[2];
  y[1] = -x[1];
}
MB_FN void mb_close(const mb_real* x, mb_real* y) { y[0] = x[1]; }
MB_FN void mb_settle(const mb_real* x, mb_real* y) { y[0] = x[2]; }
MB_FN void mb_keep(const mb_real* x, mb_real* y) {
  (void)x;
  (void)y;
}
MB_FN void mb_sample(const mb_real* x, mb_real* y) {
  (void)x;
  (void)y;
}
MB_FN void mb_pose(const mb_real* x, mb_real* y) { y[0] = x[1]; }
MB_FN int mb_follow(mb_real* x) { return (void)x, 0; }
static const char* mb_variable_name(int k) { return (void)k, (const char*)0; }
MB_FN void mb_observe(const mb_real* x, mb_real* y) {
  y[0] = x[1];
  y[1] = x[2];
}
const char* model_output_name(int k) { return k == 0 ? "x" : k == 1 ? "v" : 0; }
const char* model_output_unit(int k) { return k == 0 ? "m" : k == 1 ? "m/s" : 0; }
const char* model_input_name(int k) { return (void)k, (const char*)0; }
const char* model_input_unit(int k) { return (void)k, (const char*)0; }
