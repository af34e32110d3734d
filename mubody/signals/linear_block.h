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
  void start(const BlockInput&, double* x) const {
    for (int k = 0; k < states(); ++k) x[k] = first[k];
  }
  double output(const BlockInput& in, const double* x, Corners) const {
    double y = d * in.u;
    for (int k = 0; k < states(); ++k) y += c[k] * x[k];
    return y;
  }
  void rates(const BlockInput& in, const double* x, Corners, double* dx) const { apply(A, b, in.u, x, dx); }

  void prepare(double T);
  /// The state, and room for the next one.
  int memory(double) const { return 2 * states(); }
  double sampled(const BlockInput& in, const double* m) const { return output(in, m, Corners()); }
  void update(const BlockInput& in, double* m) const {
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
  static void apply(const MatX& M, const VecX& column, double u, const double* x, double* y) {
    for (Eigen::Index i = 0; i < column.size(); ++i) {
      y[i] = column[i] * u;
      for (Eigen::Index j = 0; j < column.size(); ++j) y[i] += M(i, j) * x[j];
    }
  }
};
}  // namespace mubody
