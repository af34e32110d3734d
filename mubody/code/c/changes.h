#pragma once
// What an emitted header offers besides, where derivatives of outputs are asked for.
#include "mubody/code/c/sizes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the outputs change at once with inputs: `inputs` has the changes of value, rate and acceleration of each input, three
   numbers for each, and `outputs` gets model_OUTPUTS numbers.  Exact: the derivatives are those of the equations. */
model_FN int model_change(const model_state* state, const model_real* inputs, model_real* outputs);

#ifdef __cplusplus
}
#endif
