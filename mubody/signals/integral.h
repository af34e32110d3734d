#pragma once
// Integrator, with limits if they are given: at a limit it stops, and leaves it as soon as the input turns back.
//
//   ẋ = u;  ẋ = 0 at a limit while u pushes beyond it                 docs/theory/signals.md#integrator
//   sampled: x_{k+1} = x_k + T u_k, within the limits
#include "mubody/signals/block.h"

namespace mubody {
struct Integral {
  static constexpr Info info{"integrator", "the integral of the input, within limits if they are given",
                             "integral"};
  Signal input;
  double initial = 0;
  std::optional<double> low, high;

  void fields(Fields& f) {
    f.required("input", input, "", "what is integrated over time");
    f.optional("initial", initial, "", "the integral at the start");
    f.optional("low", low, "", "the least value", "none");
    f.optional("high", high, "", "the greatest value", "none");
  }
  void check() const {
    require(std::isfinite(initial), "initial", "must be finite");
    require(!low || !high || *low < *high, "high", "must be greater than low");
    require(!low || initial >= *low, "initial", "must not be less than low");
    require(!high || initial <= *high, "initial", "must not be greater than high");
  }

  int states() const { return 1; }
  bool direct(bool) const { return false; }
  void start(const BlockInput&, double* x) const { x[0] = initial; }
  double output(const BlockInput&, const double* x, Corners) const { return within(x[0]); }
  int corners() const { return low || high ? 3 : 0; }
  void rates(const BlockInput& in, const double* x, Corners corners, double* dx) const {
    dx[0] = in.u;
    if (!low && !high) return;
    const bool full = corners.above(0, high ? x[0] - *high : -1),
               empty = corners.above(1, low ? *low - x[0] : -1);
    if (!full && !empty) return corners.rest(2);
    if (corners.above(2, full ? in.u : -in.u)) dx[0] = 0;
  }

  double sampled(const BlockInput&, const double* m) const { return m[0]; }
  void update(const BlockInput& in, double* m) const { m[0] = within(m[0] + in.T * in.u); }

 private:
  double within(double x) const {
    if (low && x < *low) return *low;
    return high && x > *high ? *high : x;
  }
};
}  // namespace mubody
