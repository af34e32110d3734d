#include "mubody/simulation/callback_force.h"

#include "mubody/system/force_group.h"

namespace mubody {
template const ForceEntry& force_entry<CallbackForce>();
}  // namespace mubody
