#pragma once
// Revolute-spherical link: a massless link with a pin on body i at one end and a ball on body j at the other.
//
//   Nikravesh (1988), sec. 7.2 (composite joints)          docs/theory/joints.md#revolute_spherical
//
//   Φ1 = |o_j − o_i| − L          the link keeps its length
//   Φ2 = z_i·(o_j − o_i) − c      it swings in a plane across the pin
#include "mubody/joints/joint.h"

namespace mubody {
struct RevoluteSpherical {
  static constexpr Info info{"revolute_spherical",
                             "a massless link with a pin on one body and a ball on another"};
  static constexpr Use use = Use::joint;
  static constexpr Attach attach = Attach::pin;
  static constexpr int forbids(int D) { return D == 2 ? 0 : 2; }
  static constexpr int allows(int) { return 4; }
  Marker i, j;
  std::optional<double> length, offset;

  void fields(Fields& f) {
    f.required("i", i, "m", "a point of the pin on the first body; z is the pin");
    f.required("j", j, "m", "the centre of the ball on the second body");
    f.optional("length", length, "m", "from i to j", "as at the start");
    f.optional("offset", offset, "m", "of j from i along the pin", "as at the start");
  }
  void draw(Sketch& s) const { s.strut(Sketch::Tie::rod); }
  void start(const Pose& i, const Pose& j) {
    const Vec<3> d = i.turn.conjugate() * (j.at - i.at);
    if (!length) length = d.norm();
    if (!offset) offset = d.z();
    require(*length > std::abs(*offset) + 1e-12 * (1 + i.at.norm()), "length",
            "must be larger than the offset along the pin: else the link does not reach away from it");
  }

  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    const auto d = j.o() - i.o();
    eq.zero(length_gap<F>(d, JetOf<typename F::Real>{*length}));
    eq.zero(dot(i.z(), d) - *offset);
  }
  // The link's own angle about the pin, from x of i.
  template <class F, class G, class R> void measure(const F& i, const G& j, R& report) const {
    const auto d = j.o() - i.o();
    report("angle", "rad", counted<0>(i, atan2(dot(i.y(), d), dot(i.x(), d))));
  }
};
}  // namespace mubody
