#include "mubody/simulation/input_slots.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/math/suggest.h"
#include "mubody/mechanism/each_field.h"
#include "mubody/model/errors.h"

namespace mubody {
namespace {
// Finds the signals and functions among the fields of an element.
class Finder : public EachField<Finder> {
 public:
  Finder(std::string element, std::vector<InputSlot>& declared, std::vector<InputSlot>& others)
      : element_(std::move(element)), declared_(declared), others_(others) {}

  template <class T> void each(const Field& f, T& value) {
    if constexpr (requires { value.hold(nullptr); })
      take(f, "", value);
    else if constexpr (requires { value->hold(nullptr); })
      if (value) take(f, "", *value);
    if constexpr (requires { value.front().hold(nullptr); }) {
      // Angles that follow each other are no components.
      constexpr const char* axes[] = {".x", ".y", ".z"};
      const bool is_vector = std::string_view(f.unit) != "rad";
      for (std::size_t k = 0; k < value.size(); ++k)
        take(f, is_vector && k < 3 ? axes[k] : "." + std::to_string(k + 1), value[k]);
    }
  }

 private:
  template <class T> void take(const Field& f, const std::string& component, T& value) {
    InputSlot slot{element_ + "." + std::string(f.name) + component, element_, std::make_shared<Held>(),
                   kind_of(value), std::string(f.unit)};
    const int declared = value.held() ? value.held()->input : -1;
    slot.held->input = declared;
    value.hold(slot.held);
    if (declared < 0) {
      others_.push_back(std::move(slot));
      return;
    }
    if (declared_.size() <= std::size_t(declared)) declared_.resize(std::size_t(declared) + 1);
    declared_[std::size_t(declared)] = std::move(slot);
  }
  static const FunctionKind* kind_of(const Function& f) { return &f.kind(); }
  static const FunctionKind* kind_of(const Signal& s) {
    return s.depends_on_state() ? nullptr : &s.function_of_time().kind();
  }

  std::string element_;
  std::vector<InputSlot>&declared_, &others_;
};
}  // namespace

InputSlots::InputSlots(Mechanism& m) {
  std::vector<InputSlot> others;
  for (Noted& n : m.signals) {
    if (n.kind != Noted::input) continue;
    others.push_back({n.name, n.name, std::make_shared<Held>(), &n.signal.function_of_time().kind(), n.unit});
    n.signal.hold(others.back().held);
  }
  for (auto& named : m.forces) {
    Finder finder(named.name, all_, others);
    named.what->fields(finder);
  }
  for (auto& named : m.joints) {
    Finder finder(named.name, all_, others);
    named.what->fields(finder);
  }
  std::move(others.begin(), others.end(), std::back_inserter(all_));
}

InputSlots::InputSlots(Mechanism& m, const GivenInputs& given, double t) : InputSlots(m) {
  for (const auto& [name, value] : given) {
    Held& held = *all_[std::size_t(index_of(name))].held;
    held.set = true, held.at = t, held.value = value;
  }
}

int InputSlots::index_of(std::string_view name) const {
  const Found found = find(name);
  if (found.number == Found::one) return found.index;
  if (found.number == Found::several)
    throw ModelError(fmt::format("input '{}' is not unique: name one of its signals, as in '{}'", name,
                                 all_[std::size_t(found.index)].name));
  std::vector<std::string> names;
  for (const InputSlot& s : all_) names.push_back(s.name);
  throw ModelError(fmt::format("there is no input '{}'{}", name, suggestion(std::string(name), names)));
}

InputSlots::Found InputSlots::find(std::string_view name) const {
  Found found;
  for (std::size_t k = 0; k < all_.size(); ++k) {
    const std::string_view full = all_[k].name;
    if (full == name) return {Found::one, int(k)};
    if (!(full.size() > name.size() && full.starts_with(name) && full[name.size()] == '.')) continue;
    if (found.number == Found::none)
      found = {Found::one, int(k)};
    else
      found.number = Found::several;
  }
  return found;
}

void InputSlots::memory(Memory& m) {
  for (InputSlot& s : all_) m(s.held->set, s.held->at, s.held->value.x, s.held->value.v, s.held->value.a);
}
}  // namespace mubody
