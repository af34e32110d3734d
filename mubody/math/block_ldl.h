#pragma once
// A symmetric positive matrix of small dense blocks, factored as L Δ Lᵀ block by block.  Which blocks exist, and
// in which order the nodes are eliminated, is found once; a factorization then walks lists.
//
//   for each node j:   A_jj = L_jj Δ_j L_jjᵀ,   L_ij = A_ij L_jj⁻ᵀ Δ_j⁻¹,   A_ik ← A_ik − L_ij Δ_j L_kjᵀ
//
// for its neighbours i, k; L_jj is lower triangular with ones, Δ_j diagonal.
//
// Nodes are eliminated in the order of least degree, so that chains and ladders fill in nothing and cost is
// linear in their length.  Among nodes of equal degree, those that wait for the fewest others come first: a
// chain is eliminated from both ends, and processors work on the two ends at once.
//
// A factorization of small blocks mostly waits for the reciprocal of the last pivot; everything else is
// arranged around that.  A_ij with i after j is stored transposed, rows padded as Lanes are.
//                                                                        docs/theory/linear-solver.md
#include <stdexcept>
#include <vector>

namespace mubody {
/// So many nodes are neighbours of each other that a factorization would take seconds, and its lists gigabytes.
struct TooDense : std::length_error {
  TooDense() : std::length_error("the matrix has too few zeros for a sparse factorization") {}
};

class BlockLdl {
 public:
  static constexpr long most_updates = 50'000'000;  // blocks that one factorization may change

  BlockLdl() = default;
  /// `sizes`: rows of each node; `neighbours`: nodes that share a non-zero block, sorted.  Throws TooDense.
  BlockLdl(const std::vector<int>& sizes, std::vector<std::vector<int>> neighbours);

  /// Sets all blocks to zero.
  void clear();
  /// Where the numbers of block (i, j) lie, column by column, each padded; i must be eliminated with or after j.
  /// Only the lower half of a diagonal block is used.
  int offset(int i, int j) const;
  /// The number of blocks, fill included.
  int blocks() const { return int(nodes_.size() + below_.size()); }
  bool before(int i, int j) const { return place_[i] < place_[j]; }
  /// The place of a node's rows in the vector of solve(), and the length of that vector.
  int start(int node) const { return nodes_[place_[node]].start; }
  int length() const { return int(inverse_.size()); }

  /// Factors in place; the diagonal is enlarged by the share `softness` of the sizes, which are its own unless they have
  /// been set.
  void factorize(double softness, bool sized = false);
  /// The scale of softness and independence, in the order of the vector of solve().
  double* sizes() { return diagonal_.data(); }
  /// Solves in place; the vector is in the order of elimination, padded, and must have been stored as Lanes.
  void solve(double* b) const;

  double* values() { return values_.data(); }
  /// The length of values().
  std::size_t numbers() const { return values_.size(); }
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

  // Where everything lies, and the weakest pivot so far: local to a walk, so that compilers need not reload
  // them after every number that is stored.
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
  // `Known`: the size that all nodes share, or 0.
  template <int Known> void factorize_all(double softness, bool sized);
  template <int Known> void solve_all(double* b) const;
  std::vector<int> lay_out(const std::vector<std::vector<int>>& fill);
  void list_updates(const std::vector<int>& places);
  template <int R, int Known> static void eliminate(const Node&, Walk&);
  template <int R, int Known>
  static void update_pairs(const Below* first, const Below* last, const int* target, Walk&);
  template <int R, int Known> static void forward(const Node&, const Factors&, double* b);
  template <int R, int Known> static void backward(const Node&, const Factors&, double* b);

  std::vector<Node> nodes_;  // in the order of elimination
  std::vector<int> place_;   // node -> place in that order
  std::vector<Below> below_;
  std::vector<int> updates_;  // offsets of target blocks, in order of use
  std::vector<double> values_, diagonal_, scratch_;
  std::vector<double> inverse_;  // reciprocals of Δ
  bool pairs_ = false;           // every node has two rows, as pins and slides of the plane have
  double independence_ = 1;
  int weakest_ = 0;
  long operations_ = 0;
};
}  // namespace mubody
