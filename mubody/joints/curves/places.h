#pragma once
// The place on a curve that a search finds.  Doubles find it anew at every evaluation.  Where equations are recorded, a
// search would be a long list of comparisons: there the place is kept from one accepted state to the next, and a fixed
// number of Newton's corrections leads from where it is expected to where it is.
//
//   docs/theory/curves.md#recorded
#include "mubody/joints/curves/searches.h"
#include "mubody/kinematics/frame.h"

namespace mubody {
class RecordedTurns;

inline double place_on(const Turns&, const BodyCurve& curve, const NearestTo<double>& search) {
  return curve.nearest(search.p);
}
inline double place_on(const Turns&, const BodyCurve& curve, const FarthestAlong<double>& search) {
  return curve.farthest(search.n);
}
/// At accepted states the place is found among samples, as doubles find it.  Not a number where corrections do not lead to a
/// place: too far from where it was expected, or at the centre of curvature.
Recorded place_on(const RecordedTurns&, const BodyCurve&, const NearestTo<Recorded>&);
Recorded place_on(const RecordedTurns&, const BodyCurve&, const FarthestAlong<Recorded>&);

/// The place of the sample at which a search would begin.
template <class Search> Recorded best_sample(const BodyCurve& curve, const Search& search) {
  Recorded s = curve.samples().front().s, best = search.at(curve.samples().front().r);
  for (const BodyCurve::Sample& x : curve.samples()) {
    const Recorded at = search.at(x.r);
    const auto is_better = at > best;
    s = choose(is_better, x.s, s), best = choose(is_better, at, best);
  }
  return s;
}
/// x if that holds, else not a number.
Recorded if_sound(const Condition&, const Recorded& x);
/// From a tenth of a radian to round-off, and one more for derivatives.
inline constexpr int corrections = 5;
/// What the last correction but one may be where they have led to a place.  The last one squares it, so that round-off is
/// left, and it is large enough for single precision.
inline constexpr double last_but_one = 1e-5;  // share of the curve, or [rad]
}  // namespace mubody
