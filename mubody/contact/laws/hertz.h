#pragma once
// Hertz's elastic contact.
//
//   docs/theory/contact.md#hertz
//
//   F = K δⁿ        K [N/mⁿ], δ [m]; n = 1.5 for bodies that touch in a point
//
// Source: Hertz (1882); Flores & Lankarani (2012), eq. 135.  Valid for elastic bodies without friction whose area of
// contact is small beside their radii, and for collisions so slow that waves in the bodies do not count.  Nothing is
// lost: bodies part as fast as they met.
#include "mubody/contact/laws/contact_law.h"

namespace mubody {
struct Hertz : ElasticPart {
  static constexpr Info info{"hertz", "elastic contact, without loss"};
  static constexpr bool tensile = false;
  double force(double depth, double, double) const { return elastic(depth); }
};
}  // namespace mubody
