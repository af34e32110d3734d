#pragma once
// A journal in its bearing, a revolute joint with clearance: a disc within a circle, and the quantities that a
// film between them needs.  Body i is the bearing, body j the journal.
//
//   docs/theory/contact.md#journal_in_bearing
//
// Source: Flores (2010), clearance revolute joints; Flores et al. (2008).  The eccentricity e points from the centre of
// the bearing to that of the journal.  Its rate is taken as seen from the bearing, ė − ω_i × e, and the spin is
// ω_j − ω_i: so the film does not notice a motion of both bodies as one.
#include "mubody/contact/geometry/disc_inside_circle.h"

namespace mubody {
/// The journal as seen from the bearing, in global axes.
struct Eccentricity {
  Vec<2> e = Vec<2>::Zero();     // from the bearing's centre to the journal's [m]
  Vec<2> rate = Vec<2>::Zero();  // its rate in axes that turn with the bearing [m/s]
  double spin = 0;               // angular velocity of the journal against the bearing [rad/s]
};

struct JournalInBearing : DiscInsideCircle {
  static constexpr Info info{"journal_in_bearing", "a journal in a bearing with clearance"};

  void fields(Fields& f) {
    f.required("radius_i", radius_i, "m", "of the bearing");
    f.required("radius_j", radius_j, "m", "of the journal");
  }
  Eccentricity eccentricity(const Moving<2>& i, const Moving<2>& j) const {
    const Vec<2> e = j.x - i.x;
    return {e, j.v - i.v - i.turning(e), j.w[0] - i.w[0]};
  }
};
}  // namespace mubody
