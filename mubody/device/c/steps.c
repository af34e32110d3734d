// Instants and steps of the motion of one mechanism.  The equations, and what stands on them, come before it.
//
//   docs/theory/gpu.md
#include "mubody/device/c/motion.c"

/* Instants ---------------------------------------------------------------------------------------------------------------- */

/* breakpoints.h: how far beside an instant its sides are looked at. */
MB_INLINE mb_real mb_beside(const mb_work* w, mb_real t) {
  const mb_real span = MB_GIVEN(w, MB_END) - MB_GIVEN(w, MB_START);
  return 8 * MB_LITTLE * mb_more(mb_fabs(t), R(1e-3) * mb_fabs(span));
}
MB_INLINE mb_real mb_before_break(const mb_work* w, int n) {
  return MB_GIVEN(w, MB_BREAK + 3 * n + 2) != R(0.0)
             ? MB_GIVEN(w, MB_BREAK + 3 * n) - MB_GIVEN(w, MB_BREAK + 3 * n + 1)
             : MB_GIVEN(w, MB_BREAK + 3 * n);
}
MB_INLINE int mb_at_break(const mb_work* w) {
  const mb_real t = mb_now(w);
  return w->m.next_break < MB_GIVEN(w, MB_BREAKS) &&
         mb_before_break(w, (int)w->m.next_break) <= t + MB_FEW * mb_beside(w, t);
}
MB_INLINE mb_real mb_next_instant(const mb_work* w) {
  mb_real next = MB_GIVEN(w, MB_END) * 2 + R(1e300);
  int n;
  for (n = 0; n < MB_SAMPLED; ++n)
    next = mb_less(next, MB_GIVEN(w, MB_START) + w->m.instants[n] * mb_period[n]);
  return next;
}
MB_INLINE int mb_at_instant(const mb_work* w) {
  const mb_real t = mb_now(w);
  return MB_SAMPLED > 0 && mb_next_instant(w) <= t + MB_FEW * mb_beside(w, t);
}
/* The time up to which results are taken before a pause: those at an instant wait for its samples. */
MB_INLINE mb_real mb_rows_until(const mb_work* w) {
  const mb_real t = mb_now(w), little = MB_FEW * mb_beside(w, t);
  return mb_at_instant(w) ? t - little - MB_LITTLE * mb_fabs(t) : t;
}
/* The end in place of a time from which no step leads there. */
MB_INLINE mb_real mb_begin_at(const mb_work* w, mb_real t) {
  const mb_real end = MB_GIVEN(w, MB_END);
  return end - t < MB_FEW * mb_beside(w, end) ? end : t;
}
MB_INLINE void mb_aim(mb_work* w) {
  const mb_real end = mb_less(MB_GIVEN(w, MB_END), mb_next_instant(w));
  const int n = (int)w->m.next_break, breaks = w->m.next_break < MB_GIVEN(w, MB_BREAKS);
  const mb_real before = breaks ? mb_before_break(w, n) : end;
  w->m.until = breaks && MB_GIVEN(w, MB_BREAK + 3 * n + 2) != R(0.0) && before <= end
                   ? before
                   : mb_begin_at(w, mb_less(before, end));
}
/* Lets steps begin anew. */
MB_INLINE void mb_restart(mb_work* w, mb_real t) {
  mb_motion* const m = &w->m;
  m->result[MB_NOW] = m->before = m->from = m->grid_from = m->grid_at = t;
  m->grid_count = m->next = m->retried = R(0.0);
  m->last_error = R(1e-4);
}
/* Moves the state along its rates at a time; the stages of the last step stay. */
MB_INLINE void mb_go_on(mb_work* w, mb_real t, mb_real h) {
  int n;
  mb_load(w, w->m.y, t);
  mb_derive(w, w->k[MB_STAGES]);
  for (n = 0; n < MB_STATES; ++n) w->m.y[n] += h * w->k[MB_STAGES][n];
}
/* Goes from a little before a breakpoint to a little after it. */
MB_PART void mb_cross(mb_work* w, int n) {
  const mb_real t = mb_now(w), end = MB_GIVEN(w, MB_END), at = MB_GIVEN(w, MB_BREAK + 3 * n),
                after = at + MB_GIVEN(w, MB_BREAK + 3 * n + 1);
  const mb_real to = mb_more(t, end > at ? mb_less(after, end) : after), turn = mb_within(at, t, to);
  int k;
  if (w->m.before != t) mb_copy(w->m.y, MB_STATES, w->y0);
  mb_go_on(w, t, turn - t);
  mb_go_on(w, to, to - turn);
  mb_restart(w, mb_begin_at(w, to));
  for (k = 0; k < MB_STATES; ++k) w->m.residue[k] = R(0.0);
}
/* Lets signals take their samples whose instants have come. */
MB_PART void mb_take_samples(mb_work* w) {
  const mb_real t = mb_more(mb_now(w), mb_next_instant(w));
  int n;
  for (n = 0; n < MB_SAMPLED; ++n) {
    const mb_real next = MB_GIVEN(w, MB_START) + w->m.instants[n] * mb_period[n];
    const int due = next <= t + MB_ONE_INSTANT * mb_period[n];
    w->x[mb_due_at[n]] = due ? R(1.0) : R(0.0);
    w->x[mb_since_at[n]] = w->m.instants[n] > R(0.0) ? mb_period[n] : R(0.0);
    w->m.instants[n] += due ? R(1.0) : R(0.0);
  }
  mb_load(w, w->m.y, t);
  if (!MB_FOLLOW(w->x)) mb_give_up(w);
  mb_sample(w->x, w->p, w->answer);
  for (n = 0; n < MB_INSTANT_NUMBERS; ++n) w->x[mb_instant_at[n]] = w->answer[n];
}
/* Passes the instants that are reached; results that had to wait for that are taken. */
MB_PART void mb_pause(mb_work* w) {
  const int samples = mb_at_instant(w);
  int waited = samples;
  while (mb_runs(w) && mb_at_break(w)) {
    const int n = (int)w->m.next_break;
    w->m.next_break += R(1.0);
    if (MB_GIVEN(w, MB_BREAK + 3 * n + 2) == R(0.0)) continue;
    waited = 1;
    mb_cross(w, n);
  }
  if (samples) mb_take_samples(w);
  if (waited) mb_output(w, mb_now(w));
  mb_aim(w);
}

