// Simulations that are stepped together by compiled code, against one that is stepped by the library.
#include <array>
#include <cmath>

#include "mubody/compiled/compiled_batch.h"
#include "mubody/simulation/simulation.h"
#include "tests/example.h"

namespace mubody::testing {
namespace {
constexpr const char* cart_pole = R"(name = "cart pole"
gravity = [0, -9.81]
[bodies]
cart = {mass = 1, inertia = 1}
pole = {mass = 0.1, inertia = 0.00833, angle = 0.1, position = [-0.04991670832341408, 0.49750208263901284]}
[joints]
rail = {type = "translational", bodies = ["ground", "cart"], at = [0, 0], axis = [1, 0]}
pin = {type = "revolute", bodies = ["cart", "pole"], i = [0, 0], j = [0, -0.5]}
[inputs]
push = {unit = "N"}
[forces]
motor = {type = "force", body = "cart", force = ["= push", 0]}
[analysis]
end = 1
integrator = "rk4"
step = 1e-3
)";
constexpr int count = 3;
constexpr std::array<double, count> pushes{0, 1, -2};

Study study() { return io::read_study_text(cart_pole, "cart_pole.toml"); }
const std::vector<std::string> outputs{"rail.slide", "pin.angle", "pin.angle_rate"};

TEST(batch, goes_as_single_simulations_do) {
  const BatchCode code = batch_code(study(), {"push"}, outputs);
  ASSERT_EQ(code.asked, 1u);
  ASSERT_EQ(code.outputs, outputs);
  const auto batch = io::compiled_batch(code, count);
  for (int k = 0; k < 20; ++k) batch->advance({pushes.data()}, 1e-3, 10);
  for (int k = 0; k < count; ++k) {
    Simulation alone(study());
    alone[alone.input("push")] = pushes[std::size_t(k)];
    ASSERT_TRUE(alone.advance_to(0.2));
    for (std::size_t n = 0; n < outputs.size(); ++n)
      EXPECT_NEAR(batch->outputs()[std::size_t(k) * outputs.size() + n], alone[alone.output(outputs[n])], 1e-11)
          << "simulation " << k << ", " << outputs[n];
    EXPECT_NEAR(batch->times()[std::size_t(k)], 0.2, 1e-14);
  }
}
TEST(batch, takes_floats_and_goes_back_to_the_start) {
  const auto batch = io::compiled_batch(batch_code(study(), {"push"}, outputs), count);
  const std::vector<double> start(batch->outputs(), batch->outputs() + 9);
  const std::array<float, count> small{0, 1, -2};
  batch->advance({small.data(), true}, 1e-3, 100);
  const std::vector<double> moved(batch->outputs(), batch->outputs() + 9);
  EXPECT_NE(moved[3], start[3]);
  batch->reset_marked({0, 1, 0});
  for (std::size_t n = 0; n < 9; ++n) EXPECT_EQ(batch->outputs()[n], n / 3 == 1 ? start[n] : moved[n]) << n;
  EXPECT_EQ(batch->times()[1], 0);
}
TEST(batch, marks_what_has_failed) {
  const auto batch = io::compiled_batch(batch_code(study(), {"push"}, outputs), count);
  const std::array<double, count> wild{0, NAN, 0};
  batch->advance({wild.data()}, 1e-3, 1);
  EXPECT_EQ(batch->codes(), (std::vector<int>{0, 1, 0}));
  EXPECT_TRUE(std::isnan(batch->outputs()[3]));
  EXPECT_FALSE(std::isnan(batch->outputs()[0]));
  batch->reset(nullptr);
  EXPECT_EQ(batch->codes(), (std::vector<int>{0, 0, 0}));
}
}  // namespace
}  // namespace mubody::testing
