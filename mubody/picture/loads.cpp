#include "mubody/picture/loads.h"

#include "mubody/picture/sketches.h"
#include "mubody/text/json.h"

namespace mubody::io {
namespace {
using End = Sketch::End;

class Loads {
 public:
  Loads(const Mechanism& m, const Scene& scene) : m_(m), scene_(scene) {
    for (const auto& f : m.forces)
      for (const Sketch::Arrow& a : sketch_of(f, m.dim).arrows) add(f.name, *f.what, a);
  }
  std::vector<Load> all;

 private:
  void add(const std::string& name, const AnyForce& force, const Sketch::Arrow& a) {
    const bool grounded = force.j().body == ground;
    for (const End end : {End::i, End::j})
      if (a.both ? marker_of(force, end).body != ground : (end == End::i) == grounded)
        all.push_back(load_on(name, force, a, end));
  }

  Load load_on(const std::string& name, const AnyForce& force, const Sketch::Arrow& a, End end) const {
    const Marker &i = force.i(), &j = force.j(), &on = marker_of(force, end);
    Load load;
    load.name = name, load.body = on.body, load.moment = a.moment;
    load.sign = a.pulls || end == End::j ? a.sign : -a.sign;
    for (std::size_t k = 0; k < 3; ++k) {
      load.parts[k] = channel(name, a.parts[k]);
      load.point[k] = channel(name, a.point[k]);
    }
    if (a.axes) load.axes = marker_of(force, *a.axes).body, load.turn = marker_of(force, *a.axes).turn;
    load.at = a.both || a.own ? place_of(name, force, end) : end_of(j);
    if (a.pulls) load.toward = end_of(end == End::i ? j : i);
    if (a.beyond != 0) load.from = end_of(i), load.reach = a.beyond;
    if (a.below != 0) load.shift = {i.body, -a.below * (i.turn * Vec<3>::Unit(m_.dim - 1))};
    return load;
  }
  static std::string channel(const std::string& name, std::string_view part) {
    return part.empty() ? "" : name + "." + std::string(part);
  }
  // A force without a place of its own is drawn on a pin.
  SceneEnd place_of(const std::string& name, const AnyForce& force, End end) const {
    for (const SceneTie& t : scene_.ties)
      if (t.name == name) return end == End::i ? t.i : t.j;
    return end_of(marker_of(force, end));
  }

  const Mechanism& m_;
  const Scene& scene_;
};

Json end_json(const SceneEnd& e) { return {{"body", e.body}, {"at", {e.at.x(), e.at.y(), e.at.z()}}}; }
}  // namespace

std::vector<Load> loads_of(const Mechanism& m, const Scene& scene) { return Loads(m, scene).all; }

Json loads_json(const std::vector<Load>& loads) {
  Json all = Json::array();
  for (const Load& load : loads) {
    const Quaternion& q = load.turn;
    Json json{{"name", load.name}, {"body", load.body},   {"moment", load.moment},
              {"sign", load.sign}, {"parts", load.parts}, {"at", end_json(load.at)}};
    if (load.axes != ground || q.vec().norm() > 0)
      json["axes"] = {{"body", load.axes}, {"turn", {q.w(), q.x(), q.y(), q.z()}}};
    if (load.toward) json["toward"] = end_json(*load.toward);
    if (!load.point[0].empty()) json["point"] = load.point;
    if (load.from) json["from"] = end_json(*load.from), json["reach"] = load.reach;
    if (load.shift.at.norm() > 0) json["shift"] = end_json(load.shift);
    all.push_back(std::move(json));
  }
  return all;
}
}  // namespace mubody::io
