#pragma once
// A model built in a program: bodies, joints, forces and points by name, then a Simulation or a run of it.
//
//   Model m({.gravity = {0, -9.81}});
//   const BodyRef rod = m.body("rod", {.mass = 1, .inertia = 1. / 12, .position = {0.5, 0}});
//   m.joint("pin", Revolute{}, m.ground().at(0, 0), rod.at(-0.5, 0));
//   m.body("wheel", Cylinder{.radius = 0.3, .width = 0.2}, {.position = {2, 0}, .density = 900});
//   const Input motor = m.torque("motor", m.ground(), rod);
//                                                                                   docs/api/model.md
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>

#include "mubody/forces/joint_motor.h"
#include "mubody/forces/joint_spring.h"
#include "mubody/shapes/shape.h"
#include "mubody/simulation/joint_parts.h"
#include "mubody/simulation/simulation.h"

namespace mubody {
/// Two numbers in the plane, three in space.
class Components {
 public:
  Components() = default;
  Components(std::initializer_list<double> numbers);
  Components(const Vec<2>& v) : v_(v.x(), v.y(), 0), size_(2) {}
  Components(const Vec<3>& v) : v_(v), size_(3) {}
  const Vec<3>& vector() const { return v_; }
  int size() const { return size_; }  // 0: not given

 private:
  Vec<3> v_ = Vec<3>::Zero();
  int size_ = 0;
};

/// The inertia of a body about its centre of mass [kg m²]: one number in the plane; in space one number (a sphere), three
/// (about the body's axes), or a matrix.
class BodyInertia {
 public:
  BodyInertia(double about_z = 0) : I_(about_z * Eigen::Matrix3d::Identity()) {}
  BodyInertia(std::initializer_list<double> principal);
  BodyInertia(const Eigen::Matrix3d& I) : I_(I) {}
  const Eigen::Matrix3d& matrix() const { return I_; }

 private:
  Eigen::Matrix3d I_;
};

/// What a body is at the start.  What is left out is zero, and is the first to give way to assembly.
struct BodyOptions {
  double mass = 0;                          // [kg]
  BodyInertia inertia{};                    // [kg m²]
  Components position{};                    // of the centre of mass [m]
  std::optional<double> angle{};            // [rad] about z
  std::optional<Quaternion> orientation{};  // in space, after the turn by the angle
  Components velocity{};                    // of the centre of mass [m/s]
  Components omega{};                       // angular velocity in body axes [rad/s]; plane: {0, 0, omega}
  double density = 0;                       // of a shape, in place of the mass [kg/m³]
};

/// A body of a model, or the ground.
class BodyRef {
 public:
  explicit BodyRef(int index = 0, std::shared_ptr<const ModelId> of = nullptr)
      : index_(index), of_(std::move(of)) {}
  int index() const { return index_; }
  /// A marker on the body: a place in body axes [m].  In space, z of the marker is the axis of pins, x the line of slides.
  Marker at(double x, double y, double z = 0) const {
    return {index_, Vec<3>(x, y, z), Quaternion::Identity(), of_};
  }
  Marker at(const Vec<3>& place, const Quaternion& turn) const { return {index_, place, turn, of_}; }
  /// A number of its motion for functions of the state: state(rod.read(StateVariable::omega)).
  StateVariable read(StateVariable::Quantity quantity) const { return {at(0, 0), quantity}; }

 private:
  int index_;
  std::shared_ptr<const ModelId> of_;
};

/// A marker turned so that its z axis, in space the axis of pins, has a direction in body axes.  Throws ModelError if that
/// has no length.
Marker with_axis(Marker, const Vec<3>& z);

/// A force at a marker as a function of time and state, in global axes [N]; two components in the plane, three in space.
using ForceFunction = std::function<Components(double t, const State&)>;

struct SignalOptions {
  std::string unit = "1";          // SI
  std::optional<double> sample{};  // [s] between the instants of a sampled signal
};

struct ModelOptions {
  std::string name = "model";
  Components gravity = {0, 0};  // [m/s²]; the number of components decides on plane or space
};

class Model {
 public:
  explicit Model(ModelOptions = {});
  /// What a file described; more may be added.
  explicit Model(Study study);

  BodyRef ground() const { return BodyRef(); }
  BodyRef body(const std::string& name, const BodyOptions&);
  /// A body of a shape of mubody/shapes, in whose axes it lies about its centre of mass; rods and bars lie along x.  Mass or
  /// density gives the inertia, unless that is given, and the shape is drawn.
  template <class S>
  BodyRef body(const std::string& name, const S& shape, const BodyOptions& o) requires requires {
    S::stand;
  }
  { return shaped_body(name, ShapeOf<S>(shape), o); }
  /// A joint or driver of any kind, the user's own too, between two markers.
  template <class J> void joint(const std::string& name, J joint, const Marker& i, const Marker& j) {
    joint.i = i;
    joint.j = j;
    study_.mechanism.add_joint(name, std::move(joint));
    prepare_last_joint();
  }
  /// A joint that refers to others of this model by their names, such as a coupler.
  template <class J> void joint(const std::string& name, J joint) requires Couples<J> {
    study_.mechanism.add_joint(name, std::move(joint));
    prepare_last_joint();
  }
  // Parts of a joint that is there already.  A joint with several turns or slides needs the name of the coordinate,
  // "angle" or "slide_x", as in the results.

