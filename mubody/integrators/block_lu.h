#pragma once
// Gauss elimination of a matrix of blocks, for unknowns that come in groups and meet few others.
//
//   Markowitz (1957); George & Liu (1981), chs. 5 and 8            docs/theory/integrators.md#the-matrix-of-newton
//
// Which blocks there are is said once.  With it are fixed the order, always the group next whose elimination changes
// least, and the blocks that elimination fills.  Rows change places within a diagonal block alone.  Groups that have nothing on
// their diagonal, as multipliers of constraints, come after all others that they meet, which leave something there.
#include <span>
#include <utility>
#include <vector>

#include "mubody/math/space.h"

namespace mubody {
class BlockLu {
 public:
  BlockLu() = default;
  /// Blocks as pairs of groups, row first; diagonal ones are there anyway.  `empty` says which groups have nothing on their
  /// diagonal.
  BlockLu(const std::vector<int>& sizes, const std::vector<std::pair<int, int>>& blocks,
          const std::vector<bool>& empty);

  /// Where a number of the matrix lies among numbers(): row and column are counted within their groups.
  int place(int group, int row, int of_group, int column) const;
  std::span<double> numbers() { return numbers_; }
  /// Eliminates; the numbers are lost.  Returns false if a pivot is zero beside what its row had.
  bool factor();
  /// Takes b, all groups one after the other, to x.
  void solve(Out x) const;

 private:
  struct Block {
    int group, at;  // the other group; where the numbers lie, column by column
  };
  struct Group {
    int size = 0, first = 0;  // of its unknowns
    int diagonal = 0;
    std::vector<Block> right, below;  // of groups that are eliminated later: A_pj and A_jp
    std::vector<int> changed;         // blocks that its elimination changes, one for each pair of them
  };
  bool factor_diagonal(Group&);
  void solve_diagonal(const Group&, double* x, int columns) const;
  void measure_rows(const Group&);
  int block(int row, int column) const;

  std::vector<Group> groups_;
  std::vector<int> order_, rank_;  // rank_: place in the order
  std::vector<double> numbers_, size_of_row_;
  std::vector<int> swaps_;
};
}  // namespace mubody
