#pragma once
// The orientation of something in space, as a model file states it.  One of
//
//   {quaternion = [e0, e1, e2, e3]}                        scalar first; of any length but zero
//   {sequence = "zxz", angles = [a, b, c], axes = "body"}  turns one after the other, each about an axis that turned
//                                                          along ("body") or stayed where it was ("fixed")
//   {axis = [ux, uy, uz], angle = a}                       one turn about an axis
//   {x = [ux, uy, uz], y = [vx, vy, vz]}                   two of the axes x, y, z of what is turned; the one that
//                                                          comes first is exact, the other is made perpendicular
//
// All of them give the orientation of the inner frame in the outer one.
#include "mubody/reading/describe.h"
#include "mubody/reading/values.h"

namespace mubody::io {
/// The keys of all forms.
std::span<const std::string_view> orientation_keys();

/// The turn that the table gives; none if it has no key of any form.
std::optional<Quaternion> read_orientation(const Node& table, const Scope&, const Known&);

/// The turn in a table that must have one: the value of `orientation`.
Quaternion read_turn(const Node&, const Scope&, const Known&);

/// The frame with axis number `first` (0: x) along one direction and axis `second` as near to the other as
/// possible.  The directions must not be parallel.
Quaternion frame_along(int first, const Vec<3>& exact, int second, const Vec<3>& near);

/// Whether two directions are too close to span a plane.
bool are_parallel(const Vec<3>& a, const Vec<3>& b);

/// A direction: a vector that is not zero.
Vec<3> read_axis(const Node&, const Scope&, const Known&);

/// What `mubody list` says about the forms.
KindNote describe_orientation();
}  // namespace mubody::io
