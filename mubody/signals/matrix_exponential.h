#pragma once
// exp(A) of a square matrix, by scaling and squaring.
#include "mubody/math/space.h"

namespace mubody {
/// Taylor's series of A/2ˢ, small enough that 18 terms leave round-off only, squared s times.  Moler & Van Loan (2003),
/// methods 1 and 3: for the few states of a block neither speed nor large norms matter, where Padé's quotients would win.
MatX matrix_exponential(const MatX& A);
}  // namespace mubody
