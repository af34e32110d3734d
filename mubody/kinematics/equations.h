#pragma once
// Where a joint writes what it forbids: each zero() is one row, or as many as the vector has components.
#include "mubody/kinematics/carried.h"

namespace mubody {
/// Rows of one joint inside the terms of the system.  C columns for each of the two bodies, row by row.
template <int C> class Equations {
 public:
  Equations(double* phi, double* rate, double* gamma, double* Di, double* Dj)
      : phi_(phi), rate_(rate), gamma_(gamma), Di_(Di), Dj_(Dj) {}

  template <int I, int J> void zero(const Scalar<I, J>& s) {
    *phi_++ = s.x;
    *rate_++ = s.v;
    *gamma_++ = -s.a;
    if constexpr (I > 0) Eigen::Map<Rows<1, C>>{Di_} = s.Ji;
    if constexpr (J > 0) Eigen::Map<Rows<1, C>>{Dj_} = s.Jj;
    Di_ += C;
    Dj_ += C;
  }
  /// A velocity is forbidden, no position.
  template <int I, int J> void zero(const Flow<I, J>& f) { zero(Scalar<I, J>{0, f.v, f.a, f.Ji, f.Jj}); }
  template <int N, int I, int J> void zero(const Carried<N, I, J>& p) {
    for (int k = 0; k < N; ++k) zero(Scalar<I, J>{p.x[k], p.v[k], p.a[k], p.Ji.row(k), p.Jj.row(k)});
  }

 private:
  double *phi_, *rate_, *gamma_, *Di_, *Dj_;
};
}  // namespace mubody
