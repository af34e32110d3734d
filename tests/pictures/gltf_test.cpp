// Animations: the file follows the specification of glTF 2.0, and its keyframes are the results.
#include <cmath>
#include <cstring>

#include <nlohmann/json.hpp>

#include "mubody/picture/mesh.h"
#include "mubody/picture/write_gltf.h"
#include "tests/models.h"
#include "tests/pictures/picture.h"

namespace mubody::testing {
namespace {
using Json = nlohmann::json;

struct Glb {
  Json json;
  std::string binary;

  explicit Glb(const std::string& bytes) {
    const auto word = [&](std::size_t at) {
      std::uint32_t value = 0;
      std::memcpy(&value, bytes.data() + at, 4);
      return value;
    };
    EXPECT_EQ(bytes.substr(0, 4), "glTF");
    EXPECT_EQ(word(4), 2u);
    EXPECT_EQ(word(8), bytes.size());
    const std::size_t json_size = word(12);
    EXPECT_EQ(bytes.substr(16, 4), "JSON");
    EXPECT_EQ(json_size % 4, 0u);
    json = Json::parse(bytes.substr(20, json_size));
    const std::size_t next = 20 + json_size;
    EXPECT_EQ(word(next) % 4, 0u);
    EXPECT_EQ(bytes.substr(next + 4, 4), std::string("BIN\0", 4));
    binary = bytes.substr(next + 8);
    EXPECT_EQ(binary.size(), word(next));
    EXPECT_EQ(json["buffers"][0]["byteLength"], binary.size());
  }

