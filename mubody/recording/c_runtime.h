#pragma once
// What routines in C rest on: the type of numbers, their functions in both precisions, and how functions are declared.
//
// Lines that begin with // or include a file of ours stay behind when this is embedded; everything else is emitted.
//                                                                              docs/theory/recording.md#straight-line-code
#include <float.h>
#include <math.h>

/* Where sums are not rounded as they are written. */
#if defined(__FAST_MATH__) || defined(__CUDACC__) || DBL_MANT_DIG != 53 || \
    (defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0)
#define MB_LOOSE_SUMS 1
#endif

/* With MB_SINGLE all numbers are floats. */
#ifdef MB_SINGLE
typedef float mb_real;
#define R(x) x##f
#define mb_sqrt sqrtf
#define mb_sin sinf
#define mb_cos cosf
#define mb_tan tanf
#define mb_asin asinf
#define mb_acos acosf
#define mb_atan atanf
#define mb_sinh sinhf
#define mb_cosh coshf
#define mb_tanh tanhf
#define mb_exp expf
#define mb_log logf
#define mb_log10 log10f
#define mb_fabs fabsf
#define mb_floor floorf
#define mb_ceil ceilf
#define mb_atan2 atan2f
#define mb_hypot hypotf
#define mb_pow powf
#define mb_fmod fmodf
#define mb_remainder remainderf
#else
typedef double mb_real;
#define R(x) x
#define mb_sqrt sqrt
#define mb_sin sin
#define mb_cos cos
#define mb_tan tan
#define mb_asin asin
#define mb_acos acos
#define mb_atan atan
#define mb_sinh sinh
#define mb_cosh cosh
#define mb_tanh tanh
#define mb_exp exp
#define mb_log log
#define mb_log10 log10
#define mb_fabs fabs
#define mb_floor floor
#define mb_ceil ceil
#define mb_atan2 atan2
#define mb_hypot hypot
#define mb_pow pow
#define mb_fmod fmod
#define mb_remainder remainder
#endif

/* What stands before functions; for graphics processors it says where they run. */
#ifndef MB_FN
#define MB_FN static
#endif
/* Before short ones that are worth their place wherever they are called. */
#ifndef MB_INLINE
#ifdef __GNUC__
#define MB_INLINE MB_FN __inline__ __attribute__((always_inline))
#else
#define MB_INLINE MB_FN
#endif
#endif
/* Before loops, and parts of a long function, which compilers must not put together again. */
#ifndef MB_PART
#ifdef __GNUC__
#define MB_PART MB_FN __attribute__((noinline))
#else
#define MB_PART MB_FN
#endif
#endif
/* Before tables. */
#ifndef MB_TABLE
#define MB_TABLE static const
#endif
