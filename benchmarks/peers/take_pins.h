#pragma once
// From a model to the tree and loops that other programs want.
#include "benchmarks/peers/pins.h"
#include "mubody/study/options.h"

namespace mubody::bench {
/// `watched`: the body whose angle is compared, by its name.
Pins pins_of(const Study&, const std::string& watched);
}  // namespace mubody::bench
