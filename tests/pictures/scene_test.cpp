// The shapes of a mechanism.
#include "mubody/picture/scene.h"

#include <nlohmann/json.hpp>

#include "mubody/forces/spring.h"
#include "mubody/joints/distance.h"
#include "mubody/joints/gear.h"
#include "mubody/joints/translational.h"
#include "mubody/picture/outline.h"
#include "mubody/system/registry.h"
#include "tests/models.h"
#include "tests/pictures/picture.h"

namespace mubody {
namespace testing {
namespace {
// Any element that draws itself as a journal in a bearing is shown as one.
struct LooseBearing {
  static constexpr Info info{"loose_bearing", "a journal in a bearing"};
  Marker i, j;
  double bearing_radius = 0.011, journal_radius = 0.01;
  void fields(Fields& f) {
    f.required("i", i, "m", "centre of the bearing");
    f.required("j", j, "m", "centre of the journal");
    f.required("bearing_radius", bearing_radius, "m", "of the bearing");
    f.required("journal_radius", journal_radius, "m", "of the journal");
  }
  void draw(Sketch& s) const { s.round_inside(bearing_radius, journal_radius); }
  template <class F, class G, class N, class S> void apply(const F&, const G&, const N&, S&) const {}
};
}  // namespace
}  // namespace testing

// It is only drawn: there are no equations of it, which mubody/own_elements.h would take long to compile.
template <> const ForceEntry& force_entry<testing::LooseBearing>() {
  static const ForceEntry entry{testing::LooseBearing::info, {}, {}, {}, {}};
  return entry;
}
}  // namespace mubody

