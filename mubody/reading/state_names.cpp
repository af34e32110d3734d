// Names of the numbers of the state, as formulas use them.
#include <algorithm>
#include <span>

#include "mubody/reading/values.h"

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
}  // namespace

// Looked for when a formula asks: a table of all names would be larger than the rest of a model.
std::optional<StateVariable> Known::state(const std::string& name) const {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {};
  const std::string owner = name.substr(0, dot), quantity = name.substr(dot + 1);
  if (const auto point = points.find(owner); point != points.end())
    return variable(point->second, names_of_point(dim), quantity);
  const auto body = bodies.find(owner);
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
  std::ranges::sort(all);
  return all;
}
}  // namespace mubody::io
