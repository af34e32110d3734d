#pragma once
// The version of the library.

namespace mubody {
/// As in "0.1.0".
const char* version();
}  // namespace mubody
