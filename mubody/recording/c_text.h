#pragma once
// Routines as straight-line C99: no loop, no branch but choices, no memory but what is handed over.
//
//   docs/theory/recording.md#straight-line-code
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "mubody/recording/routine.h"

namespace mubody {
/// How a routine meets the code around it.
struct CFrame {
  std::string before = "MB_FN";
  std::string arguments = "const mb_real* x, const mb_real* p, mb_real* y";
  std::string passed = "x, p, y";  // the same without their types
  /// What is written for the k-th input, parameter and output; x[k], p[k] and y[k] if not set.  Outputs are written as
  /// soon as they are known: they must not lie where inputs are.
  std::function<std::string(int)> input, parameter, output;
  std::string tables = "mb_table";  // what names of tables begin with
  /// About so many statements make a function of their own, since compilers take their time for long ones.
  int longest = 150;
};

std::string routine_in_c(const Computation&, const Routine&, const CFrame& = {});
/// The tables that some routines need.
std::string tables_in_c(const Computation&, const std::vector<Routine>&, const CFrame& = {});
/// What such code rests on: types, and of the functions those that it calls.
std::string runtime_for(std::string_view code);

namespace c_text {
extern const std::string_view c_runtime_h, c_runtime_c;  // the files of this folder, by cmake/embed.cmake
}
}  // namespace mubody
