#pragma once
// Visitors of the functions of time among the fields of an element: those that a driver follows.
#include "mubody/mechanism/each_field.h"

namespace mubody {
/// Hands every function of time to  void Derived::take(const Field&, const Function&),  for show_fields().
template <class Derived> class EachFunction : public EachConstField<Derived> {
 public:
  template <class T> void each(const Field&, const T&) {}
  void each(const Field& field, const Function& f) {
    if (field.of_time) self().take(field, f);
  }
  void each(const Field& field, const std::optional<Function>& f) {
    if (f) each(field, *f);
  }
  void each(const Field& field, const std::vector<Function>& several) {
    for (const Function& f : several) self().take(field, f);
  }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
};
}  // namespace mubody
