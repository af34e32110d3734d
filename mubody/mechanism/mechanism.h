#pragma once
// The whole model: bodies, joints, forces and points of interest, in the order of the file.  No equations.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mubody/forces/force.h"
#include "mubody/joints/joint.h"
#include "mubody/model/box.h"
#include "mubody/signals/noted.h"

namespace mubody {
/// A rigid body; its origin is its centre of mass.
struct RigidBody {
  std::string name;
  Place place;                                        // in the model file, for messages
  double mass = 0;                                    // [kg]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about the centre of mass, body axes [kg m²]; plane: zz
  Pose start;                                         // at the start of the analysis, global axes [m]
  Vec<3> velocity = Vec<3>::Zero();                   // velocity of the centre of mass, global axes [m/s]
  Vec<3> omega = Vec<3>::Zero();                      // body axes [rad/s]; plane: z
  /// Values at the start that nobody has written: they are zero, and assembly moves them before any other.
  struct LeftOut {
    bool position = false, orientation = false, velocity = false, omega = false;
  } left_out{};

  /// Throws FieldError.
  void check() const;
};

template <class T> struct Named {
  std::string name;
  Place place;
  Box<T> what;
  bool driver = false;     // stands under [drivers]
  int rigid_part_of = -1;  // for an equation that a compliant joint keeps: which force its springs are; else −1
  bool of_particle = false;  // keeps a particle from turning; it has no results of its own
  bool vectors = false;      // a force that is reported as vectors as well, with the points where they act
};

/// A point of a body whose motion is wanted.
struct Point {
  std::string name;
  Place place;
  Marker marker;
  std::optional<Marker> in{};  // the frame from which the motion is seen; none: global axes
};

/// A channel of the results by another name, which the model gives it.
struct NamedChannel {
  std::string name;
  Place place;
  std::string channel;
};

struct Mechanism {
  std::string name = "model";
  int dim = 2;                          // 2: the plane, 3: space
  Vec<3> gravity = Vec<3>::Zero();      // [m/s²]
  std::vector<RigidBody> bodies;        // body k of a marker is bodies[k - 1]; 0 is the ground
  std::vector<Named<AnyJoint>> joints;  // joints and drivers, in the order of their equations
  std::vector<Named<AnyForce>> forces;
  std::vector<Point> points;
  std::vector<Noted> signals;  // in any order; formulas refer to them by their numbers
  std::vector<NamedChannel> outputs;
  bool omega_global = false;  // angular velocities of bodies in space are reported in global axes as well
  bool body_forces = false;  // what applied forces, and all forces, sum up to on every body is reported as well

  std::string body_name(int body) const { return body == ground ? "ground" : bodies[body - 1].name; }
  Pose start_of(const Marker& m) const {
    Pose p = m.body == ground ? pose(m) : bodies[m.body - 1].start * pose(m);
    if (dim == 3) p.angle = 0;  // only the plane has one
    return p;
  }

  /// For models built in code: joints (drivers) and forces by value.
  template <class J> void add_joint(std::string joint_name, J joint) {
    joints.push_back(
        {std::move(joint_name), {}, std::make_unique<JointOf<J>>(std::move(joint)), J::use != Use::joint});
  }
  template <class F> void add_force(std::string force_name, F force) {
    forces.push_back({std::move(force_name), {}, std::make_unique<ForceOf<F>>(std::move(force))});
  }

  /// The number under which a coordinate of a joint or a result of a force is noted; it is added if nobody has asked for it
  /// before.
  int note(Noted::Kind, const std::string& what, std::size_t element, std::size_t part, bool rate);

  /// For models built in code: lets joints and forces take what is "as at the start" and checks everything.
  /// Throws ModelError.
  void prepare();
  /// The same for one of them.
  void prepare(Named<AnyJoint>&);
  void prepare(Named<AnyForce>&);

 private:
  void find_coupled(std::span<Coupled>, const AnyJoint* own) const;
};
}  // namespace mubody
