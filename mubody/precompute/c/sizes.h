#pragma once
// The sizes and the number type of a small model, with which the runtime is compiled and tested by itself.
//
// An emitted header and source state their own in place of this file: see emit_c.cpp.

#ifdef model_SINGLE
typedef float model_real;
#else
typedef double model_real;
#endif

enum { model_VARIABLES = 2, model_BODIES = 1, model_COORDINATES = 3, model_VELOCITIES = 3 };

/* Degree of the polynomials, and the most that any table has of each. */
enum { DEGREE = 3, ARGUMENTS = 2, QUANTITIES = 12, SCRATCH = 144 };
