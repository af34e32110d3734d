#include "mubody/picture/write_gltf.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "mubody/picture/mesh.h"
#include "mubody/picture/svg.h"
#include "mubody/text/json.h"

namespace mubody::io {
namespace {
using Type = Shape::Type;

// Numbers of the specification.
constexpr int of_float = 5126, of_index = 5125, for_vertices = 34962, for_indices = 34963;
constexpr const char *dark = "#3b4148", *grey = "#8a939e";
constexpr std::uint32_t magic = 0x46546C67, gltf_version = 2, json_chunk = 0x4E4F534A,
                        binary_chunk = 0x004E4942;

// The first member of the description of every animation.
constexpr std::string_view animation_start = R"({"asset":{"version":"2.0","generator":"mubody"})";

template <class T> void append(std::string& bytes, const T& value) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));  // little-endian, as all machines this runs on
  bytes.append(raw, sizeof(T));
}

std::string chunk(std::uint32_t type, std::string data, char padding) {
  while (data.size() % 4 != 0) data += padding;
  std::string bytes;
  append(bytes, std::uint32_t(data.size()));
  append(bytes, type);
  return bytes + data;
}

// Colours are written as they appear (sRGB), but glTF wants amounts of light.
Json linear(const std::string& colour) {
  Json factors = Json::array();
  for (std::size_t k = 0; k < 3; ++k) {
    const double c = std::stoi(colour.substr(1 + 2 * k, 2), nullptr, 16) / 255.0;
    factors.push_back(c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
  }
  factors.push_back(1.0);
  return factors;
}

class Gltf {
 public:
  Gltf(const Scene& scene, const Playback& playback, std::size_t most_keys)
      : scene_(scene), playback_(playback) {
    for (const char* key : {"nodes", "meshes", "materials", "accessors", "bufferViews"})
      json_[key] = Json::array();
    const std::size_t rows = playback.times.size(), count = std::min(rows, std::max<std::size_t>(2, most_keys));
    for (std::size_t k = 0; k < count; ++k)
      rows_.push_back(count == rows || count < 2 ? k : k * (rows - 1) / (count - 1));
    width_ = 0.018 * scene.size;
  }

  std::string write(const std::string& title, const Vec<3>& gravity) {
    Json children = Json::array();
    if (const int mesh = ground_mesh(); mesh >= 0) children.push_back(node("ground", mesh));
    animation_ = Json{{"name", "motion"}, {"samplers", Json::array()}, {"channels", Json::array()}};
    // Time in glTF begins at zero or later.
    if (rows_.size() > 1) {
      std::vector<float> times;
      for (const std::size_t r : rows_) times.push_back(float(playback_.times[r] - playback_.times[0]));
      times_ = accessor(times, 1, "SCALAR", 0, true);
    }
    for (std::size_t k = 0; k < scene_.bodies.size(); ++k) children.push_back(body_node(k));
    for (const SceneTie& t : scene_.ties) add_tie(children, t);

    Json root{{"name", title}, {"children", children}};
    if (scene_.dim == 3) root["rotation"] = upright(gravity);
    json_["nodes"].push_back(root);
    Json all{{"asset", {{"version", "2.0"}, {"generator", "mubody"}}},
             {"scene", 0},
             {"scenes", {{{"name", title}, {"nodes", {json_["nodes"].size() - 1}}}}}};
    for (const auto& [key, value] : json_.members())
      if (!value.empty()) all[key] = value;  // empty lists are not allowed
    if (!animation_["channels"].empty()) all["animations"] = Json::array({animation_});
    while (binary_.size() % 4 != 0) binary_ += '\0';
    all["buffers"] = Json::array({{{"byteLength", binary_.size()}}});

    const std::string body = chunk(json_chunk, all.dump(), ' ') + chunk(binary_chunk, binary_, '\0');
    std::string file;
    append(file, magic);
    append(file, gltf_version);
    append(file, std::uint32_t(12 + body.size()));
    return file + body;
  }

 private:
  // The rotation from the model's vertical to y.
  static Json upright(const Vec<3>& gravity) {
    int axis = 2;
    if (gravity.norm() > 0) gravity.cwiseAbs().maxCoeff(&axis);
    const Quaternion q = turn_between(Vec<3>::Unit(axis), Vec<3>::UnitY());
    return {q.x(), q.y(), q.z(), q.w()};
  }

  int view(const void* data, std::size_t size, int target) {
    while (binary_.size() % 4 != 0) binary_ += '\0';
    Json v{{"buffer", 0}, {"byteOffset", binary_.size()}, {"byteLength", size}};
    if (target != 0) v["target"] = target;
    binary_.append(static_cast<const char*>(data), size);
    json_["bufferViews"].push_back(v);
    return int(json_["bufferViews"].size()) - 1;
  }
  int accessor(const std::vector<float>& values, std::size_t width, const char* type, int target, bool limits) {
    Json a{{"bufferView", view(values.data(), values.size() * sizeof(float), target)},
           {"componentType", of_float},
           {"count", values.size() / width},
           {"type", type}};
    if (limits) {
      std::vector<float> low(values.begin(), values.begin() + std::ptrdiff_t(width)), high = low;
      for (std::size_t k = 0; k < values.size(); ++k) {
        low[k % width] = std::min(low[k % width], values[k]);
        high[k % width] = std::max(high[k % width], values[k]);
      }
      a["min"] = low;
      a["max"] = high;
    }
    json_["accessors"].push_back(a);
    return int(json_["accessors"].size()) - 1;
  }
  static std::vector<float> floats(const std::vector<Vec<3>>& points) {
    std::vector<float> all;
    for (const Vec<3>& p : points)
      for (int k = 0; k < 3; ++k) all.push_back(float(p[k]));
    return all;
  }
  int accessor_of(const std::vector<std::uint32_t>& indices) {
    json_["accessors"].push_back(
        {{"bufferView", view(indices.data(), indices.size() * sizeof(std::uint32_t), for_indices)},
         {"componentType", of_index},
         {"count", indices.size()},
         {"type", "SCALAR"}});
    return int(json_["accessors"].size()) - 1;
  }

  int material(const std::string& colour) {
    for (std::size_t k = 0; k < json_["materials"].size(); ++k)
      if (json_["materials"][k]["name"].text() == colour) return int(k);
    json_["materials"].push_back(
        {{"name", colour},
         {"pbrMetallicRoughness",
          {{"baseColorFactor", linear(colour)}, {"metallicFactor", 0.1}, {"roughnessFactor", 0.6}}}});
    return int(json_["materials"].size()) - 1;
  }
  void add_primitive(Json& primitives, const Mesh& mesh, const std::string& colour) {
    if (mesh.indices.empty()) return;
    const int points = accessor(floats(mesh.points), 3, "VEC3", for_vertices, true);
    const int normals = accessor(floats(mesh.normals), 3, "VEC3", for_vertices, false);
    primitives.push_back({{"attributes", {{"POSITION", points}, {"NORMAL", normals}}},
                          {"indices", accessor_of(mesh.indices)},
                          {"material", material(colour)}});
  }
  int mesh_of(const std::string& name, const Json& primitives) {
    if (primitives.empty()) return -1;
    json_["meshes"].push_back({{"name", name}, {"primitives", primitives}});
    return int(json_["meshes"].size()) - 1;
  }
  int node(const std::string& name, int mesh) {
    Json n{{"name", name}};
    if (mesh >= 0) n["mesh"] = mesh;
    json_["nodes"].push_back(n);
    return int(json_["nodes"].size()) - 1;
  }

  void add_shape(Mesh& solid, Mesh& fittings, const Shape& s, double width) const {
    switch (s.type) {
      case Type::link: solid.add_cylinder(s.points[0], s.points[1], width); break;
      case Type::plate: solid.add_plate(s.points, width); break;
      case Type::disc:
        if (s.hollow)
          solid.add_ring(s.at, s.axis, s.radius, s.radius + width, width);
        else
          solid.add_cylinder(s.at - s.axis * width / 2, s.at + s.axis * width / 2, s.radius, 48);
        break;
      case Type::box:
        solid.add_box(s.at, s.x, s.axis, s.size.cwiseMax(Vec<3>::Constant(0.002 * scene_.size)));
        break;
      case Type::guide:
        fittings.add_cylinder(s.at - s.x * s.length / 2, s.at + s.x * s.length / 2, 0.35 * width);
        break;
      case Type::pin:
        fittings.add_cylinder(s.at - s.axis * 1.4 * width, s.at + s.axis * 1.4 * width, 0.7 * width);
        break;
      case Type::ground:
        fittings.add_box(s.at, Vec<3>::UnitX(), Vec<3>::UnitZ(), Vec<3>::Constant(2.2 * width));
        break;
      case Type::sphere: solid.add_sphere(s.at, s.radius); break;
      case Type::mass: solid.add_sphere(s.at, 1.6 * width); break;
      case Type::solid:
        for (const auto& [a, b, c] : s.surface->triangles)
          solid.add_face({s.surface->points[a], s.surface->points[b], s.surface->points[c]});
        break;
    }
  }
  int ground_mesh() {
    Mesh all;
    for (const Shape& s : scene_.ground) add_shape(all, all, s, width_);
    Json primitives = Json::array();
    add_primitive(primitives, all, grey);
    return mesh_of("ground", primitives);
  }

  // Keyframes of one property of a node; a property that never changes is simply set.
  void animate(int of_node, const char* path, const std::vector<float>& values, std::size_t width) {
    bool changes = false;
    for (std::size_t k = width; k < values.size(); ++k) changes = changes || values[k] != values[k % width];
    json_["nodes"][std::size_t(of_node)][path] =
        std::vector<float>(values.begin(), values.begin() + std::ptrdiff_t(width));
    if (!changes) return;
    const int output = accessor(values, width, width == 4 ? "VEC4" : "VEC3", 0, false);
    animation_["samplers"].push_back({{"input", times_}, {"output", output}, {"interpolation", "LINEAR"}});
    animation_["channels"].push_back(
        {{"sampler", animation_["samplers"].size() - 1}, {"target", {{"node", of_node}, {"path", path}}}});
  }
  // q and -q are the same rotation; the nearer one is chosen so that a player goes the short way.
  static void append_turn(std::vector<float>& values, Quaternion& last, Quaternion q) {
    if (q.dot(last) < 0) q.coeffs() = -q.coeffs();
    last = q;
    for (const double c : {q.x(), q.y(), q.z(), q.w()}) values.push_back(float(c));
  }

  int body_node(std::size_t k) {
    const SceneBody& b = scene_.bodies[k];
    Mesh solid, fittings;
    const double width = b.size > 0 ? b.size / 2 : width_;
    for (const Shape& s : b.shapes) add_shape(solid, fittings, s, width);
    Json primitives = Json::array();
    add_primitive(primitives, solid, b.colour.empty() ? palette(k) : b.colour);
    add_primitive(primitives, fittings, dark);
    const int of_node = node(b.name, mesh_of(b.name, primitives));
    std::vector<float> places, turns;
    Quaternion last = playback_.poses[rows_[0]][k + 1].turn;
    for (const std::size_t r : rows_) {
      const Pose& p = playback_.poses[r][k + 1];
      for (int c = 0; c < 3; ++c) places.push_back(float(p.at[c]));
      append_turn(turns, last, p.turn);
    }
    animate(of_node, "translation", places, 3);
    animate(of_node, "rotation", turns, 4);
    return of_node;
  }

  // Adds meshes from 0 to 1 along z, stretched between the two points.
  void add_tie(Json& children, const SceneTie& t) {
    const Vec<3> z = Vec<3>::UnitZ();
    const double length = (global(playback_.poses[0], t.i) - global(playback_.poses[0], t.j)).norm();
    const auto whole = [](double now) { return now; };
    Mesh mesh;
    switch (t.kind) {
      case Sketch::Tie::rod: mesh.add_cylinder(Vec<3>::Zero(), z, 0.6 * width_); break;
      case Sketch::Tie::cylinder: return add_cylinder(children, t);
      case Sketch::Tie::spring: mesh.add_coil(1.6 * width_, 0.3 * width_, length > 0 ? length : 1); break;
      case Sketch::Tie::damper:
        mesh.add_cylinder(Vec<3>::Zero(), 0.6 * z, 1.2 * width_);
        mesh.add_cylinder(0.6 * z, z, 0.5 * width_);
        break;
      case Sketch::Tie::spiral:
      case Sketch::Tie::bush: return;  // they have no extension
    }
    children.push_back(tie_node(t, t.name, mesh, grey, whole));
  }
  // Adds a barrel that keeps its length, and the parts that come out of it.
  void add_cylinder(Json& children, const SceneTie& t) {
    const auto bar = [&](double radius) {
      Mesh mesh;
      mesh.add_cylinder(Vec<3>::Zero(), Vec<3>::UnitZ(), radius * width_);
      return mesh;
    };
    children.push_back(
        tie_node(t, t.name, bar(1.1), grey, [&](double length) { return t.barrel_end(length); }));
    if (t.telescopic)
      children.push_back(
          tie_node(t, t.name + " tube", bar(0.8), grey, [&](double length) { return t.tube_end(length); }));
    children.push_back(tie_node(t, t.name + " rod", bar(0.5), dark, [](double length) { return length; }));
  }

  template <class Reach>
  int tie_node(const SceneTie& t, const std::string& name, const Mesh& mesh, const char* colour,
               const Reach& reach) {
    Json primitives = Json::array();
    add_primitive(primitives, mesh, colour);
    const int of_node = node(name, mesh_of(name, primitives));
    std::vector<float> places, turns, sizes;
    Quaternion last = Quaternion::Identity();
    for (const std::size_t r : rows_) {
      const Vec<3> i = global(playback_.poses[r], t.i), d = global(playback_.poses[r], t.j) - i;
      // Rotating from the last direction avoids a spin about the axis itself.
      if (d.norm() > 0) last = (turn_between(last * Vec<3>::UnitZ(), d) * last).normalized();
      for (int c = 0; c < 3; ++c) places.push_back(float(i[c]));
      Quaternion before = last;
      if (!turns.empty())
        before = Quaternion(turns[turns.size() - 1], turns[turns.size() - 4], turns[turns.size() - 3],
                            turns[turns.size() - 2]);
      append_turn(turns, before, last);
      for (const double c : {1.0, 1.0, reach(d.norm())}) sizes.push_back(float(c));
    }
    animate(of_node, "translation", places, 3);
    animate(of_node, "rotation", turns, 4);
    animate(of_node, "scale", sizes, 3);
    return of_node;
  }

  const Scene& scene_;
  const Playback& playback_;
  std::vector<std::size_t> rows_;
  double width_ = 0;  // radius of links [m]
  int times_ = -1;
  Json json_, animation_;
  std::string binary_;
};
}  // namespace

bool is_picture(std::string_view beginning) {
  const std::string_view line = beginning.substr(0, beginning.find('\n'));
  const bool drawn = line.starts_with("<svg ") && line.ends_with(letters_of_pictures);
  return drawn || (beginning.starts_with("glTF") && beginning.find(animation_start) != beginning.npos);
}

std::string gltf_of(const Scene& scene, const Playback& playback, const std::string& title,
                    const Vec<3>& gravity, std::size_t most_keys) {
  if (playback.empty())
    throw ModelError("there is nothing to animate: the results have no row of finite numbers");
  return Gltf(scene, playback, most_keys).write(title, gravity);
}
}  // namespace mubody::io
