#pragma once
// Positions, velocities, accelerations and forces at one time, as drivers determine them.
//
//   Flores & Lankarani (2012), secs. 4 and 5, eqs. 43-45 and 120-125: positions by Newton-Raphson, then D u = ν and
//   D a = γ; the step that the text calls 6 returns to 3.  With masses, Dᵀ λ = Q − M a gives driving forces and
//   reactions.
//                                                                           docs/theory/kinematic.md
#include <random>

#include "mubody/math/dense.h"
#include "mubody/system/dynamics.h"
#include "mubody/system/rows.h"

namespace mubody {
class Driven {
 public:
  Driven(System& system, bool redundant)
      : s(system), d(system, redundant), redundant_(redundant), turning_(system) {}

  struct State {
    double t = 0;
    VecX q, u, a, lambda;
    int side = 0;     // sign of det D: changes at a singular position
    double hold = 0;  // reciprocal condition number of D
  };

  /// System::gap() above which there is no solution.
  static constexpr double open = 1e-10;
  // Shares of the best reciprocal condition number that the motion has seen:
  static constexpr double weak = 5e-3;  // less is next to a singular position
  static constexpr double unresolved =
      1e-4;                              // a bend that is closer to a singular position is taken for straight
  static constexpr double exact = 1e-7;  // less is at the singular position itself

  /// Velocities, accelerations and multipliers at positions that satisfy the constraints.  u and a come in as guesses:
  /// at a singular position, where the equations leave a choice, the solution nearest to the guess goes on
  /// smoothly.
  void complete(State&);
  /// Multipliers at a state whose velocities and accelerations are known.
  void find_forces(State&);
  /// Puts a state into the dynamics, as for the output.
  void show(const State&);
  /// How well the drivers hold a position, and its side.
  void find_hold(State&);
  /// The largest |Φ|, as System::gap() measures it.
  double gap(const State&);
  /// Whether the drivers hold a state less than by a share of their best.
  bool held_below(double share, const State& x) const { return x.hold < share * best_; }
  /// Goes from x to time t in one step; returns false if Newton fails or lands on another branch.
  bool step(const State& x, double t, State& y);
  /// A state as round-off might have left it just as well: time and positions moved by their last digits and by what is
  /// open, in directions that `draw` chooses, and all that follows computed anew.
  State disturbed(const State& x, std::minstd_rand& draw);

  System& s;
  Dynamics d;
  long iterations = 0;

 private:
  void evaluate(const State&);
  void factor();
  VecX solve(const VecX&) const;
  VecX solve_transposed(const VecX&, bool least_squares) const;
  void balance(State&, bool least_squares);

  bool least_squares_ = false, finite_ = true;
  bool redundant_;
  Turning turning_;
  double hold_ = 0, best_ = 0;
  PivotedQr columns_;
  Lu lu_;
  LeastSquares cod_;
};
}  // namespace mubody
