#include "mubody/model/version.h"

namespace mubody {
const char* version() { return MUBODY_VERSION; }
}  // namespace mubody
