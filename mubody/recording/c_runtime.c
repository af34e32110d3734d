// Functions that routines in C call.  Each stands between blank lines, after those that it calls itself, and is emitted if it
// is called.
#include "mubody/recording/c_runtime.h"

/* sin(x + quarters pi/2).  The nearest multiple of pi/2, which is known in three parts, is subtracted from the angle; the
   rest lies within pi/4 of zero, where polynomials are exact to round-off (coefficients of fdlibm, Sun Microsystems 1993).
   Sine and cosine of one angle share all of that.  What is not written here is slower by calls: they empty registers. */
MB_INLINE mb_real mb_turned(mb_real x, int quarters) {
#if defined(MB_SINGLE) || defined(MB_LOOSE_SUMS)
  return quarters ? mb_cos(x) : mb_sin(x);
#else
  /* The sum of this and a number below 2^51 is rounded to a whole number. */
  const double rounder = 6755399441055744.0;
  const double k = (x * 6.36619772367581382433e-01 + rounder) - rounder;
  const double r =
      ((x - k * 1.57079632673412561417e+00) - k * 6.07710050630396597660e-11) - k * 2.02226624879595063154e-21;
  const double z = r * r, z2 = z * z;
  const double s = r + r * z *
                           ((-1.66666666666666324348e-01 + z * 8.33333333332248946124e-03) +
                            z2 * ((-1.98412698298579493134e-04 + z * 2.75573137070700676789e-06) +
                                  z2 * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  const double c = 1.0 - z * 0.5 +
                   z2 * ((4.16666666666666019037e-02 - z * 1.38888888888741095749e-03) +
                         z2 * ((2.48015872894767294178e-05 - z * 2.75573143513906633035e-07) +
                               z2 * (2.08757232129817482790e-09 - z * 1.13596475577881948265e-11)));
  int turn;
  double of_rest;
  if (!(x < 1e6 && x > -1e6)) return quarters ? mb_cos(x) : mb_sin(x);
  turn = (int)k + quarters;
  of_rest = turn & 1 ? c : s;
  return turn & 2 ? -of_rest : of_rest;
#endif
}

MB_INLINE mb_real mb_sine(mb_real x) { return mb_turned(x, 0); }

MB_INLINE mb_real mb_cosine(mb_real x) { return mb_turned(x, 1); }

/* Sines and cosines of some inputs, one after the other. */
MB_PART void mb_turn_all(const mb_real* x, const int* which, int count, mb_real* w) {
  int k;
  for (k = 0; k < count; ++k) {
    w[2 * k] = mb_turned(x[which[k]], 0);
    w[2 * k + 1] = mb_turned(x[which[k]], 1);
  }
}

MB_FN mb_real mb_min(mb_real a, mb_real b) { return b < a ? b : a; }

MB_FN mb_real mb_max(mb_real a, mb_real b) { return a < b ? b : a; }

/* -1, 0 or 1. */
MB_FN mb_real mb_sign(mb_real a) { return (mb_real)((a > R(0.0)) - (a < R(0.0))); }

/* The remainder of a after whole multiples of b, with the sign of b. */
MB_FN mb_real mb_mod(mb_real a, mb_real b) {
  const mb_real r = mb_fmod(a, b);
  return r != R(0.0) && (r < R(0.0)) != (b < R(0.0)) ? r + b : r;
}

/* The piece to which x belongs; so many numbers say where pieces begin, and the last one where the last piece ends. */
MB_FN int mb_index(const mb_real* begins, int count, mb_real x) {
  int low = 0, high = count - 2;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (x < begins[middle + 1])
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}
