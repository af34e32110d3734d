#include "mubody/formulations/tree_inertia.h"

namespace mubody {
template class TreeInertia<2>;
template class TreeInertia<3>;
}  // namespace mubody
