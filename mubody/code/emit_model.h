#pragma once
// A model as C99: one source and one header that need nothing but the mathematical library.
//
//   docs/user/emit.md, docs/theory/generated-code.md
//
// The equations are straight-line code from a recording; the code around them, which steps and tests, is compiled and
// tested beside this file, and embedded.
#include <string>

#include "mubody/code/recorded_study.h"
#include "mubody/recording/routine.h"

namespace mubody {
struct EmitModelOptions {
  std::string name;                   // functions and files begin with it; a C identifier
  std::vector<std::string> inputs{};  // that come from outside, besides those of the model
  bool cuda = false;                  // for graphics processors, one mechanism for each thread
  bool single = false;                // float in place of double
  int corrections = 2;                // of positions after each step
  double step = 1e-3;                 // [s] of the self-test
  int steps = 100;                    // of the self-test; 0: there is none
};
struct EmittedModel {
  std::string header, source;
  OperationCounts rates, step;  // operations of a right-hand side, and of a whole step

  /// Both as one source.
  std::string in_one() const;
  std::vector<std::string> notes{};  // where its steps are less accurate than those of the library
};
/// Throws ModelError, with the element and the reason, if something in the model has no form in C.
EmittedModel emit_model(const Study&, const EmitModelOptions&);
}  // namespace mubody
