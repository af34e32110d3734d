#include "mubody/picture/exaggerate.h"

#include <algorithm>

namespace mubody::io {
namespace {
constexpr double same = 1e-9;          // share of the size of the scene within which points are the same
constexpr double least_bearing = 1.6;  // times the gap, so that a journal remains

// Pins and ends of links move with the journal; blocks and other discs stay with their bodies.
bool goes_along(const Shape& s) {
  return s.type == Shape::Type::pin || s.type == Shape::Type::ground || s.type == Shape::Type::mass;
}

std::vector<Shape>& shapes_of(Scene& scene, int body) {
  return body == ground ? scene.ground : scene.bodies[std::size_t(body - 1)].shapes;
}
}  // namespace

Scene exaggerated(Scene scene, const std::vector<Pose>& poses, double times) {
  const std::vector<SceneGap> gaps = scene.gaps;
  for (const SceneGap& g : gaps) {
    const Pose& body = poses[std::size_t(g.j.body)];
    const Vec<3> shift = body.turn.conjugate() * ((times - 1) * (global(poses, g.j) - global(poses, g.i)));
    const auto is_at = [&](const Vec<3>& p, const SceneEnd& e) {
      return (p - e.at).norm() <= same * (scene.size + e.at.norm());
    };
    const double play = times * (g.radius_i - g.radius_j);
    const double bearing = std::max(g.radius_i, least_bearing * play);
    for (Shape& s : shapes_of(scene, g.i.body))
      if (s.bearing && s.radius == g.radius_i && is_at(s.at, g.i)) s.radius = bearing;
    for (Shape& s : shapes_of(scene, g.j.body)) {
      for (Vec<3>& p : s.points)
        if (is_at(p, g.j)) p += shift;
      const bool journal = s.journal && s.radius == g.radius_j;
      if (!(journal || goes_along(s)) || !is_at(s.at, g.j)) continue;
      s.at += shift;
      if (journal) s.radius = bearing - play;
    }
    // Springs and rods follow.
    for (SceneTie& t : scene.ties)
      for (SceneEnd* e : {&t.i, &t.j})
        if (e->body == g.j.body && is_at(e->at, g.j)) e->at += shift;
  }
  return scene;
}
}  // namespace mubody::io
