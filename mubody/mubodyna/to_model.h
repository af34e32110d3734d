#pragma once
// Translates a MUBODYNA file to a document in the words of model files.
#include "mubody/mubodyna/file.h"
#include "mubody/text/node.h"

namespace mubody::io::mubodyna {
/// Starting values have few digits and nothing corrects them, so a run is accepted if it is good to 1 %.
inline constexpr double accepted = 1e-2;

/// The document of a file; every value remembers its line.
Node model_of(const File&);
}  // namespace mubody::io::mubodyna
