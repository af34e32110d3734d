#pragma once
// Names beside points, none over another.
#include <optional>
#include <vector>

#include "mubody/math/space.h"

namespace mubody::io {
class LabelPlaces {
 public:
  LabelPlaces(const Vec<2>& low, const Vec<2>& high) : low_(low), high_(high) {}

  /// Nothing is written within that circle.
  void keep_clear(const Vec<2>& at, double radius) {
    taken_.push_back({at - Vec<2>::Constant(radius), at + Vec<2>::Constant(radius)});
  }

  /// Where the base line begins of words `gap` pixels beside a point; nothing if there is no room.  The place is
  /// taken from then on.
  std::optional<Vec<2>> find(const Vec<2>& at, double gap, double width, double height) {
    const double h = 0.75 * height, side = 0.75 * gap;
    const Vec<2> corners[] = {
        {side, -side}, {-side - width, -side}, {side, side + h},   {-side - width, side + h},
        {gap, h / 2},  {-gap - width, h / 2},  {-width / 2, -gap}, {-width / 2, gap + h}};
    for (const Vec<2>& c : corners) {
      const Box box{at + c - Vec<2>(1, h + 1), at + c + Vec<2>(width + 1, 2)};
      if (!is_free(box)) continue;
      taken_.push_back(box);
      return at + c;
    }
    return {};
  }

 private:
  struct Box {
    Vec<2> low, high;
  };
  bool is_free(const Box& b) const {
    if (b.low.x() < low_.x() || b.low.y() < low_.y() || b.high.x() > high_.x() || b.high.y() > high_.y())
      return false;
    for (const Box& t : taken_)
      if (b.low.x() < t.high.x() && t.low.x() < b.high.x() && b.low.y() < t.high.y() && t.low.y() < b.high.y())
        return false;
    return true;
  }
  Vec<2> low_, high_;
  std::vector<Box> taken_;
};
}  // namespace mubody::io