/* Steps ------------------------------------------------------------------------------------------------------------------- */

/* integrators/tolerance.h: the error that a number may have where it is so large. */
MB_INLINE mb_real mb_allowed(const mb_work* w, int n, mb_real size, mb_real most) {
  const mb_real allowed = MB_GIVEN(w, MB_ABSOLUTE + n) + MB_GIVEN(w, MB_RTOL) * mb_less(size, most);
  return mb_more(allowed, 4 * MB_LITTLE * size);
}
/* Up to which size number n counts. */
MB_INLINE mb_real mb_most(const mb_work* w, int n) {
  const int each = MB_IN_SPACE ? 6 : 3, slides = MB_IN_SPACE ? 3 : 2, u = n - MB_POSITIONS;
  if (u < 0 || u >= MB_VELOCITIES || MB_BODY_COUNT == 0) return MB_GIVEN(w, MB_MOST + n);
  return u % each < slides ? w->speeds[0] : w->speeds[1];
}
/* Lets rates count as far as they differ between bodies; see EquationEngine::limit_rates(). */
MB_PART void mb_limit_rates(mb_work* w) {
  const int each = MB_IN_SPACE ? 6 : 3, slides = MB_IN_SPACE ? 3 : 2, turns = each - slides;
  const mb_real none = R(1e308) * 10;
  int kind, n, b;
  if (MB_BODY_COUNT == 0) return;
  for (kind = 0; kind < 2; ++kind) {
    const int first = kind == 0 ? 0 : slides, count = kind == 0 ? slides : turns;
    const int zero = MB_BODY_COUNT == 1 || (kind == 0 && MB_HELD);
    mb_real sum = R(0.0);
    for (n = 0; n < count; ++n) {
      mb_real low = zero ? R(0.0) : none, high = zero ? R(0.0) : -none;
      for (b = 0; b < MB_BODY_COUNT; ++b) {
        const mb_real u = w->m.y[MB_POSITIONS + b * each + first + n];
        low = mb_less(low, u), high = mb_more(high, u);
      }
      sum += (high - low) * (high - low);
    }
    w->speeds[kind] =
        mb_more(mb_sqrt(sum), (kind == 0 ? MB_GIVEN(w, MB_LENGTH) : R(1.0)) / MB_GIVEN(w, MB_TIME));
  }
}
/* The largest number of x, each relative to its tolerance between y and z; not a number if one is none. */
MB_PART mb_real mb_worst(const mb_work* w, const mb_real* x, const mb_real* y, const mb_real* z) {
  mb_real worst = R(0.0);
  int n;
  for (n = 0; n < MB_CONTROLLED; ++n) {
    const mb_real share =
        mb_fabs(x[n]) / mb_allowed(w, n, mb_more(mb_fabs(y[n]), mb_fabs(z[n])), mb_most(w, n));
    worst = share <= worst ? worst : share;
  }
  return worst;
}
/* The same of y itself, as far as it counts. */
MB_PART mb_real mb_worst_of_state(const mb_work* w, const mb_real* y) {
  mb_real worst = R(0.0);
  int n;
  for (n = 0; n < MB_CONTROLLED; ++n) {
    const mb_real size = mb_fabs(y[n]), most = mb_most(w, n),
                  share = mb_less(size, most) / mb_allowed(w, n, size, most);
    worst = share <= worst ? worst : share;
  }
  return worst;
}
MB_INLINE mb_real mb_shortest(mb_real t, mb_real end) {
  return 16 * MB_LITTLE * mb_more(mb_fabs(t), mb_fabs(end));
}

