#include "mubody/functions/function.h"

#include "mubody/functions/constant.h"
#include "mubody/functions/formula.h"

namespace mubody {
Function::Function(double constant) : Function(Constant{constant}) {}
Function::Function(Written formula) : Function(Formula{std::move(formula)}) {}
}  // namespace mubody
