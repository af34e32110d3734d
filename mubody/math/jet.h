#pragma once
// A value that changes with time, and its first two derivatives; of any scalar.

namespace mubody {
template <class R> struct JetOf {
  R x = 0, v = 0, a = 0;
};
using Jet = JetOf<double>;
}  // namespace mubody
