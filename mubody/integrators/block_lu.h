#pragma once
// Gauss elimination of a matrix of blocks, for unknowns that come in groups and meet few others.
//
//   Markowitz (1957); George & Liu (1981), chs. 5 and 8            docs/theory/integrators.md#the-matrix-of-newton
//
// Which blocks there are is said once.  With it are fixed the order, always the group next whose elimination changes
// least, and the blocks that elimination fills.  Rows change places within a diagonal block alone.  Groups that have nothing on
// their diagonal, as multipliers of constraints, come after all others that they meet, which leave something there.
#include <complex>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace mubody {
using Complex = std::complex<double>;

/// Where blocks lie, and in which order groups are eliminated.
struct BlockStructure {
  struct Block {
    int group, at;  // the other group; where the numbers lie, column by column
  };
  struct Group {
    int size = 0, first = 0;  // of its unknowns
    int diagonal = 0;
    std::vector<Block> right, below;  // of groups that are eliminated later: A_pj and A_jp
    std::vector<int> changed;         // blocks that its elimination changes, one for each pair of them
  };
  std::vector<Group> groups;
  std::vector<int> order, rank;  // rank: place in the order
  int numbers = 0, unknowns = 0;

  /// Blocks as pairs of groups, row first; diagonal ones are there anyway.  `empty` says which groups have nothing on their
  /// diagonal.
  BlockStructure(const std::vector<int>& sizes, const std::vector<std::pair<int, int>>& blocks,
                 const std::vector<bool>& empty);
  int block(int row, int column) const;
  /// Where a number of the matrix lies among numbers(): row and column are counted within their groups.
  int place(int group, int row, int of_group, int column) const;
};

/// Of real or of complex numbers.
template <class T> class BlockLu {
 public:
  BlockLu() = default;
  explicit BlockLu(std::shared_ptr<const BlockStructure>);

  std::span<T> numbers() { return numbers_; }
  /// Eliminates; the numbers are lost.  Returns false if a pivot is zero beside what its row had.
  bool factor();
  /// Takes b, all groups one after the other, to x.
  void solve(T* x) const;

 private:
  using Group = BlockStructure::Group;
  using Block = BlockStructure::Block;
  const Group& group(int g) const { return structure_->groups[std::size_t(g)]; }
  bool factor_diagonal(const Group&);
  void solve_diagonal(const Group&, T* x, int columns) const;
  void measure_rows(const Group&);

  std::shared_ptr<const BlockStructure> structure_;
  std::vector<T> numbers_;
  std::vector<double> size_of_row_;
  std::vector<int> swaps_;
};
extern template class BlockLu<double>;
extern template class BlockLu<Complex>;
}  // namespace mubody
