#pragma once
// The linear equations behind every motion with constraints:
//
//   | M  Dᵀ | | a |   | g |          M symmetric, block diagonal
//   | D  0  | | λ | = | c |          D a few dense blocks per row group (a joint) and column group (a body)
//
// solved through the Schur complement  S = D M⁻¹ Dᵀ,  S λ = D M⁻¹ g − c,  a = M⁻¹ (g − Dᵀ λ).  Which entries of
// S and of its factors L Δ Lᵀ exist is found once, with a minimum-degree order of the joints, and turned into
// lists of indices; a factorization then only walks these lists.  Its cost is linear in the number of bodies for
// chains and ladders.                                                  docs/theory/linear-solver.md
//
//   With compliance: D a − C λ = c, C diagonal, so that S + C takes the place of S; positive whatever the rank of D.
//
//   M with zeros (a point mass on a rod): a small number stands in for the zero and iterative refinement on
//   the true equations removes it.  Redundant rows: S + ε diag S, and refinement, which gives the unique a and
//   the λ of least (weighted) norm.  A row that loses its independence at one instant: dense, rank revealing.
#include <vector>

#include "mubody/math/block_ldl.h"
#include "mubody/math/dense.h"
#include "mubody/math/pair_schur.h"
#include "mubody/math/saddle_structure.h"

namespace mubody {
class Lists;
template <int N> struct Lanes;

class SaddlePoint {
 public:
  /// `redundant`: the rows of D are known to be dependent, at all times.
  /// Throws TooDense.
  explicit SaddlePoint(const SaddleStructure&, bool redundant = false);
  /// For other numbers of the same structure, which is not analysed again.
  SaddlePoint(const SaddlePoint& analysed, bool redundant);

  /// M has changed (or is new).  Diagonal entries below `least` are treated as zero and replaced by it.
  /// Without `least`, zeros are detected.
  void set_mass(const std::vector<double>& M, const std::vector<double>& least = {});
  /// In place of a mass: the inverses of a diagonal one.  Columns with zero, whose mass is beyond all measure, stay as they
  /// are in every solution.
  void set_inverse_mass(const In& w);
  /// Rows give way: D a − C λ = c with the diagonal C, which counts from the next factor() on.  Empty: they do not.  With it
  /// redundant rows need no ε, and rows that lose their independence no care.
  void set_compliance(const In& C);
  /// D has changed (or is new); it must stay as it is until the next factor(), for it is not copied.  With damping δ > 0 the
  /// solutions are those of S + δ diag S: combinations of rows that are nearly dependent are left alone instead of being
  /// followed with enormous corrections.  Where rows may vanish, their own sizes say nothing: `sizes` take the place of
  /// diag S, here and in independence().
  void factor(const std::vector<double>& D, double damping = 0, const std::vector<double>& sizes = {});
  /// For redundant rows: chooses ε by how well the others are held at this D and these sizes, which should be
  /// typical of later ones.
  void choose_softness(const std::vector<double>& D, const std::vector<double>& sizes = {});
  /// For redundant rows whose demands agree to round-off: a much smaller ε, so that the others are held where they come
  /// close to depending on each other.  It counts from the next factor() on.
  void stiffen(bool on) { stiff_ = on; }
  /// Solves with the last M and D; an empty g stands for zeros.
  void solve(const In& g, const In& c, Out a, Out lambda);

  /// How independent the rows are: the smallest pivot relative to the size of its row, 1 at best; 0 means dependent.
  double independence() const { return independence_; }
  /// The largest compliance of a row beside its diagonal entry in S, by which independence() is too large.
  double yield() const { return yield_; }
  /// The row whose pivot that is.
  int weakest_row() const { return weakest_; }
  /// Multiply-adds of one factorization, for reports.
  long operations() const { return S_.operations(); }

 private:
  struct Product {           // S_kl += D_k (W D_lᵀ) for two blocks on one column group
    int D, E, rows, target;  // offsets of the two factors, rows of the first, offset of S_kl
    bool first, own;         // nothing is there yet; k = l
  };
  struct Group {  // a group of rows (a joint) or of columns (a body)
    int at, size;
    int place;       // place of a joint in the vectors of S_, or of a body's inverse mass in W_
    int begin, end;  // its blocks of D
  };
  struct GroupBlock {  // a block of D within a group
    int D, E;          // where its numbers and those of W Dᵀ lie
    int at, size;      // the columns of a joint's block, the rows of a body's
  };

  std::vector<int> number_nodes(std::vector<int>& sizes);
  std::vector<std::vector<int>> neighbours(const std::vector<int>& node_of_row, const Lists& on_column,
                                           std::size_t nodes) const;
  void list_groups(const std::vector<int>& node_of_row, const Lists& on_column, const std::vector<int>& sizes);
  void form_schur();
  void add_compliance();
  void refine(const In& g, const In& c, Out a, Out lambda);
  void schur_solve(const double* g, const double* c, double* a, double* lambda);
  bool in_pairs() const { return fits_pairs_ && diagonal_mass_; }
  void dense_solve(const In& g, const In& c, Out a, Out lambda);
  template <int C, int H> void weigh_block(const Group& body, const GroupBlock&, Lanes<H>* e);
  template <int C> void form_by_bodies();
  template <int H> void weigh_wide_block(const Group& tree, const GroupBlock&);
  template <int C> void reduce(const double* g, const double* c);
  template <int C> void expand(const double* g, const double* lambda, double* a) const;

  SaddleStructure s_;
  int width_ = 0;  // columns of every block of D; 0 if they differ
  bool diagonal_mass_ = false;
  bool fits_pairs_ = false;  // pairs_ can be used if the mass is diagonal
  bool redundant_ = false, stiff_ = false, light_ = false, damped_ = false, dense_ = false;
  double independence_ = 1, yield_ = 0, softness_;
  int weakest_ = 0;

  std::vector<double> M_;                   // the numbers of the last set_mass
  std::vector<double> C_;                   // compliance of rows, if any
  const std::vector<double>* D_ = nullptr;  // the numbers of the last factor
  std::vector<double> W_;                   // inverses of the mass blocks
  std::vector<double> E_;                   // W Dᵀ, block by block, rows padded as Lanes are
  std::vector<Product> products_;
  std::vector<Group> rows_, columns_;
  std::vector<GroupBlock> of_rows_, of_columns_;
  BlockLdl S_;
  PairSchur pairs_;
  bool holes_ = false;          // blocks of S_ that fill in from nothing
  std::vector<int> first_row_;  // first row of each node of S_
  std::vector<double> w_;       // 1 / M where all mass blocks are diagonal
  std::vector<double> b_, rg_, rc_, da_, dl_;
  struct Least {  // work space of dense_solve()
    MatX M, D, K;
    VecX scale, rhs, x;
    LeastSquares factors;
  } least_;
};
}  // namespace mubody
