#pragma once
// Shared by elements that are stiff in every direction between two frames: matrices over s = (slides along x,
// y, z; turns about them), in the plane (x, y, angle), given as a diagonal or whole, row by row.
#include <cmath>

#include "mubody/forces/force.h"

namespace mubody::stiffness_matrix {
inline void fields(Fields& f, Marker& i, Marker& j, std::vector<double>& stiffness,
                   std::vector<double>& damping) {
  f.required("i", i, "m", "a frame on the first body; its axes are those of the stiffness");
  f.required("j", j, "m", "the frame on the second body that coincides with it without deflection");
  f.required("stiffness", stiffness, "N/m, N m/rad, N/rad",
             "along x, y, z, then about them: the diagonal, or a symmetric matrix row by row",
             Usual::not_negative_diagonal);
  f.optional("damping", damping, "N s/m, N m s/rad, N s/rad", "likewise", Usual::not_negative_diagonal);
}

inline void check(const char* name, const std::vector<double>& values, std::size_t n) {
  require(values.size() == n || values.size() == n * n, name,
          "expected " + std::to_string(n) + " numbers (a diagonal) or " + std::to_string(n * n) +
              " (a matrix), got " + std::to_string(values.size()));
  if (values.size() == n) return;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < a; ++b)
      require(std::abs(values[a * n + b] - values[b * n + a]) <= 1e-9 * std::abs(values[a * n + b]), name,
              "must be symmetric: row " + std::to_string(a + 1) + ", column " + std::to_string(b + 1) +
                  " differs from its mirror image");
}
inline void check(const std::vector<double>& stiffness, const std::vector<double>& damping, std::size_t n) {
  check("stiffness", stiffness, n);
  if (!damping.empty()) check("damping", damping, n);
}

inline void draw(Sketch& s) {
  s.tie(Sketch::Tie::bush);
  s.play = Sketch::Play{};
  // It pulls j back, in the axes of i.
  s.force({"fx", "fy", "fz"}), s.moment({"mx", "my", "mz"});
  for (Sketch::Arrow& a : s.arrows) a.sign = -1, a.axes = Sketch::End::i;
}

/// K x; an empty K stands for zero.
template <int n, class R> Vec<n, R> times(const std::vector<double>& K, const Vec<n, R>& x) {
  if (K.empty()) return Vec<n, R>::Zero();
  if (K.size() == n) return Eigen::Map<const Vec<n>>(K.data()).template cast<R>().cwiseProduct(x);
  return Eigen::Map<const Rows<n, n>>(K.data()).template cast<R>() * x;
}

/// Reports the first `count` deflections and forces.
template <int D, class S, int n, class R>
void report(S& sink, const Vec<n, R>& x, const Vec<n, R>& force, int count = n) {
  constexpr const char* names[][2] = {{"x", "fx"},       {"y", "fy"},       {"z", "fz"},
                                      {"angle_x", "mx"}, {"angle_y", "my"}, {"angle_z", "mz"}};
  for (int k = 0; k < count; ++k) {
    const auto* name = names[n == 3 && k == 2 ? 5 : k];
    sink.reports(name[0], k < D ? "m" : "rad", x[k]);
    sink.reports(name[1], k < D ? "N" : "N m", force[k]);
  }
}
}  // namespace mubody::stiffness_matrix
