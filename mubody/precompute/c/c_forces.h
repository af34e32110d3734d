#pragma once
// What happens at run time besides the tables: forces and drivers, recorded and written as routines in C.
//
//   docs/theory/recording.md#straight-line-code
#include <string>
#include <vector>

#include "mubody/mechanism/mechanism.h"
#include "mubody/precompute/run/real_time.h"
#include "mubody/recording/routine.h"

namespace mubody {
/// For the members of mb_model (runtime.h) of the same names.
struct RunTimeInC {
  std::string code;  // tables and the routines mb_apply, mb_keep and mb_drive, as far as there are such
  OperationCounts apply_counts;  // operations of mb_apply
  int scalars = 0;               // that forces see
  std::vector<int> along;        // scalars that forces act along
  bool applies = false;          // there are forces
  bool acts_on_bodies = false;   // some of them act on bodies
  int kept = 0;                  // numbers that they remember
  std::vector<int> driven;       // variables that drivers prescribe
};
/// Throws ModelError if a force or a driver cannot be recorded.
RunTimeInC run_time_in_c(const RealTimeModel&, const Mechanism&, const RealTime&);
}  // namespace mubody
