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
  template <class R> void start(const BlockInputOf<R>&, R* x) const { x[0] = initial; }
  template <class R> R output(const BlockInputOf<R>&, const R* x, CornersOf<R>) const { return within(x[0]); }
  int corners() const { return low || high ? 3 : 0; }
  template <class R> void rates(const BlockInputOf<R>& in, const R* x, CornersOf<R> corners, R* dx) const {
    dx[0] = in.u;
    if (!low && !high) return;
    const auto full = corners.above(0, high ? x[0] - *high : R(-1)),
               empty = corners.above(1, low ? *low - x[0] : R(-1));
    const auto at_limit = [&] { return choose(corners.above(2, choose(full, in.u, -in.u)), R(0), in.u); };
    dx[0] = branch(full || empty, at_limit, [&] {
      corners.rest(2);
      return in.u;
    });
  }

  template <class R> R sampled(const BlockInputOf<R>&, const R* m) const { return m[0]; }
  template <class R> void update(const BlockInputOf<R>& in, R* m) const { m[0] = within(m[0] + in.T * in.u); }

 private:
  template <class R> R within(const R& x) const {
    const R below = high ? choose(x > *high, R(*high), x) : x;
    return low ? choose(x < *low, R(*low), below) : below;
  }
};
}  // namespace mubody
