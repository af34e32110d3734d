// Models by places and shapes against the same mechanisms with every position and local point worked out by hand.
#include <fstream>

#include "tests/examples/example.h"

namespace mubody::testing {
namespace {
Results run_by_hand(const std::string& name) {
  return run(io::read_study(MUBODY_SOURCE_DIR "/tests/examples/data/" + name + ".toml"));
}

/// The largest difference of a channel over all times, as a share of its largest value.
double difference(const Results& a, const std::string& channel, const Results& b, const std::string& other) {
  const auto column = [](const Results& r, const std::string& name) {
    std::vector<double> values;
    for (const Table& table : r.tables)
      if (const int k = table.find(name); k >= 0)
        for (std::size_t row = 0; row < table.rows(); ++row) values.push_back(table.at(row, std::size_t(k)));
    EXPECT_FALSE(values.empty()) << "there is no channel " << name;
    return values;
  };
  const std::vector<double> x = column(a, channel), y = column(b, other);
  EXPECT_EQ(x.size(), y.size());
  double most = 0, size = 0;
  for (std::size_t k = 0; k < std::min(x.size(), y.size()); ++k)
    most = std::max(most, std::abs(x[k] - y[k])), size = std::max(size, std::abs(x[k]));
  return most / size;
}

/// How many lines a model has, and how long the longest is.
std::pair<std::size_t, std::size_t> extent_of(const std::string& name) {
  std::ifstream file(model_of(name));
  std::size_t lines = 0, longest = 0;
  for (std::string line; std::getline(file, line); ++lines) longest = std::max(longest, line.size());
  return {lines, longest};
}

constexpr double tolerance = 1e-12;

TEST(jansen_leg, walks_as_the_one_by_hand) {
  const Results by_hand = run_by_hand("jansen_leg"), r = run_example("jansen_leg");
  for (const char* channel :
       {"toe.x", "toe.y", "toe.vx", "toe.vy", "toe.ax", "toe.ay", "motor.on_crank.m", "upper.angle"})
    EXPECT_LT(difference(by_hand, channel, r, channel), tolerance) << channel;
  const auto [lines, longest] = extent_of("jansen_leg");
  EXPECT_LE(lines, 26u);
  EXPECT_LE(longest, 120u);
}

TEST(stewart_platform, is_held_by_the_forces_of_the_one_by_hand) {
  const Results by_hand = run_by_hand("stewart_platform"),
                r = run_example("stewart_platform", {"parameters.m_leg=0"});
  for (const char* channel : {"platform.x", "platform.y", "platform.z", "platform.vx", "platform.az"})
    EXPECT_LT(difference(by_hand, channel, r, channel), tolerance) << channel;
  for (int k = 1; k <= 6; ++k)
    for (const char* axis : {"fx", "fy", "fz"}) {
      const std::string leg = "leg" + std::to_string(k) + ".on_";
      EXPECT_LT(difference(by_hand, leg + "ground." + axis, r, leg + "barrel" + std::to_string(k) + "." + axis),
                tolerance)
          << leg << axis;
    }
  const auto [lines, longest] = extent_of("stewart_platform");
  EXPECT_LE(lines, 70u);
  EXPECT_LE(longest, 120u);
}
}  // namespace
}  // namespace mubody::testing