/* The first step; integrators/runge_kutta.h. */
MB_PART void mb_first_step(mb_work* w) {
  mb_motion* const m = &w->m;
  const mb_real t = mb_now(w), span = m->until - m->from;
  const mb_real d0 = mb_worst_of_state(w, m->y), d1 = mb_worst(w, w->k[0], m->y, m->y);
  const mb_real h0 =
      d0 < R(1e-5) || d1 < R(1e-5) ? R(1e-6) * mb_less(R(1.0), span) : R(0.01) * mb_more(R(1.0), d0) / d1;
  mb_real steepest, step;
  int n;
  for (n = 0; n < MB_CONTROLLED; ++n) w->x[1 + n] = m->y[n] + h0 * w->k[0][n];
  w->x[0] = t + h0;
  mb_derive(w, w->k[1]);
  for (n = 0; n < MB_CONTROLLED; ++n) w->row[n] = (w->k[1][n] - w->k[0][n]) / h0;
  steepest = mb_more(d1, mb_worst(w, w->row, m->y, m->y));
  step = steepest <= R(1e-15) ? mb_more(R(1e-6) * mb_less(R(1.0), span), R(1e-3) * h0)
                              : mb_pow(R(0.01) / steepest, R(1.0) / (mb_real)MB_ORDER);
  step = mb_less(100 * h0, step);
  if (MB_GIVEN(w, MB_STEP) > R(0.0)) step = MB_GIVEN(w, MB_STEP);
  m->next = mb_more(step, 16 * mb_shortest(t, m->until));
}

