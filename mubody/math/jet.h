#pragma once
// A value that changes with time, and its first two derivatives; of any scalar.
#include <type_traits>

namespace mubody {
template <class R> struct JetOf {
  static_assert(!std::is_integral_v<R>, "whole numbers have no derivatives: write 0.0 in place of 0");
  R x = 0, v = 0, a = 0;
};
using Jet = JetOf<double>;
}  // namespace mubody
