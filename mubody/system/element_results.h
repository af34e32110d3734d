#pragma once
// What single elements report, by name: coordinates of joints and results of forces, in the order of their channels.
#include <string>
#include <vector>

#include "mubody/mechanism/mechanism.h"

namespace mubody {
struct ElementResult {
  std::string name, unit;
};
/// The coordinates of the k-th joint of the mechanism.
std::vector<ElementResult> coordinates_of_joint(const Mechanism&, std::size_t k);
/// The results of its k-th force.
std::vector<ElementResult> results_of_force(const Mechanism&, std::size_t k);
}  // namespace mubody
