#include "mubody/picture/loads.h"

#include "mubody/picture/traits.h"
#include "mubody/text/json.h"

namespace mubody::io {
namespace {
using Parts = std::array<std::string, 3>;

class Loads {
 public:
  Loads(const Mechanism& m, const Scene& scene) : m_(m), scene_(scene) {
    for (const auto& f : m.forces) add(f.name, *f.what);
  }
  std::vector<Load> all;

 private:
  Parts components(const std::string& name, const std::string& letters) const {
    const std::string stem = name + '.' + letters;
    return {stem + 'x', stem + 'y', m_.dim == 3 ? stem + 'z' : ""};
  }
  // The third axis of a marker is that of moments; in the plane there is no other.
  static Parts about_z(const std::string& channel) { return {"", "", channel}; }

  Load& push(const std::string& name, const Marker& on, const Parts& parts, double sign) {
    Load load;
    load.name = name, load.body = on.body, load.at = end_of(on), load.parts = parts, load.sign = sign;
    all.push_back(std::move(load));
    return all.back();
  }

  void add(const std::string& name, const AnyForce& force) {
    const Traits t = traits_of(force);
    const Marker &i = force.i(), &j = force.j();
    if (t.names.contains("friction"))
      add_contact(name, t, i, j);
    else if (force.attach() == Attach::angle)
      add_moment(name, t, i, j);
    else if (force.attach() == Attach::frame)
      add_frame(name, t, i, j);
    else if (t.on_road)
      add_wheel(name, t, i, j);
    else if (t.names.contains("data"))
      push(name, j, components(name, "f"), 1).point = components(name, "");
    else if (t.names.contains("force"))
      push(name, j, components(name, "f"), 1);
    else
      add_spring(name, i, j);
  }

  // What is pressed against body j, where it touches; against body i if j is the ground.
  void add_contact(const std::string& name, const Traits& t, const Marker& i, const Marker& j) {
    const double ri = t.radius_i(), rj = t.radius_j();
    const bool on_i = j.body == ground;
    if (t.names.contains("lubricant")) push(name, on_i ? i : j, components(name, "film_f"), on_i ? -1 : 1);
    Load& load = push(name, on_i ? i : j, components(name, "f"), on_i ? -1 : 1);
    load.at = end_of(j);
    if (ri == 0) {
      load.shift = below(i, rj);
      return;
    }
    // Within a circle the centres are nearer to each other than its radius, beside it they are farther.
    const bool inside = (m_.start_of(i).at - m_.start_of(j).at).norm() < ri;
    load.from = end_of(i);
    load.reach = inside ? rj : -rj;
  }
  // From the centre of something round to the flat of a marker: y in the plane, z in space points out of it.
  SceneEnd below(const Marker& flat, double radius) const {
    return {flat.body, -radius * (flat.turn * Vec<3>::Unit(m_.dim - 1))};
  }

  // A moment about z of j, or an elastic one that turns i to j.
  void add_moment(const std::string& name, const Traits& t, const Marker& i, const Marker& j) {
    const bool elastic = t.names.contains("stiffness");
    SceneEnd at_i = end_of(i), at_j = end_of(j);
    for (const SceneSpring& s : scene_.springs)
      if (s.name == name) at_i = s.i, at_j = s.j;  // on the pin between them
    for (const bool first : {true, false}) {
      const Marker& on = first ? i : j;
      if (on.body == ground) continue;
      Load& load = push(name, on, about_z(name + ".moment"), first == elastic ? 1 : -1);
      load.moment = true;
      load.at = first ? at_i : at_j;
      load.axes = j.body, load.turn = j.turn;
    }
  }

  // Of a bushing in the axes of i, and it pulls; of a torque vector in global axes.
  void add_frame(const std::string& name, const Traits& t, const Marker& i, const Marker& j) {
    const bool elastic = t.names.contains("stiffness"), on_i = j.body == ground;
    const Marker& on = on_i ? i : j;
    const double sign = (elastic ? -1 : 1) * (on_i ? -1 : 1);
    // On either body it acts at the origin of j, whose place in the axes of i is what it measures.
    const auto in_axes = [&](Load& load) {
      if (elastic) load.axes = i.body, load.turn = i.turn, load.at = end_of(j);
    };
    if (elastic) in_axes(push(name, on, components(name, "f"), sign));
    Load& load = push(name, on, m_.dim == 3 ? components(name, "m") : about_z(name + ".mz"), sign);
    load.moment = true;
    in_axes(load);
  }

  void add_wheel(const std::string& name, const Traits& t, const Marker& i, const Marker& j) {
    Load& load = push(name, j, {}, 1);
    load.parts[std::size_t(m_.dim - 1)] = name + ".force";
    load.axes = i.body, load.turn = i.turn;
    load.shift = below(i, t.radius_j());
  }

  void add_spring(const std::string& name, const Marker& i, const Marker& j) {
    for (const bool first : {true, false}) {
      const Marker &on = first ? i : j, &far = first ? j : i;
      if (on.body != ground) push(name, on, {name + ".force", "", ""}, 1).toward = end_of(far);
    }
  }

  const Mechanism& m_;
  const Scene& scene_;
};

Json json_of(const SceneEnd& e) { return {{"body", e.body}, {"at", {e.at.x(), e.at.y(), e.at.z()}}}; }
}  // namespace

std::vector<Load> loads_of(const Mechanism& m, const Scene& scene) { return Loads(m, scene).all; }

Json loads_json(const std::vector<Load>& loads) {
  Json all = Json::array();
  for (const Load& load : loads) {
    const Quaternion& q = load.turn;
    Json json{{"name", load.name}, {"body", load.body},   {"moment", load.moment},
              {"sign", load.sign}, {"parts", load.parts}, {"at", json_of(load.at)}};
    if (load.axes != ground || q.vec().norm() > 0)
      json["axes"] = {{"body", load.axes}, {"turn", {q.w(), q.x(), q.y(), q.z()}}};
    if (load.toward) json["toward"] = json_of(*load.toward);
    if (!load.point[0].empty()) json["point"] = load.point;
    if (load.from) json["from"] = json_of(*load.from), json["reach"] = load.reach;
    if (load.shift.at.norm() > 0) json["shift"] = json_of(load.shift);
    all.push_back(std::move(json));
  }
  return all;
}
}  // namespace mubody::io
