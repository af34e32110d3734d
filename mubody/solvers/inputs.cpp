#include "mubody/solvers/inputs.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/math/suggest.h"
#include "mubody/mechanism/each_field.h"
#include "mubody/solvers/freedom.h"
#include "mubody/solvers/reduced.h"

namespace mubody {
namespace {
constexpr const char* parts[] = {".x", ".y", ".z"};

/// The signals of an element: functions of time among its fields, in their order.
class Signals final : public EachConstField<Signals> {
 public:
  struct Found {
    std::string suffix, unit;
  };
  std::vector<Found> found;

  template <class T> void each(const Field&, const T&) {}
  void each(const Field& field, const Function&) {
    if (field.of_time) add(field, "");
  }
  void each(const Field& field, const Signal&) { add(field, ""); }
  void each(const Field& field, const std::vector<Signal>& all) {
    for (std::size_t k = 0; k < all.size(); ++k) add(field, parts[k]);
  }

 private:
  void add(const Field& field, const char* suffix) { found.push_back({suffix, std::string(field.unit)}); }
};

/// Sets one of them to a value.
class SetSignal final : public EachField<SetSignal> {
 public:
  SetSignal(int part, double value) : part_(part), value_(value) {}

  template <class T> void each(const Field&, T&) {}
  void each(const Field& field, Function& f) {
    if (field.of_time) set(f);
  }
  void each(const Field&, Signal& s) { set(s); }
  void each(const Field&, std::vector<Signal>& all) {
    for (Signal& s : all) set(s);
  }

 private:
  template <class T> void set(T& signal) {
    if (part_-- == 0) signal = T(value_);
  }
  int part_;
  double value_;
};

std::vector<LinearInput> coordinates_of(const System& s) {
  const std::vector<std::string> labels = displacement_labels(s);
  std::vector<LinearInput> all;
  for (int k = 0; k < s.nu; ++k)
    all.push_back({LinearInput::coordinate, labels[std::size_t(k)], s.turns[std::size_t(k)] ? "N m" : "N", k});
  return all;
}

std::vector<LinearInput> declared_inputs(const Mechanism& m) {
  std::vector<LinearInput> all;
  for (std::size_t k = 0; k < m.signals.size(); ++k)
    if (const Noted& n = m.signals[k]; n.kind == Noted::input)
      all.push_back({LinearInput::signal, n.name, n.unit, int(k)});
  return all;
}

std::vector<LinearInput> all_inputs(System& s, const Mechanism& m) {
  std::vector<LinearInput> all = coordinates_of(s);
  for (std::size_t k = 0; k < m.forces.size(); ++k) {
    Signals signals;
    show_fields(*m.forces[k].what, signals);
    for (std::size_t part = 0; part < signals.found.size(); ++part)
      all.push_back({LinearInput::element, m.forces[k].name + signals.found[part].suffix,
                     signals.found[part].unit, int(k), int(part)});
  }
  for (const JointRows& j : s.joints)
    for (int row = j.first; j.driver && row < j.first + j.count; ++row)
      all.push_back({LinearInput::driver,
                     j.count == 1 ? j.name : fmt::format("{}.{}", j.name, row - j.first + 1),
                     s.measures[std::size_t(row)] == System::Measured::length ? "m/s2" : "rad/s2", row});
  for (const LinearInput& x : declared_inputs(m)) all.push_back(x);
  return all;
}
}  // namespace

std::vector<LinearInput> find_inputs(System& s, const Mechanism& m, const std::vector<std::string>& names) {
  if (names.empty()) {
    const std::vector<LinearInput> declared = declared_inputs(m);
    return declared.empty() ? coordinates_of(s) : declared;
  }
  const std::vector<LinearInput> all = all_inputs(s, m);
  std::vector<LinearInput> found;
  for (const std::string& name : names) {
    const auto at = std::ranges::find(all, name, &LinearInput::name);
    if (at == all.end()) {
      std::vector<std::string> known;
      for (const LinearInput& x : all) known.push_back(x.name);
      const bool is_force = std::ranges::find(m.forces, name, &Named<AnyForce>::name) != m.forces.end();
      const bool has_parts = std::ranges::any_of(known, [&](const std::string& x) { return x == name + ".x"; });
      throw ModelError(has_parts  ? fmt::format("'{0}' has components: '{0}.x', '{0}.y'", name)
                       : is_force ? fmt::format("force '{}' has no signal that could be an input", name)
                                  : fmt::format("no coordinate, force, driver or input '{}'{}", name,
                                                suggestion(name, known)));
    }
    found.push_back(*at);
  }
  return found;
}

Mechanism with_signal(const Mechanism& m, const LinearInput& input, double value) {
  Mechanism other = m;
  if (input.kind == LinearInput::signal) {
    other.signals[std::size_t(input.index)].signal = Signal(value);
    return other;
  }
  SetSignal set(input.part, value);
  other.forces[std::size_t(input.index)].what->fields(set);
  return other;
}
}  // namespace mubody
