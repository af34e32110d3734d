#pragma once
// The axes of markers in space, from the directions `axis` and `across` of a model file.
//
//   pin, cross, angle            axis is z, across is x
//   line, guide, point, frame    axis is x, across is y
//
// The axis is exact and `across` is made perpendicular to it.
#include "mubody/reading/values.h"

namespace mubody::io {
/// The directions that a table gives, if any.
struct Directions {
  std::optional<Vec<3>> axis{}, across{};
  const Node* node = nullptr;  // the last of them, for messages

  bool any() const { return axis || across; }
  Directions turned(const Quaternion& q) const;
};

bool needs_axis(Attach);
bool needs_across(Attach);

/// Whether elements of a kind have their axis along z of the markers rather than along x.
bool is_along_z(Attach);

/// `axis` or `to`, and `across`.  `from` is the first point of a line that has `to` as its second; `pose` is that of the
/// body in whose axes they are given.
Directions read_directions(const Node& table, const Scope&, const Vec<3>& from, Attach, const Known&,
                           const Pose& pose = {});

/// Global axes of the markers of both bodies at the start, from directions in global axes.  A direction given
/// for one body only holds for the other too; without `across` some perpendicular is chosen, the same for both,
/// so that angles count from the start.  At least one axis must be given.
std::pair<Quaternion, Quaternion> frames_of(Attach, const Directions& i, const Directions& j);
}  // namespace mubody::io
