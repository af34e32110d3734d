#pragma once
// From a MUBODYNA file to the document that says the same in the words of model files.
#include "mubody/io/mubodyna/file.h"
#include "mubody/io/node.h"

namespace mubody::io::mubodyna {
/// What MUBODYNA prints has three decimals: violations below them are accepted.
inline constexpr double printed_accuracy = 1e-3;

/// Every value remembers the line that it comes from.
Node model_of(const File&);
}  // namespace mubody::io::mubodyna
