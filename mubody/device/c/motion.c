// The motion of one mechanism of many, as a thread of a graphics processor computes it; it is C and C++ for any other processor.
//
//   docs/theory/gpu.md
//
// State, constraints and results are here; instants and steps in steps.c.  Rules and formulas are those of lanes, mubody/lanes, of
// which this is one.  What stands before it are the sizes and equations of
// the model and the tables of the method, as in routines.h.
#include "mubody/device/c/motion.h"

#include "mubody/device/c/routines.h"

/* Numbers that a mechanism keeps from step to step.  What is here is all that a motion needs to go on. */
typedef struct {
  mb_real result[MB_VALUES], value[MB_KEEPS + 1], when[MB_KEEPS + 1];
  mb_real before;      /* the time at the start of the last step [s] */
  mb_real from, until; /* where steps began anew, and where the next has to end at the latest [s] */
  mb_real next, last_error,
      retried; /* the next step [s], the error of the last one, whether one was rejected */
  mb_real grid_from, grid_at, grid_count; /* steps of one size */
  mb_real next_break, next_row;           /* places in lists */
  mb_real seen, first_energy,
      first_potential; /* whether there is a result, and energies of the first one [J] */
  mb_real y[MB_STATES], residue[MB_STATES];
  mb_real kept[MB_ARGUMENTS - MB_FIRST_KEPT + 1], instants[MB_SAMPLED + 1];
} mb_motion;
enum { MB_MOTION = (int)(sizeof(mb_motion) / sizeof(mb_real)) };

/* What tables of loops say, where there are any: it is written into x before equations are asked. */
#ifndef MB_FOLLOW
#define MB_FOLLOW(x) 1
#endif
/* Whether the state in x, which is to be accepted, is one that the equations hold for. */
#ifndef MB_HOLDS
#define MB_HOLDS(x) 1
#endif

/* Before stages that are so short that each has code of its own, in which the weights of the method are known. */
#ifndef MB_EACH_STAGE
#define MB_EACH_STAGE
#endif

/* Rates of each stage, and some that belong to none. */
typedef mb_real (*mb_rates_of)[MB_STATES + 1];

/* What is needed while steps are taken. */
typedef struct {
  long count; /* of mechanisms, whose numbers lie side by side */
  const mb_real *point, *times;
  int rows;
  int knows; /* whether the rates at y are known */
  mb_motion m;
  mb_real p[MB_PARAMETERS + 1], x[MB_ARGUMENTS], k[MB_STAGES + 1][MB_STATES + 1];
  mb_real y0[MB_STATES], y1[MB_STATES], lost[MB_STATES], row[MB_STATES];
  mb_real speeds[2]; /* up to which rates of places and of turns count */
  mb_real gap[MB_GAPS + 1], answer[MB_STATES + MB_ARGUMENTS + 1];
} mb_work;

#define MB_GIVEN(w, n) ((w)->point[(n) * (w)->count])
/* Where lists of them begin. */
enum {
  MB_ABSOLUTE = (int)MB_FIRST,
  MB_MOST = MB_ABSOLUTE + (int)MB_CONTROLLED,
  MB_BEGIN = MB_MOST + (int)MB_CONTROLLED,
  MB_NUMBERS = MB_BEGIN + (int)MB_CONTROLLED,
  MB_BREAK = MB_NUMBERS + (int)MB_PARAMETERS
};
#define MB_LITTLE R(2.220446049250313e-16)
#define MB_FEW R(4.0)          /* times what counts as little: no step is shorter */
#define MB_ONE_INSTANT R(1e-9) /* signals/one_instant.h */
#define MB_MOST_GAP R(1e-9)    /* that a correction may leave, as System::gap() measures it */

MB_INLINE mb_real mb_more(mb_real a, mb_real b) { return a < b ? b : a; }
MB_INLINE mb_real mb_less(mb_real a, mb_real b) { return b < a ? b : a; }
MB_INLINE mb_real mb_within(mb_real x, mb_real low, mb_real high) {
  return x < low ? low : high < x ? high : x;
}
/* A running maximum that keeps what is not a number. */
MB_INLINE mb_real mb_largest(mb_real so_far, mb_real x) { return x <= so_far || so_far != so_far ? so_far : x; }
MB_INLINE int mb_is_finite(mb_real x) { return x - x == R(0.0); }

