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
template <class Element> void prepare_one(const Mechanism& m, Element& element) {
  element.check(m.dim);
  element.start(m.start_of(element.i()), m.start_of(element.j()));
}
}  // namespace

int Mechanism::note(Noted::Kind kind, const std::string& what, std::size_t element, std::size_t part,
                    bool rate) {
  const auto same =
      std::ranges::find_if(signals, [&](const Noted& n) { return n.kind == kind && n.name == what; });
  const auto at = int(same - signals.begin());
  if (same != signals.end()) return at;
  Noted n;
  n.kind = kind;
  n.name = what;
  n.place = kind == Noted::joint ? joints[element].place : forces[element].place;
  n.element = int(element), n.part = int(part), n.rate = rate;
  signals.push_back(std::move(n));
  return at;
}

void Mechanism::find_coupled(std::span<Coupled> couples, const AnyJoint* own) const {
  for (Coupled& c : couples) {
    if (!c.found) {
      const std::string name = joint_in(c.name);
      const auto other = std::ranges::find(joints, name, &Named<AnyJoint>::name);
      std::vector<std::string> all;
      for (const auto& known : joints)
        if (!known.driver && known.what->couples().empty()) all.push_back(known.name);
      require(other != joints.end() && &*other->what != own, "joints",
              "no joint named '" + name + "'" + suggestion(name, all));
      c.motion = motion_in(c.name, other->what->allow());
      c.i = other->what->i(), c.j = other->what->j();
      c.found = true;
    }
    c.start = coordinate_at(c.motion, start_of(c.i), start_of(c.j));
  }
}
void Mechanism::prepare(Named<AnyJoint>& j) {
  located("joint", j.name, j.place, [&] {
    find_coupled(j.what->couples(), &*j.what);
    prepare_one(*this, *j.what);
  });
}
void Mechanism::prepare(Named<AnyForce>& f) {
  located("force", f.name, f.place, [&] {
    find_coupled(f.what->couples(), nullptr);
    prepare_one(*this, *f.what);
  });
}
void Mechanism::prepare() {
  for (const RigidBody& b : bodies) located("body", b.name, b.place, [&] { b.check(); });
  for (auto& j : joints) prepare(j);
  for (auto& f : forces) prepare(f);
}
}  // namespace mubody
