#pragma once
// Places where an element changes its form, as a block with limits or a friction that sticks does.
#include <type_traits>

#include "mubody/math/expression.h"

namespace mubody {
/// The places where an element changes its form: each has a number that is positive on one side.  During a step the element is
/// held on the side on which it was, as formulas are; see Switches.
class Corners {
 public:
  explicit Corners(Switches* switches = nullptr) : s_(switches) {}
  /// Whether the element is on the side on which the k-th number is positive.
  bool above(std::size_t k, double value) const {
    if (!s_) return value > 0;
    s_->value[k] = value;
    return (s_->held ? s_->side[k] : Switches::sign_of(value)) > 0;
  }
  /// The side on which it was held last; 0 before that.
  int was(std::size_t k) const { return s_ ? s_->side[k] : 0; }
  /// The k-th place does not matter now.
  void rest(std::size_t k) const {
    if (s_) s_->value[k] = s_->side[k];
  }

 private:
  Switches* s_;
};

/// The same for numbers that have no value yet, which no motion follows.
struct FreeCorners {
  template <class R> static auto above(std::size_t, const R& value) { return value > 0; }
  static void rest(std::size_t) {}
};
template <class R> using CornersOf = std::conditional_t<std::is_same_v<R, double>, Corners, FreeCorners>;
}  // namespace mubody
