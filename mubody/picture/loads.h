#pragma once
// The arrows of force elements: where each force or moment acts, and which channels of the results are its components.
//
//   docs/user/report.md
//
// Nothing here names a kind of force: its sketch says which of its channels are components of which arrow.
// Contacts and bushings are shown on one body, as reactions are; a spring pulls at both ends.
#include <array>

#include "mubody/picture/scene.h"
#include "mubody/text/json.h"

namespace mubody::io {
struct Load {
  std::string name;     // name of the force
  int body = ground;    // the body on which it acts
  bool moment = false;  // a moment rather than a force
  double sign = 1;
  std::array<std::string, 3> parts;          // channels of the components; an empty name is zero
  int axes = ground;                         // the body whose axes these are in, ...
  Quaternion turn = Quaternion::Identity();  // ... turned by this
  std::optional<SceneEnd> toward;            // parts[0] is the whole force, from `at` towards this point

  SceneEnd at;                       // where it acts: this point of the body, or ...
  std::array<std::string, 3> point;  // ... that of these channels, or ...
  std::optional<SceneEnd> from;      // ... further by `reach` away from this point, or ...
  double reach = 0;                  // [m]
  SceneEnd shift;                    // ... further by this vector of a body
};

/// The arrows of all forces; results may lack some of their channels.
std::vector<Load> loads_of(const Mechanism&, const Scene&);

/// The same as JSON, for pages that draw it.
Json loads_json(const std::vector<Load>&);
}  // namespace mubody::io
