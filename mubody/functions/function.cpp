#include "mubody/functions/function.h"

#include <algorithm>

#include "mubody/functions/constant.h"
#include "mubody/functions/formula.h"

namespace mubody {
Function::Function(double constant) : Function(Constant{constant}) {}
Function::Function(Written formula) : Function(Formula{std::move(formula)}) {}

bool Function::varies() const {
  const Written* formula = kind_->written();
  if (!formula) return !kind_->is_constant();
  return std::ranges::count(Expression::names(formula->text), formula->variable) > 0;
}
}  // namespace mubody
