// Bodies of shapes are drawn as what they are: in scenes, pictures, pages and animations.
#include <gtest/gtest.h>

#include "mubody/picture/scene.h"
#include "mubody/reading/read_model.h"

namespace mubody::testing {
namespace {
using io::Scene;
using io::Shape;

Scene scene_of_text(const std::string& text) {
  const Study s = io::read_study_text(text, "model.toml");
  return io::scene_of(s.mechanism, s.looks);
}

std::size_t count_of(const std::vector<Shape>& shapes, Shape::Type type) {
  return std::size_t(std::ranges::count(shapes, type, &Shape::type));
}

const std::string model = R"toml(gravity = [0, -9.81]
[places]
O = [0, 0]
A = [1, 0]
B = [1, 1]
[bodies]
ground = {through = ["O"]}
rod = {through = ["O", "A"], mass = 1}
plate = {through = ["O", "A", "B"], mass = 1}
bar = {shape = "bar", through = ["A", "B"], width = 0.1, thickness = 0.1, mass = 1}
block = {shape = "box", at = "B", length = 0.3, width = 0.2, thickness = 0.1, mass = 1}
[joints]
O = {type = "revolute", bodies = ["ground", "rod", "plate"]}
B = {type = "revolute", bodies = ["bar", "block"]}
guide = {type = "translational", bodies = ["ground", "block"], at = "B", axis = [1, 0]}
)toml";

TEST(solids, are_drawn_in_place_of_outlines) {
  const Scene scene = scene_of_text(model);
  EXPECT_EQ(count_of(scene.bodies[0].shapes, Shape::Type::link), 1u);
  EXPECT_EQ(count_of(scene.bodies[1].shapes, Shape::Type::plate), 1u);
  for (const std::size_t k : {2, 3}) {
    EXPECT_EQ(count_of(scene.bodies[k].shapes, Shape::Type::solid), 1u);
    EXPECT_EQ(count_of(scene.bodies[k].shapes, Shape::Type::link), 0u);
    EXPECT_EQ(count_of(scene.bodies[k].shapes, Shape::Type::box), 0u) << "a box is its own block";
  }
  EXPECT_EQ(count_of(scene.ground, Shape::Type::guide), 1u);
}

TEST(solids, give_way_to_a_look) {
  const Scene scene = scene_of_text(model + "[look]\nbar = {shape = \"link\"}\n");
  EXPECT_EQ(count_of(scene.bodies[2].shapes, Shape::Type::solid), 0u);
  EXPECT_EQ(count_of(scene.bodies[2].shapes, Shape::Type::link), 1u);
}

TEST(solids, reach_pages_with_their_edges) {
  const io::Json json = io::scene_json(scene_of_text(model));
  const std::string text = json.dump();
  EXPECT_NE(text.find("\"solid\""), std::string::npos);
  EXPECT_NE(text.find("\"edges\""), std::string::npos);
}
}  // namespace
}  // namespace mubody::testing