/* Where the next step ends: `ends` says that it ends where steps have to, on a grid. */
MB_INLINE mb_real mb_end_on_grid(const mb_work* w, int* ends, mb_real* to) {
  const mb_real step = MB_GIVEN(w, MB_STEP), end = w->m.until;
  const mb_real next = w->m.grid_from + (w->m.grid_count + R(1.0)) * step;
  const mb_real round_off = 4 * MB_LITTLE * mb_more(mb_fabs(next), mb_fabs(w->m.grid_at));
  *to = next;
  *ends = 1;
  if (mb_fabs(next - end) <= round_off) return end;
  if (next > end - R(1e-9) * step) return *to = end;
  *ends = 0;
  return next;
}
MB_INLINE void mb_take_on_grid(mb_work* w, mb_real to) {
  mb_motion* const m = &w->m;
  if (to == m->grid_from + (m->grid_count + R(1.0)) * MB_GIVEN(w, MB_STEP)) {
    m->grid_count += R(1.0);
    m->grid_at = to;
  } else {
    m->grid_from = m->grid_at = to;
    m->grid_count = R(0.0);
  }
}
MB_INLINE mb_real mb_end_of_controlled(mb_work* w) {
  mb_motion* const m = &w->m;
  const mb_real t = mb_now(w), end = m->until;
  mb_real to;
  m->next = mb_less(m->next, MB_GIVEN(w, MB_LONGEST));
  to = t + m->next > end - R(0.01) * m->next ? end : t + m->next;
  if (!(to - t >= mb_shortest(t, end)) || m->result[MB_TAKEN] >= MB_GIVEN(w, MB_MOST_STEPS)) mb_give_up(w);
  return to;
}
/* Accepts or rejects a step of controlled size, and chooses the next one. */
MB_INLINE int mb_judge(mb_work* w, mb_real h, mb_real error, int at_end) {
  const mb_real beta = R(0.04), exponent = R(1.0) / (mb_real)MB_ORDER - R(0.75) * beta;
  mb_motion* const m = &w->m;
  mb_real wanted;
  if (!(error <= R(1.0))) {
    const mb_real shorter =
        mb_is_finite(error) ? mb_within(R(0.9) * mb_pow(error, -exponent), R(0.1), R(0.9)) : R(0.1);
    m->result[MB_REJECTED] += R(1.0);
    m->next = h * shorter;
    m->retried = R(1.0);
    return 0;
  }
  wanted = R(0.9) * mb_pow(mb_more(error, R(1e-10)), -exponent) * mb_pow(m->last_error, beta);
  if (!(at_end && h < m->next)) m->next = h * mb_within(wanted, R(0.2), m->retried != R(0.0) ? R(1.0) : R(5.0));
  m->last_error = mb_more(error, R(1e-4));
  m->retried = R(0.0);
  return 1;
}

/* Takes note of an accepted step. */
MB_INLINE void mb_count(mb_work* w, mb_real to) {
  mb_motion* const m = &w->m;
  const mb_real h = to - mb_now(w);
  m->before = mb_now(w);
  m->result[MB_NOW] = to;
  m->result[MB_SMALLEST] = m->result[MB_TAKEN] == R(0.0) ? h : mb_less(m->result[MB_SMALLEST], h);
  m->result[MB_LARGEST] = mb_more(m->result[MB_LARGEST], h);
  m->result[MB_TAKEN] += R(1.0);
  if (MB_CONTROLS) mb_limit_rates(w);
}

/* The rates at the present state, which are the first stage of the next step. */
MB_PART void mb_know(mb_work* w) {
  mb_load(w, w->m.y, mb_now(w));
  mb_derive(w, w->k[0]);
  w->knows = 1;
}

