// Numbers are collected as they enter a recording.
#include <chrono>

#include "mubody/code/recorded_study.h"
#include "mubody/simulation/begin.h"
#include "tests/example.h"
#include "tests/models.h"

namespace mubody::testing {
namespace {
RecordingStart start_of(const Study& s, const Begun& b) { return {s.analysis.start, b.q, b.u}; }

class Collected : public ::testing::TestWithParam<const char*> {};

TEST_P(Collected, are_the_numbers_of_the_recording) {
  const Study s = example(GetParam());
  const Begun b = begin(s, "forward");
  const CollectedNumbers numbers = collect(b.mechanism, start_of(s, b));
  EXPECT_EQ(numbers.numbers, record(b.mechanism, start_of(s, b)).graph->numbers());
  // Whatever is a parameter, nothing enters in another order.
  RecordingStart start = start_of(s, b);
  for (std::size_t k = 0; k < numbers.numbers.size(); ++k)
    start.parameter_of.push_back(k % 3 == 0 ? int(k / 3) : -1);
  EXPECT_EQ(numbers.numbers, record(b.mechanism, start).graph->numbers());
  Mechanism other = b.mechanism;
  other.bodies[0].mass *= 1.25;
  const CollectedNumbers more = collect(other, start_of(s, b));
  EXPECT_EQ(more.structure, numbers.structure);
  EXPECT_NE(more.numbers, numbers.numbers);
}
INSTANTIATE_TEST_SUITE_P(Examples, Collected,
                         ::testing::Values("four_bar", "andrews", "heavy_top", "spatial_slider_crank",
                                           "iltis_suspension", "stiff_bushing", "rolling_disc", "rolling_tyre",
                                           "slider_crank_driven", "front_suspension", "cart_pole",
                                           "cam_flat_follower", "crane", "pendulum"),
                         [](const auto& one) { return one.param; });

// A point that lies on an axis of its body has a zero where others have a number.
TEST(collected, zeros_are_numbers_like_others) {
  Mechanism a = four_bar(), b = four_bar();
  for (Mechanism* m : {&a, &b}) m->points.push_back({"tip", {}, marker(2, 1, m == &a ? 0 : 0.25)});
  const auto numbers = [](const Mechanism& m) {
    Study s;
    s.mechanism = m;
    const Begun begun = begin(s, "forward");
    return collect(begun.mechanism, start_of(s, begun));
  };
  const CollectedNumbers first = numbers(a), second = numbers(b);
  EXPECT_EQ(first.structure, second.structure);
  EXPECT_EQ(first.numbers.size(), second.numbers.size());
}
}  // namespace
}  // namespace mubody::testing
