// One mechanism for each thread of a graphics processor.  This follows the functions of a model in an emitted source; with the
// words of CUDA defined away it is C++ for any processor.
#include "mubody/code/c/interface.c"

/* Takes `steps` steps of h seconds with `count` mechanisms.  Number n of mechanism k is x[n * count + k], so that threads side by
   side read side by side; likewise what sampled signals count, instants[n * count + k].  codes[k] is 0, or that of the step
   that failed, whose mechanism stays as it was before. */
extern "C" __global__ void model_advance(int count, model_real h, int steps, model_real* x, long* instants, int* codes) {
  const int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  model_state state;
  int n, code = 0;
  if (k >= count) return;
  for (n = 0; n < model_NUMBERS; ++n) state.x[n] = x[n * count + k];
  state.lost = 0; /* of the steps of this call alone */
  for (n = 0; n < model_SAMPLED; ++n) state.instants[n] = instants[n * count + k];
  for (n = 0; n < steps && code == 0; ++n) code = model_step(&state, h);
  for (n = 0; n < model_NUMBERS; ++n) x[n * count + k] = state.x[n];
  for (n = 0; n < model_SAMPLED; ++n) instants[n * count + k] = state.instants[n];
  codes[k] = code;
}

/* The start of all mechanisms. */
extern "C" __global__ void model_begin(int count, model_real* x, long* instants) {
  const int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  model_state state;
  int n;
  if (k >= count) return;
  model_start(&state);
  for (n = 0; n < model_NUMBERS; ++n) x[n * count + k] = state.x[n];
  for (n = 0; n < model_SAMPLED; ++n) instants[n * count + k] = state.instants[n];
}
