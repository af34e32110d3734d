#include "mubody/model/version.h"

#define MUBODY_TEXT_OF(number) #number
#define MUBODY_DOTTED(major, minor, patch) \
  MUBODY_TEXT_OF(major) "." MUBODY_TEXT_OF(minor) "." MUBODY_TEXT_OF(patch)

namespace mubody {
const char* version() {
  return MUBODY_DOTTED(MUBODY_VERSION_MAJOR, MUBODY_VERSION_MINOR, MUBODY_VERSION_PATCH);
}
}  // namespace mubody
