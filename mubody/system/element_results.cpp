#include "mubody/system/element_results.h"

#include "mubody/system/force_group.h"
#include "mubody/system/joint_group.h"

namespace mubody {
namespace {
// Bodies at rest in the axes of the ground: names do not depend on where they are.
template <int D> std::vector<typename Body<D>::BodyState> bodies_at_origin(const Mechanism& m) {
  std::vector<typename Body<D>::BodyState> all(m.bodies.size() + 1);
  RigidBody body;
  VecX q(Body<D>::coordinates), u(Body<D>::columns);
  Body<D>::write(body, q.data(), u.data());
  for (auto& state : all) Body<D>::unpack(q.data(), u.data(), state);
  return all;
}

template <class Reported> std::vector<ElementResult> named(const std::vector<Reported>& all) {
  std::vector<ElementResult> names;
  for (const Reported& r : all) names.push_back({std::string(r.name), std::string(r.unit)});
  return names;
}

template <int D> std::vector<ElementResult> coordinates_in(const Mechanism& m, const AnyJoint& joint) {
  const auto alone = joint.entry().group<Body<D>>()();
  alone->add(joint, 0, std::vector<int>(joint.markers().size(), 0));
  const auto bodies = bodies_at_origin<D>(m);
  const std::vector<double> a(bodies.size() * Body<D>::columns);
  std::vector<typename JointGroup<Body<D>>::Measure> all;
  alone->measure(0, bodies.data(), 0, a.data(), all);
  return named(all);
}

template <int D> std::vector<ElementResult> results_in(const Mechanism& m, const AnyForce& force) {
  const auto alone = force.entry().group<Body<D>>()();
  alone->add(force);
  const std::vector<double> noted(m.signals.size());
  alone->noted = noted;
  const std::vector<double> states(std::size_t(alone->inner(0)));
  for (ContactMemory& memory : alone->memories(0)) memory.inner = states.data();
  std::vector<double> own(std::size_t(force.states())), rates(own);
  alone->place_states(0, {own.data(), rates.data()});
  const auto bodies = bodies_at_origin<D>(m);
  std::vector<typename ForceGroup<Body<D>>::Report> all;
  alone->report(0, bodies, 0, all);
  return named(all);
}
}  // namespace

std::vector<ElementResult> coordinates_of_joint(const Mechanism& m, std::size_t k) {
  const AnyJoint& joint = *m.joints[k].what;
  return m.dim == 2 ? coordinates_in<2>(m, joint) : coordinates_in<3>(m, joint);
}
std::vector<ElementResult> results_of_force(const Mechanism& m, std::size_t k) {
  const AnyForce& force = *m.forces[k].what;
  return m.dim == 2 ? results_in<2>(m, force) : results_in<3>(m, force);
}
}  // namespace mubody
