#pragma once
// The part of a planar mechanism that all lanes share: which joints and forces act between which bodies.  The
// mechanisms differ in numbers only, whose order the structure fixes.
//
//   docs/theory/lanes.md#what-can-run-in-lanes
#include <optional>
#include <string>
#include <vector>

#include "mubody/lanes/elimination.h"
#include "mubody/mechanism/mechanism.h"

namespace mubody {
struct LaneStructure {
  enum Joint { revolute, slot, translational, fixed, distance };
  enum Force { spring, torsion_spring, point_force, moment };
  template <class Kind> struct Element {
    Kind kind;
    int i, j;  // bodies, 0 is the ground
    bool operator==(const Element&) const = default;
  };

  int bodies = 0;
  std::vector<Element<Joint>> joints;
  std::vector<Element<Force>> forces;
  std::vector<int> points;  // the bodies that carry them
  Elimination elimination;

  // The numbers of a mechanism are gravity, then those of each body, joint, force and point.
  static constexpr int of_all = 2, of_body = 2, of_joint = 8, of_force = 8, of_point = 2;
  int body_at(int b) const { return of_all + of_body * b; }
  int joint_at(int k) const { return body_at(bodies) + of_joint * k; }
  int force_at(int k) const { return joint_at(int(joints.size())) + of_force * k; }
  int point_at(int k) const { return force_at(int(forces.size())) + of_point * k; }
  int numbers() const { return point_at(int(points.size())); }

  int rows() const { return elimination.rows; }
  /// Whether each equation measures an angle; the others measure lengths.
  std::vector<bool> angles() const;
  int velocities() const { return 3 * bodies; }
  /// Whether forces may supply or dissipate energy; their work is then integrated too.
  bool has_power() const { return !forces.empty(); }
  int states() const { return 2 * velocities() + (has_power() ? 2 : 0); }
  bool same(const LaneStructure& o) const {
    return bodies == o.bodies && joints == o.joints && forces == o.forces && points == o.points;
  }
};

/// The kind of a joint in lanes; none if they do not have it.
std::optional<LaneStructure::Joint> lane_joint(const AnyJoint&);
/// The number of equations of a joint.
constexpr int rows_of(LaneStructure::Joint kind) {
  switch (kind) {
    case LaneStructure::revolute:
    case LaneStructure::translational: return 2;
    case LaneStructure::fixed: return 3;
    default: return 1;
  }
}

/// The structure of a mechanism; none if it has something that lanes do not have, which `why` then names.
std::optional<LaneStructure> lane_structure(const Mechanism&, std::string& why);
/// The numbers of a mechanism of this structure.
std::vector<double> lane_numbers(const LaneStructure&, const Mechanism&);
}  // namespace mubody
