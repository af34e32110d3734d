#pragma once
// The equations of motion solved with recorded numbers: M a + Dᵀ λ = Q, D a = γ by elimination in a fixed order.
//
//   S = D W Dᵀ,  W = M⁻¹          S λ = D W Q − γ          a = W (Q − Dᵀ λ)
//
// What structure makes zero never enters, so that the solution of a loop of bodies costs what its own equations cost.  S is
// positive definite where the rows of D are independent.                  docs/theory/generated-code.md#elimination
//
// All numbers have entered the graph before: none enters here, so that their order does not depend on what is zero.
//
// Where a body has no mass or no inertia, a small one stands in for it in W, and what that does to the solution is taken
// away by refinement: the solution of the same equations for what is left over, twice.
#include <functional>
#include <optional>

#include "mubody/recorded/factors.h"

namespace mubody {
class RecordedElimination {
 public:
  /// `D` row by row, all of it in the graph; `W` the inverse mass, row by row.  If something stands in for a part of the
  /// mass, `M` is the mass itself, and `own` the inverse without what stands in; else they are empty.  If nothing is to be
  /// solved, there are constrained() and reactions() alone.
  RecordedElimination(Computation&, std::vector<RecordedVector> D, std::vector<RecordedVector> W,
                      std::vector<RecordedVector> M = {}, std::vector<RecordedVector> own = {},
                      bool solves = true);

  /// Accelerations and multipliers for the forces and right-hand sides.
  void solve(const std::vector<Recorded>& Q, const std::vector<Recorded>& gamma, std::vector<Recorded>& a,
             std::vector<Recorded>& lambda) const;
  /// W Dᵀ S⁻¹ b: the smallest displacement, measured by the mass, that changes Φ by b.
  std::vector<Recorded> displacement(const std::vector<Recorded>& b) const;
  /// How much of 1/share is left by the largest diagonal as a multiple of its pivot: negative where pivots keep less of their
  /// diagonals than that share, so that rows of D are hardly independent, as near a singular position.  A small mass that
  /// stands in for one makes diagonals large, and does not count there.
  Recorded independence(double share) const;

  /// D a.
  std::vector<Recorded> constrained(const std::vector<Recorded>& a) const;
  /// Dᵀ λ.
  std::vector<Recorded> reactions(const std::vector<Recorded>& lambda) const;
  /// The equations, and their solution.
  struct Solved {
    std::vector<Recorded> Q, gamma, a, lambda;
  };
  /// How numbers of the graph change.
  using Changes = std::function<std::vector<Recorded>(const std::vector<Recorded>&)>;
  /// How accelerations and multipliers change.  The factors are not differentiated, nor are solutions: what is made of a
  /// multiplier cannot be told from what is made of its terms, since the graph writes −(x − y) as y − x.
  void change(const Solved&, const Changes&, std::vector<Recorded>& da, std::vector<Recorded>& dlambda) const;
  /// Whether solutions are refined, since something stands in for a mass: change() does not know of that.
  bool refines() const { return !M_.empty(); }

 private:
  void factor();
  void solve_once(const std::vector<Recorded>& Q, const std::vector<Recorded>& gamma, std::vector<Recorded>& a,
                  std::vector<Recorded>& lambda) const;
  void refine(const std::vector<Recorded>& Q, const std::vector<Recorded>& gamma, std::vector<Recorded>& a,
              std::vector<Recorded>& lambda) const;
  /// a − W Dᵀ λ.
  void subtract_reactions(const std::vector<Recorded>& lambda, std::vector<Recorded>& a) const;
  std::vector<Recorded> weighed(const std::vector<Recorded>& Q) const;

  /// A number of these equations, the same for all mechanisms.
  Recorded constant(double x) const { return {*graph_, graph_->constant(x)}; }

  Computation* graph_;
  std::vector<RecordedVector> D_, DW_, W_, M_, own_;
  std::vector<Recorded> diagonal_;  // of S
  std::optional<RecordedFactors> factors_;
};
}  // namespace mubody
