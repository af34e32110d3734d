#pragma once
// What the code of motions is made of beside its steps: sizes, places of numbers, and the equations in C.
//
//   docs/theory/gpu.md
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mubody/lanes/model.h"

namespace mubody {
struct MotionEquations {
  int positions = 0, velocities = 0;
  int controlled = 0, states = 0;  // what the error of a step counts, and with works
  int rows = 0;                    // equations that are kept, each with a multiplier
  int bodies = 0;                  // that are the state, one after the other; 0: it is in other coordinates
  bool in_space = false, held = false;
  int arguments = 0, first_followed = 0, first_kept = 0, parameters = 0;
  int observed = 0;  // numbers of a result
  int cycles = 0;    // about so many for a right-hand side, without what tables of loops say
  /// Which positions, and which gaps of the steps and of results, are lengths.
  std::vector<bool> lengths, gap_lengths, looked_lengths{};
  std::vector<RecordedModel::Kept> kept, at_instants;
  std::vector<RecordedModel::Sampled> sampled;
  std::vector<double>
      tables;  // mb_numbers of the code, which is put there when it is loaded; empty: it has none
  /// The routines of mubody/device/c/routines.h, of which none has many more statements than that.
  std::function<std::string(int longest)> code;
};

/// Those of lanes.  In joint coordinates `gaps` says which equations of all joints measure lengths, and `follow` is C of a function
/// mb_follow(x), which writes what tables of loops say into x and returns 0 if they do.
MotionEquations motion_equations(const std::shared_ptr<const LaneModel>&, const std::vector<LaneKept>&,
                                 std::vector<bool> gaps = {}, const std::string& follow = "");
}  // namespace mubody
