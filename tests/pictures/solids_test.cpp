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

// Two contacts that know the same outline of a body show it once; an open one is a band on the side of its material.
TEST(solids, are_made_of_outlines_that_touch) {
  const Scene scene = scene_of_text(R"toml(
[bodies]
box = {mass = 1, inertia = 1, position = [0, 1]}
ball = {mass = 1, inertia = 1, position = [0, 2]}
[forces]
floor = {type = "outline_contact", bodies = ["ground", "box"], outline_i = {points = [[-2, 0], [2, 0]], open = true}, outline_j = {points = [[-1, -1], [1, -1], [1, 1], [-1, 1]]}, law = {type = "hertz", stiffness = 1e6}}
top = {type = "outline_contact", bodies = ["box", "ball"], outline_i = {points = [[-1, -1], [1, -1], [1, 1], [-1, 1]]}, outline_j = {disc = 0.3}}
)toml");
  ASSERT_EQ(count_of(scene.ground, Shape::Type::solid), 1u);
  ASSERT_EQ(count_of(scene.bodies[0].shapes, Shape::Type::solid), 1u);
  EXPECT_EQ(count_of(scene.bodies[1].shapes, Shape::Type::disc), 1u);
  double highest = -1;
  for (const Shape& s : scene.ground)
    if (s.surface)
      for (const Vec<3>& p : s.surface->points) highest = std::max(highest, p.y());
  EXPECT_NEAR(highest, 0, 1e-12);
  for (const Shape& s : scene.bodies[0].shapes)
    if (s.surface) EXPECT_NEAR(mass_properties(*s.surface).mass, 4 * 0.02 * scene.size, 1e-9);
}

TEST(solids, are_boxes_capsules_and_cylinders_that_touch) {
  const std::string plane =
      "bodies = [\"ground\", \"a\"], i = {axis = [0, 0, 1]}, law = {type = \"hertz\", stiffness = 1e6}";
  const auto volume = [&](const std::string& force) {
    const Scene scene = scene_of_text(
        "gravity = [0, 0, -9.81]\n[bodies]\na = {mass = 1, inertia = [1, 1, 1]}\n[forces]\nc = {" + plane +
        ", " + force + "}\n");
    EXPECT_EQ(count_of(scene.bodies[0].shapes, Shape::Type::solid), 1u);
    for (const Shape& s : scene.bodies[0].shapes)
      if (s.surface) return mass_properties(*s.surface).mass;
    return 0.0;
  };
  constexpr double pi = 3.141592653589793;
  EXPECT_NEAR(volume("type = \"box_contact\", size = [1, 2, 3]"), 6, 1e-12);
  EXPECT_NEAR(volume("type = \"cylinder_contact\", radius = 0.5, length = 2, along = [1, 1, 0]"), pi / 2, 0.01);
  EXPECT_NEAR(volume("type = \"capsule_contact\", radius = 0.5, length = 2"), pi / 2 + pi / 6, 0.02);
}

TEST(solids, reach_pages_with_their_edges) {
  const io::Json json = io::scene_json(scene_of_text(model));
  const std::string text = json.dump();
  EXPECT_NE(text.find("\"solid\""), std::string::npos);
  EXPECT_NE(text.find("\"edges\""), std::string::npos);
}
}  // namespace
}  // namespace mubody::testing
