#pragma once
// A number that is noted before forces are computed, so that formulas can read it by its number: an input, a signal, or
// what a signal reads of a joint or a force.                                         docs/theory/signals.md
#include <optional>
#include <string>

#include "mubody/model/box.h"
#include "mubody/model/errors.h"
#include "mubody/signals/block.h"

namespace mubody {
struct Noted {
  enum Kind {
    input,    // set from outside; until then the value of `signal`
    formula,  // `signal`
    block,    // the output of a block
    joint,    // a coordinate of a joint, or its rate
    force     // a result of a force
  };
  Kind kind = formula;
  std::string name;  // "error", "pin.angle"
  Place place{};
  std::string unit = "1";
  Signal signal{};
  std::optional<Box<AnyBlock>> what{};  // of a block
  int element = 0, part = 0;            // which joint or force, and which of its coordinates or results
  bool rate = false;                    // of the coordinate
  std::optional<double> sample{};       // [s] between the instants of a sampled signal
  bool is_output = false;               // stands under [outputs]

  /// Whether it is a channel of the results by itself.
  bool is_named() const { return kind == input || kind == formula || kind == block; }
  /// Whether it remembers anything from one instant to the next.
  bool remembers() const {
    return sample || (what && ((*what)->states() > 0 || (*what)->corners() > 0 || (*what)->delay() > 0));
  }
};
}  // namespace mubody
