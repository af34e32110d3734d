#include "mubody/simulation/model.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "mubody/forces/moment.h"
#include "mubody/forces/point_force.h"
#include "mubody/shapes/figure.h"
#include "mubody/simulation/callback_force.h"
#include "mubody/simulation/input_slots.h"

namespace mubody {
Components::Components(std::initializer_list<double> numbers) : size_(int(numbers.size())) {
  if (size_ < 2 || size_ > 3)
    throw ModelError(fmt::format("a vector has two components in the plane and three in space, not {}", size_));
  std::copy(numbers.begin(), numbers.end(), v_.data());
}

BodyInertia::BodyInertia(std::initializer_list<double> principal) : I_(Eigen::Matrix3d::Zero()) {
  if (principal.size() != 1 && principal.size() != 3)
    throw ModelError("an inertia is one number, three principal moments, or a matrix");
  for (int k = 0; k < 3; ++k) I_(k, k) = principal.begin()[principal.size() == 1 ? 0 : k];
}

Marker with_axis(Marker m, const Vec<3>& z) {
  if (!(z.norm() > 0 && z.allFinite()))
    throw ModelError("with_axis: the axis must have a length, and be finite");
  m.turn = turn_between(Vec<3>::UnitZ(), z);
  return m;
}

Model::Model(ModelOptions o) {
  study_.mechanism.name = std::move(o.name);
  study_.mechanism.dim = o.gravity.size();
  study_.mechanism.gravity = o.gravity.vector();
}

// Inputs that the study has already keep their numbers.
Model::Model(Study study) : study_(std::move(study)) {
  Mechanism counted = study_.mechanism;
  const InputSlots slots(counted);
  for (const InputSlot& slot : slots.all()) inputs_ = std::max(inputs_, slot.held->input + 1);
}

BodyRef Model::body(const std::string& name, const BodyOptions& o) {
  const auto vector = [&](const char* what, const Components& c) -> const Vec<3>& {
    if (c.size() != 0 && c.size() != dim())
      throw ModelError(
          fmt::format("body '{}': {}: has {} components, but gravity has {}", name, what, c.size(), dim()));
    return c.vector();
  };
  if (name.empty() || name == "ground")
    throw ModelError("a body needs a name of its own, and 'ground' is taken");
  if (o.density != 0) throw ModelError(fmt::format("body '{}': density: goes with a shape", name));
  if (dim() == 2 && o.omega.size() == 2)
    throw ModelError(fmt::format("body '{}': omega: in the plane it is about z, as in {{0, 0, 5}}", name));
  RigidBody b;
  b.name = name;
  b.mass = o.mass;
  b.inertia = o.inertia.matrix();
  b.start.at = vector("position", o.position);
  b.start.angle = o.angle.value_or(0);
  b.start.turn = turn_about_z(b.start.angle) * o.orientation.value_or(Quaternion::Identity()).normalized();
  b.velocity = vector("velocity", o.velocity);
  b.omega = o.omega.vector();
  b.left_out = {o.position.size() == 0, !o.angle && !o.orientation, o.velocity.size() == 0,
                o.omega.size() == 0};
  try {
    b.check();
  } catch (const FieldError& e) {
    throw ModelError(fmt::format("body '{}': {}: {}", name, e.field, e.what()));
  }
  for (const RigidBody& other : study_.mechanism.bodies)
    if (other.name == name) throw ModelError(fmt::format("there are two bodies '{}'", name));
  study_.mechanism.bodies.push_back(std::move(b));
  return BodyRef(int(study_.mechanism.bodies.size()), id_);
}

BodyRef Model::shaped_body(const std::string& name, const AnyShape& shape, BodyOptions o) {
  const auto refuse = [&](const std::string& what) {
    throw ModelError(fmt::format("body '{}': {}", name, what));
  };
  try {
    shape.check();
  } catch (const FieldError& e) {
    refuse(e.field + ": " + e.what());
  }
  MassProperties unit = shape.unit();
  if (!(std::isfinite(unit.mass) && unit.mass > 0)) refuse("the shape has no size");
  if (o.mass != 0 && o.density != 0) refuse("density: takes the place of the mass, which is given too");
  if (o.density != 0 && shape.is_thin()) refuse("density: the shape has no volume; give its mass");
  if (!(std::isfinite(o.density) && o.density >= 0)) refuse("density: must not be negative");
  // The axis of a rod, which is z, becomes x, and its width is along y.
  const bool lies = shape.stand() == Stand::ends;
  const Quaternion turn = lies ? Quaternion(0.5, 0.5, 0.5, 0.5) : Quaternion::Identity();
  unit = unit.moved(turn, Vec<3>::Zero());
  auto figure = std::make_shared<Figure>();
  if (Surface surface = shape.surface(); !surface.points.empty()) {
    surface.move(turn, -unit.centre);
    figure->surfaces.push_back(std::move(surface));
  }
  if (o.density != 0) o.mass = o.density * unit.mass;
  if (o.inertia.matrix().isZero(0)) {
    Eigen::Matrix3d I = o.mass / unit.mass * unit.inertia;
    if (dim() == 2) I = I(2, 2) * Eigen::Matrix3d::Identity();
    o.inertia = BodyInertia(I);
  }
  o.density = 0;
  const BodyRef made = body(name, o);
  study_.looks[name].figure = std::move(figure);
  return made;
}

void Model::check(const Marker& m, const std::string& whose) const {
  const bool of_another = m.of && m.of != id_,
             missing = m.body < 0 || m.body > int(study_.mechanism.bodies.size());
  if (of_another || missing) throw ModelError(fmt::format("{} is on a body of another model", whose));
}

// The last element of a list must be sound and have a name of its own.  What is refused does not stay in the model.
template <class List> void Model::prepare_last(List& all, const char* kind) {
  const auto& last = all.back();
  try {
    for (std::size_t k = 0; k + 1 < all.size(); ++k)
      if (all[k].name == last.name) throw ModelError(fmt::format("there are two {}s '{}'", kind, last.name));
    for (const Marker* marker : {&last.what->i(), &last.what->j()})
      check(*marker, fmt::format("{} '{}': its marker", kind, last.name));
    study_.mechanism.prepare(all.back());
  } catch (...) {
    all.pop_back();
    throw;
  }
}
void Model::prepare_last_joint() { prepare_last(study_.mechanism.joints, "joint"); }
void Model::friction(const DryFriction& f) {
  if (study_.mechanism.joints.empty()) throw ModelError("friction is that of a joint, and there is none yet");
  Named<AnyJoint>& joint = study_.mechanism.joints.back();
  const std::optional<DryFriction> before = std::exchange(joint.what->friction, f);
  try {
    study_.mechanism.prepare(joint);
  } catch (...) {
    joint.what->friction = before;
    throw;
  }
}
void Model::prepare_last_force() { prepare_last(study_.mechanism.forces, "force"); }

namespace {
// A second part of that name is refused.
void expect_new_parts(const Mechanism& m, std::size_t known, const std::string& joint) {
  for (std::size_t k = known; k < m.forces.size(); ++k)
    for (std::size_t n = 0; n < known; ++n)
      if (m.forces[n].name == m.forces[k].name)
        throw ModelError(fmt::format("joint '{}' has two parts '{}'", joint, m.forces[n].name));
}
}  // namespace

// What is refused does not stay in the model.
void Model::at_joint(const std::string& joint, std::string_view part, const AddParts& add) {
  Mechanism& m = study_.mechanism;
  const auto at = std::ranges::find(m.joints, joint, &Named<AnyJoint>::name);
  if (at == m.joints.end() || at->driver)
    throw ModelError(fmt::format("{}: there is no joint '{}'", part, joint));
  const std::size_t known = m.forces.size();
  try {
    add(m, JointSite(*at, m.dim));
    expect_new_parts(m, known, joint);
  } catch (const FieldError& e) {
    m.forces.erase(m.forces.begin() + std::ptrdiff_t(known), m.forces.end());
    throw ModelError(
        fmt::format("joint '{}': {}: {}{}{}", joint, part, e.field, e.field.empty() ? "" : ": ", e.what()));
  } catch (...) {
    m.forces.erase(m.forces.begin() + std::ptrdiff_t(known), m.forces.end());
    throw;
  }
}

void Model::limits(const std::string& joint, const JointLimits& limits, std::string_view coordinate) {
  at_joint(joint, "limits", [&](Mechanism& m, const JointSite& site) {
    add_limits(m, site, site.coordinate(coordinate), limits);
  });
}

void Model::spring(const std::string& joint, const JointSpring& spring, std::string_view coordinate) {
  at_joint(joint, "spring", [&](Mechanism& m, const JointSite& site) {
    add_part(m, site, site.coordinate(coordinate), "spring", spring);
  });
}

Input Model::motor(const std::string& joint, std::string_view coordinate) {
  Input input;
  at_joint(joint, "motor", [&](Mechanism& m, const JointSite& site) {
    const Elementary c = site.coordinate(coordinate);
    JointMotor motor;
    motor.effort = input_signal(input);
    add_part(m, site, c, "motor", std::move(motor));
  });
  return input;
}

void Model::backlash(const std::string& joint, const Backlash& backlash) {
  auto& joints = study_.mechanism.joints;
  const auto number = int(std::ranges::find(joints, joint, &Named<AnyJoint>::name) - joints.begin());
  for (const Noted& n : study_.mechanism.signals)
    if (n.kind == Noted::joint && n.element == number && number < int(joints.size()))
      throw ModelError(
          fmt::format("joint '{}': backlash: its coordinate is read already, and it will have none", joint));
  at_joint(joint, "backlash", [&](Mechanism& m, const JointSite&) {
    add_backlash(m, *std::ranges::find(m.joints, joint, &Named<AnyJoint>::name), backlash);
  });
  joints.erase(std::ranges::find(joints, joint, &Named<AnyJoint>::name));
  for (Noted& n : study_.mechanism.signals)
    if (n.kind == Noted::joint && n.element > number) --n.element;
}

void Model::force(const std::string& name, const Marker& at, ForceFunction f) {
  CallbackForce force;
  force.force = [f = std::move(f), dim = dim()](double t, const State& s) {
    const Components c = f(t, s);
    if (c.size() != 0 && c.size() != dim)
      throw ModelError(fmt::format("its function returns {} components, but gravity has {}", c.size(), dim));
    return c.vector();
  };
  this->force(name, std::move(force), {}, at);
}

Signal Model::input_signal(Input& input) {
  input = Input(inputs_++);
  auto held = std::make_shared<Held>();
  held->input = input.index();
  Signal s(0);
  s.hold(std::move(held));
  return s;
}

Input Model::torque(const std::string& name, BodyRef on_first, BodyRef on_second) {
  Input input;
  Moment moment;
  moment.moment = input_signal(input);
  force(name, std::move(moment), on_first.at(0, 0), on_second.at(0, 0));
  return input;
}

void Model::torque(const std::string& name, BodyRef on_first, BodyRef on_second, StateFunction f) {
  Moment moment;
  moment.moment = Signal(std::move(f));
  force(name, std::move(moment), on_first.at(0, 0), on_second.at(0, 0));
}

std::vector<Input> Model::push(const std::string& name, const Marker& at) {
  std::vector<Input> inputs(static_cast<std::size_t>(dim()));
  PointForce force;
  for (Input& x : inputs) force.force.push_back(input_signal(x));
  this->force(name, std::move(force), {}, at);
  return inputs;
}

void Model::point(const std::string& name, const Marker& at) {
  check(at, fmt::format("point '{}'", name));
  study_.mechanism.points.push_back({name, {}, at});
}
}  // namespace mubody
