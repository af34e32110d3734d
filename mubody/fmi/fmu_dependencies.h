#pragma once
// What outputs and rates of an FMU follow at once, by the structure of the recorded equations: what a node of the graph is not
// made of, it does not depend on.
//
//   FMI 2.0.4, section 2.2.8; FMI 3.0.1, section 2.4.8               docs/theory/exchange.md#dependencies
#include "mubody/fmi/fmu_contents.h"
#include "mubody/study/options.h"

namespace mubody::io {
/// Writes the dependencies of outputs and, for model exchange, of rates.  They stay unsaid, which stands for all, where the
/// equations cannot be recorded or are those of many bodies.
void find_dependencies(FmuContents&, const Study&);
/// The inputs that are no [inputs] of the model.
std::vector<std::string> asked_inputs(const FmuContents&, const Study&);
}  // namespace mubody::io
