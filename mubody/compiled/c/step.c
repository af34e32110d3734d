// A step of an explicit Runge-Kutta method in one call: stages are as short as a call of the library between them is long.
//
//   docs/theory/generated-code.md#steps
//
// What stands before it are the equations of the model, rates(x, p, y, hold), and how many numbers there are: MB_STATES in x,
// behind the time, and MB_RATES in y.
#include "mubody/compiled/c/step.h"

#include <string.h>

#include "mubody/compiled/c/routines.h"

/* Four numbers that are computed together, wherever they lie; one where compilers do not know that. */
#ifdef __GNUC__
typedef mb_real mb_some __attribute__((vector_size(4 * sizeof(mb_real)), aligned(sizeof(mb_real)), may_alias));
enum { mb_together = 4 };
#else
typedef mb_real mb_some;
enum { mb_together = 1 };
#endif
MB_INLINE mb_real mb_total(mb_some x) {
  mb_real sum = 0, each[mb_together];
  int n;
  memcpy(each, &x, sizeof each);
  for (n = 0; n < mb_together; ++n) sum += each[n];
  return sum;
}
#define MB_AT(x, n) (*(mb_some*)((x) + (n)))
#define MB_OF(x, n) (*(const mb_some*)((x) + (n)))

/* x = y + w0 k0 + w1 k1 + ... of so many terms, which is a constant where this is called.  y may be x. */
MB_INLINE void mb_add(int count, int terms, const mb_real* y, const mb_real* w, const mb_real* const* k,
                      mb_real* x) {
  const mb_real *const k0 = k[0], *const k1 = k[1], *const k2 = k[2], *const k3 = k[3];
  int n = 0;
  for (; n + mb_together <= count; n += mb_together) {
    mb_some sum = MB_OF(y, n) + w[0] * MB_OF(k0, n);
    if (terms > 1) sum += w[1] * MB_OF(k1, n);
    if (terms > 2) sum += w[2] * MB_OF(k2, n);
    if (terms > 3) sum += w[3] * MB_OF(k3, n);
    MB_AT(x, n) = sum;
  }
  for (; n < count; ++n) {
    mb_real sum = y[n] + w[0] * k0[n];
    if (terms > 1) sum += w[1] * k1[n];
    if (terms > 2) sum += w[2] * k2[n];
    if (terms > 3) sum += w[3] * k3[n];
    x[n] = sum;
  }
}

/* x = y + h (w0 k0 + w1 k1 + ...): four terms at a time, without those that vanish. */
MB_INLINE void mb_sum(int count, const mb_real* y, mb_real h, const mb_real* w, mb_real* const* k, int terms,
                      mb_real* x) {
  mb_real weight[4] = {0, 0, 0, 0};
  const mb_real *rate[4] = {0, 0, 0, 0}, *from = y;
  int j, some = 0;
  for (j = 0; j < terms; ++j) {
    if (w[j] == 0) continue;
    weight[some] = h * w[j];
    rate[some++] = k[j];
    if (some < 4) continue;
    mb_add(count, 4, from, weight, rate, x);
    from = x;
    some = 0;
  }
  if (some == 3) mb_add(count, 3, from, weight, rate, x);
  if (some == 2) mb_add(count, 2, from, weight, rate, x);
  if (some == 1) mb_add(count, 1, from, weight, rate, x);
  if (some == 0 && from == y) memcpy(x, y, (size_t)count * sizeof *x);
}

/* Whether so many numbers are finite: x - x is zero for those alone. */
int all_finite(const mb_real* x, int count) {
  mb_some none = {0};
  mb_real rest = 0;
  int n = 0;
  for (; n + mb_together <= count; n += mb_together) none += MB_OF(x, n) - MB_OF(x, n);
  for (; n < count; ++n) rest += x[n] - x[n];
  return rest + mb_total(none) == 0;
}

/* Returns 0 where equations are hardly independent, or the sum is not finite.  It is compensated: what it loses in rounding is
   kept for the next. */
int step(mb_real* x, const mb_real* p, const mb_explicit_step* s) {
  const mb_real* const y = s->y;
  mb_real* const restrict sum = s->sum, * const restrict lost = s->lost;
  mb_some none = {0};
  mb_real rest = 0;
  int i, n;
  for (i = s->known; i < s->stages; ++i) {
    mb_real hold = 0;
    x[0] = s->t + s->c[i] * s->h;
    mb_sum(MB_STATES, y, s->h, s->a + i * s->stages, s->k, i, x + 1);
    rates(x, p, s->k[i], &hold);
    if (!(hold >= s->least)) return 0;
  }
  mb_sum(MB_RATES, s->residue, s->h, s->b, s->k, s->stages, lost);
  for (n = 0; n + mb_together <= MB_RATES; n += mb_together) {
    const mb_some next = MB_OF(y, n) + MB_OF(lost, n);
    MB_AT(lost, n) -= next - MB_OF(y, n);
    MB_AT(sum, n) = next;
    none += next - next;
  }
  for (; n < MB_RATES; ++n) {
    const mb_real next = y[n] + lost[n];
    lost[n] -= next - y[n];
    sum[n] = next;
    rest += next - next;
  }
  return rest + mb_total(none) == 0;
}
