#pragma once
// The version that a program is compiled against, as macros; the build reads it from here.
#define MUBODY_VERSION_MAJOR 0
#define MUBODY_VERSION_MINOR 1
#define MUBODY_VERSION_PATCH 0

/// As a number that can be compared: 10203 is 1.2.3.
#define MUBODY_VERSION_NUMBER (MUBODY_VERSION_MAJOR * 10000 + MUBODY_VERSION_MINOR * 100 + MUBODY_VERSION_PATCH)

namespace mubody {
/// The version of the library that is linked, as in "0.1.0".
const char* version();
}  // namespace mubody
