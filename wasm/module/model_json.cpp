#include "wasm/module/model_json.h"

#include "mubody/picture/loads.h"
#include "mubody/picture/scene.h"
#include "mubody/reading/places/places_of.h"

namespace mubody::wasm {
namespace {
using io::Json;

Json json_of(const Place& p) { return {{"line", p.line}, {"column", p.column}}; }

Json components(const Vec<3>& v, int dim) {
  Json all = Json::array();
  for (int k = 0; k < dim; ++k) all.push_back(v[k]);
  return all;
}

Json json_of(const Marker& m, int dim) {
  const Quaternion& t = m.turn;
  return {{"body", m.body},
          {"at", components(m.at, dim)},
          {"turn", Json::array({t.w(), t.x(), t.y(), t.z()})},
          {"angle", angle_about_z(t)}};
}

template <class Element> Json json_of(const Mechanism& m, const Named<Element>& e, std::string_view section) {
  Json couples = Json::array();
  for (const Coupled& c : e.what->couples()) couples.push_back(c.name);
  return {{"name", e.name},
          {"type", e.what->info().name},
          {"section", section},
          {"i", json_of(std::as_const(*e.what).i(), m.dim)},
          {"j", json_of(std::as_const(*e.what).j(), m.dim)},
          {"couples", couples},
          {"place", json_of(e.place)}};
}

Json json_of(const RigidBody& b, int dim) {
  const Eigen::Matrix3d& I = b.inertia;
  Json inertia = Json::array({I(2, 2)});
  if (dim == 3) inertia = Json::array({I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)});
  return {{"name", b.name},
          {"mass", b.mass},
          {"inertia", inertia},
          {"velocity", components(b.velocity, dim)},
          {"omega", dim == 2 ? Json::array({b.omega.z()}) : components(b.omega, 3)},
          {"left_out",
           {{"position", b.left_out.position},
            {"orientation", b.left_out.orientation},
            {"velocity", b.left_out.velocity},
            {"omega", b.left_out.omega}}},
          {"place", json_of(b.place)}};
}

Json parameters_json(const Study& study, const io::Node& tree) {
  Json all = Json::array();
  const io::Node* table = tree.find("parameters");
  for (const auto& [name, value] : study.parameters) {
    const io::Node::Key* key = table ? table->key(name) : nullptr;
    all.push_back({{"name", name}, {"value", value}, {"place", json_of(key ? key->mark.place() : Place{})}});
  }
  return all;
}

Json named_places_json(int dim, const io::Node& tree) {
  Json all = Json::array();
  const io::Node* table = tree.find("places");
  for (const auto& [name, at] : io::places_of(tree)) {
    const io::Node::Key* key = table ? table->key(name) : nullptr;
    all.push_back(
        {{"name", name}, {"at", components(at, dim)}, {"place", json_of(key ? key->mark.place() : Place{})}});
  }
  return all;
}

void add_places(const io::Node& node, const std::string& file, const std::string& path, Json& all) {
  for (std::size_t k = 0; k < node.items.size(); ++k) {
    const bool table = k < node.keys.size();
    const std::string name = table ? node.keys[k].name : std::to_string(k);
    const std::string here = path.empty() ? name : path + '.' + name;
    const Place value = node.items[k].mark.place(), key = table ? node.keys[k].mark.place() : value;
    if (key.file == file) all.add(here, Json::array({key.line, key.column, value.line, value.column}));
    add_places(node.items[k], file, here, all);
  }
}
}  // namespace

Json model_json(const Study& study, const io::Node& tree) {
  const Mechanism& m = study.mechanism;
  Json bodies = Json::array(), joints = Json::array(), forces = Json::array(), points = Json::array();
  for (const RigidBody& b : m.bodies) bodies.push_back(json_of(b, m.dim));
  for (const auto& j : m.joints) joints.push_back(json_of(m, j, j.driver ? "drivers" : "joints"));
  for (const auto& f : m.forces) forces.push_back(json_of(m, f, "forces"));
  for (const Point& p : m.points)
    points.push_back({{"name", p.name}, {"marker", json_of(p.marker, m.dim)}, {"place", json_of(p.place)}});
  const AnalysisOptions& a = study.analysis;
  const io::Scene scene = io::scene_of(m, study.looks);
  return {{"name", m.name},
          {"dim", m.dim},
          {"gravity", components(m.gravity, 3)},
          {"bodies", bodies},
          {"joints", joints},
          {"forces", forces},
          {"points", points},
          {"places", named_places_json(m.dim, tree)},
          {"parameters", parameters_json(study, tree)},
          {"analysis",
           {{"type", a.type->info().name},
            {"start", a.start},
            {"end", a.end},
            {"integrator", a.integrator},
            {"formulation", a.formulation.word()},
            {"treatment", a.treatment->info().name}}},
          {"scene", io::scene_json(scene)},
          {"loads", io::loads_json(io::loads_of(m, scene))}};
}

Json places_json(const io::Node& tree, const std::string& file) {
  Json all = Json::object();
  add_places(tree, file, "", all);
  return all;
}

void write_poses(int dim, std::span<const Pose> with_ground, std::vector<double>& out) {
  for (const Pose& p : with_ground.subspan(1)) {
    if (dim == 2)
      out.insert(out.end(), {p.at.x(), p.at.y(), p.angle});
    else
      out.insert(out.end(), {p.at.x(), p.at.y(), p.at.z(), p.turn.w(), p.turn.x(), p.turn.y(), p.turn.z()});
  }
}
}  // namespace mubody::wasm
