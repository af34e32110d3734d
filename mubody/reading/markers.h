#pragma once
// Where an element is attached.  Between two bodies:
//
//   bodies = ["ground", "crank"]     body i, then body j
//   at = [x, y]                      a global point at the start, the same for both; or
//   i = [x, y], j = [x, y]           a local point of each body; the body's origin if left out
//   axis = [ux, uy]                  global direction at the start of the axes of both markers; or
//   to = [x, y]                      a second global point of the line from `at`; or
//   i = {at = [x, y], axis = [ux, uy]}     local point and local axis; likewise `to` and, in the plane, `angle`
//   across = [vx, vy, vz]            in space, beside any axis: a second direction
//   i = {at = [...], orientation = {...}}  in space: all axes of the marker, see orientation.h
//   i = "tip", j = "hole"            markers by name, see marker_section.h; they say which bodies these are
//   joint = "A"                      instead, for drivers and forces: the markers of that joint
//
// In the plane the axis is x of the markers, in space as directions.h says.  Kinds that need a line or a pin's axis
// ask for one; where it is given for one body only, it is the same for the other at the start.  In the plane a
// marker without a direction has the axes of its body, so that the angle of a pin is φ_j − φ_i; in space points
// have the global axes at the start.
// On one body:
//
//   body = "crank", at = [x, y]      a local point; the origin if left out;  `axis`, `across` or `angle`, local too
//   marker = "tip"                   instead: a marker by name
#include "mubody/reading/field_reader.h"

namespace mubody::io {
/// How elements of a kind are attached.
struct Attachment {
  Attach purpose = Attach::point;
  FieldList fields{};
  bool may_follow = false;  // has a meaning at a joint: a driver or a force
};

template <class Element> Attachment attachment_of(const Element& element, bool may_follow) {
  return {element.attach(), fields_of(element), may_follow};
}

/// The keys by which an element states its markers in models of that dimension.
std::vector<std::string_view> marker_keys(const Attachment&, std::size_t dim);

/// Refuses what is neither a field nor a key for markers, nor the type.
void expect_element_keys(const Node& element, const Scope&, const Attachment&, const Known&);

/// The markers of an element of that kind.  Messages about a missing key point to `owner`.
MarkerPair read_markers(const Node& element, const Mark& owner, const Scope&, const Attachment&, const Known&);

/// The frame that a table gives within another one: `at` and, in the plane, `axis`, `to` or `angle`, in space `orientation`.
NamedMarker read_frame(const Node& table, const Scope&, const NamedMarker& outer, const Known&);

/// The marker of that name.
const NamedMarker& named_marker(const Node& name, const Scope&, const Known&);

/// The body of that name; the ground is one.
int read_body(const Node& name, const Scope&, const Known&);
}  // namespace mubody::io