MB_INLINE mb_real mb_now(const mb_work* w) { return w->m.result[MB_NOW]; }
MB_INLINE int mb_runs(const mb_work* w) { return (int)w->m.result[MB_HOW] == MB_RUNNING; }
/* The mechanism is left to the analysis of a single one. */
MB_INLINE void mb_give_up(mb_work* w) {
  if (mb_runs(w)) w->m.result[MB_HOW] = (mb_real)MB_LEFT;
}
MB_INLINE void mb_doubt(mb_work* w, mb_real independence) {
  if (!(independence >= R(0.0))) mb_give_up(w);
}
MB_INLINE void mb_copy(const mb_real* from, int count, mb_real* to) {
  int n;
  MB_UNROLLED for (n = 0; n < count; ++n) to[n] = from[n];
}

/* The equations at the state in x. */
MB_INLINE void mb_load(mb_work* w, const mb_real* y, mb_real t) {
  w->x[0] = t;
  mb_copy(y, MB_CONTROLLED, w->x + 1);
}
MB_PART void mb_derive(mb_work* w, mb_real* rates) {
  if (!MB_FOLLOW(w->x)) mb_give_up(w);
  mb_rates(w->x, w->p, rates);
  mb_doubt(w, rates[MB_STATES]);
}

/* y + h (w0 k0 + w1 k1 + ...), term after term. */
MB_INLINE void mb_sum(mb_rates_of k, const mb_real* y, mb_real h, const mb_real* weights, int terms, int count,
                      mb_real* to) {
  int j, n;
  MB_UNROLLED for (n = 0; n < count; ++n) to[n] = y ? y[n] : R(0.0);
  for (j = 0; j < terms; ++j) {
    const mb_real weight = h * weights[j];
    if (weights[j] == R(0.0)) continue;
    MB_UNROLLED for (n = 0; n < count; ++n) to[n] += weight * k[j][n];
  }
}

/* y1 from y at t, whose rates are known if `first`; returns whether all equations were independent.  The sum is compensated.  Where
   numbers are the caller's own, and this is part of it, most of them never go to memory. */
MB_INLINE int mb_all_stages(const mb_real* p, mb_real* x, mb_rates_of k, const mb_real* y,
                            const mb_real* residue, mb_real t, mb_real h, int first, mb_real* y1,
                            mb_real* lost) {
  int i, n, sound = 1;
  MB_EACH_STAGE for (i = first ? 1 : 0; i < MB_STAGES; ++i) {
    mb_real rates[MB_STATES + 1];
    mb_sum(k, y, h, mb_a + i * MB_STAGES, i, MB_CONTROLLED, x + 1);
    x[0] = t + mb_c[i] * h;
    if (!MB_FOLLOW(x)) sound = 0;
    mb_rates(x, p, rates);
    mb_copy(rates, MB_STATES, k[i]);
    sound = sound && rates[MB_STATES] >= R(0.0);
  }
  mb_sum(k, residue, h, mb_b, MB_STAGES, MB_STATES, lost);
  MB_UNROLLED for (n = 0; n < MB_STATES; ++n) {
    y1[n] = y[n] + lost[n];
    lost[n] -= y1[n] - y[n];
  }
  return sound;
}
MB_PART void mb_stages(mb_work* w, const mb_real* y, mb_real t, mb_real h) {
  if (!mb_all_stages(w->p, w->x, w->k, y, w->m.residue, t, h, 0, w->y1, w->lost)) mb_give_up(w);
}

/* Constraints ------------------------------------------------------------------------------------------------------------- */

MB_INLINE mb_real mb_size_of_gaps(const mb_real* gap, int rows, mb_real length, mb_real angle) {
  mb_real slides = R(0.0), turns = R(0.0);
  int n;
  MB_UNROLLED for (n = 0; n < rows; ++n) {
    const mb_real size = mb_fabs(gap[n]);
    if (mb_gap_is_length[n])
      slides = size <= slides ? slides : size;
    else
      turns = size <= turns ? turns : size;
  }
  slides /= length, turns /= angle;
  return slides <= turns ? turns : slides == slides ? slides : slides + turns;
}

