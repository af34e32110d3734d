#include "mubody/mechanism/mechanism.h"

#include <fmt/format.h>

#include "mubody/mechanism/data_range.h"

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
    element.check(dim);
    element.start(start_of(element.i()), start_of(element.j()));
  };
  for (auto& j : joints) located("joint", j.name, j.place, [&] { prepare_one(*j.what); });
  for (auto& f : forces) located("force", f.name, f.place, [&] { prepare_one(*f.what); });
}

std::vector<std::string> data_too_short(const Mechanism& m, double start, double end) {
  std::vector<std::string> lines;
  const auto look = [&](const char* kind, const auto& named) {
    DataRange range;
    show_fields(*named.what, range);
    if (range.first > start || range.last < end)
      lines.push_back(
          fmt::format("{} '{}': its data go from {:.6g} s to {:.6g} s; beyond, they go on along their tangent",
                      kind, named.name, range.first, range.last));
  };
  for (const auto& j : m.joints) look(j.driver ? "driver" : "joint", j);
  for (const auto& f : m.forces) look("force", f);
  return lines;
}
}  // namespace mubody