/* Tries one step; returns whether it was accepted. */
MB_PART int mb_attempt(mb_work* w) {
  mb_motion* const m = &w->m;
  const mb_real t = mb_now(w);
  mb_real to, grid_to = t, none = R(0.0), x[MB_ARGUMENTS], y[MB_STATES], y1[MB_STATES], lost[MB_STATES],
              gap[MB_GAPS + 1], forgotten[MB_STAGES][MB_STATES + 1];
  mb_rates_of const k = MB_CONTROLS || MB_DENSE > 0 ? w->k : forgotten; /* where nobody asks for rates later */
  int ends = 0, n;
  if (MB_CONTROLS && !w->knows) mb_know(w);
  if (MB_CONTROLS && m->next == R(0.0)) mb_first_step(w);
  to = MB_CONTROLS ? mb_end_of_controlled(w) : mb_end_on_grid(w, &ends, &grid_to);
  if (!mb_runs(w)) return 0;
  mb_copy(w->x, MB_ARGUMENTS, x);
  mb_copy(m->y, MB_STATES, y);
  if (!mb_all_stages(w->p, x, k, y, m->residue, t, to - t, MB_CONTROLS, y1, lost)) mb_give_up(w);
  MB_UNROLLED for (n = 0; n < MB_STATES; ++n) none += y1[n] - y1[n];
  if (MB_CONTROLS) {
    mb_copy(y1, MB_STATES, w->y1);
    mb_sum(w->k, 0, to - t, mb_e, MB_STAGES, MB_CONTROLLED, w->row);
    none += mb_worst(w, w->row, m->y, w->y1);
    if (!mb_runs(w) || !mb_judge(w, to - t, none, to == m->until)) return 0;
  } else {
    if (!mb_is_finite(none)) mb_give_up(w);
    if (!mb_runs(w)) return 0;
    mb_take_on_grid(w, grid_to);
  }
  w->knows = 0;
  mb_copy(y, MB_STATES, w->y0);
  mb_copy(lost, MB_STATES, m->residue);
  x[0] = to;
  mb_copy(y1, MB_CONTROLLED, x + 1);
  if (!mb_put_back(w, x, gap)) mb_give_up(w);
  mb_copy(x + 1, MB_CONTROLLED, m->y);
  for (n = MB_CONTROLLED; n < MB_STATES; ++n) m->y[n] = y1[n];
  mb_count(w, to);
  mb_note_violation(w, gap);
  return 1;
}

/* Motions ----------------------------------------------------------------------------------------------------------------- */

MB_INLINE void mb_take_parameters(mb_work* w) {
  int n;
  for (n = 0; n < MB_PARAMETERS; ++n) w->p[n] = MB_GIVEN(w, MB_NUMBERS + n);
}

/* Gaps of the start count as others: nobody but the processor has seen it. */
MB_PART void mb_look_at_start(mb_work* w) {
  if (MB_GAPS == 0) return;
  mb_load(w, w->m.y, mb_now(w));
  if (!MB_FOLLOW(w->x)) mb_give_up(w);
  mb_gaps(w->x, w->p, w->gap);
  mb_note_violation(w, w->gap);
}

/* The start, with results there. */
MB_PART void mb_start(mb_work* w) {
  mb_motion* const m = &w->m;
  int n;
  for (n = 0; n < MB_VALUES; ++n) m->result[n] = R(0.0);
  for (n = 0; n < MB_KEEPS; ++n) m->value[n] = m->when[n] = R(0.0);
  for (n = 0; n < MB_STATES; ++n) {
    m->y[n] = n < MB_CONTROLLED ? MB_GIVEN(w, MB_BEGIN + n) : R(0.0);
    m->residue[n] = R(0.0);
  }
  for (n = 0; n < MB_KEPT; ++n) w->x[mb_kept_at[n]] = mb_kept_start[n];
  for (n = 0; n < MB_INSTANT_NUMBERS; ++n) w->x[mb_instant_at[n]] = mb_instant_start[n];
  for (n = 0; n < MB_SAMPLED; ++n) m->instants[n] = w->x[mb_due_at[n]] = w->x[mb_since_at[n]] = R(0.0);
  m->next_break = m->next_row = m->seen = R(0.0);
  mb_restart(w, MB_GIVEN(w, MB_START));
  mb_look_at_start(w);
  mb_remember(w);
  if (MB_SAMPLED > 0) mb_take_samples(w);
  mb_output(w, mb_now(w));
  mb_pause(w);
}

/* Takes so many steps at most; returns whether the motion goes on. */
MB_PART int mb_run(mb_work* w, int steps) {
  int n;
  if (MB_CONTROLS) mb_limit_rates(w);
  for (n = 0; n < steps && mb_runs(w); ++n) {
    if (mb_attempt(w)) {
      mb_output(w, MB_SAMPLED > 0 ? mb_rows_until(w) : mb_now(w));
      mb_remember(w);
      if (MB_SAMPLED > 0 || MB_GIVEN(w, MB_BREAKS) > R(0.0)) mb_pause(w);
    }
    if (mb_runs(w) && !(mb_now(w) < MB_GIVEN(w, MB_END))) w->m.result[MB_HOW] = (mb_real)MB_ENDED;
  }
  return mb_runs(w);
}
