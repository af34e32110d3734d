// Names of the numbers of the state, as formulas use them, and of what is read off joints, forces and signals.
#include <algorithm>
#include <span>

#include "mubody/reading/values.h"
#include "mubody/system/element_results.h"

namespace mubody::io {
namespace {
struct StateName {
  std::string_view text;
  StateVariable::Quantity quantity;
};

std::span<const StateName> names_of_body(std::size_t dim) {
  using Q = StateVariable;
  static constexpr StateName in_plane[] = {{"x", Q::x},   {"y", Q::y},   {"angle", Q::angle},
                                           {"vx", Q::vx}, {"vy", Q::vy}, {"omega", Q::omega}};
  static constexpr StateName in_space[] = {
      {"x", Q::x},   {"y", Q::y},   {"z", Q::z},   {"vx", Q::vx}, {"vy", Q::vy}, {"vz", Q::vz}, {"wx", Q::wx},
      {"wy", Q::wy}, {"wz", Q::wz}, {"e0", Q::e0}, {"e1", Q::e1}, {"e2", Q::e2}, {"e3", Q::e3}};
  return dim == 2 ? std::span<const StateName>(in_plane) : in_space;
}

std::span<const StateName> names_of_point(std::size_t dim) {
  using Q = StateVariable;
  static constexpr StateName names[] = {{"x", Q::x},   {"y", Q::y}, {"vx", Q::vx},
                                        {"vy", Q::vy}, {"z", Q::z}, {"vz", Q::vz}};
  return std::span<const StateName>(names).first(dim == 2 ? 4 : 6);
}

std::optional<StateVariable> variable(const Marker& point, std::span<const StateName> names,
                                      std::string_view text) {
  const auto found = std::ranges::find(names, text, &StateName::text);
  if (found == names.end()) return {};
  return StateVariable{point, found->quantity};
}

StateVariable number(int noted) { return {Marker{}, StateVariable::noted, noted}; }

constexpr std::string_view of_rate = "_rate";

// A coordinate of a joint, its rate, or a result of a force.
std::optional<StateVariable> read_off(Mechanism& m, bool with_forces, const std::string& owner,
                                      const std::string& quantity) {
  const std::string name = owner + "." + quantity;
  if (const auto joint = std::ranges::find(m.joints, owner, &Named<AnyJoint>::name); joint != m.joints.end()) {
    const auto k = std::size_t(joint - m.joints.begin());
    const std::vector<ElementResult> all = coordinates_of_joint(m, k);
    for (std::size_t part = 0; part < all.size(); ++part)
      for (const bool rate : {false, true})
        if (quantity == all[part].name + std::string(rate ? of_rate : ""))
          return number(m.note(Noted::joint, name, k, part, rate));
    return {};
  }
  const auto force = std::ranges::find(m.forces, owner, &Named<AnyForce>::name);
  if (force == m.forces.end() || !with_forces) return {};
  const auto k = std::size_t(force - m.forces.begin());
  const std::vector<ElementResult> all = results_of_force(m, k);
  const auto part = std::ranges::find(all, quantity, &ElementResult::name);
  if (part == all.end()) return {};
  return number(m.note(Noted::force, name, k, std::size_t(part - all.begin()), false));
}
}  // namespace

// Looked for when a formula asks: a table of all names would be larger than the rest of a model.
std::optional<StateVariable> Known::state(const std::string& name) const {
  if (const auto signal = signals.find(name); signal != signals.end()) return number(signal->second);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {};
  const std::string owner = name.substr(0, dot), quantity = name.substr(dot + 1);
  if (const auto point = points.find(owner); point != points.end())
    return variable(point->second, names_of_point(dim), quantity);
  const auto body = bodies.find(owner);
  if (body == bodies.end() && mechanism) return read_off(*mechanism, with_forces, owner, quantity);
  if (body == bodies.end() || body->second == ground) return {};
  return variable(Marker{body->second, Vec<3>::Zero(), Quaternion::Identity()}, names_of_body(dim), quantity);
}

std::vector<std::string> Known::state_names() const {
  std::vector<std::string> all;
  const auto add = [&](const std::string& owner, std::span<const StateName> names) {
    for (const StateName& name : names) all.push_back(owner + "." + std::string(name.text));
  };
  for (const auto& [name, index] : bodies)
    if (index != ground) add(name, names_of_body(dim));
  for (const auto& [name, unused] : points) add(name, names_of_point(dim));
  for (const auto& [name, unused] : signals) all.push_back(name);
  if (mechanism) {
    for (std::size_t k = 0; k < mechanism->joints.size(); ++k)
      for (const ElementResult& c : coordinates_of_joint(*mechanism, k)) {
        all.push_back(mechanism->joints[k].name + "." + c.name);
        all.push_back(all.back() + std::string(of_rate));
      }
    for (std::size_t k = 0; k < mechanism->forces.size() && with_forces; ++k)
      for (const ElementResult& r : results_of_force(*mechanism, k))
        all.push_back(mechanism->forces[k].name + "." + r.name);
  }
  std::ranges::sort(all);
  return all;
}
}  // namespace mubody::io
