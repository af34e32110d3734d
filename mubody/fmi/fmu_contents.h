#pragma once
// What an FMU of a model shows to the outside: its variables with units and start values, and the usual experiment.
#include <optional>
#include <string>
#include <vector>

#include "mubody/fmi/fmu_model.h"
#include "mubody/fmi/fmu_variables.h"

namespace mubody::io {
struct FmuScalar : FmuVariable {
  std::string name;  // as others see it, which differs from all others
  std::string unit;  // SI; empty for pure numbers
  double start = 0;  // of all but outputs
  std::string meaning{};
  std::optional<double> min{}, max{};            // of parameters with a range
  std::optional<std::vector<int>> depends_on{};  // of outputs: references of time, inputs, states; none: of all
};

struct FmuContents {
  std::string model;       // its name
  std::string identifier;  // a name in C, of the library in the archive
  std::string convention;  // of names: "structured", or "flat"
  std::vector<FmuScalar> variables;
  std::vector<std::string> shown_units;  // in which numbers are shown, as in "deg"
  double start = 0, end = 1, step = 0;   // [s]
  std::optional<double> tolerance;       // relative, of steps
  bool cosimulation = true, exchange = false;
  int states = 0, indicators = 0;                   // if it is for model exchange
  std::vector<std::vector<int>> rates_depend_on{};  // for each state, as `depends_on`; empty: on all
  std::vector<std::string> sources{};               // files that a compiler gets, if it has any
  bool changes = false;                             // derivatives of outputs by inputs can be had
};

enum class FmuKind { cosimulation, exchange, both };

struct FmuWishes {
  std::string identifier;                    // that of the model's name if empty
  std::vector<std::string> inputs, outputs;  // besides those of the model; outputs may have stars
  FmuKind kind = FmuKind::cosimulation;
};

/// Assembles the mechanism.  Throws ModelError, also for a wish that no input or channel meets.
FmuContents fmu_contents(const FmuModel&, const FmuWishes&);
}  // namespace mubody::io
