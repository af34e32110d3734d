// Nothing is taken from the heap while tapes are evaluated.
#include <gtest/gtest.h>

#include "mubody/recording/tape.h"
#include "tests/allocations.h"
#include "tests/recording/graphs.h"

namespace mubody::testing {
TEST(tape, takes_nothing_from_the_heap) {
  if (!counts_allocations()) GTEST_SKIP();
  const RandomGraph r(1);
  const Tape tape(r.g, {"random", r.outputs});
  TapeWork one(tape), many(tape, Tape::lanes);
  const Numbers parameters(r.p[0].size() * Tape::lanes, 1), x(r.x[0].size() * Tape::lanes, 0.5);
  Numbers y(r.outputs.size() * Tape::lanes);
  const long before = allocations();
  one.set_parameters(tape, parameters.data());
  many.set_parameters(tape, parameters.data());
  tape(x.data(), y.data(), one);
  tape.in_lanes(x.data(), y.data(), many);
  EXPECT_EQ(allocations() - before, 0);
}
}  // namespace mubody::testing
