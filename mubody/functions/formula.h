#pragma once
// f(t) as the user writes it, differentiated exactly.
#include "mubody/functions/function.h"
#include "mubody/math/expression.h"

namespace mubody {
struct Formula : Written {
  static constexpr Info info{"expression", "a formula in t"};

  void fields(Fields& f) { f.required("text", text, "", "formula in t [s], such as 2*sin(pi*t)"); }
  void check() {
    const std::string variables[] = {variable};
    try {
      formula = Expression::parse(text, variables, parameters);
    } catch (const ExpressionError& e) {
      throw FieldError("text", e.located());
    }
  }
  template <class R> JetOf<R> operator()(const R& t) const {
    const JetOf<R> time[] = {{t, 1, 0}};
    return formula(std::span<const JetOf<R>>(time));
  }

  Breakpoints breakpoints(double from, double to) const {
    return Breakpoints::of(formula.breakpoints(from, to));
  }

  Expression formula{};  // the text, as check() read it
};
}  // namespace mubody
