#pragma once
// The places where values from outside enter a mechanism: signals of forces, and functions of time of drivers.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "mubody/mechanism/mechanism.h"

namespace mubody {
struct InputSlot {
  std::string name;                   // "motor.moment", "wind.force.x", "push" of [inputs]
  std::string element;                // "motor", "wind"
  std::shared_ptr<Held> held;         // what the elements read
  const FunctionKind* was = nullptr;  // the function whose place it takes; null for formulas of the state
  std::string unit{};
};

/// Values from outside, by the names of their inputs.
using GivenInputs = std::map<std::string, Jet>;

class InputSlots {
 public:
  InputSlots() = default;
  /// Gives every signal and function of the mechanism's forces and drivers a place of its own; inputs that a program has
  /// declared come first, in the order of their declaration, then those of the file.
  explicit InputSlots(Mechanism&);
  /// The same with values that hold from a time on.  Throws ModelError if there is no such input.
  InputSlots(Mechanism&, const GivenInputs&, double t);

  const std::vector<InputSlot>& all() const { return all_; }
  InputSlot& operator[](int k) { return all_[std::size_t(k)]; }
  const InputSlot& operator[](int k) const { return all_[std::size_t(k)]; }
  /// The input of a name, or of "motor" if that element has only one.
  struct Found {
    enum { none, one, several } number = none;
    int index = -1;  // of the first
  };
  Found find(std::string_view name) const;
  /// Throws ModelError if there is no such input, or if there are several.
  int index_of(std::string_view name) const;
  void memory(Memory&);

 private:
  std::vector<InputSlot> all_;
};
}  // namespace mubody
