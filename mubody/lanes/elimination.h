#pragma once
// S = D W Dᵀ, its factors L Δ Lᵀ and the solution of S x = b, as lists of indices that are made once for all
// mechanisms of a structure.  Each index stands for a number of several mechanisms at once, so that blocks of
// numbers would gain nothing.
//
//   docs/theory/lanes.md; the same elimination for one mechanism: docs/theory/linear-solver.md
#include <vector>

#include "mubody/lanes/lane.h"

namespace mubody {
/// A number of D, with its place in memory.
struct LaneEntry {
  int row, column, at;
};

/// Rows are eliminated in an order of least degree; entries that fill in have their places from the start.
struct Elimination {
  struct Product {
    int first, second;  // places in D and in D W
  };
  struct Range {
    int begin, end;
  };
  struct Update {
    int target, factor, source;  // S[target] −= L[factor] S[source]
  };
  struct Below {
    int row, at;  // an entry of L, its row in the order of elimination
  };

  int rows = 0, columns = 0;
  std::vector<int> order;            // rows in the order in which they are eliminated
  std::vector<LaneEntry> entries;    // of D
  std::vector<Product> products;     // whose sums are the entries of S, place by place
  std::vector<Range> of_place;       // the products of each place; the diagonal comes first
  std::vector<Below> below;          // entries of L below the pivots
  std::vector<Range> of_pivot;       // those below each pivot
  std::vector<Update> updates;       // after the pivots
  std::vector<Range> updates_after;  // those after each pivot

  int places() const { return int(of_place.size()); }
};

Elimination eliminate(int rows, int columns, const std::vector<LaneEntry>& entries);

/// A pivot below this share of the diagonal of S indicates a singular position nearby, as in
/// system/dynamics.cpp.
inline constexpr double least_independence = 1e-2;

/// Computes S from D and the inverse masses, and factors it in place: the inverse of Δ on the diagonal, L below
/// it.  Returns the lanes whose rows are not independent enough.  `raw` has room for the rows and for the
/// entries below the diagonal.
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
    weak |= ~(pivot >= raw[p]);  // true where the pivot is not a number, too
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

/// Replaces b, which is in x, by the solution; both are in the order of the rows of D.
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
