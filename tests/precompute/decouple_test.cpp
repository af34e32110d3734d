// The order of loops: small patterns, and the suspension with steering of the dissertation.
#include "mubody/precompute/plan/decouple.h"

#include <algorithm>

#include "mubody/precompute/plan/loop_order.h"
#include "tests/precompute/models.h"

namespace mubody::testing {
namespace {
TEST(decouple, orders_a_chain) {
  // p1 follows from p0, p2 from p1, p3 and p4 together from p2.
  MatX J(4, 5);
  J << 0, 0, 1, 2, 1,  //
      0, 0, 0, 1, -1,  //
      3, 1, 0, 0, 0,   //
      0, 2, 1, 0, 0;
  const auto blocks = decouple(J, {0, 0, 1, 2}, {0, 1, 2, 3, 4}, {0});
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[0].variables, std::vector<int>{1});
  EXPECT_EQ(blocks[1].variables, std::vector<int>{2});
  EXPECT_EQ(blocks[1].from, std::vector<int>{1});
  EXPECT_EQ(blocks[2].variables, (std::vector<int>{3, 4}));
  for (const LoopBlock& b : blocks) EXPECT_EQ(b.arguments, std::vector<int>{0});
}

TEST(decouple, leaves_what_has_nothing_to_do_with_each_other_apart) {
  MatX J(2, 4);
  J << 1, 2, 0, 0,  //
      0, 0, 1, 3;
  const auto blocks = decouple(J, {0, 1}, {0, 1, 2, 3}, {0, 2});
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].arguments, std::vector<int>{0});
  EXPECT_EQ(blocks[1].arguments, std::vector<int>{2});
}

TEST(decouple, ignores_rows_that_say_the_same) {
  MatX J(3, 3);
  J << 1, 2, 0,  //
      2, 4, 0,   //
      0, 1, 1;
  const auto blocks = decouple(J, {0, 0, 1}, {0, 1, 2}, {0});
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].variables, std::vector<int>{1});
  EXPECT_EQ(blocks[1].variables, std::vector<int>{2});
}

// Places of the joints from Table 5.8.1 of the dissertation, in inches; kinds of joints as in its fig. 5.8.1, with a universal joint at
// one end of tie rod and strut so that these do not spin.
constexpr const char* suspension = R"(
[bodies]
pitman = {mass = 1, inertia = [1, 1, 1], position = [9.8, 53, 33.2]}
link   = {mass = 1, inertia = [1, 1, 1], position = [0, 50.5, 32.4]}
idler  = {mass = 1, inertia = [1, 1, 1], position = [-9.8, 53, 33.2]}
lower  = {mass = 1, inertia = [1, 1, 1], position = [20, 38, 29]}
upper  = {mass = 1, inertia = [1, 1, 1], position = [23, 42, 39]}
hub    = {mass = 1, inertia = [1, 1, 1], position = [30, 40, 32]}
tie    = {mass = 1, inertia = [1, 1, 1], position = [25, 46, 31]}
tube   = {mass = 1, inertia = [1, 1, 1], position = [19.6, 33.7, 40]}
rod    = {mass = 1, inertia = [1, 1, 1], position = [19.6, 33.7, 32]}
[joints]
R1 = {type = "revolute", bodies = ["ground", "pitman"], at = [9.811, 55.355, 34.039], axis = [0, 1.606, -4.799]}
R2 = {type = "revolute", bodies = ["pitman", "link"], at = [9.811, 50.556, 32.433], axis = [0, 1.606, -4.799]}
R3 = {type = "revolute", bodies = ["link", "idler"], at = [-9.811, 50.556, 32.433], axis = [0, 1.606, -4.799]}
R4 = {type = "revolute", bodies = ["ground", "idler"], at = [-9.811, 55.355, 34.039], axis = [0, 1.606, -4.799]}
LCA = {type = "revolute", bodies = ["ground", "lower"], at = [12.09, 37.78, 30.77], axis = [0, 1, 0]}
UCA = {type = "revolute", bodies = ["ground", "upper"], at = [18.183, 44.0025, 39.435], axis = [1.25, 8.665, -1.93]}
LBJ = {type = "spherical", bodies = ["lower", "hub"], at = [30.965, 39.18, 26.12]}
UBJ = {type = "spherical", bodies = ["upper", "hub"], at = [28.17, 39.868, 39.254]}
inner = {type = "universal", bodies = ["link", "tie"], at = [17.655, 47.635, 32.905], axis = [0, 0, 1], across = [0, 1, 0]}
outer = {type = "spherical", bodies = ["tie", "hub"], at = [32.327, 44.702, 30.127]}
top   = {type = "universal", bodies = ["ground", "tube"], at = [19.598, 33.685, 43.492], axis = [1, 0, 0], across = [0, 1, 0]}
strut = {type = "translational", bodies = ["tube", "rod"], at = [19.598, 33.685, 36.38], axis = [0, 0, 1]}
foot  = {type = "spherical", bodies = ["rod", "lower"], at = [19.598, 33.685, 29.259]}
)";

TEST(decouple, finds_the_order_of_the_suspension_with_steering) {
  const Study study = io::read_study_text(suspension, "suspension.toml");
  Begun b = begin(study, "test");
  ASSERT_EQ(b.results.freedom.usual, 2);
  const std::vector<NamedBlock> blocks = loop_order(*b.system, 0, b.q, {"R1.angle", "strut.slide"});
  const auto block_of = [&](const std::string& variable) -> const NamedBlock& {
    for (const NamedBlock& x : blocks)
      if (std::ranges::find(x.variables, variable) != x.variables.end()) return x;
    ADD_FAILURE() << "no block has " << variable;
    return blocks.front();
  };
  const auto place_of = [&](const std::string& variable) { return &block_of(variable) - blocks.data(); };
  using Names = std::vector<std::string>;
  // Loop 1: the steering from the pitman arm; loop 2: the lower arm from the shock absorber.
  for (const char* name : {"R2.angle", "R3.angle", "R4.angle"})
    EXPECT_EQ(block_of(name).arguments, Names{"R1.angle"}) << name;
  EXPECT_EQ(block_of("LCA.angle").arguments, Names{"strut.slide"});
  // Loop 3: the upper arm from the lower arm alone, whatever the steering does.
  EXPECT_EQ(block_of("UCA.angle").arguments, Names{"strut.slide"});
  EXPECT_EQ(block_of("UCA.angle").from, Names{"LCA.angle"});
  EXPECT_LT(place_of("LCA.angle"), place_of("UCA.angle"));
  // Loop 4: hub and tie rod from both.
  for (const char* name : {"LBJ.wx", "outer.wx"})
    EXPECT_EQ(block_of(name).arguments, (Names{"R1.angle", "strut.slide"})) << name;
  for (const char* before : {"R2.angle", "LCA.angle", "UCA.angle"})
    EXPECT_LT(place_of(before), place_of("LBJ.wx"));
}
}  // namespace
}  // namespace mubody::testing
