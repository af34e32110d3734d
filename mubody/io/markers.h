#pragma once
// Where an element is attached.  Between two bodies:
//
//   bodies = ["ground", "crank"]     body i, then body j
//   at = [x, y]                      a global point at the start, the same for both; or
//   i = [x, y], j = [x, y]           a local point of each body; one that is left out is the body's origin
//   axis = [ux, uy]                  global direction at the start of the x axes of both markers; or
//   to = [x, y]                      a second global point of the line that begins at `at`; or
//   i = {at = [x, y], axis = [ux, uy]}     local point and local axis; likewise `to` or `angle`
//
// Without a direction a marker has the axes of its body, so that the angle of a pin is φ_j − φ_i.  Kinds that
// need a line ask for one; where it is given for one body only, it is the same line for the other at the start.
// On one body:
//
//   body = "crank", at = [x, y]      a local point; the origin if left out;  `axis` or `angle`, local too
#include "mubody/io/field_reader.h"

namespace mubody::io {
/// The keys an element has for its markers.
std::vector<std::string_view> marker_keys(const FieldList&);

/// The markers of an element of that kind.  `owner` is where messages point to if a key is missing.
Markers read_markers(const Node& element, const Mark& owner, const Scope&, Attach purpose, const FieldList&,
                     const Known&);

/// The body of that name; the ground is one.
int read_body(const Node& name, const Scope&, const Known&);
}  // namespace mubody::io
