#pragma once
// Force as the user writes it, from deflection, rate, length and time.  Nothing says which part of it could be
// recovered, so it counts as storing no energy.
#include "mubody/forces/laws/law.h"
#include "mubody/math/expression.h"

namespace mubody {
struct ExpressionLaw : Written {
  static constexpr Info info{"expression", "a formula in length, deflection, rate and t"};
  static constexpr bool stores_energy = false;

  void fields(Fields& f) {
    f.required("text", text, "", "formula in length, deflection, rate and t, in SI units");
  }
  void check() {
    const std::string variables[] = {"length", "deflection", "rate", "t"};
    try {
      formula = Expression::parse(text, variables, parameters);
    } catch (const ExpressionError& e) {
      throw FieldError("text", e.located());
    }
  }
  template <class R> R force(const DeflectionOf<R>& at) const {
    const R values[] = {at.length, at.deflection, at.rate, at.t};
    if constexpr (std::is_same_v<R, double>)
      if (switches) return formula(values, *switches);
    return formula(std::span<const R>(values));
  }
  template <class R> R potential(const R&) const { return 0; }

  Expression formula{};                // the text, as check() read it
  std::shared_ptr<Switches> switches;  // of the formula, where a motion follows them
};
}  // namespace mubody
