#pragma once
// A symmetric positive matrix of small dense blocks, factored as L Δ Lᵀ block by block.  Which blocks exist, and
// in which order the nodes are eliminated, is found once; a factorization then walks lists.
//
//   for each node j:   A_jj = L_jj Δ_j L_jjᵀ,   L_ij = A_ij L_jj⁻ᵀ Δ_j⁻¹,   A_ik ← A_ik − L_ij Δ_j L_kjᵀ
//
// for its neighbours i, k; L_jj is lower triangular with ones, Δ_j diagonal.
//
// Nodes are eliminated in the order of least degree, so that chains and ladders fill in nothing and cost is
// linear in their length.  Of nodes with one degree those come first that wait for the fewest others: a chain is
// eliminated from both ends, and processors work on the two ends at once.
//
// A pivot must wait for the reciprocal of the one before, which is what a factorization of small blocks mostly does;
// everything else is arranged around that.  Of A_ij, i after j, the transpose is stored, rows padded as Lanes are.
//                                                                        docs/theory/linear-solver.md
#include <set>
#include <vector>

namespace mubody {
class BlockLdl {
 public:
  BlockLdl() = default;
  /// `sizes`: rows of each node; `neighbours`: nodes that share a non-zero block.
  BlockLdl(const std::vector<int>& sizes, std::vector<std::set<int>> neighbours);

  /// All blocks to zero.
  void clear();
  /// Where the numbers of block (i, j) lie, column by column, each padded; i must be eliminated with or after j.
  /// Of diagonal blocks the lower half of the rows counts.
  int offset(int i, int j) const;
  /// How many blocks there are, fill included.
  int blocks() const { return int(nodes_.size() + below_.size()); }
  bool before(int i, int j) const { return place_[i] < place_[j]; }
  /// Where the rows of a node lie in the vector of solve(), and how long that is.
  int start(int node) const { return nodes_[place_[node]].start; }
  int length() const { return int(inverse_.size()); }

  /// Factors in place; the diagonal is enlarged by the share `softness` of the sizes, which are its own unless they have
  /// been set.
  void factorize(double softness, bool sized = false);
  /// What softness and independence are measured by, in the order of the vector of solve().
  double* sizes() { return diagonal_.data(); }
  /// Solves in place; the vector is in the order of elimination, padded, and must have been stored as Lanes.
  void solve(double* b) const;

  double* values() { return values_.data(); }
  /// The smallest pivot relative to its size, in (−∞, 1], and the node where it is.
  double independence() const { return independence_; }
  int weakest() const { return weakest_; }
  /// Multiply-adds of one factorization.
  long operations() const { return operations_; }

 private:
  struct Node {
    int id, size, start, diagonal, first, last, update;
  };
  struct Below {
    int size, start, offset;  // block rows, their place in vectors, where the block lies
  };

  // Where everything lies, and the weakest pivot so far: local to a walk, so that compilers need not look again after
  // every number that is stored.
  struct Walk {
    double *values, *inverse, *scratch;
    const double* full;
    const Below* below;
    const int* updates;
    double softness, independence;
    int weakest;
  };
  struct Factors {
    const double *values, *inverse;
    const Below* below;
  };
  // `Known`: the size of all nodes, or 0.
  template <int Known> void factorize_all(double softness, bool sized);
  template <int Known> void solve_all(double* b) const;
  void lay_out(const std::vector<std::set<int>>& fill);
  void list_updates(const std::vector<int>& order, const std::vector<int>& sizes);
  template <int R, int Known> static void eliminate(const Node&, Walk&);
  template <int R, int Known>
  static void update_pairs(const Below* first, const Below* last, const int* target, Walk&);
  template <int R, int Known> static void forward(const Node&, const Factors&, double* b);
  template <int R, int Known> static void backward(const Node&, const Factors&, double* b);

  std::vector<Node> nodes_;  // in the order of elimination
  std::vector<int> place_;   // node -> place in that order
  std::vector<Below> below_;
  std::vector<int> updates_;                            // offsets of target blocks, in order of use
  std::vector<std::vector<std::pair<int, int>>> find_;  // per node: (place of i, offset), sorted
  std::vector<double> values_, diagonal_, scratch_;
  std::vector<double> inverse_;  // of Δ
  bool pairs_ = false;           // every node has two rows, as pins and slides of the plane have
  double independence_ = 1;
  int weakest_ = 0;
  long operations_ = 0;
};
}  // namespace mubody
