#include "mubody/functions/function.h"

#include <algorithm>

#include "mubody/functions/constant.h"
#include "mubody/functions/formula.h"

namespace mubody {
Function::Function(double constant) : Function(Constant{constant}) {}
Function::Function(Written formula) : Function(Formula{std::move(formula)}) {}

JetOf<Recorded> Function::operator()(const Recorded& t) const {
  if (!is_held(t)) return kind_->at(t);
  const std::array<int, 3>* nodes = t.graph() ? t.graph()->supplied(held_->input) : nullptr;
  if (!nodes) return (*held_)(t);
  Computation& g = *t.graph();
  return {{g, (*nodes)[0]}, {g, (*nodes)[1]}, {g, (*nodes)[2]}};
}

bool Function::varies() const {
  const Written* formula = kind_->written();
  if (!formula) return !kind_->is_constant();
  return std::ranges::count(Expression::names(formula->text), formula->variable) > 0;
}
}  // namespace mubody