  /// Stops at one end or at both.
  void limits(const std::string& joint, const JointLimits&, std::string_view coordinate = "");
  /// A spring and a damper.
  void spring(const std::string& joint, const JointSpring&, std::string_view coordinate = "");
  /// A JointMotor, SpeedMotor or PositionMotor.
  template <std::derived_from<OnCoordinate> M>
  void motor(const std::string& joint, M motor, std::string_view coordinate = "") {
    at_joint(joint, "motor", [&](Mechanism& m, const JointSite& site) {
      add_part(m, site, site.coordinate(coordinate), "motor", std::move(motor));
    });
  }
  /// A torque, or a force, 0 until it is set in a simulation.
  Input motor(const std::string& joint, std::string_view coordinate = "");
  /// Play between the teeth of a gear or a rack, which is then no equation but two forces.
  void backlash(const std::string& joint, const Backlash&);
  /// Gives the last joint dry friction at its turn or slide.  Throws ModelError where it cannot have any.
  void friction(const DryFriction&);
  /// A force of any kind, the user's own too, between two markers.
  template <class F>
  void force(const std::string& name, F force, const Marker& i, const Marker& j) requires requires {
    F::info;
  }
  {
    force.i = i;
    force.j = j;
    study_.mechanism.add_force(name, std::move(force));
    prepare_last_force();
  }
  /// A force along coordinates of joints of this model, which it names.
  template <class F> void force(const std::string& name, F force) requires Couples<F> {
    study_.mechanism.add_force(name, std::move(force));
    prepare_last_force();
  }
  /// A force at a marker, by a function of the program; its power is counted in the energy balance.
  void force(const std::string& name, const Marker& at, ForceFunction);
  /// A torque about z of the second body against the first, 0 until it is set in a simulation.
  Input torque(const std::string& name, BodyRef on_first, BodyRef on_second);
  /// A torque by a function of the program.
  void torque(const std::string& name, BodyRef on_first, BodyRef on_second, StateFunction);
  /// A force at a marker along global axes, 0 until it is set in a simulation: one input per axis.
  std::vector<Input> push(const std::string& name, const Marker& at);
  /// A point whose motion is an output.
  void point(const std::string& name, const Marker& at);

  // Signals: numbers by name that are channels, and that functions read, state(error).  A function of a signal may read those
  // that the model has when it is added.

  /// A signal by a function of time and state.
  StateVariable signal(const std::string& name, StateFunction, const SignalOptions& = {});
  /// The output of a block of mubody/signals, such as Pid, whose input is Signal(function).
  template <class B>
  StateVariable signal(const std::string& name, B block, const SignalOptions& o = {}) requires requires {
    B::info;
    block.input;
  }
  { return block_signal(name, std::make_unique<BlockOf<B>>(std::move(block)), o); }
  /// A signal that a simulation sets: sim[sim.input(name)] = x; until then it has a value of its own.
  StateVariable input(const std::string& name, double value = 0, const std::string& unit = "1");
  /// The turn or slide of a joint, or its rate, for functions to read.
  StateVariable coordinate(const std::string& joint, std::string_view coordinate = "");
  StateVariable coordinate_rate(const std::string& joint, std::string_view coordinate = "");

  int dim() const { return study_.mechanism.dim; }
  /// Everything that the model says; options of the analysis may be changed there.
  Study& study() { return study_; }
  const Study& study() const { return study_; }

 private:
  BodyRef shaped_body(const std::string& name, const AnyShape&, BodyOptions);
  void check(const Marker&, const std::string& whose) const;
  void prepare_last_joint();
  void prepare_last_force();
  using AddParts = std::function<void(Mechanism&, const JointSite&)>;
  void at_joint(const std::string& joint, std::string_view part, const AddParts&);
  template <class List> void prepare_last(List& all, const char* kind);
  Signal input_signal(Input&);
  StateVariable block_signal(const std::string& name, std::unique_ptr<AnyBlock>, const SignalOptions&);
  StateVariable add_signal(Noted, const SignalOptions&);
  StateVariable read_joint(const std::string& joint, std::string_view coordinate, bool rate);

  Study study_;
  std::shared_ptr<const ModelId> id_ = std::make_shared<ModelId>();  // of its bodies, in copies too
  int inputs_ = 0;
};
}  // namespace mubody
