#pragma once
// From a MUBODYNA file to the document that says the same in the words of model files.
#include "mubody/mubodyna/file.h"
#include "mubody/text/node.h"

namespace mubody::io::mubodyna {
/// Starting values have a few digits and nothing corrects them: a run is accepted if it is good to one per cent.
inline constexpr double accepted = 1e-2;

/// Every value remembers the line that it comes from.
Node model_of(const File&);
}  // namespace mubody::io::mubodyna
