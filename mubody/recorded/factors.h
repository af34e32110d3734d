#pragma once
// A symmetric, positive definite matrix of recorded numbers, factored in a fixed order: L Δ Lᵀ.
//
// What structure makes zero never enters.  The order is one of least degree; it needs no search for pivots.
//                                                                   docs/theory/generated-code.md#elimination
#include <map>
#include <vector>

#include "mubody/recording/recorded.h"

namespace mubody {
/// A sparse vector of recorded numbers, by place.
using RecordedVector = std::map<int, Recorded>;

/// Whether a number is zero whatever the inputs and parameters are.
bool is_zero(const Recorded&);
void add_to(RecordedVector&, int at, const Recorded&);

class RecordedFactors {
 public:
  /// All rows of S, both sides of the diagonal.
  RecordedFactors(Computation&, std::vector<RecordedVector> S);
  /// S⁻¹ b.
  std::vector<Recorded> solve(std::vector<Recorded> b) const;
  /// Rows, the first eliminated first.
  const std::vector<int>& order() const { return order_; }
  const Recorded& inverse_pivot(std::size_t row) const { return inverse_pivot_[row]; }

 private:
  void eliminate(Computation&, std::vector<RecordedVector>& S);

  std::vector<int> order_;
  std::vector<std::vector<std::pair<int, Recorded>>>
      below_;  // by row: the factors L of rows that come later, the last first
  std::vector<Recorded> inverse_pivot_;
};
}  // namespace mubody
