#pragma once
// What a body is made of, from which its mass, its centre, its axes and its inertia follow.
//
//   through = ["O", "A"]                              a rod from place to place; three or more: a plate over them
//   shape = "cylinder", at = "W", radius = ..., ...   a shape of mubody/shapes at a place; in the axes of the body
//   mesh = "piston.stl", unit = "mm"                  what a closed surface encloses; at = ... moves its origin
//   shapes = [{...}, {...}]                           several of these
//   density = 7850                                    or the mass of the body, spread over its volume
//
// Points are places, or numbers in global axes at the start.  A body through places has its x axis from the first to the
// second one, in space its z axis across the plate; others have the axes that `angle` or `orientation` gives.
#include "mubody/reading/describe.h"
#include "mubody/reading/sections.h"
#include "mubody/shapes/figure.h"

namespace mubody::io {
/// What the body says about itself, as far as its shapes need it.
struct GivenBody {
  std::optional<Quaternion> turn{};
  std::optional<Vec<3>> position{};  // of the centre of mass
  std::optional<Vec<3>> origin{};    // of a mesh, where the origin of the body is that of its mesh
  std::optional<double> mass{};
  bool inertia = false;
};

/// A body of shapes, in global axes at the start.
struct MadeOf {
  Vec<3> centre = Vec<3>::Zero();
  std::optional<MassProperties> mass{};  // none where neither a mass nor a density is known
  Quaternion axes = Quaternion::Identity();
  bool turned = false;  // by the places that it goes through
  Figure figure{};

  /// The figure in the axes of a body at that pose.
  std::shared_ptr<const Figure> drawn_at(const Pose&) const;
};

/// The keys that a body of shapes may have beside those of any body; none if it is not made of shapes.
std::vector<std::string_view> shape_keys(const Node& body, const Scope&, const Known&);

/// None if the body is not made of shapes.
std::optional<MadeOf> read_shapes(const Element&, const GivenBody&, const Known&);

/// What `mubody list` says about them: the keys of a body, and every shape.
std::vector<FieldNote> shape_notes();
Category describe_shapes();
}  // namespace mubody::io