namespace mubody::testing {
namespace {
using io::Scene;
using io::Shape;
using Type = Shape::Type;

std::vector<Shape> of_type(const std::vector<Shape>& shapes, Type type) {
  std::vector<Shape> found;
  for (const Shape& s : shapes)
    if (s.type == type) found.push_back(s);
  return found;
}

TEST(scene, draws_links_between_pins) {
  const Scene scene = io::scene_of(four_bar());
  EXPECT_EQ(scene.dim, 2);
  ASSERT_EQ(scene.bodies.size(), 3u);
  const double lengths[] = {2, 4, 4};
  for (std::size_t k = 0; k < 3; ++k) {
    const std::vector<Shape> links = of_type(scene.bodies[k].shapes, Type::link);
    ASSERT_EQ(links.size(), 1u);
    EXPECT_DOUBLE_EQ((links[0].points[0] - links[0].points[1]).norm(), lengths[k]);
  }
  const std::vector<Shape> supports = of_type(scene.ground, Type::ground);
  ASSERT_EQ(supports.size(), 2u);
  EXPECT_EQ(supports[0].at, Vec<3>(0, 0, 0));
  EXPECT_EQ(supports[1].at, Vec<3>(2.5, 0, 0));
}

TEST(scene, is_json) {
  const auto json = nlohmann::json::parse(io::scene_json(io::scene_of(four_bar())).dump());
  EXPECT_EQ(json["dim"], 2);
  EXPECT_EQ(json["bodies"][1]["name"], "coupler");
  EXPECT_EQ(json["bodies"][1]["shapes"][0]["type"], "link");
  EXPECT_EQ(json["bodies"][1]["shapes"][0]["points"][1].size(), 3u);
  EXPECT_EQ(json["joints"][1]["name"], "B");
  EXPECT_EQ(json["joints"][1]["type"], "revolute");
  EXPECT_EQ(json["joints"][1]["i"]["body"], 1);
  EXPECT_EQ(json["joints"][1]["j"]["body"], 2);
}

TEST(scene, draws_gears_as_discs_and_rings_hollow) {
  Mechanism m;
  m.bodies = {body("sun", 1, 1, 0, 0, 0), body("ring", 1, 1, 1, 0, 0)};
  Gear gear;
  gear.i = marker(1, 0, 0), gear.j = marker(2, 0, 0);
  gear.radius_i = 2, gear.radius_j = -3;
  m.add_joint("mesh", gear);
  const Scene scene = io::scene_of(m);
  ASSERT_EQ(scene.bodies[0].shapes.size(), 1u);
  EXPECT_EQ(scene.bodies[0].shapes[0].type, Type::disc);
  EXPECT_EQ(scene.bodies[0].shapes[0].radius, 2);
  EXPECT_FALSE(scene.bodies[0].shapes[0].hollow);
  EXPECT_EQ(scene.bodies[1].shapes[0].radius, 3);
  EXPECT_TRUE(scene.bodies[1].shapes[0].hollow);
}

TEST(scene, draws_sliders_on_guides_whichever_body_comes_first) {
  for (const bool swapped : {false, true}) {
    Mechanism m;
    m.bodies = {body("block", 1, 1, 0.5, 0, 0)};
    Translational guide;
    guide.i = swapped ? marker(1, 0, 0) : marker(ground, 0, 0);
    guide.j = swapped ? marker(ground, 0, 0) : marker(1, 0, 0);
    m.add_joint("guide", guide);
    Scene scene = io::scene_of(m);
    EXPECT_EQ(of_type(scene.ground, Type::guide).size(), 1u);
    EXPECT_EQ(of_type(scene.bodies[0].shapes, Type::box).size(), 1u);

    // The guide becomes as long as the travel of the block, which goes from 0.5 m to 2.5 m.
    io::Playback motion = io::start_of(m);
    motion.times.push_back(1);
    motion.poses.push_back(motion.poses[0]);
    motion.poses[1][1].at.x() = 2.5;
    io::fit_guides(scene, motion);
    const Shape fitted = of_type(scene.ground, Type::guide)[0];
    EXPECT_NEAR(fitted.at.x(), 1.5, 1e-12);
    EXPECT_GT(fitted.length, 2);
  }
}

TEST(scene, floors_lie_under_the_whole_motion) {
  const Filmed f = film("rolling_disc", {});
  const std::vector<Shape> floors = of_type(f.scene.ground, Type::box);
  ASSERT_EQ(floors.size(), 1u);
  // The centre of the disc goes round a circle of 1 m.
  EXPECT_LT((floors[0].at - Vec<3>(0, 0, 0)).norm(), 0.05);
  EXPECT_GT(floors[0].size.x(), 2);
  EXPECT_GT(floors[0].size.y(), 2);
}

TEST(scene, draws_what_an_element_sketches) {
  Mechanism m;
  m.bodies = {body("shaft", 1, 1, 0.0005, 0, 0)};
  LooseBearing bearing;
  bearing.j = marker(1, 0, 0);
  m.forces.push_back({"bearing", {}, std::make_unique<ForceOf<LooseBearing>>(bearing)});
  const Scene scene = io::scene_of(m);
  ASSERT_EQ(of_type(scene.ground, Type::disc).size(), 1u);
  EXPECT_EQ(scene.ground[0].radius, 0.011);
  EXPECT_TRUE(scene.ground[0].hollow);
  ASSERT_EQ(of_type(scene.bodies[0].shapes, Type::disc).size(), 1u);
  EXPECT_EQ(scene.bodies[0].shapes[0].radius, 0.01);
  EXPECT_FALSE(scene.bodies[0].shapes[0].hollow);
}

Study contact_study(const std::string& bodies, const std::string& forces) {
  return io::read_study_text(bodies + "\n[forces]\n" + forces + "\n[analysis]\nend = 0.5\n", "test.toml");
}

TEST(scene, draws_balls_in_space_on_a_plane_and_on_each_other) {
  const Study study = contact_study(
      R"(gravity = [0, 0, -9.81]
[bodies]
a = {mass = 1, inertia = [1, 1, 1], position = [0, 0, 0.1]}
b = {mass = 1, inertia = [1, 1, 1], position = [0.5, 0, 0.1]})",
      R"(f = {type = "plane_contact", bodies = ["ground", "a"], i = {at = [0, 0, 0], axis = [0, 0, 1]}, radius = 0.1}
s = {type = "sphere_contact", bodies = ["a", "b"], i = [0, 0, 0], j = [0, 0, 0], radius_i = 0.1, radius_j = 0.2})");
  const Scene scene = io::scene_of(study.mechanism);
  ASSERT_EQ(of_type(scene.bodies[0].shapes, Type::sphere).size(), 1u);
  EXPECT_EQ(of_type(scene.bodies[0].shapes, Type::sphere)[0].radius, 0.1);
  EXPECT_EQ(of_type(scene.bodies[1].shapes, Type::sphere)[0].radius, 0.2);
  EXPECT_TRUE(of_type(scene.bodies[0].shapes, Type::disc).empty());
  ASSERT_EQ(scene.ground.size(), 1u);
  EXPECT_TRUE(io::is_floor(scene.ground[0]));
}

// The flat of a block is as long as the travel of the ball along it while the ball is near.
TEST(scene, flats_reach_as_far_as_what_rolls_on_them) {
  const Study study = contact_study(
      R"(gravity = [0, 0]
[bodies]
block = {mass = 1, inertia = 1, position = [0, 0]}
ball = {mass = 1, inertia = 1, position = [-1, 0.1], velocity = [4, 0]})",
      R"(c = {type = "line_contact", bodies = ["block", "ball"], i = {at = [0, 0], axis = [1, 0]}, j = [0, 0], radius = 0.1})");
  const Results results = run(study);
  Scene scene = io::scene_of(study.mechanism);
  io::fit_guides(scene, io::playback_of(study.mechanism, *results.find("bodies")));
  const std::vector<Shape> boxes = of_type(scene.bodies[0].shapes, Type::box);
  ASSERT_EQ(boxes.size(), 1u);
  EXPECT_NEAR(boxes[0].size.x(), 2 + 2 * 0.3 / 4, 1e-6);
  EXPECT_NEAR(boxes[0].at.x(), 0, 1e-6);
}

