// Signals of a model that is built in a program.
#include <algorithm>

#include <fmt/format.h>

#include "mubody/model/units.h"
#include "mubody/simulation/model.h"
#include "mubody/system/element_results.h"

namespace mubody {
StateVariable Model::add_signal(Noted n, const SignalOptions& o) {
  std::vector<Noted>& all = study_.mechanism.signals;
  const auto refuse = [&](const std::string& why) {
    throw ModelError(fmt::format("signal '{}': {}", n.name, why));
  };
  if (std::ranges::any_of(all, [&](const Noted& other) { return other.is_named() && other.name == n.name; }))
    throw ModelError(fmt::format("there are two signals '{}'", n.name));
  if (o.sample && !(std::isfinite(*o.sample) && *o.sample > 0)) refuse("sample: must be positive and finite");
  try {
    if (parse_unit(o.unit == "1" ? "" : o.unit).si != 1)
      refuse(fmt::format("unit: '{}' is no SI unit", o.unit));
    if (n.what) (*n.what)->check(), (*n.what)->check_sampling(o.sample);
  } catch (const UnitError& e) {
    refuse(e.what());
  } catch (const FieldError& e) {
    refuse(fmt::format("{}: {}", e.field, e.what()));
  }
  n.unit = o.unit;
  n.sample = o.sample;
  all.push_back(std::move(n));
  return {Marker{}, StateVariable::noted, int(all.size()) - 1};
}

StateVariable Model::signal(const std::string& name, StateFunction f, const SignalOptions& o) {
  Noted n;
  n.name = name;
  n.signal = Signal(std::move(f));
  return add_signal(std::move(n), o);
}

StateVariable Model::block_signal(const std::string& name, std::unique_ptr<AnyBlock> block,
                                  const SignalOptions& o) {
  Noted n;
  n.kind = Noted::block;
  n.name = name;
  n.what = Box<AnyBlock>(std::move(block));
  return add_signal(std::move(n), o);
}

StateVariable Model::input(const std::string& name, double value, const std::string& unit) {
  Noted n;
  n.kind = Noted::input;
  n.name = name;
  n.signal = Signal(value);
  return add_signal(std::move(n), {.unit = unit});
}

StateVariable Model::read_joint(const std::string& joint, std::string_view coordinate, bool rate) {
  Mechanism& m = study_.mechanism;
  const auto at = std::ranges::find(m.joints, joint, &Named<AnyJoint>::name);
  if (at == m.joints.end()) throw ModelError(fmt::format("there is no joint '{}'", joint));
  const auto k = std::size_t(at - m.joints.begin());
  std::vector<std::string> names;
  for (const ElementResult& c : coordinates_of_joint(m, k)) names.push_back(c.name);
  const auto part =
      coordinate.empty() && names.size() == 1 ? names.begin() : std::ranges::find(names, coordinate);
  if (part == names.end())
    throw ModelError(fmt::format("joint '{}': of which coordinate? It has {}", joint,
                                 names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  const std::string what = fmt::format("{}.{}{}", joint, *part, rate ? "_rate" : "");
  return {Marker{}, StateVariable::noted,
          m.note(Noted::joint, what, k, std::size_t(part - names.begin()), rate)};
}
StateVariable Model::coordinate(const std::string& joint, std::string_view coordinate) {
  return read_joint(joint, coordinate, false);
}
StateVariable Model::coordinate_rate(const std::string& joint, std::string_view coordinate) {
  return read_joint(joint, coordinate, true);
}
}  // namespace mubody
