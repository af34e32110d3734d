#pragma once
// A value that changes with time, and its first two derivatives.

namespace mubody {
struct Jet {
  double x = 0, v = 0, a = 0;
};
}  // namespace mubody
