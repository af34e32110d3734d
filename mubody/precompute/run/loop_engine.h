#pragma once
// The equations of motion of a tree whose loops are joints, from tables.
//
// Every row is looked at with the joints of the model, so that tables of another mechanism are found out.  Where joints of loops
// give way, some of the rows are kept, and the end tells what series leave out there.
//                                                                        docs/theory/loops-as-joints.md
#include "mubody/precompute/run/loop_map.h"
#include "mubody/simulation/equation_engine.h"

namespace mubody {
class LoopEngine final : public EquationEngine {
 public:
  /// `system` is that of build_following().  The study and what has begun must live as long as this.
  /// Tables close loops within a share of the size of the mechanism.
  LoopEngine(const Study&, Begun&, std::unique_ptr<System> system, double share);

  Outcome accept(double t, const VecX& y, Recorder&, Results&) override;
  Outcome record(double t, const VecX& y, Recorder&) override;
  void finish(const AnalysisOptions&, Results&) override;
  void memory(Memory&) override;

 private:
  /// A part in which joints give way.
  struct Yielding {
    const LoopMap* map;
    int first, count;  // its coordinates in the tree; the last ones are the directions in which joints give way
    std::vector<double> most;  // of each direction ...
    std::vector<VecX> peaks;   // ... and where that was
    std::vector<VecX> rows;    // some of those that were recorded, spread over the time ...
    long every = 1, seen = 0;  // ... of which each of so many is kept

    void note(const VecX& y);
    void keep(const VecX& y);
  };
  void tell_what_is_left_out(Results&);
  void look_at_joints(double t, const VecX& y);

  double most_open_;           // what is too much for errors of the tables, as System::gap() measures it
  double open_ = 0;            // the most that was seen ...
  int where_ = -1;             // ... and the joint
  std::vector<int> in_loops_;  // the joints that are looked at
  Terms in_bodies_;
  VecX q_, u_;
  std::vector<Yielding> yielding_;
};
}  // namespace mubody
