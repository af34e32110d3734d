#pragma once
// Screw: marker j turns about the z axis of marker i and goes along it by the pitch at every turn.
//
//   Nikravesh (1988), sec. 7.2                                          docs/theory/joints.md#screw
//
//   Φ1..4 as of the cylindrical joint
//   Φ5    = l · [(z_i·(o_j − o_i) − c) / l − θ_ij] brought to (−π, π],     l = pitch / 2π
//
// Near zero the bracket needs no whole turns, so that nothing has to be remembered.
#include <numbers>

#include "mubody/joints/joint.h"

namespace mubody {
struct Screw {
  static constexpr Info info{"screw", "one body turns about an axis of another and advances with every turn",
                             "helical"};
  static constexpr Use use = Use::joint;
  static constexpr Attach attach = Attach::pin;
  static constexpr int forbids(int D) { return D == 2 ? 0 : 5; }
  static constexpr std::array same{2};
  static constexpr int allows(int) { return 1; }
  static std::vector<Elementary> moves(int) { return {turn_z, slide_z}; }
  Marker i, j;
  double pitch = 0;
  double phase = 0;  // c [m], set by start()

  void fields(Fields& f) {
    f.required("i", i, "m", "a point of the axis on the first body; z is the axis");
    f.required("j", j, "m", "a point of the axis on the second body");
    f.required("pitch", pitch, "m", "advance along z in one turn; negative for a left-handed thread");
  }
  void draw(Sketch& s) const { s.slider(2); }
  void check() const { require(pitch != 0, "pitch", "must not be zero: that would be a revolute joint"); }
  void start(const Pose& i, const Pose& j) {
    phase = (i.turn.conjugate() * (j.at - i.at)).z() - lead() * angle_between(i, j);
  }

  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    const auto d = j.o() - i.o();
    const auto x = i.x(), y = i.y();
    const auto z = j.z();
    eq.zero(dot(x, d));
    eq.zero(dot(y, d));
    eq.zero(dot(x, z));
    eq.zero(dot(y, z));
    eq.zero(lead() * wrapped((1 / lead()) * (dot(i.z(), d) - phase) - angle_between(i, j)));
  }
  template <class F, class G, class R> void measure(const F& i, const G& j, R& report) const {
    report("angle", "rad", angle_between(i, j));
    report("slide", "m", coordinate(slide_z, i, j));
  }

 private:
  double lead() const { return pitch / (2 * std::numbers::pi); }  // [m/rad]
};
}  // namespace mubody
