// The function of changes.h.  Before it stands mb_change(x, y), the derivatives of the outputs in a direction, whose numbers
// follow those of the state in x.
#include "mubody/code/c/interface.h"

#include "mubody/code/c/changes.h"

#include <string.h>

#include "mubody/code/c/change_routine.h"

model_FN int model_change(const model_state* state, const model_real* inputs, model_real* outputs) {
  model_real x[model_NUMBERS + 3 * model_INPUT_COUNT];
  int code;
  memcpy(x, state->x, sizeof state->x);
  code = mb_follow(x);
  memcpy(x + model_NUMBERS, inputs, 3 * model_INPUT_COUNT * sizeof *x);
  if (code == 0) mb_change(x, outputs);
  return code > 2 ? 2 : code;
}
