#pragma once
// A linear block with one input and one output.
//
//   ẋ = A x + b u,  y = cᵀ x + d u                                    docs/theory/signals.md#linear-blocks
//
// Sampled with the time T between instants it is exact for an input that is held between them:
//
//   x_{k+1} = Φ x_k + γ u_k,  [Φ γ; 0 1] = exp([A b; 0 0] T)
#include "mubody/math/space.h"
#include "mubody/signals/block.h"

namespace mubody {
struct LinearBlock {
  Signal input;

  int states() const { return int(b.size()); }
  bool direct(bool) const { return d != 0; }
  template <class R> void start(const BlockInputOf<R>&, R* x) const {
    for (int k = 0; k < states(); ++k) x[k] = first[k];
  }
  template <class R> R output(const BlockInputOf<R>& in, const R* x, CornersOf<R>) const {
    R y = d * in.u;
    for (int k = 0; k < states(); ++k) y += c[k] * x[k];
    return y;
  }
  template <class R> void rates(const BlockInputOf<R>& in, const R* x, CornersOf<R>, R* dx) const {
    apply(A, b, in.u, x, dx);
  }

  void prepare(double T);
  /// The state, and room for the next one.
  int memory(double) const { return 2 * states(); }
  template <class R> R sampled(const BlockInputOf<R>& in, const R* m) const {
    return output(in, m, CornersOf<R>());
  }
  template <class R> void update(const BlockInputOf<R>& in, R* m) const {
    apply(Phi, gamma, in.u, m, m + states());
    for (int k = 0; k < states(); ++k) m[k] = m[states() + k];
  }

 protected:
  /// Takes the matrices and the states at the start.
  void take(const MatX& of_states, const VecX& of_input, const VecX& to_output, double through,
            const VecX& at_start) {
    A = of_states, b = of_input, c = to_output, d = through, first = at_start;
  }

  MatX A, Phi;
  VecX b, c, first, gamma;
  double d = 0;

 private:
  template <class R> static void apply(const MatX& M, const VecX& column, const R& u, const R* x, R* y) {
    for (Eigen::Index i = 0; i < column.size(); ++i) {
      y[i] = column[i] * u;
      for (Eigen::Index j = 0; j < column.size(); ++j) y[i] += M(i, j) * x[j];
    }
  }
};
}  // namespace mubody
