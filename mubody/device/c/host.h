#pragma once
// The words of CUDA for other processors, which do the work of one thread after the other.
//
//   docs/theory/gpu.md#on-any-processor
#ifndef __CUDACC__
#define __global__ static
#define __device__
#define extern_C
#define MB_UNROLLED
typedef struct {
  int x;
} mb_place;
/* Each thread of the processor has places of its own. */
static __thread mb_place blockIdx, blockDim, threadIdx;
#define atomicAdd(where, what) (*(where) += (what))
#else
#define extern_C extern "C"
/* Numbers whose places are known while code is made stay in registers. */
#define MB_UNROLLED _Pragma("unroll")
#endif
