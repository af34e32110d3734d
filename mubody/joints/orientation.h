#pragma once
// Orientation: all three angles of body j as seen from body i follow functions of time.
//
//   docs/theory/joints.md#orientation
//
//   Φ1..3 = twists of j about a, b, c, the axes of i turned by the wanted angles
//
// The wanted orientation is a product of three turns about axes that turn along, as in sequence = "zyx".  The
// equations have no gimbal lock; only the given functions may meet one.
#include "mubody/joints/joint.h"
#include "mubody/math/jet_math.h"

namespace mubody {
struct Orientation {
  static constexpr Info info{
      "orientation", "the orientation of one body as seen from another follows three functions of time"};
  static constexpr Use use = Use::both;
  static constexpr Attach attach = Attach::frame;
  static constexpr int forbids(int D) { return D == 2 ? 0 : 3; }
  static constexpr int allows(int) { return 3; }
  Marker i, j;
  std::string sequence = "zyx";
  std::vector<Function> angles;
  std::array<int, 3> axes{};  // axes of the sequence, set by start()

  void fields(Fields& f) {
    f.required("i", i, "m", "a frame on the first body");
    f.required("j", j, "m", "a frame on the second body; it coincides with that of i when all angles are zero");
    f.optional("sequence", sequence, "", "the axes of the three turns, each about axes that have turned along");
    f.required("angles", angles, "rad", "three functions of time");
  }
  void draw(Sketch& s) const {
    if (s.driver) return s.nothing("an orientation has no place of its own");
    s.weld();
  }
  void check() const {
    require(sequence.size() == 3 && sequence.find_first_not_of("xyz") == std::string::npos &&
                sequence[0] != sequence[1] && sequence[1] != sequence[2],
            "sequence", "expected three axes such as \"zyx\" or \"zxz\", none twice in a row");
    require(angles.size() == 3, "angles", "expected 3 functions, got " + std::to_string(angles.size()));
  }
  void start(const Pose&, const Pose&) {
    for (std::size_t k = 0; k < 3; ++k) axes[k] = sequence[k] - 'x';
  }

  template <class F, class G, class T, class E> void forbid(const F& i, const G& j, const T& t, E& eq) const {
    const auto R = wanted(t);
    const auto x = i.x(), y = i.y(), z = i.z();
    const auto axis = [&](std::size_t k) { return R[0][k] * x + R[1][k] * y + R[2][k] * z; };
    const auto a = axis(0), b = axis(1), c = axis(2);
    const auto xj = j.x(), yj = j.y(), zj = j.z();
    eq.zero(twist_gap<F>(b, c, yj, zj));
    eq.zero(twist_gap<F>(c, a, zj, xj));
    eq.zero(twist_gap<F>(a, b, xj, yj));
  }
  template <class F, class G, class R> void measure(const F& i, const G& j, R& report) const {
    for (const Elementary m : {turn_z, turn_y, turn_x}) report(name_of(m), "rad", coordinate(m, i, j));
  }

 private:
  template <class T> auto wanted(const T& t) const {
    using Angle = decltype(angles[0](t));
    std::array<std::array<Angle, 3>, 3> R{};
    for (std::size_t k = 0; k < 3; ++k) R[k][k].x = 1;
    for (std::size_t n = 0; n < 3; ++n) {  // R ← R times a turn about the n-th axis
      const std::size_t a = std::size_t(axes[n] + 1) % 3, b = std::size_t(axes[n] + 2) % 3;
      const Angle angle = angles[n](t), c = cos(angle), s = sin(angle);
      for (auto& row : R) {
        const Angle u = row[a], v = row[b];
        row[a] = u * c + v * s;
        row[b] = v * c - u * s;
      }
    }
    return R;
  }
};
}  // namespace mubody
