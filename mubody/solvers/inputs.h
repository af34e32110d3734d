#pragma once
// Inputs of a linear model: forces on coordinates, signals of elements, motions of drivers, inputs of the model.
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
    element,     // an addition to the signal of an actuator, applied force or moment
    driver,      // an acceleration added to the motion of a driver
    signal       // an addition to one of the model's own inputs
  };
  Kind kind = coordinate;
  std::string name, unit;
  int index = 0;  // index of a velocity, a force or a signal of the mechanism, or a row of the equations
  int part = 0;   // which signal of a force
};

/// Inputs by name: "slider.x", "motor", "push.y".  Without names, those that the model declares, or else all coordinates.
/// Throws ModelError.
std::vector<LinearInput> find_inputs(System&, const Mechanism&, const std::vector<std::string>& names);

/// The mechanism with one signal of a force, or one of its own inputs, set to a constant.
Mechanism with_signal(const Mechanism&, const LinearInput&, double value);
}  // namespace mubody
