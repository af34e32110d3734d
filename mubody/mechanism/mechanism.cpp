#include "mubody/mechanism/mechanism.h"

#include <algorithm>

#include "mubody/math/suggest.h"

namespace mubody {
void RigidBody::check() const {
  require(std::isfinite(mass) && mass >= 0, "mass", "must not be negative");
  require(inertia.allFinite(), "inertia", "must be finite");
  for (int k = 0; k < 3; ++k) require(inertia(k, k) >= 0, "inertia", "must not be negative");
  require(start.at.allFinite(), "position", "must be finite");
  require(velocity.allFinite(), "velocity", "must be finite");
  require(omega.allFinite(), "omega", "must be finite");
}

namespace {
template <class Check>
void located(const char* kind, const std::string& name, const Place& place, const Check& check) {
  try {
    check();
  } catch (const FieldError& e) {
    throw ModelError(place, std::string(kind) + " '" + name + "': " + e.field + ": " + e.what());
  }
}
// In space half a turn has two signs, and round-off must not choose: it counts as a turn forwards, as Turns has it.
double half_a_turn_ahead(double angle) {
  constexpr double little = 1e-6;  // [rad]
  return angle < little - EIGEN_PI ? angle + 2 * EIGEN_PI : angle;
}

template <class Element> void prepare_one(const Mechanism& m, Element& element) {
  element.check(m.dim);
  element.start(m.start_of(element.i()), m.start_of(element.j()));
}
}  // namespace

void Mechanism::find_coupled(AnyJoint& joint) const {
  for (Coupled& c : joint.couples()) {
    if (!c.found) {
      const std::string name = joint_in(c.name);
      const auto other = std::ranges::find(joints, name, &Named<AnyJoint>::name);
      std::vector<std::string> all;
      for (const auto& known : joints)
        if (!known.driver && known.what->couples().empty()) all.push_back(known.name);
      require(other != joints.end() && &*other->what != &joint, "joints",
              "no joint named '" + name + "'" + suggestion(name, all));
      c.motion = motion_in(c.name, other->what->allow());
      c.i = other->what->i(), c.j = other->what->j();
      c.found = true;
    }
    c.start = coordinate_at(c.motion, start_of(c.i), start_of(c.j));
    if (dim == 3 && is_turn(c.motion)) c.start = half_a_turn_ahead(c.start);
  }
}
void Mechanism::prepare(Named<AnyJoint>& j) {
  located("joint", j.name, j.place, [&] {
    find_coupled(*j.what);
    prepare_one(*this, *j.what);
  });
}
void Mechanism::prepare(Named<AnyForce>& f) {
  located("force", f.name, f.place, [&] { prepare_one(*this, *f.what); });
}
void Mechanism::prepare() {
  for (const RigidBody& b : bodies) located("body", b.name, b.place, [&] { b.check(); });
  for (auto& j : joints) prepare(j);
  for (auto& f : forces) prepare(f);
}
}  // namespace mubody
