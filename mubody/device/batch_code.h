#pragma once
// Simulations of one model that are stepped together, as a source for graphics processors and for any other: emitted equations, and
// kernels that set inputs, take steps and give outputs, mubody/device/c/batch.cu.
//
//   docs/theory/gpu.md#batches
#include <string>
#include <vector>

#include "mubody/study/options.h"

namespace mubody {
struct BatchCode {
  std::string for_cuda, for_processors;  // CUDA C++, and C99
  std::size_t asked = 0;                 // inputs that are given with each step
  std::vector<std::string> outputs, notes;
};
/// With these inputs besides those of the model, and these channels.  Throws ModelError if something has no form in C.
BatchCode batch_code(const Study&, const std::vector<std::string>& inputs,
                     const std::vector<std::string>& outputs);
}  // namespace mubody
