#pragma once
// Constant velocity joint: two shafts, z of the markers, meet in a point and turn at the same speed at any bend.
//
//   docs/theory/joints.md#constant_velocity
//
//   Φ1..3 = o_i − o_j
//   Φ4    = twist of j about z_i − c       twist = atan2(y_i·x_j − x_i·y_j, x_i·x_j + y_i·y_j)
//
// A bend of any size and direction leaves the twist as it is: seen from the plane that halves the angle between the
// shafts, both turn alike.
#include "mubody/joints/joint.h"

namespace mubody {
struct ConstantVelocity {
  static constexpr Info info{"constant_velocity", "two shafts meet at any bend and turn at the same speed",
                             "cv_joint homokinetic rzeppa"};
  static constexpr Use use = Use::joint;
  static constexpr Attach attach = Attach::pin;
  static constexpr int forbids(int D) { return D == 2 ? 0 : 4; }
  static constexpr int allows(int) { return 2; }
  Marker i, j;
  double phase = 0;  // c, set by start()

  void fields(Fields& f) {
    f.required("i", i, "m", "the centre of the joint on the first body; z is its shaft");
    f.required("j", j, "m", "the centre of the joint on the second body; z is its shaft");
  }
  void draw(Sketch& s) const { s.ball(); }
  void start(const Pose& i, const Pose& j) {
    const Eigen::Matrix3d R = (i.turn.conjugate() * j.turn).toRotationMatrix();
    require(R(2, 2) > -0.9999, "j",
            "the shafts point against each other at the start: let both z axes go one way");
    phase = std::atan2(R(1, 0) - R(0, 1), R(0, 0) + R(1, 1));
  }

  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    eq.zero(i.o() - j.o());
    eq.zero(twist_gap_about<2>(i, j, phase));
  }
  // The bend: the shaft of j as seen along y and along x of i.
  template <class F, class G, class R> void measure(const F& i, const G& j, R& report) const {
    const auto z = j.z();
    const auto along = dot(i.z(), z);
    report("angle_x", "rad", counted<0>(i, atan2(-1 * dot(i.y(), z), along)));
    report("angle_y", "rad", counted<1>(i, atan2(dot(i.x(), z), along)));
  }
};
}  // namespace mubody
