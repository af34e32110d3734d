// Formulas, recorded.
#include "mubody/math/expressions/run.h"
#include "mubody/recording/recorded.h"

namespace mubody {
template Recorded Expression::operator()(std::span<const Recorded>) const;
template JetOf<Recorded> Expression::operator()(std::span<const JetOf<Recorded>>) const;
}  // namespace mubody
