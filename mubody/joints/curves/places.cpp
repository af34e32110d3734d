#include "mubody/joints/curves/places.h"

#include "mubody/kinematics/recorded_turns.h"

namespace mubody {
namespace {
/// The place after Newton's corrections.  The last of them, from a place that is exact to round-off, is there for the
/// derivative: that of F / F' with respect to all else, by which the place changes.
template <class Search> Recorded corrected(const BodyCurve& curve, const Search& search, Recorded s) {
  Condition sound;
  for (int k = 0; k < corrections; ++k) {
    const auto [value, slope] = search.slope(curve(s));
    const Recorded correction = value / slope;
    if (k == corrections - 2) sound = slope < 0 && abs(correction) <= last_but_one * curve.kind().end();
    s -= correction;
  }
  return if_sound(sound, s);
}

template <class Search>
Recorded place_kept(const RecordedTurns& turns, const BodyCurve& curve, const Search& search) {
  const Followed place = turns.follow();
  const Recorded s = corrected(curve, search, place.expected(turns.time()));
  const Recorded anew = corrected(curve, search, best_sample(curve, search));
  const CurveAtOf<Recorded> there = curve(anew);
  place.becomes(anew, -search.drift(there) / search.slope(there).second);
  return s;
}
}  // namespace

// A root that is not there: all that is made of it is not a number either, and no step is taken.
Recorded if_sound(const Condition& holds, const Recorded& x) { return choose(holds, x, sqrt(-1 - x * x)); }

Recorded place_on(const RecordedTurns& turns, const BodyCurve& curve, const NearestTo<Recorded>& search) {
  return place_kept(turns, curve, search);
}
Recorded place_on(const RecordedTurns& turns, const BodyCurve& curve, const FarthestAlong<Recorded>& search) {
  return place_kept(turns, curve, search);
}
}  // namespace mubody
