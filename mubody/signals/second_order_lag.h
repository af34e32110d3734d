#pragma once
// Second-order lag:  ÿ + 2 ζ ω ẏ + ω² y = gain ω² u                   docs/theory/signals.md#linear-blocks
#include "mubody/signals/linear_block.h"

namespace mubody {
struct SecondOrderLag : LinearBlock {
  static constexpr Info info{"second_order_lag",
                             "second-order lag: follows its input as a damped oscillator does", "pt2"};
  double gain = 1, omega = 0, damping = 1, initial = 0;

  void fields(Fields& f) {
    f.required("input", input, "", "what it follows");
    f.required("omega", omega, "rad/s", "angular frequency without damping");
    f.optional("damping", damping, "1", "damping ratio; 1 does not overshoot");
    f.optional("gain", gain, "", "output of an input of 1 that lasts");
    f.optional("initial", initial, "", "output at the start, at rest");
  }
  void check() {
    require(std::isfinite(omega) && omega > 0, "omega", "must be positive");
    require(std::isfinite(damping) && damping >= 0, "damping", "must not be negative");
    require(std::isfinite(gain), "gain", "must be finite");
    require(std::isfinite(initial), "initial", "must be finite");
    MatX of_states = MatX::Zero(2, 2);
    of_states(0, 1) = 1;
    of_states(1, 0) = -omega * omega;
    of_states(1, 1) = -2 * damping * omega;
    take(of_states, gain * omega * omega * VecX::Unit(2, 1), VecX::Unit(2, 0), 0, initial * VecX::Unit(2, 0));
  }
};
}  // namespace mubody