TEST(scene, tells_springs_from_dampers) {
  Mechanism m;
  m.bodies = {body("mass", 1, 1, 1, 0, 0)};
  Spring spring;
  spring.j = marker(1, 0, 0);
  spring.stiffness = 10;
  m.add_force("spring", spring);
  spring.stiffness = 0, spring.damping = 3;
  m.add_force("damper", spring);
  const Scene scene = io::scene_of(m);
  ASSERT_EQ(scene.ties.size(), 2u);
  EXPECT_EQ(scene.ties[0].kind, Sketch::Tie::spring);
  EXPECT_EQ(scene.ties[1].kind, Sketch::Tie::damper);
}

TEST(scene, shows_a_rod_without_function_and_a_cylinder_with_one) {
  Mechanism m;
  m.bodies = {body("mass", 1, 1, 2, 0, 0)};
  Distance distance;
  distance.j = marker(1, 0, 0);
  m.joints.push_back({"link", {}, std::make_unique<JointOf<Distance>>(distance), false});
  distance.length = Function(Written{"2 + 0.5*sin(t)"});
  m.joints.push_back({"piston", {}, std::make_unique<JointOf<Distance>>(distance), true});
  Scene scene = io::scene_of(m);
  ASSERT_EQ(scene.ties.size(), 2u);
  EXPECT_EQ(scene.ties[0].kind, Sketch::Tie::rod);
  EXPECT_EQ(scene.ties[1].kind, Sketch::Tie::cylinder);
  EXPECT_TRUE(scene.ties[1].driver);
  // Its ends have pins, and the ground a support.
  EXPECT_EQ(of_type(scene.bodies[0].shapes, Type::pin).size(), 2u);
  EXPECT_EQ(of_type(scene.ground, Type::ground).size(), 1u);

  // The barrel is shorter than the cylinder ever is; a rod that fits into it needs no tube.
  io::Playback motion = io::start_of(m);
  const auto reach = [&](double x) {
    motion.times.push_back(motion.times.back() + 1);
    motion.poses.push_back(motion.poses[0]);
    motion.poses.back()[1].at.x() = x;
  };
  reach(1.5), reach(2.5);
  io::fit_guides(scene, motion);
  const io::SceneTie piston = scene.ties[1];
  EXPECT_GT(piston.barrel, 0.5 * 1.5);
  EXPECT_LT(piston.barrel, 1.5);
  EXPECT_TRUE(piston.telescopic);
  EXPECT_DOUBLE_EQ(piston.tube_end(2.5), (piston.barrel + 2.5) / 2);
  motion.times.resize(2), motion.poses.resize(2);
  io::fit_guides(scene, motion);
  EXPECT_FALSE(scene.ties[1].telescopic) << "from 1.5 m to 2 m one rod will do";

  const auto json = nlohmann::json::parse(io::scene_json(scene).dump());
  EXPECT_EQ(json["ties"][0]["kind"], "rod");
  EXPECT_EQ(json["ties"][1]["kind"], "cylinder");
  EXPECT_EQ(json["ties"][1]["barrel"], scene.ties[1].barrel);
}

