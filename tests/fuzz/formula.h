#pragma once
// A formula that may be wrong.
#include <map>
#include <span>

#include "mubody/math/expression.h"
#include "tests/fuzz/fuzz.h"

namespace mubody::testing {
/// Nothing if it is refused, at a place of the formula.
inline std::optional<Expression> formula(std::string_view text, std::span<const std::string> variables,
                                         const std::map<std::string, double>& constants = {}) {
  try {
    return Expression::parse(text, variables, constants);
  } catch (const ExpressionError& e) {
    hold(e.position <= text.size(), "a mistake is at a place of the formula");
    check_message(e.located());
    return {};
  }
}
}  // namespace mubody::testing
