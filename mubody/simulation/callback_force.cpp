#include "mubody/simulation/callback_force.h"

#include "mubody/own_elements.h"

namespace mubody {
template const ForceEntry& force_entry<CallbackForce>();
}  // namespace mubody
