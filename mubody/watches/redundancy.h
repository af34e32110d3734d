#pragma once
// Reactions left open by redundant constraints, and changes of rank.          docs/theory/redundancy.md
//
// Accelerations are unique; multipliers are not: any solution of Dᵀ n = 0 may be added to them.  A component of a
// reaction is unique if no such n changes it.
#include <limits>

#include "mubody/math/dense.h"
#include "mubody/results/results.h"
#include "mubody/system/system.h"

namespace mubody {
/// The reaction channels of a system, all marked unique at first; none where there are more channels than lists have.
std::vector<Reaction> list_reactions(const System&);

/// Marks the reactions that are not unique at an instant; marks are never removed.
void mark_unique(System&, double t, const In& q, const In& u, std::vector<Reaction>&);

/// The joints whose dry friction is loaded by reactions that are not unique at an instant, so that nor is the friction.
std::vector<std::string> open_frictions(System&, double t, const In& q, const In& u);

/// Follows the rank of the constraints of a redundant mechanism through a motion and reports its changes.
class RankWatch {
 public:
  RankWatch(System&, const Freedom&);
  /// Called at every accepted state: whether bodies have moved so far since the last look that another one is needed.
  bool is_due(double t, const In& u);
  /// Looks at an accepted state.
  void look(double t, const In& q, const In& u, Results&);
  /// How far the mechanism was from a singular position at the last look: the smallest pivot of the rows that are
  /// independent elsewhere, as a share of the largest that it has had.  1 if nothing is redundant.
  double hold() const { return hold_ < widest_ ? hold_ / widest_ : 1; }
  void memory(Memory& m) { m(count_, t_, moved_, rank_, margin_, margin_t_, slope_, hold_, widest_); }

 private:
  bool crossed(double t, double margin) const;

  System& system_;
  Terms terms_;
  MatX rows_, columns_;  // D with rows of length one, and its transpose
  PivotedQr qr_;
  bool watching_;
  int every_, count_ = 0;  // large mechanisms are checked only every few steps
  double t_ = 0;           // the last accepted time [s]
  double moved_ =
      std::numeric_limits<double>::infinity();  // by how much rows may have turned since the last look
  int rank_, usual_;                            // usual_: away from singular positions
  double hold_ = 1, widest_ = 0;
  // Margin to a lower rank: the smallest pivot at the last look, its time, and its rate of change.
  double margin_ = 1, margin_t_ = 0, slope_ = 0;
};
}  // namespace mubody