/* Moves positions onto the constraints; returns what is left of the gaps, in equations that are left out too. */
MB_INLINE mb_real mb_close_positions(const mb_work* w, mb_real* x, mb_real* gap) {
  mb_real *const q = x + 1, best[MB_POSITIONS], closed[MB_POSITIONS];
  mb_real length = MB_GIVEN(w, MB_LENGTH), angle = R(1.0), before = R(0.0);
  int round, n;
  MB_UNROLLED for (n = 0; n < MB_POSITIONS; ++n) {
    if (mb_is_length[n])
      length = mb_more(length, mb_fabs(q[n]));
    else
      angle = mb_more(angle, mb_fabs(q[n]));
  }
  for (round = 0;; ++round) {
    mb_real size;
    if (!MB_FOLLOW(x)) return MB_MOST_GAP;
    mb_gaps(x, w->p, gap);
    size = mb_size_of_gaps(gap, MB_ROWS, length, angle);
    if (round > 0 && !(size < before)) { /* worse than before: it is taken back */
      mb_copy(best, MB_POSITIONS, q);
      round = -1;
    }
    if (round < 0) break;
    if (!(size > MB_GIVEN(w, MB_TOLERANCE)) || round >= MB_GIVEN(w, MB_ITERATIONS) ||
        (round > 0 && size >= before / 2))
      break;
    before = size;
    mb_copy(q, MB_POSITIONS, best);
    mb_close(x, w->p, closed);
    mb_copy(closed, MB_POSITIONS, q);
  }
  if (round < 0 && MB_FOLLOW(x)) mb_gaps(x, w->p, gap);
  return mb_size_of_gaps(gap, MB_GAPS, length, angle);
}

/* Moves the state in x onto the constraints; returns whether that was possible. */
MB_INLINE int mb_put_back(const mb_work* w, mb_real* x, mb_real* gap) {
  mb_real size, tidy[MB_POSITIONS], settled[MB_VELOCITIES + 1];
  if (MB_IN_SPACE) {
    mb_tidy(x, w->p, tidy);
    mb_copy(tidy, MB_POSITIONS, x + 1);
  }
  if (!MB_HOLDS(x)) return 0;
  if (MB_GAPS == 0) return 1;
  size = mb_close_positions(w, x, gap);
  mb_settle(x, w->p, settled);
  mb_copy(settled, MB_VELOCITIES, x + 1 + MB_POSITIONS);
  return settled[MB_VELOCITIES] >= R(0.0) && size < MB_MOST_GAP;
}
MB_INLINE void mb_note_gaps(mb_work* w, const mb_real* gap, const int* is_length, int count) {
  mb_real worst = R(0.0), share = R(0.0);
  int n;
  MB_UNROLLED for (n = 0; n < count; ++n) {
    const mb_real size = mb_fabs(gap[n]);
    worst = mb_more(worst, size);
    share = mb_more(share, is_length[n] ? size / MB_GIVEN(w, MB_LENGTH) : size);
  }
  w->m.result[MB_VIOLATION] = mb_more(w->m.result[MB_VIOLATION], worst);
  w->m.result[MB_VIOLATION_SHARE] = mb_more(w->m.result[MB_VIOLATION_SHARE], share);
}
MB_INLINE void mb_note_violation(mb_work* w, const mb_real* gap) {
  mb_note_gaps(w, gap, mb_gap_is_length, MB_GAPS);
}
MB_PART void mb_project(mb_work* w) {
  if (!mb_put_back(w, w->x, w->gap)) mb_give_up(w);
  mb_note_violation(w, w->gap);
}

/* Takes the accepted state as the one from which turns are counted. */
MB_INLINE void mb_remember(mb_work* w) {
  int n;
  if (MB_KEPT == 0) return;
  mb_load(w, w->m.y, mb_now(w));
  if (!MB_FOLLOW(w->x)) mb_give_up(w);
  mb_keep(w->x, w->p, w->answer);
  for (n = 0; n < MB_KEPT; ++n) w->x[mb_kept_at[n]] = w->answer[n];
}

/* Results ----------------------------------------------------------------------------------------------------------------- */

/* Channels, energies, multipliers, forces on bodies and further gaps of a result, in this order. */
MB_PART void mb_note_loads(mb_work* w, const mb_real* observed, const mb_real* q) {
  const mb_real length = MB_GIVEN(w, MB_LENGTH), *next = observed + MB_KEEPS + 2;
  const int each = MB_IN_SPACE ? 6 : 3, slides = MB_IN_SPACE ? 3 : 2;
  mb_real far = length, reaction = R(0.0), load = R(0.0);
  int n;
  if (MB_BODY_COUNT == 0) return;
  for (n = 0; n < MB_POSITIONS; ++n)
    if (mb_is_length[n]) far = mb_more(far, mb_fabs(q[n]));
  for (n = 0; n < MB_ROWS; ++n, ++next)
    reaction = mb_more(reaction, mb_fabs(*next) * (mb_gap_is_length[n] ? length : R(1.0)));
  for (n = 0; n < MB_VELOCITIES; ++n, ++next)
    load = mb_more(load, mb_fabs(*next) * (n % each < slides ? length : R(1.0)));
  w->m.result[MB_LOAD_SCALE] = mb_more(w->m.result[MB_LOAD_SCALE], far / length * (reaction + load));
}

