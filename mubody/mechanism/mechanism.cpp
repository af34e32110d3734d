#include "mubody/mechanism/mechanism.h"

namespace mubody {
void RigidBody::check() const {
  require(std::isfinite(mass) && mass >= 0, "mass", "must not be negative");
  require(inertia.allFinite(), "inertia", "must be finite");
  for (int k = 0; k < 3; ++k) require(inertia(k, k) >= 0, "inertia", "must not be negative");
  require(start.at.allFinite(), "position", "must be finite");
  require(velocity.allFinite(), "velocity", "must be finite");
  require(omega.allFinite(), "omega", "must be finite");
}

void Mechanism::prepare() {
  const auto located = [](const char* kind, const std::string& name, const Place& place, auto&& what) {
    try {
      what();
    } catch (const FieldError& e) {
      throw ModelError(place, std::string(kind) + " '" + name + "': " + e.field + ": " + e.what());
    }
  };
  for (const RigidBody& b : bodies) located("body", b.name, b.place, [&] { b.check(); });
  const auto prepare_one = [&](auto& element) {
    element.check();
    element.start(start_of(element.i()), start_of(element.j()));
  };
  for (auto& j : joints) located("joint", j.name, j.place, [&] { prepare_one(*j.what); });
  for (auto& f : forces) located("force", f.name, f.place, [&] { prepare_one(*f.what); });
}
}  // namespace mubody
