#pragma once
// The positions of the bodies at the times of the results, for pictures and animations.
#include <vector>

#include "mubody/picture/scene.h"
#include "mubody/results/results.h"

namespace mubody::io {
struct Playback {
  std::vector<double> times;             // [s]
  std::vector<std::vector<Pose>> poses;  // one row per time; the ground comes first, as in SceneEnd::body

  /// The poses at a time, interpolated between rows; outside, those of the first or last row.
  std::vector<Pose> at(double t) const;
  bool empty() const { return times.empty(); }
};

/// The rows of the table "bodies" with finite numbers.  Throws ModelError if a column of a body is missing.
Playback playback_of(const Mechanism&, const Table& bodies);
/// One row, the start as the model gives it.
Playback start_of(const Mechanism&);

/// A point of a body in global axes.
inline Vec<3> global(const std::vector<Pose>& poses, const SceneEnd& e) {
  const Pose& p = poses[std::size_t(e.body)];
  return p.at + p.turn * e.at;
}

/// Fits guides to the travel of what runs on them, barrels to the lengths of their cylinders, and floors to the
/// extent of the motion.
void fit_guides(Scene&, const Playback&);
/// Fits floors alone, to some instants.
void fit_floors(Scene&, const std::vector<std::vector<Pose>>& instants);
}  // namespace mubody::io
