#pragma once
// The sizes and the number type of a small model, with which the runtime is compiled and tested by itself.
//
// An emitted header and source state their own in place of this file: see emit_c.cpp.

#ifdef MB_SINGLE
typedef float model_real;
#else
typedef double model_real;
#endif

enum { model_VARIABLES = 2, model_BODIES = 1, model_COORDINATES = 3, model_VELOCITIES = 3, model_KEPT = 1 };

/* The most that any table has of each; SLOPES by all its variables, STIFF are those in which joints give way, and all variables have a
   place below PLACES. */
enum { ARGUMENTS = 2, QUANTITIES = 12, SCRATCH = 144, SLOPES = 24, STIFF = 0, PLACES = 2 };
/* Scalars that forces at run time see, forces along these, whether others act on bodies, and how many variables are driven. */
enum { SCALARS = 1, FORCES = 1, BODY_FORCES = 1, DRIVEN = 1 };
