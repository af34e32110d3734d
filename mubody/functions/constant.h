#pragma once
// f(t) = c
#include "mubody/functions/function.h"

namespace mubody {
struct Constant {
  static constexpr Info info{"constant", "the same value at all times"};
  static constexpr bool is_constant = true;
  double value = 0;

  void fields(Fields& f) { f.required("value", value, "", "the value"); }
  void check() {}
  template <class R> JetOf<R> operator()(const R&) const { return {value, 0, 0}; }
};
}  // namespace mubody
