#pragma once
// How the numbers in recorded equations, and the state that a motion starts from, change with parameters of a model.
//
//   docs/theory/forward-sensitivity.md#numbers-that-depend-on-parameters
//
// A model is read, and recorded, with other values of a parameter.  The equations stay the same, and some of their numbers
// change: these become parameters of the graph.  Nothing is solved there but the assembly of the start.
#include "mubody/code/recorded_study.h"

namespace mubody {
/// What a motion is differentiated by.
struct VariedBy {
  std::string name;         // as in "length", or "crank.omega" of the start
  std::string unit = "SI";  // of the number itself
  bool of_start = false;
  double value = 0;
  double size = 1;  // a change that is not small
};

struct VariedStudy {
  RecordedStudy recorded;           // with the numbers that change as parameters of its graph
  std::vector<VariedBy> variables;  // a column of each matrix below
  MatX numbers;                     // derivatives of the graph's parameters
  MatX q, u, z;                     // derivatives of the start, as assembled
  double error = 0;                 // of these derivatives, estimated, relative to the largest of their row
};

/// The names of start values that a study has: coordinates and velocities of its bodies.
std::vector<std::string> start_values(const Study&);

/// `inputs` come from outside, besides those of the model, and do not change with parameters.
///
/// A number of the start is changed and held, and all others follow by the smallest displacement.
///
/// Throws ModelError if the study cannot be recorded, or where a parameter changes more than numbers: the form of the
/// equations, a table, or an instant at which something jumps.
VariedStudy vary(const Study&, const std::vector<std::string>& parameters,
                 const std::vector<std::string>& start, const std::vector<std::string>& inputs = {});
}  // namespace mubody
