// What other processors do in place of launching the kernels of batches.
#include "mubody/device/c/batch.cu"

#ifdef __cplusplus
extern "C" {
#endif
/* The simulations from `first` on and before `last`, one after the other. */
void mb_reset_through(int first, int last, int count, const unsigned char* which, model_real* x, int* instants,
                      int* codes, model_real* outputs) {
  blockDim.x = 1;
  threadIdx.x = 0;
  for (blockIdx.x = first; blockIdx.x < last; ++blockIdx.x)
    mb_batch_reset(count, which, x, instants, codes, outputs);
}
void mb_batch_through(int first, int last, int count, model_real h, int steps, const void* inputs, int single,
                      model_real* x, int* instants, int* codes, model_real* outputs) {
  blockDim.x = 1;
  threadIdx.x = 0;
  for (blockIdx.x = first; blockIdx.x < last; ++blockIdx.x)
    mb_batch_go(count, h, steps, inputs, single, x, instants, codes, outputs);
}
#ifdef __cplusplus
}
#endif