/* What a channel is worth: recorded, or made of energies in the order of LaneChannel. */
MB_INLINE mb_real mb_value(int kind, mb_real recorded, mb_real kinetic, mb_real potential, const mb_real* works,
                           mb_real residual) {
  switch (kind) {
    case 0: return recorded;
    case 1: return kinetic;
    case 2: return potential;
    case 3: return kinetic + potential;
    case 4: return works[0];
    case 5: return works[1];
    case 6: return works[2];
    default: return residual;
  }
}

/* Takes a result at the state y, which lies in x as well. */
MB_PART void mb_record(mb_work* w, mb_real t, const mb_real* y) {
  mb_motion* const m = &w->m;
  mb_real observed[MB_OBSERVED], works[4] = {R(0.0), R(0.0), R(0.0), R(0.0)}, kinetic, potential, residual,
                                 scale;
  int n;
  if (!MB_FOLLOW(w->x)) mb_give_up(w);
  mb_observe(w->x, w->p, observed);
  mb_doubt(w, observed[MB_OBSERVED - 1]);
  for (n = MB_CONTROLLED; n < MB_STATES; ++n) works[n - MB_CONTROLLED] = y[n];
  kinetic = observed[MB_KEEPS], potential = observed[MB_KEEPS + 1];
  if (m->seen == R(0.0)) m->first_energy = kinetic + potential, m->first_potential = potential;
  residual = kinetic + potential - m->first_energy - works[0] - works[1] + works[3];
  m->result[MB_RESIDUAL] = mb_largest(m->result[MB_RESIDUAL], mb_fabs(residual));
  scale = mb_largest(m->result[MB_ENERGY_SCALE], kinetic);
  scale = mb_largest(scale, mb_fabs(potential - m->first_potential));
  scale = mb_largest(mb_largest(scale, mb_fabs(works[0])), mb_fabs(works[1]));
  m->result[MB_ENERGY_SCALE] = mb_largest(scale, works[3]);
  mb_note_loads(w, observed, y);
  mb_note_gaps(w, observed + MB_OBSERVED - 1 - MB_LOOKED, mb_looked_is_length, MB_LOOKED);
  for (n = 0; n < MB_KEEPS; ++n) {
    const mb_real value = mb_value(mb_keep_kind[n], observed[n], kinetic, potential, works, residual);
    const mb_real time = mb_keep_time[n];
    const int what = mb_keep_what[n]; /* last, at, max, min */
    const int takes = what == 0   ? 1
                      : what == 1 ? mb_fabs(t - time) <= R(1e-12) * mb_more(R(1.0), mb_fabs(time))
                      : what == 2 ? m->seen == R(0.0) || value > m->value[n]
                                  : m->seen == R(0.0) || value < m->value[n];
    if (takes) m->value[n] = value, m->when[n] = t;
  }
  m->seen = R(1.0);
}

/* The state at a time within the last step, in row. */
MB_PART void mb_interpolate(mb_work* w, mb_real when) {
  const mb_real before = w->m.before, h = mb_now(w) - before, theta = h > R(0.0) ? (when - before) / h : R(1.0);
  mb_real weights[MB_STAGES];
  int i, n;
  if (MB_DENSE == 0) { /* a shorter step from the start of the last one is taken */
    mb_stages(w, w->y0, before, when - before);
    mb_copy(w->y1, MB_STATES, w->row);
    return;
  }
  for (i = 0; i < MB_STAGES; ++i) {
    mb_real weight = R(0.0);
    for (n = MB_DENSE - 1; n >= 0; --n) weight = (weight + mb_dense[i * MB_DENSE + n]) * theta;
    weights[i] = weight;
  }
  mb_sum(w->k, w->y0, h, weights, MB_STAGES, MB_STATES, w->row);
}

/* Takes the results that are due up to a time. */
MB_PART void mb_output(mb_work* w, mb_real until) {
  while (mb_runs(w) && w->m.next_row < w->rows && w->times[(int)w->m.next_row] <= until) {
    const mb_real when = w->times[(int)w->m.next_row];
    const int within = when < mb_now(w);
    if (within)
      mb_interpolate(w, when);
    else
      mb_copy(w->m.y, MB_STATES, w->row);
    mb_load(w, w->row, when);
    if (within) {
      mb_project(w);
      mb_copy(w->x + 1, MB_CONTROLLED, w->row);
    }
    mb_record(w, when, w->row);
    w->m.next_row += R(1.0);
  }
}
