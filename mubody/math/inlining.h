#pragma once
// How the innermost functions are compiled.

/// For the small functions that right-hand sides are made of: compilers give up inlining them when a joint is
/// written as a handful of expressions, yet only inlining makes unused results free.
#define MUBODY_INLINE [[gnu::always_inline]] inline
#define MUBODY_INLINE_LAMBDA __attribute__((always_inline))

/// Compiled twice, for any processor of the family and for those with wide vectors and fused multiply-add; which one
/// runs is decided when the program starts.  Functions that it calls gain from this only if inlined, so they
/// are: compilers stop at some size, and leave even the access to a vector's numbers as a call.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define MUBODY_CLONES [[gnu::target_clones("arch=x86-64-v3", "default"), gnu::flatten]]
#else
#define MUBODY_CLONES
#endif
