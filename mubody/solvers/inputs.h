#pragma once
// What may drive a linear model: forces on coordinates, signals of elements, motions of drivers.
//
//   docs/theory/modes.md#inputs
#include <string>
#include <vector>

#include "mubody/mechanism/mechanism.h"
#include "mubody/system/system.h"

namespace mubody {
struct LinearInput {
  enum Kind {
    coordinate,  // a force on a coordinate of a body
    element,     // what an actuator, an applied force or moment adds to its signal
    driver       // the acceleration that a driver adds to its motion
  };
  Kind kind = coordinate;
  std::string name, unit;
  int index = 0;  // of a velocity, of a force of the mechanism, of a row of the equations
  int part = 0;   // of a force: which of its signals
};

/// Inputs by name: "slider.x", "motor", "push.y".  All coordinates if none is named.  Throws ModelError.
std::vector<LinearInput> find_inputs(System&, const Mechanism&, const std::vector<std::string>& names);

/// The mechanism with one signal of a force set to a constant.
Mechanism with_signal(const Mechanism&, const LinearInput&, double value);

/// Whether an equation sees angles alone: it is in radians then, in metres otherwise.
std::vector<bool> rows_of_angles(const System&, const Terms&);
}  // namespace mubody
