#pragma once
// What redundant constraints leave open, and when they come and go.           docs/theory/redundancy.md
//
// Accelerations are unique; multipliers are not: any solution of Dᵀ n = 0 may be added to them.  A component of a
// reaction is unique if no such n changes it.
#include "mubody/results/results.h"
#include "mubody/system/system.h"

namespace mubody {
/// The reaction channels of a system, all of them unique as yet.
std::vector<Reaction> list_reactions(const System&);

/// Marks the reactions that are not unique at an instant; what has been marked stays so.
void mark_unique(System&, double t, const In& q, const In& u, std::vector<Reaction>&);

/// Follows the rank of the constraints of a redundant mechanism through a motion and tells when it changes.
class RankWatch {
 public:
  RankWatch(System&, const Freedom&);
  /// At an accepted state.
  void step(double t, const In& q, const In& u, Results&);
  void memory(Memory& m) { m(count_, rank_, margin_, margin_t_, slope_); }

 private:
  bool crossed(double t, double margin) const;

  System& system_;
  Terms terms_;
  bool watching_;
  int every_, count_ = 0;  // large mechanisms are looked at now and then
  int rank_;
  // To a lower rank: the smallest pivot at the last look, when that was, and how fast it falls.
  double margin_ = 1, margin_t_ = 0, slope_ = 0;
};
}  // namespace mubody
