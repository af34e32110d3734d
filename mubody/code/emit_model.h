#pragma once
// A model as C99: one source and one header that need nothing but the mathematical library.
//
//   docs/user/emit.md, docs/theory/generated-code.md
//
// The equations are straight-line code from a recording; the code around them, which steps and tests, is compiled and
// tested beside this file, and embedded.
#include <functional>
#include <string>

#include "mubody/code/recorded_study.h"
#include "mubody/recording/routine.h"
#include "mubody/simulation/simulation.h"

namespace mubody {
/// Parts with loops that follow tables.
struct EmittedFollowers {
  std::vector<FollowingPart> parts;
  /// C of mb_follow(x), which writes what they follow, for numbers of the tables at x[first].
  std::function<std::string(const RecordedModel&)> code;
  long operations = 0;                                // multiply-adds of one look into all tables
  std::function<Simulation(const Study&)> reference;  // what the self-test compares with
};
enum class EmittedCoordinates { best, body, joint };
struct EmitModelOptions {
  std::string name;                    // functions and files begin with it; a C identifier
  std::vector<std::string> inputs{};   // that come from outside, besides those of the model
  bool cuda = false;                   // for graphics processors, one mechanism for each thread ...
  bool kernels = true;                 // ... with kernels that step many
  bool single = false;                 // float in place of double
  int corrections = 2;                 // of positions after each step
  double step = 1e-3;                  // [s] of the self-test
  int steps = 100;                     // of the self-test; 0: there is none
  std::vector<std::string> outputs{};  // channels; if there are none the model's own, or else all
  EmittedCoordinates coordinates =
      EmittedCoordinates::best;                 // best: those with the fewest operations in a step
  std::optional<EmittedFollowers> followers{};  // then joint coordinates
  bool changes = false;  // a function for derivatives of outputs by inputs, see mubody/code/c/changes.h
};
struct EmittedModel {
  std::string header, source;
  OperationCounts rates, step;  // operations of a right-hand side, and of a whole step

  /// Both as one source.
  std::string in_one() const;
  bool jointed = false;                          // in joint coordinates
  std::vector<double> start{};                   // the numbers x of its state at the start
  std::vector<std::string> inputs{}, outputs{};  // their names
  std::vector<std::string> notes{};              // where its steps are less accurate than those of the library
};
/// Throws ModelError, with the element and the reason, if something in the model has no form in C.
EmittedModel emit_model(const Study&, const EmitModelOptions&);
}  // namespace mubody
