// Simulations that are stepped together, a thread of a graphics processor for each.  This follows the functions of a model in an emitted
// source; with the words of CUDA defined away, as host.h does, it is C for any processor.                 docs/theory/gpu.md#batches
#include "mubody/code/c/interface.c"
#include "mubody/device/c/host.h"

/* MB_BATCH_INPUTS says how many inputs are given with each step, and mb_batch_input which ones of the model these are. */

/* How many numbers a simulation has, and its samples: number n of simulation k stands at [n * count + k]. */
extern_C __device__ int mb_batch_numbers = model_NUMBERS + 1, mb_batch_samples = model_SAMPLED;

MB_FN void mb_get(model_state* state, int count, int k, const model_real* x, const int* instants) {
  int n;
  for (n = 0; n < model_NUMBERS; ++n) state->x[n] = x[n * (long)count + k];
  state->lost = x[model_NUMBERS * (long)count + k];
  for (n = 0; n < model_SAMPLED; ++n) state->instants[n] = instants[n * (long)count + k];
  state->left = 0;
}
MB_FN void mb_put(const model_state* state, int count, int k, model_real* x, int* instants) {
  int n;
  for (n = 0; n < model_NUMBERS; ++n) x[n * (long)count + k] = state->x[n];
  x[model_NUMBERS * (long)count + k] = state->lost;
  for (n = 0; n < model_SAMPLED; ++n) instants[n * (long)count + k] = (int)state->instants[n];
}
/* Outputs of a simulation side by side, as the program that steps it has them; none if it has failed. */
MB_FN void mb_show(const model_state* state, int k, int code, model_real* outputs) {
  model_real y[model_OUTPUTS + 1];
  int n;
  if (code == 0) code = model_outputs(state, y);
  for (n = 0; n < model_OUTPUTS; ++n) outputs[k * (long)model_OUTPUTS + n] = code == 0 ? y[n] : (model_real)NAN;
}

/* Takes simulations to the start: all, or those that `which` marks. */
extern_C __global__ void mb_batch_reset(int count, const unsigned char* which, model_real* x, int* instants,
                                        int* codes, model_real* outputs) {
  const int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  model_state state;
  if (k >= count || (which && !which[k])) return;
  codes[k] = model_start(&state);
  mb_put(&state, count, k, x, instants);
  mb_show(&state, k, codes[k], outputs);
}

/* So many steps of h seconds.  Inputs of a simulation lie side by side, as doubles or floats; without any they stay.  codes[k] is 0,
   or that of the step that failed, whose simulation stays as it was before. */
extern_C __global__ void mb_batch_go(int count, model_real h, int steps, const void* inputs, int single, model_real* x,
                                     int* instants, int* codes, model_real* outputs) {
  const int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  model_state state;
  int n, code;
  if (k >= count) return;
  code = codes[k];
  mb_get(&state, count, k, x, instants);
  for (n = 0; inputs && n < MB_BATCH_INPUTS; ++n) {
    const long at = k * (long)MB_BATCH_INPUTS + n;
    const model_real value = single ? (model_real)((const float*)inputs)[at] : (model_real)((const double*)inputs)[at];
    if (!mb_finite(value)) code = 1;
    state.x[model_INPUTS + 3 * mb_batch_input[n]] = value;
  }
  for (n = 0; n < steps && code == 0; ++n) code = model_step(&state, h);
  if (codes[k] == 0) mb_put(&state, count, k, x, instants);
  codes[k] = code;
  mb_show(&state, k, code, outputs);
}
