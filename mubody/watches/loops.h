#pragma once
// The branch that each loop of a mechanism moves on.
//
// A loop's own equations D and a basis T of the motions they allow, carried along continuously, make a square matrix
// [D; Tᵀ], in the units of the system.  Its determinant changes its sign where the loop goes straight through a singular position.  A
// motion that turns off there because of a closure error keeps the sign: it never passes the position itself.
//                                                                            docs/theory/branches.md#loops

#include <functional>

#include "mubody/math/dense.h"
#include "mubody/results/results.h"
#include "mubody/system/dynamics.h"
#include "mubody/system/rows.h"

namespace mubody {
/// Joints that close a loop: each joint that is no part of a spanning tree from the ground, with the way back through
/// the tree.  Drivers do not count.  Indices into system.joints.
std::vector<std::vector<int>> fundamental_loops(const System&);

class LoopWatch {
 public:
  /// Starts at a configuration that satisfies the constraints.
  LoopWatch(System&, double t, const In& q, const In& u, bool passes_singular_positions);
  /// Called after an accepted step; the terms of its constraints are asked for where a loop is looked at.
  void step(double t, const In& u, const std::function<const Terms&()>& terms, Results&);
  /// Writes the history of each loop.
  void finish(Results&) const;
  void memory(Memory& m) { m(t_, turned_, loops_, passes_); }

 private:
  struct Loop {
    std::string name;
    std::vector<int> columns;  // velocities of the loop's bodies
    struct Entry {
      int from = 0, row = 0, column = 0;
      double unit = 1;  // of its displacement
      void memory(Memory& m) { m(from, row, column, unit); }
    };
    std::vector<Entry> all;           // places of the numbers of D, if all rows are taken
    std::vector<Entry> entries;       // the same for independent rows alone
    int rows = 0;                     // rows in `all`
    double orientation = 1;           // a sign that keeps the determinant's sign when the rows change
    double chosen_volume = 1;         // volume when the rows were chosen
    MatX rows_of_matrix, tangent;     // of [D; Tᵀ], each a column here, factored in its place; and T
    MatX made_of;                     // shares of earlier rows in each of them, likewise
    std::vector<Eigen::Index> order;  // in which they were eliminated
    struct Space {                    // to work in, so that looks allocate nothing
      MatX next, by_rows, a, b, cosines;
      VecX unit, column;
      PivotedQr qr;
      SingularValues values;
      std::vector<int> place;
      std::vector<Entry> before;
    } space;
    double volume = 1, largest = 0;  // the determinant, rows scaled to length one; the largest seen
    double t = 0, rate = 0;  // time of the last look; speed at which T turned before it came near [rad/s]
    double closest = 1, closest_t = 0, entered = 0, sharpest = 0;
    double sign_before = 1;
    MatX tangent_before;
    bool near = false;
    double looked_at = 0;  // turn of the mechanism at the last look [rad]
    int skipped = 0;
    LoopBranch result;

    void memory(Memory& m) {
      m(entries, orientation, chosen_volume, tangent, volume, largest, t, rate, closest, closest_t, entered);
      m(sharpest, sign_before, tangent_before, near, looked_at, skipped);
      m(result.passed, result.lost, result.unknown);
    }
  };
  struct Places;
  void add(const std::vector<int>& joints, const Places&, const Terms&, double t);
  static bool choose_rows(Loop&, const Terms&, MatX* null_space);
  static void choose_rows_again(Loop&, const Terms&, double& volume);
  static double follow(Loop&);
  static double determinant(Loop&, const Terms&);
  static void solve(const Loop&, Eigen::Index of_row, VecX& x);
  void examine(Loop&, double t, const Terms&, Results&);
  void leave(Loop&, Results&);
  double angle(Loop&, const MatX& a, const MatX& b) const;
  double angle_of_spaces(Loop&, const MatX& a, const MatX& b) const;

  System& system_;
  Turning turning_;
  bool best_treatment_;  // the treatment is the one to use at singular positions
  VecX mass_;
  double t_ = 0, turned_ = 0;  // turned_: turn of the fastest body since the start [rad]
  std::vector<Loop> loops_;
  struct Pass {
    double entered = 0, left = 0, t = 0;
    std::size_t loop = 0;
    void memory(Memory& m) { m(entered, left, t, loop); }
  };
  std::vector<Pass> passes_;
  std::vector<std::string> unwatched_;
};
}  // namespace mubody
