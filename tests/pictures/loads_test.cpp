// Arrows of forces: together they must explain how their body accelerates.
#include "mubody/picture/loads.h"

#include <nlohmann/json.hpp>

#include "mubody/picture/playback.h"
#include "tests/pictures/picture.h"

namespace mubody::testing {
namespace {
using io::Load;

/// Evaluates loads as a page does.
class Drawn {
 public:
  explicit Drawn(const std::string& model)
      : study(io::read_study_text(model, "test.toml")), results(run(study)) {
    scene = io::scene_of(study.mechanism);
    loads = io::loads_of(study.mechanism, scene);
    motion = io::playback_of(study.mechanism, *results.find("bodies"));
  }
  bool has(const Load& load) const {
    for (const std::string& part : load.parts)
      if (!part.empty() && results.find("forces")->find(part) >= 0) return true;
    return false;
  }
  double value(const std::string& channel, std::size_t row) const {
    return channel.empty() ? 0 : results.column(channel)[row];
  }
  Vec<3> global(const io::SceneEnd& e, std::size_t row) const { return io::global(motion.poses[row], e); }

  Vec<3> vector(const Load& load, std::size_t row) const {
    Vec<3> v;
    for (int k = 0; k < 3; ++k) v[k] = value(load.parts[std::size_t(k)], row);
    if (load.toward) return load.sign * v[0] * (global(*load.toward, row) - global(load.at, row)).normalized();
    return load.sign * (motion.poses[row][std::size_t(load.axes)].turn * (load.turn * v));
  }
  Vec<3> at(const Load& load, std::size_t row) const {
    if (!load.point[0].empty())
      return {value(load.point[0], row), value(load.point[1], row), value(load.point[2], row)};
    const Vec<3> place = global(load.at, row);
    if (load.from) return place + load.reach * (place - global(*load.from, row)).normalized();
    return place + motion.poses[row][std::size_t(load.shift.body)].turn * load.shift.at;
  }

  Study study;
  Results results;
  io::Scene scene;
  std::vector<Load> loads;
  io::Playback motion;
};

/// Expects the free body b to obey Newton and Euler under the arrows.  `arm`: error of points allowed [m].
void expect_explained(const std::string& model, double arm = 1e-12) {
  const Drawn d(model);
  const Mechanism& m = d.study.mechanism;
  const RigidBody& body = m.bodies[0];
  const std::size_t rows = d.motion.times.size();
  ASSERT_GT(rows, 3u) << d.results.verdict;
  double largest = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    Vec<3> force = body.mass * m.gravity, moment = Vec<3>::Zero();
    const Pose& pose = d.motion.poses[row][1];
    double strength = force.norm();
    for (const Load& load : d.loads) {
      if (load.body != 1 || !d.has(load)) continue;
      const Vec<3> v = d.vector(load, row);
      strength += v.norm();
      if (load.moment) {
        moment += v;
      } else {
        force += v;
        moment += (d.at(load, row) - pose.at).cross(v);
      }
      largest = std::max(largest, v.norm());
    }
    const Vec<3> a(d.value("b.ax", row), d.value("b.ay", row), m.dim == 3 ? d.value("b.az", row) : 0);
    EXPECT_LT((body.mass * a - force).norm(), 1e-9 * (1 + strength)) << "row " << row;
    if (m.dim == 2) {
      EXPECT_NEAR(body.inertia(2, 2) * d.value("b.alpha", row), moment.z(),
                  1e-9 * (1 + strength) + arm * strength)
          << "row " << row;
    } else {
      // The body is a ball, so that I ω̇ = M in any axes.
      const Vec<3> turn(d.value("b.alphax", row), d.value("b.alphay", row), d.value("b.alphaz", row));
      EXPECT_NEAR(body.inertia(0, 0) * turn.norm(), moment.norm(), 1e-9 * (1 + strength) + arm * strength)
          << "row " << row;
    }
  }
  EXPECT_GT(largest, 0.1) << "nothing acted";
}

std::string plane(const std::string& force, const std::string& gravity = "0, 0") {
  return "gravity = [" + gravity + R"(]
[bodies]
b = {mass = 2, inertia = 0.3, position = [0.3, 0.4], angle = 0.2, velocity = [0.5, -1], omega = 3}
[forces]
)" + force +
         "\n[analysis]\nend = 0.1\nrtol = 1e-9\n[output]\nstep = 0.005\n";
}
std::string space(const std::string& force, const std::string& gravity = "0, 0, 0") {
  return "gravity = [" + gravity + R"(]
[bodies]
b = {mass = 2, inertia = [0.3, 0.3, 0.3], position = [0.3, 0.4, 0.5], velocity = [0.5, 0.2, -1], omega = [1, 2, 3]}
[forces]
)" + force +
         "\n[analysis]\nend = 0.1\nrtol = 1e-9\n[output]\nstep = 0.005\n";
}

TEST(loads, of_springs_explain_the_motion) {
  const std::string spring =
      R"(s = {type = "spring", bodies = ["ground", "b"], i = [0, 0ZERO], j = [0.1, 0.05ZERO], stiffness = 300, damping = 4, free_length = 0.2})";
  const auto with = [&](const std::string& zero) {
    std::string text = spring;
    for (std::size_t k; (k = text.find("ZERO")) != text.npos;) text.replace(k, 4, zero);
    return text;
  };
  expect_explained(plane(with("")));
  expect_explained(space(with(", 0")));
  expect_explained(
      plane(R"(t = {type = "torsion_spring", bodies = ["ground", "b"], stiffness = 20, free_angle = -1})"));
  expect_explained(
      plane(R"(t = {type = "torsion_spring", bodies = ["b", "ground"], stiffness = 20, free_angle = -1})"));
}

