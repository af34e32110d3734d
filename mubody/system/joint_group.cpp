#include "mubody/system/joint_group.h"

namespace mubody {
template RelativeCoordinate<Body<3>> coordinate(Elementary, const Frame<Body<3>, Side::i>&,
                                                const Frame<Body<3>, Side::j>&);
template RelativeCoordinate<Cartesian<3>> coordinate(Elementary, const Frame<Cartesian<3>, Side::i>&,
                                                     const Frame<Cartesian<3>, Side::j>&);
}  // namespace mubody
