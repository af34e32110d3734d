#pragma once
// The neighbourhood of a motion in the variables of tables: what is near it is tabulated, and nothing else.
//
// It is for variables whose ranges as a whole hold dead points, although the motion comes to none.
//                                                                              docs/theory/tables.md
#include <vector>

#include "mubody/math/space.h"

namespace mubody {
class Neighbourhood {
 public:
  /// `motion` has the values of all variables at places close to each other; `reach` is how far the neighbourhood goes on
  /// either side along each of them.
  Neighbourhood(const std::vector<VecX>& motion, VecX reach);

  enum Share { outside, around, on_the_way };
  /// Whether a cell along these variables is part of it: the motion goes through it, or passes it within reach.
  Share of(const std::vector<int>& arguments, const VecX& middle, const VecX& half) const;
  /// All variables at a place where some of them are x: the others are means of those that the motion has close by.
  VecX place(const std::vector<int>& arguments, const VecX& x) const;
  /// Places along the motion, close to each other.
  const std::vector<VecX>& places() const { return places_; }
  const VecX& reach() const { return reach_; }

 private:
  std::vector<VecX> places_;
  VecX reach_;
};
}  // namespace mubody
