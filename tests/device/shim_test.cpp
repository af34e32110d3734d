// The source of the kernel as C++, with the words of CUDA defined away: a mass on a spring by Euler's method, whose steps are known.
#include <vector>

#include <gtest/gtest.h>

#include "mubody/device/c/host.c"

namespace mubody::testing {
namespace {
TEST(kernel, takes_steps_for_each_of_its_threads) {
  constexpr int count = 3, numbers = MB_BREAK;
  std::vector<double> points(numbers * count, 0.0), states(MB_MOTION * count, 0.0);
  const std::vector<double> times{0, 1};
  for (int k = 0; k < count; ++k) {
    const auto put = [&](int n, double x) { points[std::size_t(n * count + k)] = x; };
    put(MB_END, 1), put(MB_STEP, 0.25), put(MB_LENGTH, 1), put(MB_TIME, 1), put(MB_ITERATIONS, 8),
        put(MB_TOLERANCE, 1e-15);
    put(MB_BEGIN, 1 + k);
  }
  int running = 0;
  mb_go_through(0, count, count, int(times.size()), 1, 2, points.data(), times.data(), states.data(), &running);
  EXPECT_EQ(running, count);
  running = 0;
  mb_go_through(0, count, count, int(times.size()), 0, 100, points.data(), times.data(), states.data(),
                &running);
  EXPECT_EQ(running, 0);
  for (int k = 0; k < count; ++k) {
    double x = 1 + k, v = 0;
    for (int n = 0; n < 4; ++n) {
      const double before = x;
      x += 0.25 * v, v -= 0.25 * before;
    }
    const auto at = [&](int n) { return states[std::size_t(n * count + k)]; };
    EXPECT_EQ(int(at(MB_HOW)), MB_ENDED);
    EXPECT_EQ(at(MB_TAKEN), 4);
    EXPECT_NEAR(at(MB_VALUES), (x * x + v * v) / 2, 1e-14);
  }
}
}  // namespace
}  // namespace mubody::testing
