#pragma once
// Random mechanisms that are trees, with every joint that is a chain, either way round, and free bodies.
#include "mubody/formulations/tree.h"
#include "tests/properties/sample.h"

namespace mubody::testing {
inline std::vector<const JointEntry*> chain_kinds(int dim) {
  std::vector<const JointEntry*> all;
  for (const JointEntry& e : joint_kinds())
    if (e.in(dim) && e.use == Use::joint && has_chain(*e.make(), dim)) all.push_back(&e);
  return all;
}

/// Closed in every joint, at rest; bodies have masses and inertias.
inline Mechanism random_tree(Random& random, int dim, int bodies) {
  Mechanism m;
  m.dim = dim;
  m.gravity = {random(-9, 9), random(-9, 9), dim == 2 ? 0 : random(-9, 9)};
  const auto kinds = chain_kinds(dim);
  const auto pick = [&](int n) { return std::min(n - 1, int(random(0, n))); };
  for (int b = 1; b <= bodies; ++b) {
    RigidBody body;
    body.name = "b" + std::to_string(b);
    body.mass = random(0.5, 2);
    body.inertia = random_inertia(random);
    if (random(0, 1) < 0.1) {  // free
      const double angle = dim == 2 ? random(-2, 2) : 0;
      body.start = {Vec<3>(random(), random(), dim == 2 ? 0 : random()),
                    dim == 2 ? turn_about_z(angle) : random_turn(random, 3), angle};
      m.bodies.push_back(body);
      continue;
    }
    auto joint = kinds[std::size_t(pick(int(kinds.size())))]->make();
    randomize(*joint, random, 0, dim);
    const bool against = random(0, 1) < 0.4;
    const int parent = pick(b);  // 0 is the ground
    joint->i().body = against ? b : parent;
    joint->j().body = against ? parent : b;
    Pose relative;
    for (const Elementary motion : joint->allow()) relative = relative * moved_by(motion, random(-1.3, 1.3));
    m.bodies.push_back(body);
    const Pose from = m.start_of(against ? joint->j() : joint->i());
    m.bodies.back().start = against ? from * inverse(relative) * inverse(pose(joint->i()))
                                    : from * relative * inverse(pose(joint->j()));
    if (dim == 3) m.bodies.back().start.angle = 0;
    m.joints.push_back({"j" + std::to_string(b), {}, Box<AnyJoint>(std::move(joint))});
  }
  m.prepare();
  return m;
}
}  // namespace mubody::testing