TEST(loads, of_bushings_explain_the_motion) {
  const std::string ends =
      R"(i = {at = [0.25, 0.45], axis = [0.6, 0.8]}, j = {at = [0.02, 0], axis = [0.6, 0.8]})";
  for (const char* bodies : {R"(["ground", "b"])", R"(["b", "ground"])"})
    expect_explained(plane(std::string("k = {type = \"bushing\", bodies = ") + bodies + ", " + ends +
                           ", stiffness = [300, 900, 5], damping = [3, 2, 0.1]}"));
}

TEST(loads, of_forces_and_moments_explain_the_motion) {
  expect_explained(plane(R"(f = {type = "force", body = "b", at = [0.1, 0.2], force = [3, -4]})"));
  expect_explained(
      plane(R"(f = {type = "force", body = "b", at = [0.1, 0.2], force = [3, -4], axes = "body"})"));
  expect_explained(plane(R"(f = {type = "moment", body = "b", moment = 2.5})"));
  expect_explained(plane(
      R"(f = {type = "time_series", body = "b", point = "global", data = [[0, 1, 2, 0.3, 0.2], [1, 2, 3, 0.4, 0.3], [2, 2, 3, 0.5, 0.3]]})"));
  expect_explained(
      space(R"(f = {type = "force", body = "b", at = [0.1, 0.2, 0.3], force = [3, -4, 5], axes = "body"})"));
  expect_explained(space(R"(f = {type = "torque", body = "b", torque = [1, 2, -3], axes = "body"})"));
  expect_explained(space(R"(f = {type = "moment", body = "b", axis = [0, 0.6, 0.8], moment = 2.5})"));
}

// Contacts act halfway between the surfaces, arrows begin on that of j: the depth is the error of the arm.
TEST(loads, of_contacts_explain_the_motion) {
  const std::string law = R"(, law = {type = "hertz", stiffness = 1e5}, friction = 0.3})";
  const double depth = 0.01;
  expect_explained(
      plane(
          R"(c = {type = "line_contact", bodies = ["ground", "b"], i = {at = [0, 0.19], axis = [1, 0]}, radius = 0.2)" +
              law,
          "0, -9.81"),
      depth);
  expect_explained(
      plane(
          R"(c = {type = "disc_contact", bodies = ["ground", "b"], i = [0, 0], j = [0, 0], radius_i = 0.3, radius_j = 0.19)" +
          law),
      depth);
  expect_explained(
      plane(
          R"(c = {type = "circle_contact", bodies = ["ground", "b"], i = [0.3, 0.45], j = [0, 0], radius_i = 0.2, radius_j = 0.14)" +
          law),
      depth);
  expect_explained(
      space(
          R"(c = {type = "plane_contact", bodies = ["ground", "b"], i = {at = [0, 0, 0.29], axis = [0, 0, 1]}, radius = 0.2)" +
              law,
          "0, 0, -9.81"),
      depth);
  expect_explained(
      space(
          R"(c = {type = "sphere_contact", bodies = ["ground", "b"], i = [0.3, 0.4, 0], j = [0, 0, 0], radius_i = 0.3, radius_j = 0.19)" +
          law),
      depth);
}

TEST(loads, of_bearings_and_tyres_explain_the_motion) {
  expect_explained(
      plane(
          R"(c = {type = "journal_bearing", bodies = ["ground", "b"], i = [0.3, 0.41], j = [0, 0], bearing_radius = 0.1, journal_radius = 0.085, law = {type = "hertz", stiffness = 1e6}})"),
      1e-6);
  expect_explained(plane(
      R"(w = {type = "tyre", bodies = ["ground", "b"], i = {at = [0, 0], axis = [1, 0]}, j = [0, 0], radius = 0.45, stiffness = 1e3, profile = 0})",
      "0, -9.81"));
}

TEST(loads, on_the_ground_are_shown_on_the_other_body) {
  const Drawn d(plane(
      R"(c = {type = "disc_contact", bodies = ["b", "ground"], i = [0, 0], j = [0, 0], radius_i = 0.19, radius_j = 0.3, law = {type = "hertz", stiffness = 1e5}})"));
  ASSERT_EQ(d.loads.size(), 1u);
  EXPECT_EQ(d.loads[0].body, 1);
  EXPECT_EQ(d.loads[0].sign, -1);
  // The arrow begins at the surface of the ground's disc, towards the body.
  const Vec<3> b = d.motion.poses[0][1].at;
  EXPECT_LT((d.at(d.loads[0], 0) - 0.3 * b.normalized()).norm(), 1e-12);
}

TEST(loads, are_json) {
  const Drawn d(plane(
      R"(k = {type = "bushing", bodies = ["ground", "b"], i = {at = [0.3, 0.4], axis = [0, 1]}, j = {at = [0, 0], axis = [0, 1]}, stiffness = [300, 900, 5]})"));
  const auto json = nlohmann::json::parse(io::loads_json(d.loads).dump());
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["moment"], false);
  EXPECT_EQ(json[0]["parts"], (std::vector<std::string>{"k.fx", "k.fy", ""}));
  EXPECT_EQ(json[0]["sign"], -1);
  EXPECT_NEAR(json[0]["axes"]["turn"][3], std::sqrt(0.5), 1e-12);
  EXPECT_EQ(json[1]["moment"], true);
  EXPECT_EQ(json[1]["parts"], (std::vector<std::string>{"", "", "k.mz"}));
}
}  // namespace
}  // namespace mubody::testing