// The scene of every element, present or future, has finite numbers and a shape for the body.
template <class Entries, class Add> void draw_all(const Entries& entries, const Add& add) {
  for (const auto& entry : entries)
    for (const int dim : {2, 3}) {
      if (!entry.in(dim)) continue;
      Mechanism m;
      m.dim = dim;
      m.bodies = {body("one", 1, 1, 1, 2, 0.3), body("two", 1, 1, 3, 1, 0.7)};
      auto element = entry.make();
      element->i() = marker(1, 0.5, 0.1), element->j() = marker(2, -0.5, 0.2);
      add(m, std::move(element));
      const Scene scene = io::scene_of(m);
      const std::string json = io::scene_json(scene).dump();
      EXPECT_EQ(json.find("null"), json.npos) << entry.info.name << ": " << json;
      for (const io::SceneBody& b : scene.bodies)
        EXPECT_FALSE(b.shapes.empty()) << entry.info.name << " " << dim;
      const std::string svg = io::draw_scene(scene, io::start_of(m), {});
      EXPECT_FALSE(tags_of(svg).empty()) << entry.info.name;
    }
}

TEST(scene, draws_every_joint) {
  draw_all(joint_kinds(), [](Mechanism& m, std::unique_ptr<AnyJoint> joint) {
    m.joints.push_back({"element", {}, Box<AnyJoint>(std::move(joint))});
  });
}

TEST(scene, draws_every_force) {
  draw_all(force_kinds(), [](Mechanism& m, std::unique_ptr<AnyForce> force) {
    m.forces.push_back({"element", {}, Box<AnyForce>(std::move(force))});
  });
}

TEST(outline, goes_round_the_outermost_points) {
  const std::vector<Vec<3>> points{{0, 0, 1}, {2, 2, 1}, {2, 0, 1}, {1, 1, 1}, {0, 2, 1}, {1, 0, 1}};
  const std::vector<Vec<3>> corners = io::around(points);
  ASSERT_EQ(corners.size(), 4u);  // neither the middle nor the point on an edge
  double area = 0;
  for (std::size_t k = 1; k + 1 < 4; ++k)
    area += (corners[k] - corners[0]).cross(corners[k + 1] - corners[0]).norm() / 2;
  EXPECT_DOUBLE_EQ(area, 4);
  EXPECT_TRUE(io::are_in_plane(points, 1e-12));
}

TEST(outline, knows_lines_and_solids) {
  const std::vector<Vec<3>> line{{0, 0, 0}, {1, 1, 1}, {3, 3, 3}};
  const auto [a, b] = io::farthest_pair(line);
  EXPECT_EQ(a, 0u);
  EXPECT_EQ(b, 2u);
  EXPECT_TRUE(io::are_on_line(line, a, b, 1e-12));
  EXPECT_FALSE(io::are_in_plane({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 1e-3));
}

constexpr const char* rod = R"(
gravity = [0, -9.81]
[bodies]
rod = {mass = 1, inertia = 1, position = [0.5, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0]}
[look]
)";

TEST(look, is_read) {
  const Study study = io::read_study_text(
      std::string(rod) + "rod = {shape = \"disc\", colour = \"#f80\", size = \"20 cm\"}", "m.toml");
  const Scene scene = io::scene_of(study.mechanism, study.looks);
  EXPECT_EQ(scene.bodies[0].colour, "#ff8800");
  ASSERT_EQ(of_type(scene.bodies[0].shapes, Type::disc).size(), 1u);
  EXPECT_DOUBLE_EQ(scene.bodies[0].shapes[0].radius, 0.2);
}

TEST(look, changes_nothing_else) {
  const Study with = io::read_study_text(std::string(rod) + "rod = {shape = \"none\"}", "m.toml");
  EXPECT_TRUE(of_type(io::scene_of(with.mechanism, with.looks).bodies[0].shapes, Type::link).empty());
  EXPECT_EQ(with.mechanism.bodies.size(), 1u);
}

TEST(look, tells_what_is_wrong) {
  const auto message = [](const std::string& line) {
    try {
      io::read_study_text(rod + line, "m.toml");
    } catch (const ModelError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const auto expect = [&](const std::string& line, const std::string& part) {
    EXPECT_NE(message(line).find(part), std::string::npos) << message(line);
    EXPECT_EQ(message(line).rfind("m.toml:8:", 0), 0u) << message(line);
  };
  expect("rid = {}", "there is no such body; did you mean 'rod'?");
  expect("rod = {color = \"red\"}", "did you mean 'colour'?");
  expect("rod = {colour = \"reddish\"}", "expected a colour as in \"#2f6fb3\"");
  expect("rod = {size = -1}", "must be positive");
  expect("rod = {shape = \"cone\"}", "cone");
  expect("rod = 3", "expected a table");
}
}  // namespace
}  // namespace mubody::testing
