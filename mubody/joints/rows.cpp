#include "mubody/joints/rows.h"

#include "mubody/joints/angle.h"
#include "mubody/joints/coordinate.h"
#include "mubody/joints/coupler.h"
#include "mubody/joints/distance.h"
#include "mubody/joints/slide.h"

namespace mubody {
namespace {
template <class Row> std::unique_ptr<AnyJoint> boxed(Row row, const Marker& i, const Marker& j) {
  row.i = i, row.j = j;
  return std::make_unique<JointOf<Row>>(std::move(row));
}
}  // namespace

std::unique_ptr<AnyJoint> row_of(const Marker& i, const Marker& j, Elementary m) {
  if (is_turn(m)) {
    Angle row{.value = Function(0)};
    row.about.index = int(turn_z) - int(m);
    return boxed(row, i, j);
  }
  Slide row{.value = Function(0)};
  row.along.index = int(m) - int(slide_x);
  return boxed(row, i, j);
}

std::unique_ptr<AnyJoint> row_of_sum(Coupled a, Coupled b, double sign) {
  a.found = b.found = true;
  Coupler row;
  row.couples = {std::move(a), std::move(b)};
  row.ratios = {1, sign};
  row.offset = 0;
  return std::make_unique<JointOf<Coupler>>(std::move(row));
}

std::unique_ptr<AnyJoint> row_of_distance(const Marker& i, const Marker& j) {
  return boxed(Distance{.length = Function(0)}, i, j);
}

std::unique_ptr<AnyJoint> row_of_body(int body, int coordinate) {
  Coordinate row{.value = Function(0)};
  row.coordinate.index = coordinate;
  return boxed(row, {}, {.body = body});
}
}  // namespace mubody
