#include "mubody/joints/curves/distance_between.h"

#include <numeric>

#include "mubody/kinematics/recorded_turns.h"

namespace mubody {
namespace {
/// The direction and the places on both curves.
struct Places {
  Recorded psi, i, j;
};

/// Newton's corrections of all three at once: with n, t along and across ψ and F_k = n · r_k', m_k = n · r_k'', k_k = t · r_k'
/// of each curve, in its own axes,
///
///   δψ = (S_ψ + Σ k_k F_k / m_k) / (S + ρ_i + ρ_j),      δs_k = −(F_k + k_k δψ) / m_k
class Corrections {
 public:
  Corrections(const BodyCurve& i, const BodyCurve& j, const Apart<Recorded>& at) : i_(i), j_(j), at_(at) {}

  /// So many, none of which turns the direction by more than `most`, if that is given.
  Places from(Places p, int count, std::optional<double> most = {}) {
    for (int k = 0; k < count; ++k) {
      const Side a(i_(p.i), p.psi), b(j_(p.j), turned(p.psi));
      const Recorded c = cos(p.psi), s = sin(p.psi);
      const Recorded S = c * at_.x.x + s * at_.y.x - a.reach.h.x - b.reach.h.x;
      const Recorded slope = c * at_.y.x - s * at_.x.x - a.reach.h.v - b.reach.h.v;
      const Recorded radii = a.reach.radius + b.reach.radius;
      Recorded turn = (slope + a.along * a.value / a.bend + b.along * b.value / b.bend) / (S + radii);
      if (most) turn = smaller_of(larger_of(turn, -*most), *most);
      const Recorded di = -(a.value + a.along * turn) / a.bend, dj = -(b.value + b.along * turn) / b.bend;
      p = {p.psi + turn, p.i + di, p.j + dj};
      if (k == count - 2)
        sound_ = abs(turn) <= last_but_one && abs(di) <= last_but_one * i_.kind().end() &&
                 abs(dj) <= last_but_one * j_.kind().end() && a.bend < 0 && b.bend < 0 && S > -0.1 * radii;
    }
    return p;
  }
  /// Whether they have led to a place.
  const Condition& sound() const { return sound_; }
  /// Where corrections begin that know nothing: from the middle of one curve to that of the other.
  Places middle() const {
    const Vec<3> a = middle_of(i_), b = middle_of(j_);
    const Recorded c = cos(at_.theta.x), s = sin(at_.theta.x);
    const Recorded psi =
        atan2(at_.y.x + s * b.x() + c * b.y() - a.y(), at_.x.x + c * b.x() - s * b.y() - a.x());
    return {psi, sample(i_, psi), sample(j_, turned(psi))};
  }
  /// Rates of the direction and of both places.
  Places rates(const Places& p) const {
    const Side a(i_(p.i), p.psi), b(j_(p.j), turned(p.psi));
    const Recorded c = cos(p.psi), s = sin(p.psi);
    const Recorded S = c * at_.x.x + s * at_.y.x - a.reach.h.x - b.reach.h.x;
    const Recorded turn =
        (c * at_.y.v - s * at_.x.v + b.reach.h.a * at_.theta.v) / (S + a.reach.radius + b.reach.radius);
    return {turn, -a.along * turn / a.bend, -b.along * (turn - at_.theta.v) / b.bend};
  }
  Recorded turned(const Recorded& psi) const { return psi + std::numbers::pi - at_.theta.x; }

 private:
  struct Side {
    ReachOf<Recorded> reach;
    Recorded value, bend, along;

    Side(const CurveAtOf<Recorded>& at, const Recorded& angle) : reach(at, angle) {
      const Vec<3, Recorded> n(cos(angle), sin(angle), 0), t(-n.y(), n.x(), 0);
      value = n.dot(at.d), bend = n.dot(at.dd), along = t.dot(at.d);
    }
  };
  static Vec<3> middle_of(const BodyCurve& c) {
    Vec<3> sum = Vec<3>::Zero();
    for (const BodyCurve::Sample& x : c.samples()) sum += x.r;
    return sum / double(c.samples().size());
  }
  static Recorded sample(const BodyCurve& curve, const Recorded& angle) {
    return best_sample(curve, FarthestAlong<Recorded>{{cos(angle), sin(angle), 0}});
  }

  const BodyCurve &i_, &j_;
  const Apart<Recorded>& at_;
  Condition sound_;
};
}  // namespace

TouchOf<Recorded> touch(const RecordedTurns& turns, const BodyCurve& i, const BodyCurve& j,
                        const Apart<Recorded>& at) {
  const Followed psi = turns.follow(), place_i = turns.follow(), place_j = turns.follow();
  const auto& t = turns.time();
  Corrections follow(i, j, at), search(i, j, at);
  Places p = follow.from({psi.expected(t), place_i.expected(t), place_j.expected(t)}, corrections);
  const Places anew = search.from(search.middle(), 2 * corrections, 0.4);
  const auto taken = [&](const Recorded& followed, const Recorded& found) {
    return choose(follow.sound(), followed, if_sound(search.sound(), found));
  };
  const Places next{taken(p.psi, anew.psi), taken(p.i, anew.i), taken(p.j, anew.j)};
  const Places rates = follow.rates(next);
  psi.becomes(next.psi, rates.psi), place_i.becomes(next.i, rates.i), place_j.becomes(next.j, rates.j);
  p.psi = if_sound(follow.sound(), p.psi);
  return {p.psi, {i(p.i), p.psi}, {j(p.j), follow.turned(p.psi)}};
}
}  // namespace mubody
