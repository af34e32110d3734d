#include "mubody/simulation/callback_force.h"

#include "mubody/system/entries.h"
#include "mubody/system/force_group.h"
#include "mubody/system/recorded_elements.h"

namespace mubody {
template const ForceEntry& force_entry<CallbackForce>();
}  // namespace mubody
