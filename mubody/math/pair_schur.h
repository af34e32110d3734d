#pragma once
// S = D W Dᵀ where every joint has two rows, every body three velocities, and W = M⁻¹ is diagonal: pins and slides in
// the plane.  Sizes are known when this is compiled, and products are formed body by body, while the body's
// blocks of D are at hand: W Dᵀ is never stored.
//
//   S_kl += D_k W D_lᵀ     for the joints k, l of a body
//                                                                        docs/theory/linear-solver.md
#include <vector>

namespace mubody {
class BlockLdl;
struct SaddleStructure;

class PairSchur {
 public:
  PairSchur() = default;
  /// `node_of_row`: the node of S to which a row of D belongs.
  PairSchur(const SaddleStructure&, const BlockLdl& S, const std::vector<int>& node_of_row);
  /// Whether all blocks have these sizes.
  static bool fits(const SaddleStructure&);

  /// Forms the blocks of S, except those that fill in later, and its diagonal in the order of elimination.
  void form(const double* D, const double* w, double* S, double* diagonal) const;
  /// b = D W g − c, in the order of elimination; here and below g is zero where there is none.
  void reduce(const double* D, const double* w, const double* g, const double* c, double* b) const;
  /// a = W (g − Dᵀ λ), and λ in the order of rows, from λ in the order of elimination.
  void expand(const double* D, const double* w, const double* g, const double* b, double* lambda,
              double* a) const;

 private:
  struct Body {
    int column, end;  // its first velocity, the end of its blocks
  };
  struct Block {
    int D, place;  // where its numbers are, where the rows of its joint are in the order of elimination
  };
  struct Joint {
    int row, place;
  };
  std::vector<Body> bodies_;
  std::vector<Block> blocks_;  // body after body, each in the order of elimination
  std::vector<int> targets_;  // where products go, times two, plus one if nothing is there yet; in order of use
  std::vector<Joint> joints_;
};
}  // namespace mubody
