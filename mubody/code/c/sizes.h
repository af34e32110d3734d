#pragma once
// The sizes of a model, for compiling and testing the code beside this file; an emitted header has its own.
#ifdef MB_SINGLE
typedef float model_real;
#else
typedef double model_real;
#endif
enum {
  model_Q = 1,
  model_U = 2,
  model_Z = 3,
  model_INPUTS = 3,
  model_FOLLOWED = 3,
  model_KEPT = 3,
  model_NUMBERS = 3,
  model_STATES = 2,
  model_INPUT_COUNT = 0,
  model_OUTPUTS = 2,
  model_SAMPLED = 0,
  model_INSTANT_NUMBERS = 0,
  model_CORRECTIONS = 0,
  model_BODY_NUMBERS = 1,
  model_CHECK_STEPS = 100
};
