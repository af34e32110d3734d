#pragma once
// Contact: numbers and geometry, without bodies, coordinates or time.
//
// An element that lets two bodies touch does the following at every evaluation; nothing here remembers anything.
//
//   const Touch<D> t = pair.touch(i, j);            geometry/: gap, normal, point, approach, slip
//   const double depth = -t.gap;                    with a film: film.depth(t.gap, pair.clearance())
//   F = law->force(depth, t.approach, first);       laws/: pushes body j along t.normal [N]
//   T = friction->force(F, slip, z);                friction/: acts on body j against t.slip [N]
//   FilmForce f = film(pair, pair.eccentricity(i, j));     film/: on the journal, at its centre
//
// On body j acts F t.normal − T t.slip/|t.slip| at t.point, on body i the opposite at the same point.  In the plane the
// slip has one direction, perp(t.normal), in which friction takes t.slip·perp(t.normal) as a number with sign;
// in space each of the three global directions takes Slip{component, |t.slip|}.
//
// The account of power: stored law->stored(depth) + friction->stored(F, z); dissipated law->dissipated(...) +
// friction->dissipated(...) + f.dissipated.  The energy of bristles holds for a steady normal force; its change
// with F is not dissipation, so a balance may also count all of T·slip as dissipated.
//
// The element keeps as state: `first`, the approach at the instant depth becomes positive, until it is negative
// again (a start in contact has none: pass the approach, or zero); z for each direction, zero at first touch.
//
// Before the first evaluation: law->elastic_part().stiffness_from(hertz_stiffness(pair.relative_radius(), ...)) fills
// in a stiffness that was not given, then law->check().
//
// Registries: contact_law_kinds(), friction_kinds().  Pairs have `info`, `fields`, `check` and `dim` as elements do.
#include "mubody/contact/film/pinkus_sternlicht.h"
#include "mubody/contact/friction/registry.h"
#include "mubody/contact/geometry/disc_inside_circle.h"
#include "mubody/contact/geometry/disc_on_disc.h"
#include "mubody/contact/geometry/disc_on_line.h"
#include "mubody/contact/geometry/journal_in_bearing.h"
#include "mubody/contact/geometry/sphere_on_plane.h"
#include "mubody/contact/geometry/sphere_on_sphere.h"
#include "mubody/contact/laws/registry.h"
#include "mubody/contact/stiffness.h"
