#pragma once
// Signals in terms of scalars, for forces that follow formulas of the state.
#include <array>
#include <optional>

#include "mubody/forces/scalar_form.h"
#include "mubody/functions/signal.h"

namespace mubody {
class SignalScalars {
 public:
  /// Adds the measures that the signal's formula uses; false if one of its variables is no scalar or rate.
  bool add(const Signal& signal, int D, std::vector<Measure>& sees) {
    if (signal.is_call()) return false;
    Item item{signal, {}};
    for (const StateVariable& v : signal.variables()) {
      using enum StateVariable::Quantity;
      const bool rate = (v.quantity >= vx && v.quantity <= vz) || v.quantity == omega;
      const int axis = v.quantity <= z ? v.quantity - x : v.quantity <= vz ? v.quantity - vx : 0;
      Measure m{v.quantity <= vz ? Measure::coordinate : Measure::angle, {}, v.point, axis};
      if (v.quantity > omega || (m.kind == Measure::angle && D == 3)) return false;
      if (m.kind == Measure::angle) m.j.turn = Quaternion::Identity();
      item.from.push_back({sees.size(), rate});
      sees.push_back(m);
    }
    items_.push_back(std::move(item));
    return true;
  }

  template <class R> R value(std::size_t k, const R* x, const R* v, const R& t) const {
    const Item& item = items_[k];
    const Function& of_time = item.signal.function_of_time();
    if (!item.signal.depends_on_state() || of_time.is_held(t)) return of_time(t).x;
    std::array<R, Signal::most_variables> values;
    values[0] = t;
    for (std::size_t n = 0; n < item.from.size(); ++n)
      values[n + 1] = item.from[n].rate ? v[item.from[n].measure] : x[item.from[n].measure];
    return item.signal.value(std::span<const R>(values.data(), item.from.size() + 1));
  }

 private:
  struct Source {
    std::size_t measure;
    bool rate;
  };
  struct Item {
    Signal signal;
    std::vector<Source> from;
  };
  std::vector<Item> items_;
};
}  // namespace mubody
