#include "mubody/forces/laws/law.h"

#include "mubody/forces/laws/expression_law.h"

namespace mubody {
Law::Law(Written formula) : Law(ExpressionLaw{std::move(formula)}) {}
}  // namespace mubody
