// The scene as JSON.

#include "mubody/picture/scene.h"
#include "mubody/text/json.h"

namespace mubody::io {
namespace {
using Type = Shape::Type;

Json json_of(const Vec<3>& v) { return Json::array({v.x(), v.y(), v.z()}); }
Json json_of(const SceneEnd& e) { return {{"body", e.body}, {"at", json_of(e.at)}}; }

/// The triangles of a surface and, for drawings in the plane, the edges that are seen from above.
Json json_of(const Surface& s, int dim) {
  Json points = Json::array(), triangles = Json::array(), edges = Json::array();
  for (const Vec<3>& p : s.points) points.push_back(json_of(p));
  for (const Surface::Triangle& t : s.triangles)
    for (const std::uint32_t k : t) triangles.push_back(int(k));
  Json json{{"type", "solid"}, {"points", points}, {"triangles", triangles}};
  if (dim == 3) return json;
  for (const auto& line : lines_seen(s, Vec<3>::UnitZ()))
    for (const std::uint32_t k : line) edges.push_back(int(k));
  json["edges"] = edges;
  return json;
}

Json json_of(const Shape& s, int dim) {
  if (s.type == Type::solid) return json_of(*s.surface, dim);
  constexpr const char* names[] = {"link", "plate",  "disc",   "box",  "guide",
                                   "pin",  "ground", "sphere", "mass", "solid"};
  Json json{{"type", names[int(s.type)]}};
  if (s.type == Type::link || s.type == Type::plate) {
    json["points"] = Json::array();
    for (const Vec<3>& p : s.points) json["points"].push_back(json_of(p));
    return json;
  }
  json["at"] = json_of(s.at);
  const bool has_x = s.type == Type::box || s.type == Type::guide;
  if (has_x) json["x"] = json_of(s.x);
  if (has_x || s.type == Type::disc || s.type == Type::pin || s.type == Type::ground)
    json["axis"] = json_of(s.axis);
  if (s.type == Type::box) json["size"] = json_of(s.size);
  if (s.type == Type::guide) json["length"] = s.length;
  if (s.radius > 0) json["radius"] = s.radius;
  if (s.hollow) json["hollow"] = true;
  if (s.bearing) json["bearing"] = true;
  return json;
}

Json json_of(const std::vector<Shape>& shapes, int dim) {
  Json json = Json::array();
  for (const Shape& s : shapes) json.push_back(json_of(s, dim));
  return json;
}
}  // namespace

Json scene_json(const Scene& scene) {
  Json bodies = Json::array(), ties = Json::array(), joints = Json::array(), points = Json::array(),
       gaps = Json::array();
  for (const SceneBody& b : scene.bodies) {
    bodies.push_back({{"name", b.name}, {"shapes", json_of(b.shapes, scene.dim)}});
    if (!b.colour.empty()) bodies.back()["colour"] = b.colour;
    if (b.size > 0) bodies.back()["size"] = b.size;
  }
  constexpr const char* kinds[] = {"rod", "cylinder", "spring", "damper", "spiral", "bush"};
  for (const SceneTie& t : scene.ties) {
    ties.push_back({{"name", t.name}, {"kind", kinds[int(t.kind)]}, {"i", json_of(t.i)}, {"j", json_of(t.j)}});
    if (t.barrel > 0) ties.back()["barrel"] = t.barrel;
    if (t.telescopic) ties.back()["telescopic"] = true;
  }
  for (const SceneJoint& j : scene.joints)
    joints.push_back({{"name", j.name},
                      {"type", j.type},
                      {"driver", j.driver},
                      {"i", json_of(j.i)},
                      {"j", json_of(j.j)},
                      {"axis", json_of(j.axis)}});
  for (const ScenePoint& p : scene.points)
    points.push_back({{"name", p.name}, {"body", p.at.body}, {"at", json_of(p.at.at)}});
  for (const SceneGap& g : scene.gaps)
    gaps.push_back({{"name", g.name},
                    {"i", json_of(g.i)},
                    {"j", json_of(g.j)},
                    {"radius_i", g.radius_i},
                    {"radius_j", g.radius_j}});
  return {{"dim", scene.dim}, {"size", scene.size},
          {"bodies", bodies}, {"ground", json_of(scene.ground, scene.dim)},
          {"ties", ties},     {"joints", joints},
          {"points", points}, {"gaps", gaps}};
}
}  // namespace mubody::io
