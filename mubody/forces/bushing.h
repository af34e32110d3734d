#pragma once
// Bushing: an elastic joint, stiff and damped in every direction between two frames, with preload.
//
//   docs/theory/forces.md#bushing
//
//   s = (slides along x, y, z of i; twists about x, y, z of i)       F = F0 + K s + C ṡ
//
// acts with −F along s, so that a symmetric K has the potential ½ s·K s and action equals reaction for deflections of
// any size.  Twists are exact for turns about one axis and agree with small angles about all three.  In the plane
// s = (x, y, angle).
#include "mubody/forces/stiffness_matrix.h"

namespace mubody {
struct Bushing {
  static constexpr Info info{"bushing",
                             "an elastic joint: stiffness and damping in all directions between two frames"};
  static constexpr Attach attach = Attach::frame;
  static constexpr bool counts_turns = true;
  Marker i, j;
  std::vector<double> stiffness, damping, preload;

  void fields(Fields& f) {
    stiffness_matrix::fields(f, i, j, stiffness, damping);
    f.optional("preload", preload, "N, N m",
               "what it pulls with when not deflected, along x, y, z and about them");
  }
  void draw(Sketch& s) const { stiffness_matrix::draw(s); }
  void check(int D) const {
    const std::size_t n = D == 2 ? 3 : 6;
    stiffness_matrix::check(stiffness, damping, n);
    require(preload.empty() || preload.size() == n, "preload",
            "expected " + std::to_string(n) + " numbers, got " + std::to_string(preload.size()));
  }

  template <class F, class G, class N, class S> void apply(const F& i, const G& j, const N&, S& sink) const {
    constexpr int n = F::dim == 2 ? 3 : 6;
    const auto d = j.o() - i.o();
    const std::array s = [&] {
      if constexpr (F::dim == 2)
        return std::array{dot(i.x(), d), dot(i.y(), d), angle_between(i, j)};
      else
        return std::array{dot(i.x(), d),
                          dot(i.y(), d),
                          dot(i.z(), d),
                          counted<0>(j, twist_about<0>(i, j)),
                          counted<1>(j, twist_about<1>(i, j)),
                          counted<2>(j, twist_about<2>(i, j))};
    }();
    using R = typename F::Real;
    Vec<n, R> x, v;
    for (int k = 0; k < n; ++k) x[k] = s[std::size_t(k)].x, v[k] = s[std::size_t(k)].v;
    const Vec<n, R> elastic = stiffness_matrix::times<n, R>(stiffness, x),
                    viscous = stiffness_matrix::times<n, R>(damping, v);
    Vec<n, R> first = Vec<n, R>::Zero();
    if (!preload.empty()) first = Eigen::Map<const Vec<n>>(preload.data()).template cast<R>();
    const Vec<n, R> force = first + elastic + viscous;
    for (int k = 0; k < n; ++k) sink.along(s[std::size_t(k)], -force[k]);
    sink.stores([&] { return R(0.5) * x.dot(elastic) + first.dot(x); });
    sink.dissipates([&] { return v.dot(viscous); });
    stiffness_matrix::report<F::dim>(sink, x, force);
  }
};
}  // namespace mubody
