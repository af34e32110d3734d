// A thread of a graphics processor for each mechanism.  With the words of CUDA defined away, as host.h does, it is C for any
// processor.                                                                                           docs/theory/gpu.md
#include "mubody/device/c/host.h"
#include "mubody/device/c/steps.c"

/* How many numbers a mechanism has while it is under way. */
extern_C __device__ int mb_motion_numbers = MB_MOTION;

/* Lets `count` mechanisms take so many steps at most, from the start if `begin`.  `states` are their numbers while they are under way;
   how many go on is added to `running`. */
extern_C __global__ void mb_go(int count, int rows, int begin, int steps, const mb_real* points,
                               const mb_real* times, mb_real* states, int* running) {
  const int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  mb_work w;
  mb_real* const numbers = (mb_real*)&w.m;
  int n;
  if (k >= count) return;
  w.count = count, w.point = points + k, w.times = times, w.rows = rows, w.knows = 0;
  mb_take_parameters(&w);
  for (n = MB_FIRST_FOLLOWED; n < MB_FIRST_KEPT; ++n) w.x[n] = R(-1e30); /* tables have not been asked */
  if (begin) {
    mb_start(&w);
  } else {
    for (n = 0; n < MB_MOTION; ++n) numbers[n] = states[n * w.count + k];
    for (n = MB_FIRST_KEPT; n < MB_ARGUMENTS; ++n) w.x[n] = w.m.kept[n - MB_FIRST_KEPT];
    if (!mb_runs(&w)) return;
  }
  if (mb_run(&w, steps)) atomicAdd(running, 1);
  for (n = MB_FIRST_KEPT; n < MB_ARGUMENTS; ++n) w.m.kept[n - MB_FIRST_KEPT] = w.x[n];
  for (n = 0; n < MB_MOTION; ++n) states[n * w.count + k] = numbers[n];
}
