#pragma once
// Sums of a few vectors with weights, as the stages of integrators are: each number is written once.
#include <span>

namespace mubody {
struct WeightedVector {
  double weight;
  const double* x;
};
/// sum = y + w₀ x₀ + w₁ x₁ + ..., all of n numbers.  The sum may take the place of y.
void add_weighted(const double* y, std::span<const WeightedVector> terms, long n, double* sum);
}  // namespace mubody
