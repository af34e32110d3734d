#pragma once
// A precomputed model as C99: one source and one header that need nothing but the mathematical library.
//
// Most of them is the runtime beside this file, which the build compiles, tests and embeds; what is written here are the
// tables, the forces and drivers of the run time as they are recorded, and a reference run for the self-test.
//                                                                              docs/user/realtime.md
#include <string>

#include "mubody/mechanism/mechanism.h"
#include "mubody/precompute/tables/model.h"

namespace mubody {
struct EmitOptions {
  std::string name;     // the functions and files begin with it; a C identifier
  bool single = false;  // float in place of double
  double step = 1e-3;   // step of the self-test [s]
  int steps = 1000;     // steps of the self-test
  double most_mb = 32;  // the most that a source may hold [MB]
  // Where loops are joints:
  std::vector<std::string> inputs{}, outputs{};  // as those of EmitModelOptions
};
/// Throws ModelError if there are design variables, which have no form in C.
void check_for_c(bool design);
struct EmittedC {
  std::string header, source;
};
/// Throws ModelError if a force or a driver cannot be recorded, there are design variables, or the tables are too large for a
/// source file.
EmittedC emit_c(const RealTimeModel&, const Mechanism&, const EmitOptions&);

/// The tables of a mechanism alone, and the functions of runtime.h; numbers go apart, as CData has them.
std::string emit_tables(const RealTimeModel&, const Mechanism&, const EmitOptions&, std::vector<double>& apart);

/// Throws ModelError if the tables are too large for a source.
void check_size_for_c(const RealTimeModel&, const EmitOptions&);

/// A name that C accepts, made from any text.
std::string c_name(const std::string&);
}  // namespace mubody
