#pragma once
// First-order lag:  time·ẏ + y = gain·u                               docs/theory/signals.md#linear-blocks
#include "mubody/signals/linear_block.h"

namespace mubody {
struct Lag : LinearBlock {
  static constexpr Info info{"lag", "first-order lag: follows its input with a time constant", "low_pass pt1"};
  double gain = 1, time = 0, initial = 0;

  void fields(Fields& f) {
    f.required("input", input, "", "what it follows");
    f.required("time", time, "s", "time constant, after which 63 % of a step have come through");
    f.optional("gain", gain, "", "output of an input of 1 that lasts");
    f.optional("initial", initial, "", "output at the start");
  }
  void check() {
    require(std::isfinite(time) && time > 0, "time", "must be positive");
    require(std::isfinite(gain), "gain", "must be finite");
    require(std::isfinite(initial), "initial", "must be finite");
    take(MatX::Constant(1, 1, -1 / time), VecX::Constant(1, gain / time), VecX::Ones(1), 0,
         VecX::Constant(1, initial));
  }
};
}  // namespace mubody
