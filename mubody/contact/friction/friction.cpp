#include "mubody/contact/friction/friction.h"

#include "mubody/contact/friction/modified_coulomb.h"

namespace mubody {
Friction::Friction(double mu) : Friction(ModifiedCoulomb{.mu = mu}) {}
}  // namespace mubody
