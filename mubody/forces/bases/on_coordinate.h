#pragma once
// Shared by forces on one coordinate of a joint: a turn or a slide of marker j relative to marker i.
//
//   docs/theory/joint-parts.md
//
//   s = coordinate(motion, i, j),   F: virtual work F δs         positive F drives body j towards larger s
//
// Such a force stands by itself, and says which motion it is about, or it is part of a joint, whose coordinate is fixed.
#include "mubody/forces/force.h"

namespace mubody {
struct OnCoordinate {
  static constexpr Attach attach = Attach::frame;
  static constexpr bool counts_turns = true;
  Marker i, j;
  Choice motion{{"angle_z", "slide_x", "slide_y", "slide_z", "angle_y", "angle_x"}};
  bool of_joint = false;  // the motion is that of a joint, and is not to choose

  Elementary coordinate() const { return all[motion.index]; }
  bool turns() const { return is_turn(coordinate()); }
  /// Becomes part of a joint that has this coordinate.
  void follow(Elementary m) {
    of_joint = true;
    motion.index = int(std::find(std::begin(all), std::end(all), m) - std::begin(all));
  }

  void fields(Fields& f) {
    f.required("i", i, "m", "a frame on the first body");
    f.required("j", j, "m", "a frame on the second body");
    if (!of_joint)
      f.optional("motion", motion, "",
                 "slide of j along an axis of i, or angle of the chain z, y, x that leads from i to j");
  }
  void check(int D) const {
    constexpr int in_plane = 3;
    require(D == 3 || motion.index < in_plane, "motion", "is not in the plane: angle_z, slide_x or slide_y");
  }
  void draw(Sketch& s) const {
    Sketch::Names names{};
    names[std::size_t(axis())] = effort_name();
    Sketch::Arrow& a = turns() ? s.moment(names) : s.force(names);
    a.axes = turns() ? Sketch::End::j : Sketch::End::i;
    a.both = true;
  }

 protected:
  /// Units of the coordinate, its rate, a force along it, and springs and dampers.
  std::string_view unit() const { return turns() ? "rad" : "m"; }
  std::string_view unit_of_rate() const { return turns() ? "rad/s" : "m/s"; }
  std::string_view unit_of_effort() const { return turns() ? "N m" : "N"; }
  std::string_view unit_of_stiffness() const { return turns() ? "N m/rad" : "N/m"; }
  std::string_view unit_of_damping() const { return turns() ? "N m s/rad" : "N s/m"; }
  /// What a force along the coordinate is called in results.
  std::string_view effort_name() const { return turns() ? "moment" : "force"; }

  /// The coordinate as a scalar of precomputed models, which know one of the three angles.
  std::optional<Measure> scalar() const {
    if (!turns()) return Measure{Measure::coordinate, i, j, axis()};
    if (coordinate() == turn_z) return Measure{Measure::angle, i, j, 0};
    return {};
  }

 public:
  double value(const Pose& from, const Pose& to) const { return coordinate_at(coordinate(), from, to); }

 private:
  static constexpr Elementary all[] = {turn_z, slide_x, slide_y, slide_z, turn_y, turn_x};
  int axis() const { return int(coordinate()) % 3; }
};
}  // namespace mubody
