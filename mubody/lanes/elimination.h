#pragma once
// S = D W Dᵀ, its factors L Δ Lᵀ and the solution of S x = b as lists of indices, made once for all mechanisms of one
// structure.  Every number in them is a lane's row of several mechanisms, so that nothing smaller than a number is
// worth treating as a block.
//
//   docs/theory/lanes.md; the same elimination for one mechanism: docs/theory/linear-solver.md
#include <vector>

#include "mubody/lanes/lane.h"

namespace mubody {
/// A number of D: row, column, and where it lies.
struct LaneEntry {
  int row, column, at;
};

/// Rows are eliminated in an order of least degree; entries that fill in have a place from the start.
struct Elimination {
  struct Product {
    int first, second;  // places in D, in D W
  };
  struct Range {
    int begin, end;
  };
  struct Update {
    int target, factor, source;  // S[target] −= L[factor] S[source]
  };
  struct Below {
    int row, at;  // of L, in the order of elimination
  };

  int rows = 0, columns = 0;
  std::vector<int> order;            // the k-th row to be eliminated
  std::vector<LaneEntry> entries;    // of D
  std::vector<Product> products;     // of S, place by place
  std::vector<Range> of_place;       // products of each place; the diagonal comes first
  std::vector<Below> below;          // entries of L under each pivot
  std::vector<Range> of_pivot;       // ... the k-th
  std::vector<Update> updates;       // after each pivot
  std::vector<Range> updates_after;  // ... the k-th

  int places() const { return int(of_place.size()); }
};

Elimination eliminate(int rows, int columns, const std::vector<LaneEntry>& entries);

/// Below this share of its own number of S a pivot tells of a singular position nearby; so does system/dynamics.cpp.
inline constexpr double least_independence = 1e-2;

/// S from D and the inverse masses, factored in place: the inverse of Δ on the diagonal, L below it.  Tells in which lanes
/// the rows are not independent enough.  `raw` has room for the rows and for what is below the diagonal.
MUBODY_INLINE LaneMask factor(const Elimination& e, const LaneReal* D, const LaneReal* inverse_mass,
                              LaneReal* weighted, LaneReal* S, LaneReal* raw) {
  for (const LaneEntry& x : e.entries) weighted[x.at] = D[x.at] * inverse_mass[x.column];
  const Elimination::Product* product = e.products.data();
  for (int place = 0; place < e.places(); ++place) {
    LaneReal sum(0);
    for (const auto* end = e.products.data() + e.of_place[place].end; product != end; ++product)
      sum += D[product->first] * weighted[product->second];
    S[place] = sum;
  }
  LaneMask weak{};
  for (int p = 0; p < e.rows; ++p) raw[p] = least_independence * S[p];
  for (int p = 0; p < e.rows; ++p) {
    const LaneReal pivot = S[p], inverse = 1 / pivot;
    weak |= ~(pivot >= raw[p]);  // also where it is not a number
    S[p] = inverse;
    // L is the entry divided by the pivot; the updates need both.
    for (int k = e.of_pivot[p].begin; k < e.of_pivot[p].end; ++k) {
      const LaneReal entry = S[e.below[k].at];
      raw[e.rows + k] = entry;
      S[e.below[k].at] = entry * inverse;
    }
    for (int k = e.updates_after[p].begin; k < e.updates_after[p].end; ++k)
      S[e.updates[k].target] -= S[e.updates[k].factor] * raw[e.rows + e.updates[k].source];
  }
  return weak;
}

/// x from b, both in the order of the rows of D; `x` may be `b`.
MUBODY_INLINE void solve(const Elimination& e, const LaneReal* S, LaneReal* work, LaneReal* x) {
  for (int p = 0; p < e.rows; ++p) work[p] = x[e.order[p]];
  for (int p = 0; p < e.rows; ++p)
    for (int k = e.of_pivot[p].begin; k < e.of_pivot[p].end; ++k)
      work[e.below[k].row] -= S[e.below[k].at] * work[p];
  for (int p = e.rows; p-- > 0;) {
    LaneReal sum = work[p] * S[p];
    for (int k = e.of_pivot[p].begin; k < e.of_pivot[p].end; ++k)
      sum -= S[e.below[k].at] * work[e.below[k].row];
    work[p] = sum;
  }
  for (int p = 0; p < e.rows; ++p) x[e.order[p]] = work[p];
}
}  // namespace mubody
