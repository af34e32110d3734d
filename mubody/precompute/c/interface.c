// The functions of an emitted header, for the model `mb_this` that stands before them in an emitted source.
#include "mubody/precompute/c/runtime.h"

/* The model: local to this file if it is defined above, otherwise from another file. */
extern const mb_model mb_this;

void model_start(model_state* state) { mb_begin(&mb_this, state); }
mb_real model_variable(const model_state* state, int k) { return mb_variable(&mb_this, state, k); }
void model_accelerations(const model_state* state, mb_real* acceleration) {
  mb_accelerations(&mb_this, state, acceleration);
}
int model_step(model_state* state, mb_real h) { return mb_advance(&mb_this, state, h); }
int model_change_region(model_state* state) { return mb_change_region(&mb_this, state); }
void model_bodies(const model_state* state, mb_real* positions, mb_real* velocities) {
  mb_positions(&mb_this, state, positions, velocities);
}
mb_real model_energy(const model_state* state) {
  mb_real kinetic, potential;
  mb_energies(&mb_this, state, &kinetic, &potential);
  return kinetic + potential;
}
mb_real model_self_test(void) { return mb_self_test(&mb_this); }

#ifdef model_SELF_TEST_MAIN
#include <stdio.h>
int main(void) {
  const mb_real most = model_self_test();
  printf("%.3e\n", (double)most);
  return most <= mb_this.check_limit ? 0 : 1;
}
#endif
