#pragma once
// [markers]: frames on bodies, by name.
//
//   tip = {body = "crank", at = [x, y], angle = "30 deg"}          in the plane; likewise `axis` or `to`
//   tip = {body = "crank", at = [x, y, z], orientation = {...}}    in space, in all forms of orientation.h
//   nozzle = {marker = "tip", at = [...], ...}                     in the frame of another marker, wherever that stands
//
// A marker without an orientation has the axes of its body or of the marker below it; it then gives an element a point
// alone, and the element may say its direction.  Otherwise z is the axis of a pin and x the line of a slide.
#include "mubody/reading/sections.h"

namespace mubody::io {
/// Reads all markers, each after the one that it stands on.  A marker that stands on itself in the end is a mistake.
void read_marker_section(const std::vector<Element>&, Known&, Faults&);

/// The frame on which a marker or a point stands: that of its `body`, or its `marker`.
NamedMarker read_outer_frame(const Element&, const Known&);
}  // namespace mubody::io
