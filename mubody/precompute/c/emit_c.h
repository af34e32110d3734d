#pragma once
// A precomputed model as C99: one source and one header that need nothing but the mathematical library.
//                                                                              docs/user/realtime.md
#include <string>

#include "mubody/mechanism/mechanism.h"
#include "mubody/precompute/tables/model.h"

namespace mubody {
struct EmitOptions {
  std::string name;     // of the functions and files; a C identifier
  bool single = false;  // float in place of double
  double step = 1e-3;   // [s] of the self-test
  int steps = 1000;     // of the self-test
  double most_mb = 32;  // of numbers in the source
};
struct EmittedC {
  std::string header, source;
};
/// Throws ModelError if something of the mechanism, or its design variables, has no form in C.
void check_for_c(const Mechanism&, bool design);
/// Throws ModelError if a force has no form in C, or the tables are too large for a source file.
EmittedC emit_c(const RealTimeModel&, const Mechanism&, const EmitOptions&);

/// A name that C accepts, from any.
std::string c_name(const std::string&);
}  // namespace mubody
