#pragma once
// Where a joint writes what it forbids: each zero() is one row, or as many as the vector has components.
#include "mubody/kinematics/carried.h"

namespace mubody {
/// Rows of one joint inside the terms of the system.  Columns of the two bodies, row by row; where a body has none
/// (the ground) its pointer is null.  The formulation turns rows over the twist of a body into rows over its own
/// velocities.  Rows whose columns are known to be constant (bits of `known`) keep their columns.
template <class Formulation> class Equations {
 public:
  static constexpr int C = Formulation::columns;
  using R = typename Formulation::Real;
  using BodyState = typename Formulation::BodyState;

  Equations(const BodyState& i, const BodyState& j, R* phi, R* rate, R* gamma, R* Di, R* Dj, unsigned known = 0)
      : i_(i), j_(j), phi_(phi), rate_(rate), gamma_(gamma), Di_(Di), Dj_(Dj), known_(known) {}

  template <int I, int J> MUBODY_INLINE void zero(const Scalar<I, J, R>& s) {
    *phi_++ = s.x;
    *rate_++ = s.v;
    *gamma_++ = -s.a;
    if (Di_) {
      if constexpr (I > 0)
        if (!is_known()) Formulation::row(i_, s.Ji, Di_);
      Di_ += C;
    }
    if (Dj_) {
      if constexpr (J > 0)
        if (!is_known()) Formulation::row(j_, s.Jj, Dj_);
      Dj_ += C;
    }
    known_ >>= 1;
  }
  /// Forbids a velocity, not a position.
  template <int I, int J> MUBODY_INLINE void zero(const Flow<I, J, R>& f) {
    zero(Scalar<I, J, R>{0, f.v, f.a, f.Ji, f.Jj});
  }
  template <int N, int I, int J> MUBODY_INLINE void zero(const Carried<N, I, J, R>& p) {
    zero(component<0>(p));
    zero(component<1>(p));
    if constexpr (N == 3) zero(component<2>(p));
  }

 private:
  // Only polynomials have constant columns; other formulations skip the test.
  MUBODY_INLINE bool is_known() const { return Formulation::polynomial && (known_ & 1) != 0; }

  const BodyState &i_, &j_;
  R *phi_, *rate_, *gamma_, *Di_, *Dj_;
  unsigned known_;  // one bit per row, the next row first
};
}  // namespace mubody
