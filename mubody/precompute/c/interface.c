// The functions of an emitted header, for the model `mb_this` that stands before them in an emitted source.
#include "mubody/precompute/c/runtime.h"

/* The model: local to this file if it is defined above, otherwise from another file. */
extern const mb_model mb_this;

void model_start(model_state* state) { *state = mb_this.start; }
real model_variable(const model_state* state, int k) { return mb_variable(&mb_this, state, k); }
void model_accelerations(const model_state* state, real* acceleration) {
  mb_accelerations(&mb_this, state, acceleration);
}
int model_step(model_state* state, real h) { return mb_advance(&mb_this, state, h); }
int model_change_region(model_state* state) { return mb_change_region(&mb_this, state); }
void model_bodies(const model_state* state, real* positions, real* velocities) {
  mb_positions(&mb_this, state, positions, velocities);
}
real model_energy(const model_state* state) {
  real kinetic, potential;
  mb_energies(&mb_this, state, &kinetic, &potential);
  return kinetic + potential;
}
real model_self_test(void) { return mb_self_test(&mb_this); }

#ifdef model_SELF_TEST_MAIN
#include <stdio.h>
int main(void) {
  const real most = model_self_test();
  printf("%.3e\n", (double)most);
  return most <= mb_this.check_limit ? 0 : 1;
}
#endif
