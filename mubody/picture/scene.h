#pragma once
// The drawing of a mechanism: simple shapes on bodies and ground, from its joints, forces and points.
//
// Nothing here names a kind of joint or force: elements sketch themselves (model/sketch.h), and sizes are chosen here.
// Shapes are in the axes of the body that carries them, those of the ground and all poses in global axes; in the plane z
// is zero.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mubody/mechanism/look.h"
#include "mubody/mechanism/mechanism.h"
#include "mubody/shapes/surface.h"
#include "mubody/text/json.h"

namespace mubody::io {
/// A point of a body; body 0 is the ground, body k is bodies[k - 1].
struct SceneEnd {
  int body = ground;
  Vec<3> at = Vec<3>::Zero();
};

struct Shape {
  enum class Type { link, plate, disc, box, guide, pin, ground, sphere, mass, solid };
  Type type = Type::mass;
  std::vector<Vec<3>> points;              // ends of a link, or corners of a plate in order around it
  Vec<3> at = Vec<3>::Zero();              // position of any other shape [m]
  Vec<3> x = Vec<3>::UnitX();              // direction of a box or a guide
  Vec<3> axis = Vec<3>::UnitZ();           // axis of a disc or a pin; third direction of a box or a guide
  Vec<3> size = Vec<3>::Zero();            // sides of a box along x, across, along axis [m]
  double radius = 0;                       // radius of a disc or a sphere [m]
  double length = 0;                       // length of a guide [m]
  bool hollow = false;                     // a disc that is only a rim: ring gears, bearings
  bool bearing = false;                    // such a disc in which a journal moves
  bool journal = false;                    // a disc that moves in a bearing
  std::optional<SceneEnd> runner;          // what runs on a guide or a flat, until its length is fitted
  std::shared_ptr<const Surface> surface;  // of a solid
};

/// A box without height on the ground: a plane on which something runs.
inline bool is_floor(const Shape& s) { return s.type == Shape::Type::box && s.size.z() == 0; }

struct SceneBody {
  std::string name, colour;  // "#rrggbb" if the model says so
  double size = 0;           // width of its links [m]; 0 if the model does not say
  std::vector<Shape> shapes;
};

/// A part without a body of its own that reaches from one point to another.
struct SceneTie {
  std::string name;
  Sketch::Tie kind = Sketch::Tie::rod;
  SceneEnd i, j;
  bool driver = false;
  double barrel = 0;        // length of a cylinder's barrel, which begins at i [m]
  bool telescopic = false;  // a tube between barrel and rod comes out half as far as the rod

  /// Chooses the barrel of a cylinder whose length varies between these bounds [m].
  void fit_barrel(double least, double most);
  /// How far from i the barrel and the tube reach when the cylinder has that length; the rod goes on to j [m].
  double barrel_end(double length) const { return std::min(barrel, length); }
  double tube_end(double length) const {
    return telescopic ? (barrel_end(length) + length) / 2 : barrel_end(length);
  }
};

struct SceneJoint {
  std::string name, type;
  bool driver = false;
  SceneEnd i, j;
  Vec<3> axis = Vec<3>::UnitZ();  // axis of the pin or direction of the guide, in the axes of body i
};

struct ScenePoint {
  std::string name;
  SceneEnd at;
};

/// A pin or frame of body j that has some play in body i.
struct SceneGap {
  std::string name;
  SceneEnd i, j;                      // the centres of bearing and journal
  double radius_i = 0, radius_j = 0;  // [m]; both 0 where something elastic holds j
};

struct Scene {
  int dim = 2;
  double size = 1;  // a length that goes well with the mechanism [m]
  std::vector<SceneBody> bodies;
  std::vector<Shape> ground;
  std::vector<SceneTie> ties;
  std::vector<SceneJoint> joints;
  std::vector<ScenePoint> points;
  std::vector<SceneGap> gaps;
};

Scene scene_of(const Mechanism&, const std::map<std::string, Look>& looks = {});

/// The same as JSON, for pages that draw it.
Json scene_json(const Scene&);
}  // namespace mubody::io
