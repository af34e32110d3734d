#pragma once
// The bodies of a model file.
//
//   plane:  {mass, inertia, position = [x, y], angle, velocity = [vx, vy], omega}
//   space:  {mass, inertia = [Ixx, Iyy, Izz] or three rows, inertia_frame = {at = [x, y, z], ...},
//            position = [x, y, z], orientation = {...}, velocity = [vx, vy, vz],
//            omega = [wx, wy, wz] in body axes or omega_global in global ones}
//
// In both, mass, inertia, position and angle or orientation may follow from what the body is made of (places/made_of.h);
// what is written counts.
//
// The origin of a body is its centre of mass, unless com = [...] says where that is in the frame of the body, as CAD
// programs do.  Position and velocity are those of the origin, and the points of the body are counted from it; inside, a
// body stands at its centre of mass, so that a reader takes com off whatever is given in the axes of the body.
//
// An inertia matrix is known about the centre of mass and in body axes, or in the inertia frame, whose origin and
// orientation (see orientation.h) are given in the body; it is then turned and, by the parallel-axis theorem, shifted to
// the centre of mass:
//
//   I = A I' Aᵀ − m (s·s 1 − s sᵀ)        A, s: orientation and origin of the inertia frame, s from com
#include "mubody/reading/describe.h"
#include "mubody/reading/sections.h"

namespace mubody::io {
/// Adds a body and, if it is made of shapes, what is drawn of it.
void read_body_into(Study&, const Element&, Known&);

/// What `mubody list` says about bodies.
Category describe_bodies();
}  // namespace mubody::io
