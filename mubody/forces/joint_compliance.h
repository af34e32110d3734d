#pragma once
// The forces of a compliant joint in its stiff directions: springs and dampers along and about its axes.
//
//   Precomputation (dissertation), secs. 5.2, 5.4          docs/theory/deformable-joints.md
//
//   s = (slides along x, y, z of i; turns about x, y, z of i),   F = K s + C ṡ;   in the plane s = (x, y, angle)
//
// Without `pin` the turns are those of the chain z, y, x (kinematics/relative.h).  With it the body turns freely about z, by
// any angle, and the two tilts of that axis come first in the chain, so that they stay small whatever the free turn is:
//
//   about y: atan2(x_i·z_j, z_i·z_j),    about x: atan2(−y_i·z_j, |(z_i·z_j, x_i·z_j)|)
//
// A bushing measures twists of all three axes together, which a free turn would spoil.
#include <memory>

#include "mubody/forces/equivalent_bushing.h"
#include "mubody/forces/stiffness_matrix.h"
#include "mubody/joints/joint.h"

namespace mubody {
struct JointCompliance {
  static constexpr Info info{"joint_compliance",
                             "springs and dampers in the stiff directions of a joint that gives way"};
  static constexpr Attach attach = Attach::frame;
  static constexpr bool counts_turns = true;
  Marker i, j;
  std::vector<double> stiffness, damping;
  bool pin = false;
  std::shared_ptr<const AnyJoint> joint;  // the joint that gives way; null if this stands by itself
  /// Bushings that it stands for, and the names under which their displacements are reported.
  std::vector<BushingPart> parts;
  std::vector<std::string> part_names;

  void fields(Fields& f) {
    stiffness_matrix::fields(f, i, j, stiffness, damping);
    f.optional("pin", pin, "",
               "whether it turns freely about z; what is given about z then counts for nothing");
  }
  void draw(Sketch& s) const { stiffness_matrix::draw(s); }
  void check(int D) const {
    const std::size_t n = D == 2 ? 3 : 6;
    stiffness_matrix::check(stiffness, damping, n);
  }

  /// Entries of K and C for two elementary motions.
  double stiffness_of(Elementary a, Elementary b, int D) const { return entry(stiffness, a, b, D); }
  double damping_of(Elementary a, Elementary b, int D) const { return entry(damping, a, b, D); }

  template <class F, class G, class N, class S> void apply(const F& i, const G& j, const N&, S& sink) const {
    constexpr int n = F::dim == 2 ? 3 : 6;
    const std::array s = [&] {
      if constexpr (F::dim == 2) {
        return std::array{coordinate(slide_x, i, j), coordinate(slide_y, i, j), angle_between(i, j)};
      } else {
        const auto axis = j.z();
        const auto along = dot(i.z(), axis), across = dot(i.x(), axis);
        return std::array{coordinate(slide_x, i, j),
                          coordinate(slide_y, i, j),
                          coordinate(slide_z, i, j),
                          pin ? atan2(-1 * dot(i.y(), axis), sqrt(along * along + across * across))
                              : coordinate(turn_x, i, j),
                          pin ? atan2(across, along) : coordinate(turn_y, i, j),
                          coordinate(turn_z, i, j)};
      }
    }();
    const int acts = pin ? n - 1 : n;
    using R = typename F::Real;
    Vec<n, R> x = Vec<n, R>::Zero(), v = x;
    for (int k = 0; k < acts; ++k) x[k] = s[std::size_t(k)].x, v[k] = s[std::size_t(k)].v;
    const Vec<n, R> elastic = stiffness_matrix::times<n, R>(stiffness, x),
                    viscous = stiffness_matrix::times<n, R>(damping, v), force = elastic + viscous;
    for (int k = 0; k < acts; ++k) sink.along(s[std::size_t(k)], -force[k]);
    sink.stores([&] { return R(0.5) * x.dot(elastic); });
    sink.dissipates([&] { return v.dot(viscous); });
    stiffness_matrix::report<F::dim>(sink, x, force, acts);
    if (pin) sink.reports("angle", "rad", s[n - 1].x);
    if (parts.empty()) return;
    Vec<6, R> all = Vec<6, R>::Zero();
    for (int k = 0; k < acts; ++k) all[n == 3 && k == 2 ? 5 : k] = x[k];
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const Vec<6, R> there = displaced_at(parts[p].at, all);
      for (int k = 0; k < 6; ++k)
        if (F::dim == 3 || k < 2 || k == 5)
          sink.reports(part_names[6 * p + std::size_t(k)], k < 3 ? "m" : "rad", there[k]);
    }
  }

 private:
  static double entry(const std::vector<double>& K, Elementary a, Elementary b, int D) {
    const std::size_t n = D == 2 ? 3 : 6;
    const auto place = [&](Elementary m) {
      return std::size_t(is_turn(m) ? (D == 2 ? 2 : 3 + int(m)) : int(m) - int(slide_x));
    };
    if (K.size() == n) return a == b ? K[place(a)] : 0;
    return K.empty() ? 0 : K[place(a) * n + place(b)];
  }
};
}  // namespace mubody
