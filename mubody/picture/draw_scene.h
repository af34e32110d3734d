#pragma once
// A picture of a mechanism: one instant, or several on top of each other, with the paths of chosen points.
//
//   docs/user/pictures.md
#include "mubody/picture/playback.h"
#include "mubody/picture/view.h"

namespace mubody::io {
/// The path of a point over all times of the motion.
struct Trace {
  std::string name;
  SceneEnd of;
};

/// The point, joint or body of that name.  Throws ModelError.
Trace trace_of(const Scene&, const std::string& name);

struct PictureOptions {
  double width = 800, height = 560;  // [px]
  bool transparent = false;
  std::string title;
  View view;
  std::vector<double> times;  // instants, the last one in full colour; only the end if empty
  std::vector<Trace> traces;
  bool labels = true;     // names of pins and points
  double exaggerate = 1;  // factor by which gaps are enlarged
};

/// The picture as SVG.  Its group "mechanism" states data-scale [px/m] and data-origin [px] of points.
std::string draw_scene(const Scene&, const Playback&, const PictureOptions&);
}  // namespace mubody::io
