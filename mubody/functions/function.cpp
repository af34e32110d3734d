#include "mubody/functions/function.h"

#include "mubody/functions/constant.h"

namespace mubody {
Function::Function(double constant) : Function(Constant{constant}) {}
}  // namespace mubody
