#include "mubody/precompute/plan/variable.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "mubody/joints/rows.h"
#include "mubody/math/suggest.h"
#include "mubody/mechanism/compliance.h"
#include "mubody/mechanism/each_field.h"
#include "mubody/model/units.h"

namespace mubody {
namespace {
// The names are those of the columns in the results.
std::vector<Variable> coordinates_of(const Named<AnyJoint>& joint, int dim) {
  std::vector<Variable> all;
  const std::vector<Elementary> moves = joint.what->moves(dim);
  for (const Elementary m : moves)
    all.push_back({joint.name + "." + std::string(name_among(moves, m)),
                   std::string(unit_of(m)),
                   is_turn(m),
                   row_of(joint.what->i(), joint.what->j(), m),
                   {}});
  return all;
}

std::vector<Variable> coordinates_of(const Mechanism& m, int body) {
  std::vector<Variable> all;
  constexpr std::string_view names[] = {"x", "y", "z", "angle"};
  for (int k = 0; k < 4; ++k) {
    if (k == (m.dim == 2 ? 2 : 3)) continue;
    all.push_back({m.body_name(body) + "." + std::string(names[k]),
                   k == 3 ? "rad" : "m",
                   k == 3,
                   row_of_body(body, k),
                   {}});
  }
  return all;
}

/// Takes the function that a driver follows, and leaves zero in its place.
class FunctionTaker : public EachField<FunctionTaker> {
 public:
  std::optional<Function> taken;
  std::string unit;

  template <class T> void each(const Field&, T&) {}
  void each(const Field& f, std::optional<Function>& value) {
    taken = std::exchange(value, Function(0));
    unit = f.unit;
  }
};
}  // namespace

std::optional<Variable> driven_by(const Named<AnyJoint>& driver, int dim) {
  Variable v{driver.name, "", false, driver.what, {}};
  FunctionTaker taker;
  v.row->fields(taker);
  if (driver.what->forbids(dim) != 1 || !taker.taken) return {};
  v.unit = taker.unit;
  v.turn = is_angle(taker.unit);
  v.follows = std::move(taker.taken);
  return v;
}

std::vector<Variable> driven_variables(const Mechanism& m) {
  std::vector<Variable> all;
  for (const auto& driver : m.joints) {
    if (!driver.driver) continue;
    std::optional<Variable> v = driven_by(driver, m.dim);
    if (!v)
      throw ModelError(
          driver.place,
          fmt::format("driver '{}' ({}) prescribes {} equations at once, but tables need single variables: "
                      "replace it by drivers of angles or slides, or use 'mubody run' with the model itself",
                      driver.name, driver.what->info().name, driver.what->forbids(m.dim)));
    all.push_back(std::move(*v));
  }
  return all;
}

namespace {
std::vector<Variable> of_joints(const Mechanism& m, bool of_balls) {
  std::vector<Variable> all;
  for (const auto& joint : m.joints) {
    if (joint.driver || (std::ranges::count_if(joint.what->moves(m.dim), is_turn) > 2) != of_balls) continue;
    for (Variable& v : coordinates_of(joint, m.dim))
      if (v.turn || !of_balls) all.push_back(std::move(v));
  }
  return all;
}
}  // namespace

std::vector<Variable> sums_of_angles(const Mechanism& m) {
  std::vector<Coupled> turns;
  for (const auto& joint : m.joints) {
    const std::vector<Elementary> moves = joint.what->moves(m.dim);
    if (joint.driver || std::ranges::count_if(moves, is_turn) > 2) continue;
    for (const Elementary e : moves)
      if (is_turn(e))
        turns.push_back(
            {joint.name + "." + std::string(name_among(moves, e)), joint.what->i(), joint.what->j(), e});
  }
  std::vector<Variable> all;
  for (std::size_t a = 0; a < turns.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      for (const char sign : {'+', '-'})
        all.push_back({turns[b].name + sign + turns[a].name,
                       "rad",
                       true,
                       row_of_sum(turns[b], turns[a], sign == '+' ? 1 : -1),
                       {}});
  return all;
}

std::vector<Variable> joint_coordinates(const Mechanism& m) { return of_joints(m, false); }
std::vector<Variable> ball_angles(const Mechanism& m) { return of_joints(m, true); }

std::vector<Variable> body_coordinates(const Mechanism& m) {
  std::vector<Variable> all;
  for (int body = 1; body <= int(m.bodies.size()); ++body)
    for (Variable& v : coordinates_of(m, body)) all.push_back(std::move(v));
  return all;
}

std::vector<Variable> stiff_variables(const Mechanism& m) {
  std::vector<Variable> all;
  for (StiffCoordinate& s : stiff_coordinates(m))
    all.push_back({s.name, s.turn ? "rad" : "m", s.turn, std::move(s.row)});
  return all;
}

Variable find_variable(const Mechanism& m, const std::string& name) {
  if (std::ranges::any_of(m.forces, [](const auto& f) { return is_compliance(*f.what); }))
    return find_variable(rigid(m), name);
  std::vector<Variable> all;
  for (const auto& joint : m.joints) {
    if (joint.driver) {
      if (auto v = driven_by(joint, m.dim)) all.push_back(std::move(*v));
      continue;
    }
    std::vector<Variable> own = coordinates_of(joint, m.dim);
    if (joint.name == name && own.size() == 1) return own.front();
    for (Variable& v : own) all.push_back(std::move(v));
  }
  for (Variable& v : body_coordinates(m)) all.push_back(std::move(v));
  std::vector<std::string> names;
  for (const Variable& v : all) {
    if (v.name == name) return v;
    names.push_back(v.name);
  }
  const std::vector<Variable> sums = sums_of_angles(m);
  if (const auto sum = std::ranges::find(sums, name, &Variable::name); sum != sums.end()) return *sum;
  const std::string like = suggestion(name, names);
  constexpr std::size_t few = 12;
  const bool many = names.size() > few;
  names.resize(std::min(names.size(), few));
  throw ModelError(fmt::format(
      "there is no variable '{}'{}; variables are angles and slides of joints and coordinates of bodies: {}{}",
      name, like, fmt::join(names, ", "), many ? ", ..." : ""));
}
}  // namespace mubody
