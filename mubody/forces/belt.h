#pragma once
// Belt or chain over two pulleys, with stretch: it passes a pull on as a spring with a damper does.
//
//   docs/theory/forces.md#belt
//
//   e = r_i (φ_i − ψ) ∓ r_j (φ_j − ψ) − e_0,   T = k e + c ė      acts as −T on e; minus: open, plus: crossed
//
// ψ is the direction of the line of centres, which may swing by less than half a turn from where it starts.  A coupler is
// the same without stretch.
#include "mubody/forces/elastic.h"

namespace mubody {
struct Belt : Elastic {
  static constexpr Info info{"belt", "a belt or chain over two pulleys that stretches"};
  static constexpr Attach attach = Attach::pin;
  static constexpr bool counts_turns = true;
  Marker i, j;
  double radius_i = 0, radius_j = 0;
  bool crossed = false;
  double at_rest = 0, first = 0;  // e_0 and ψ at the start, set by start()

  void fields(Fields& f) {
    f.required("i", i, "m", "centre of the first pulley; z is its axis");
    f.required("j", j, "m", "centre of the second pulley; z is its axis");
    f.required("radius_i", radius_i, "m", "of the first pulley");
    f.required("radius_j", radius_j, "m", "of the second pulley");
    f.optional("crossed", crossed, "", "whether the pulleys turn against each other");
    f.optional("stiffness", stiffness, "N/m", "k, of the belt", Usual::not_negative);
    f.optional("damping", damping, "N s/m", "c, of the belt", Usual::not_negative);
    f.optional("law", law, "N", "pull of the stretch, of length and rate; in place of k");
  }
  void draw(Sketch& s) const {
    s.disc(Sketch::End::i, radius_i);
    s.disc(Sketch::End::j, radius_j);
    s.moment({"", "", "moment"}).axes = Sketch::End::j;
  }
  void check() const {
    Elastic::check();
    require(std::isfinite(radius_i) && radius_i > 0, "radius_i", "must be positive");
    require(std::isfinite(radius_j) && radius_j > 0, "radius_j", "must be positive");
  }
  void start(const Pose& i, const Pose& j) {
    const Vec<3> d = j.at - i.at, di = i.turn.conjugate() * d, dj = j.turn.conjugate() * d;
    require(di.head<2>().norm() > 0 && dj.head<2>().norm() > 0, "j", "the pulleys have one axis");
    first = std::atan2(d.y(), d.x());
    sense = (i.turn * Vec<3>::UnitZ()).dot(j.turn * Vec<3>::UnitZ()) < 0 ? -1 : 1;
    first_i = std::atan2(di.y(), di.x()), first_j = std::atan2(dj.y(), dj.x());
    at_rest = radius_i * i.angle - other() * j.angle;
  }

  template <class F, class G, class N, class S>
  void apply(const F& i, const G& j, const N& now, S& sink) const {
    const auto d = j.o() - i.o();
    if constexpr (has_angle<F>) {
      const auto psi = wrapped(atan2(component<1>(d), component<0>(d)) - first);
      pull(radius_i * i.angle() - other() * j.angle() - (radius_i - other()) * psi, at_rest, now, sink);
    } else {
      const auto ai = counted<1>(i, atan2(dot(i.y(), d), dot(i.x(), d)) - first_i);
      const auto aj = counted<2>(j, atan2(dot(j.y(), d), dot(j.x(), d)) - first_j);
      pull((sense * other()) * aj - radius_i * ai, 0, now, sink);
    }
  }

 private:
  double first_i = 0, first_j = 0,
         sense = 1;  // in space: the sights at the start; whether the axes point alike

  double other() const { return crossed ? -radius_j : radius_j; }
  template <class E, class N, class S> void pull(const E& e, double none, const N& now, S& sink) const {
    const auto force = act(e, none, now, sink);
    sink.reports("stretch", "m", e.x - none);
    sink.reports("rate", "m/s", e.v);
    sink.reports("pull", "N", force);
    sink.reports("moment", "N m", sense * other() * force);
  }
};
}  // namespace mubody
