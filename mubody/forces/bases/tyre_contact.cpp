#include "mubody/forces/bases/tyre_contact.h"

namespace mubody {
// The point on a curved road depends on the normal there: it is looked for a few times, and the last look takes the tangent
// plane, so that the error is of second order in what the last step moved.
template <class R> Footprint<R> TyreShape::meet(const Wheel<R>& wheel, const Road& road) const {
  constexpr int most_looks = 4;
  const int looks = road.is_plane() ? 1 : most_looks;
  const Vec<3, R>&c = wheel.centre, &e = wheel.axle;
  Footprint<R> at;
  R x = c[0], y = c[1], cosine, sine;
  Vec<3, R> up;
  for (int k = 0; k < looks; ++k) {
    const HeightAt<R> s = road.at(x, y);
    const R size = 1 / sqrt(1 + s.dx * s.dx + s.dy * s.dy);
    at.normal = Vec<3, R>(-s.dx * size, -s.dy * size, size);
    sine = at.normal.dot(e);
    cosine = sqrt(larger_of(R(1 - sine * sine), R(1e-12)));
    up = (at.normal - sine * e) / cosine;
    at.loaded_radius = at.normal.dot(c - Vec<3, R>(x, y, s.z)) / cosine;
    at.point = c - at.loaded_radius * up;
    x = at.point[0], y = at.point[1];
  }
  at.x = e.cross(up);
  at.y = at.normal.cross(at.x);
  at.camber = atan2(sine, cosine);
  at.spin = wheel.w.dot(e);
  at.turn = wheel.w.dot(at.normal);
  const Vec<3, R> V = wheel.v - at.loaded_radius * (wheel.w - at.spin * e).cross(up);
  at.compression = radius - at.loaded_radius;
  at.approach = -V.dot(at.normal);
  at.elastic = stiffness * smaller_of(larger_of(at.compression, R(0)), R(radius));
  at.push = at.elastic / cosine;
  at.load = choose(at.compression > R(0), larger_of(R(0), R(at.push + damping * at.approach)), R(0));
  const R deep = at.elastic / stiffness / rolling.delta0;
  at.rolling_radius = radius - rolling.delta0 * (rolling.d * atan(rolling.b * deep) + rolling.f * deep);
  at.vx = V.dot(at.x);
  at.slip = {at.vx - at.spin * at.rolling_radius, V.dot(at.y)};
  return at;
}

template <class R>
Carcass::Bend<R> Carcass::bend(const Footprint<R>& at, const Sliding<R>& slide, const R* z) const {
  Bend<R> b;
  b.stored = b.lost = b.pulled = 0;
  const auto touches = at.load > R(0);
  const R tau = time + still / (1 + at.vx * at.vx);
  R used = 1e-30;  // share of the limits, squared
  for (std::size_t k = 0; k < 2; ++k) {
    const R share = stiffness[k] * z[k] / larger_of(slide.limit[k], R(1e-9));
    used += share * share;
  }
  const R gives_way = larger_of(R(0), R(1 - 1 / sqrt(used))) / time;
  for (std::size_t k = 0; k < 2; ++k) {
    const double c = stiffness[k];
    const R ease = slide.ease[k], d = c * tau;
    const R rate = choose(touches, (slide.drift[k] - ease * c * z[k]) / (1 + ease * d), R(0));
    b.rate[k] = choose(touches, rate - gives_way * z[k], -z[k] / time);
    b.force[k] = choose(touches, c * z[k] + d * rate, R(0));
    b.stored += 0.5 * c * z[k] * z[k];
    b.lost += choose(touches, ease * b.force[k] * b.force[k] + d * rate * rate + gives_way * c * z[k] * z[k],
                     c * z[k] * z[k] / time);
    b.pulled += b.force[k] * (at.slip[k] + slide.drift[k]);
  }
  return b;
}

template Footprint<double> TyreShape::meet(const Wheel<double>&, const Road&) const;
template Footprint<Recorded> TyreShape::meet(const Wheel<Recorded>&, const Road&) const;
template Carcass::Bend<double> Carcass::bend(const Footprint<double>&, const Sliding<double>&,
                                             const double*) const;
template Carcass::Bend<Recorded> Carcass::bend(const Footprint<Recorded>&, const Sliding<Recorded>&,
                                               const Recorded*) const;
}  // namespace mubody
