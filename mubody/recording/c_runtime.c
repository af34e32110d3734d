// Functions that routines in C call.  Each stands between blank lines, and is emitted if it is called.
#include "mubody/recording/c_runtime.h"

MB_FN mb_real mb_min(mb_real a, mb_real b) {
  return b < a ? b : a;
}

MB_FN mb_real mb_max(mb_real a, mb_real b) {
  return a < b ? b : a;
}

/* -1, 0 or 1. */
MB_FN mb_real mb_sign(mb_real a) {
  return (mb_real)((a > R(0.0)) - (a < R(0.0)));
}

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
