#pragma once
// Where a motion from tables starts: the values and rates of their variables where the bodies are.
#include "mubody/precompute/tables/model.h"
#include "mubody/simulation/begin.h"

namespace mubody {
struct TableStart {
  std::vector<double> theta, rate;
};
/// Turns are counted as near to the start of the model as they can be.
TableStart table_start(const RealTimeModel&, const Begun&);
}  // namespace mubody