  std::vector<float> floats(int accessor) const {
    const Json& a = json["accessors"][accessor];
    EXPECT_EQ(a["componentType"], 5126);
    const Json& view = json["bufferViews"][int(a["bufferView"])];
    const std::size_t width = a["type"] == "SCALAR" ? 1 : a["type"] == "VEC3" ? 3 : 4;
    std::vector<float> values(width * a["count"].get<std::size_t>());
    EXPECT_EQ(view["byteLength"], values.size() * 4);
    EXPECT_EQ(std::size_t(view["byteOffset"]) % 4, 0u);
    std::memcpy(values.data(), binary.data() + std::size_t(view["byteOffset"]), values.size() * 4);
    return values;
  }
  std::vector<std::uint32_t> indices(int accessor) const {
    const Json& a = json["accessors"][accessor];
    EXPECT_EQ(a["componentType"], 5125);
    std::vector<std::uint32_t> values;
    values.resize(a["count"].get<std::size_t>());
    const Json& view = json["bufferViews"][int(a["bufferView"])];
    std::memcpy(values.data(), binary.data() + std::size_t(view["byteOffset"]), values.size() * 4);
    return values;
  }
  int node(const std::string& name) const {
    for (std::size_t k = 0; k < json["nodes"].size(); ++k)
      if (json["nodes"][k]["name"] == name) return int(k);
    return -1;
  }
  /// Times and values of a property of a node.
  std::pair<std::vector<float>, std::vector<float>> keys(int node, const std::string& path) const {
    for (const Json& c : json["animations"][0]["channels"])
      if (c["target"]["node"] == node && c["target"]["path"] == path) {
        const Json& s = json["animations"][0]["samplers"][int(c["sampler"])];
        return {floats(s["input"]), floats(s["output"])};
      }
    ADD_FAILURE() << "no keyframes of " << path;
    return {};
  }
};

// Every index is within its vertices, limits are as stated, normals have length one.
void expect_sound(const Glb& glb) {
  for (const Json& mesh : glb.json["meshes"])
    for (const Json& p : mesh["primitives"]) {
      const std::vector<float> points = glb.floats(p["attributes"]["POSITION"]);
      const std::vector<float> normals = glb.floats(p["attributes"]["NORMAL"]);
      ASSERT_EQ(points.size(), normals.size());
      for (const std::uint32_t k : glb.indices(p["indices"])) ASSERT_LT(3 * k + 2, points.size());
      EXPECT_EQ(glb.indices(p["indices"]).size() % 3, 0u);
      for (std::size_t k = 0; k < normals.size(); k += 3)
        ASSERT_NEAR(std::hypot(normals[k], normals[k + 1], normals[k + 2]), 1, 1e-5);
      const Json& a = glb.json["accessors"][int(p["attributes"]["POSITION"])];
      for (std::size_t c = 0; c < 3; ++c) {
        float low = INFINITY, high = -INFINITY;
        for (std::size_t k = c; k < points.size(); k += 3)
          low = std::min(low, points[k]), high = std::max(high, points[k]);
        EXPECT_EQ(float(a["min"][c]), low);
        EXPECT_EQ(float(a["max"][c]), high);
      }
      EXPECT_LT(int(p["material"]), int(glb.json["materials"].size()));
    }
}

TEST(gltf, has_the_results_as_keyframes) {
  const Filmed f = film("four_bar", {"analysis.end=2"});
  const Glb glb(io::gltf_of(f.scene, f.motion, "four-bar", f.study.mechanism.gravity));
  expect_sound(glb);
  const Table& bodies = *f.results.find("bodies");
  for (const std::string name : {"crank", "coupler", "follower"}) {
    const int node = glb.node(name);
    ASSERT_GE(node, 0);
    const auto [times, places] = glb.keys(node, "translation");
    const auto [unused, turns] = glb.keys(node, "rotation");
    ASSERT_EQ(times.size(), bodies.rows());
    for (const std::size_t row : {0u, 37u, 100u, 200u}) {
      const auto value = [&](const char* q) { return bodies.at(row, std::size_t(bodies.find(name + q))); };
      EXPECT_FLOAT_EQ(times[row], float(bodies.at(row, 0)));
      EXPECT_NEAR(places[3 * row], value(".x"), 1e-6);
      EXPECT_NEAR(places[3 * row + 1], value(".y"), 1e-6);
      // A turn about z by the angle; q and -q are the same turn.
      const double z = turns[4 * row + 2], w = turns[4 * row + 3];
      EXPECT_NEAR(std::remainder(2 * std::atan2(z, w) - value(".angle"), 2 * pi), 0, 2e-6);
      EXPECT_EQ(turns[4 * row], 0);
    }
    // A player must not go the long way round.
    for (std::size_t k = 4; k < turns.size(); ++k) ASSERT_LT(std::abs(turns[k] - turns[k - 4]), 0.5);
  }
}

TEST(gltf, stands_upright) {
  const Filmed f = film("rolling_disc", {"analysis.end=0.5"});
  const Glb glb(io::gltf_of(f.scene, f.motion, "disc", f.study.mechanism.gravity));
  expect_sound(glb);
  const Json& scene = glb.json["scenes"][0];
  const Json& q = glb.json["nodes"][int(scene["nodes"][0])]["rotation"];
  const Quaternion turn(q[3], q[0], q[1], q[2]);
  EXPECT_LT((turn * Vec<3>::UnitZ() - Vec<3>::UnitY()).norm(), 1e-12);
}

TEST(gltf, stretches_springs) {
  const Filmed f = film("spring_mass_damper", {"analysis.end=1"});
  const Glb glb(io::gltf_of(f.scene, f.motion, "spring", f.study.mechanism.gravity));
  expect_sound(glb);
  const auto [times, sizes] = glb.keys(glb.node("spring"), "scale");
  const std::vector<double> length = f.results.column("mass.x");
  for (std::size_t row = 0; row < times.size(); row += 20)
    EXPECT_NEAR(sizes[3 * row + 2], length[row], 1e-6);  // its other end is at the origin
}

// A leg whose length follows a function: its barrel keeps its length, and the rod reaches the other end.
TEST(gltf, moves_the_rod_of_a_cylinder) {
  const Study study = io::read_study_text(R"(gravity = [0, 0]
[bodies]
mass = {mass = 1, inertia = 1, position = [1, 0]}
[joints]
guide = {type = "translational", bodies = ["ground", "mass"], at = [0, 0], axis = [1, 0]}
[drivers]
leg = {type = "distance", bodies = ["ground", "mass"], i = [0, 0], j = [0, 0], length = "= 1 + sin(t)/5"}
[analysis]
type = "kinematic"
end = 6
[output]
step = 0.1
)",
                                          "leg.toml");
  const Results results = run(study);
  io::Scene scene = io::scene_of(study.mechanism);
  const io::Playback motion = io::playback_of(study.mechanism, *results.find("bodies"));
  io::fit_guides(scene, motion);
  const Glb glb(io::gltf_of(scene, motion, "leg", study.mechanism.gravity));
  expect_sound(glb);
  const std::vector<double> length = results.column("mass.x");
  const auto [times, sizes] = glb.keys(glb.node("leg rod"), "scale");
  for (std::size_t row = 0; row < times.size(); ++row) EXPECT_NEAR(sizes[3 * row + 2], length[row], 1e-6);
  const Json& barrel = glb.json["nodes"][glb.node("leg")];
  EXPECT_NEAR(double(barrel["scale"][2]), scene.ties[0].barrel, 1e-6);
  EXPECT_LT(scene.ties[0].barrel, 0.8);
}

TEST(gltf, is_written_for_all_examples) {
  for (const char* name :
       {"andrews", "bricard", "cardan_shaft", "iltis_suspension", "quick_return", "tumbling_body"}) {
    const Filmed f = film(name, {"analysis.type='assembly'", "analysis.end=0", "output.step=1"});
    const Glb glb(io::gltf_of(f.scene, f.motion, name, f.study.mechanism.gravity));
    expect_sound(glb);
    EXPECT_FALSE(glb.json.contains("animations")) << "nothing moves in one row";
    EXPECT_EQ(glb.json["asset"]["version"], "2.0");
  }
}

TEST(gltf, takes_evenly_from_very_many_rows) {
  io::Playback motion;
  for (int k = 0; k <= 10000; ++k) {
    Pose p;
    p.at.x() = k;
    motion.times.push_back(k * 0.001);
    motion.poses.push_back({Pose{}, p});
  }
  Mechanism m;
  m.bodies = {body("only", 1, 1, 0, 0, 0)};
  const Glb glb(io::gltf_of(io::scene_of(m), motion, "long", m.gravity, 101));
  const auto [times, places] = glb.keys(glb.node("only"), "translation");
  ASSERT_EQ(times.size(), 101u);
  EXPECT_FLOAT_EQ(times.back(), 10);
  EXPECT_EQ(places[3 * 50], 5000);
}

// Divergence theorem: a closed surface that faces outwards has the volume of the solid.
double volume(const io::Mesh& mesh) {
  double v = 0;
  for (std::size_t k = 0; k < mesh.indices.size(); k += 3) {
    const Vec<3>&a = mesh.points[mesh.indices[k]], &b = mesh.points[mesh.indices[k + 1]],
          &c = mesh.points[mesh.indices[k + 2]];
    v += a.dot(b.cross(c)) / 6;
  }
  return v;
}

TEST(mesh, encloses_its_volume) {
  const auto regular = [&](int n, double r) {
    return n / 2.0 * r * r * std::sin(2 * pi / n);
  };  // area of an n-gon
  io::Mesh box, cylinder, plate, sphere, ring;
  box.add_box({1, 2, 3}, {0, 1, 0}, {0, 0, 1}, {2, 3, 4});
  EXPECT_NEAR(volume(box), 24, 1e-12);
  cylinder.add_cylinder({0, 0, 1}, {3, 4, 1}, 0.5, 24);
  EXPECT_NEAR(volume(cylinder), 5 * regular(24, 0.5), 1e-12);
  for (const bool reversed : {false, true}) {
    std::vector<Vec<3>> corners{{0, 0, 0}, {4, 0, 0}, {0, 3, 0}};
    if (reversed) std::swap(corners[1], corners[2]);
    plate = {};
    plate.add_plate(corners, 0.1);
    EXPECT_NEAR(volume(plate), 0.6, 1e-12);
  }
  ring.add_ring({1, 1, 1}, {0, 1, 0}, 2, 3, 0.5, 48);
  EXPECT_NEAR(volume(ring), 0.5 * (regular(48, 3) - regular(48, 2)), 1e-12);
  sphere.add_sphere({1, 0, 0}, 1, 40);
  EXPECT_NEAR(volume(sphere), 4 * pi / 3, 0.02);
  EXPECT_LT(volume(sphere), 4 * pi / 3);
}
}  // namespace
}  // namespace mubody::testing
