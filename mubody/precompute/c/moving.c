// What the motions of many mechanisms ask of tables, mubody/device/c: x has the time, the variables and their rates.  Results come from
// the equations of the bodies at the places that the tables give: mb_look, with MB_LOOK_ARGUMENTS numbers, stands before this, and so
// does MB_EACH_DYNAMICS, which names the tables of the only region one after the other.
#include "mubody/precompute/c/runtime.h"

MB_INLINE void mb_state_at(const mb_real* x, mb_state* s) {
  int k;
  s->t = x[0];
  for (k = 0; k < N; ++k) {
    s->theta[k] = x[1 + k];
    s->rate[k] = x[1 + N + k];
    s->input[k] = R(0.0);
    s->turns[k] = 0;
  }
  for (k = 0; k < KEPT; ++k) s->kept[k] = R(0.0);
  s->region = s->laps = 0;
  s->t_rest = R(0.0);
}

/* Adds the power of forces that are in no potential, and what dampers take. */
MB_FN void mb_add_powers(const mb_dynamics* y, const mb_state* s, mb_real* applied, mb_real* damped) {
  const int *a = y->table.argument, count = mb_variables(&y->table);
  mb_real values[QUANTITIES], slopes[SLOPES];
  int k, l, q = count * (count + 1) / 2 + 1;
  if (!y->positional && !y->damped) return;
  mb_read(&y->table, s->theta, values, slopes);
  if (y->positional)
    for (k = 0; k < count; ++k) *applied += values[q++] * s->rate[a[k]];
  if (y->damped)
    for (k = 0; k < count; ++k)
      for (l = 0; l < count; ++l) *damped += values[q++] * s->rate[a[k]] * s->rate[a[l]];
}

/* What is done with each table of the dynamics.  It is written out where it is used, so that its sizes are known while code is made, and
   numbers stay in registers: a graphics processor hands what it stores on the stack to its second cache. */
#define MB_ADD_DYNAMICS(...)             \
  {                                      \
    const mb_dynamics one = __VA_ARGS__; \
    mb_add_dynamics(&one, &s, J, b);     \
  }
#define MB_ADD_POWERS(...)                      \
  {                                             \
    const mb_dynamics one = __VA_ARGS__;        \
    mb_add_powers(&one, &s, &applied, &damped); \
  }

/* As mb_accelerations(), where nothing acts but what is in tables: what else there may be is refused, see no_motions() and
   sweep/plan_tables.cpp. */
MB_FN void mb_rates(const mb_real* x, const mb_real* p, mb_real* y) {
  mb_real J[N][N], b[N], applied = R(0.0), damped = R(0.0);
  mb_state s;
  int i, k;
  (void)p;
  mb_state_at(x, &s);
  for (k = 0; k < N; ++k) {
    y[k] = s.rate[k];
    b[k] = R(0.0);
    for (i = 0; i < N; ++i) J[k][i] = R(0.0);
  }
  MB_EACH_DYNAMICS(MB_ADD_DYNAMICS)
  mb_solve(J, b, y + N);
  if (MB_STATES > 2 * N) {
    mb_real works[4];
    MB_EACH_DYNAMICS(MB_ADD_POWERS)
    works[0] = R(0.0);
    works[1] = applied;
    works[2] = works[3] = damped;
    for (k = 2 * N; k < MB_STATES; ++k) y[k] = works[k - 2 * N];
  }
  y[MB_STATES] = R(1.0);
}

/* Whether all variables are in their ranges. */
MB_FN int mb_is_in_range(const mb_real* x) {
  int k;
  for (k = 0; k < FREE; ++k) {
    const mb_axis* v = &mb_this.regions[0].ranges[k];
    if (!v->periodic && !v->cyclic && !(x[1 + k] >= v->low && x[1 + k] <= v->high)) return 0;
  }
  return 1;
}
#define MB_HOLDS(x) mb_is_in_range(x)

MB_FN void mb_observe(const mb_real* x, const mb_real* p, mb_real* y) {
  mb_real b[MB_LOOK_ARGUMENTS];
  mb_state s;
  int k;
  mb_state_at(x, &s);
  for (k = 0; k < MB_LOOK_ARGUMENTS; ++k) b[k] = R(0.0);
  b[0] = x[0];
  mb_positions(&mb_this, &s, b + 1, b + 1 + COORDINATES * BODIES);
  mb_look(b, p, y);
}

/* There is nothing to correct, and nothing to remember. */
MB_FN void mb_gaps(const mb_real* x, const mb_real* p, mb_real* y) { (void)x, (void)p, (void)y; }
MB_FN void mb_tidy(const mb_real* x, const mb_real* p, mb_real* y) { (void)x, (void)p, (void)y; }
MB_FN void mb_close(const mb_real* x, const mb_real* p, mb_real* y) { (void)x, (void)p, (void)y; }
MB_FN void mb_settle(const mb_real* x, const mb_real* p, mb_real* y) { (void)x, (void)p, (void)y; }
MB_FN void mb_keep(const mb_real* x, const mb_real* p, mb_real* y) { (void)x, (void)p, (void)y; }
MB_FN void mb_sample(const mb_real* x, const mb_real* p, mb_real* y) { (void)x, (void)p, (void)y; }
