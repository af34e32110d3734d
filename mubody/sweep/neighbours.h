#pragma once
// Points in an order in which neighbours are much alike, so that threads of a graphics processor that work side by side take the same ways.
//
//   docs/theory/gpu.md#divergence
#include <span>
#include <vector>

namespace mubody {
/// Their numbers in the order of Morton (1966): by the places of their values in the ranges of all, whose binary digits are taken
/// in turns, the highest first.
std::vector<int> order_of_neighbours(std::span<const std::vector<double>* const> points);
}  // namespace mubody
