#pragma once
// [places]: points in global axes at the start, by name.
//
//   A = [x, y]                                            as it is, in space three numbers
//   C = {length = {A = "5 cm", B = "4 cm"}, near = [x, y]}   so far from two other places, in space from three; of the two
//                                                         such points the one that is nearer to `near`
//   M = {between = ["A", "B"], share = 0.5}               on the line from A to B
//
// The name of a place stands for its point wherever one is given in global axes.  Where a point of a body is given in the
// axes of the body, it is the one that is there at the start.
#include "mubody/reading/values.h"

namespace mubody::io {
void read_places(const Node& root, Known&);

/// The place of that name.
const Vec<3>& named_place(const Node& name, const Scope&, const Known&);

/// A point: numbers in the axes of something that is at `pose` at the start, or the name of a place.
Vec<3> read_point(const Node&, const Scope&, const Known&, const Pose& pose = {});

/// Writes joints at places as joints of two bodies each, which is what all others read:
///
///   A = {type = "revolute", bodies = ["crank", "j", "k"]}      at the place of that name; j and k are joined to the crank,
///                                                              by the joints A_j and A_k
///   A = {type = "revolute"}                                    joins all bodies that go through the place
///   pins = {type = "revolute", at = ["A", "B"]}                the same at several places, after which they are named
///
/// The ground may be among those that go through a place: ground = {through = ["O"]} under [bodies].
void expand_pins(Node& root);
}  // namespace mubody::io
