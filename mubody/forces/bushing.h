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
#include "mubody/forces/force.h"

namespace mubody {
struct Bushing {
  static constexpr Info info{"bushing",
                             "an elastic joint: stiffness and damping in all directions between two frames"};
  static constexpr Attach attach = Attach::frame;
  Marker i, j;
  std::vector<double> stiffness, damping, preload;

  void fields(Fields& f) {
    f.required("i", i, "m", "a frame on the first body; its axes are those of the stiffness");
    f.required("j", j, "m", "the frame on the second body that coincides with it without deflection");
    f.required("stiffness", stiffness, "1",
               "N/m along x, y, z, then N m/rad about them: the diagonal, or a symmetric matrix row by row");
    f.optional("damping", damping, "1", "N s/m, then N m s/rad: likewise");
    f.optional("preload", preload, "1",
               "N, then N m: what it pulls with when not deflected, along x, y, z and about them");
  }
  void check(int D) const {
    const std::size_t n = D == 2 ? 3 : 6;
    const auto matrix = [&](const char* name, const std::vector<double>& values) {
      require(values.size() == n || values.size() == n * n, name,
              "expected " + std::to_string(n) + " numbers (a diagonal) or " + std::to_string(n * n) +
                  " (a matrix), got " + std::to_string(values.size()));
      if (values.size() == n * n)
        for (std::size_t a = 0; a < n; ++a)
          for (std::size_t b = 0; b < a; ++b)
            require(std::abs(values[a * n + b] - values[b * n + a]) <= 1e-9 * std::abs(values[a * n + b]), name,
                    "must be symmetric: row " + std::to_string(a + 1) + ", column " + std::to_string(b + 1) +
                        " differs from its mirror image");
    };
    matrix("stiffness", stiffness);
    if (!damping.empty()) matrix("damping", damping);
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
    Vec<n> x, v;
    for (int k = 0; k < n; ++k) x[k] = s[std::size_t(k)].x, v[k] = s[std::size_t(k)].v;
    const Vec<n> elastic = times<n>(stiffness, x), viscous = times<n>(damping, v);
    Vec<n> first = Vec<n>::Zero();
    if (!preload.empty()) first = Eigen::Map<const Vec<n>>(preload.data());
    const Vec<n> force = first + elastic + viscous;
    for (int k = 0; k < n; ++k) sink.along(s[std::size_t(k)], -force[k]);
    sink.stores([&] { return 0.5 * x.dot(elastic) + first.dot(x); });
    sink.dissipates([&] { return v.dot(viscous); });
    constexpr const char* names[][2] = {{"x", "fx"},       {"y", "fy"},       {"z", "fz"},
                                        {"angle_x", "mx"}, {"angle_y", "my"}, {"angle_z", "mz"}};
    for (int k = 0; k < n; ++k) {
      const auto* name = names[n == 3 && k == 2 ? 5 : k];
      sink.reports(name[0], k < F::dim ? "m" : "rad", x[k]);
      sink.reports(name[1], k < F::dim ? "N" : "N m", force[k]);
    }
  }

 private:
  // A diagonal or a whole matrix times a vector; nothing stands for zero.
  template <int n> static Vec<n> times(const std::vector<double>& K, const Vec<n>& x) {
    if (K.empty()) return Vec<n>::Zero();
    if (K.size() == n) return Eigen::Map<const Vec<n>>(K.data()).cwiseProduct(x);
    return Eigen::Map<const Eigen::Matrix<double, n, n>>(K.data()) * x;
  }
};
}  // namespace mubody
