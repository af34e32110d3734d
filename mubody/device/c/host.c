// What other processors do in place of the launch of a kernel.
#include "mubody/device/c/kernel.cu"

#ifdef __cplusplus
extern "C"
#endif
    /* The mechanisms from `first` on and before `last`, one after the other. */
    void
    mb_go_through(int first, int last, int count, int rows, int begin, int steps, const mb_real* points,
                  const mb_real* times, mb_real* states, int* running) {
  blockDim.x = 1;
  threadIdx.x = 0;
  for (blockIdx.x = first; blockIdx.x < last; ++blockIdx.x)
    mb_go(count, rows, begin, steps, points, times, states, running);
}
