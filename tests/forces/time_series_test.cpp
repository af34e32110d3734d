// A measured force.
#include "mubody/forces/time_series.h"

#include "mubody/joints/fixed.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(time_series, straight_lines_through_rows_of_data) {
  const double m = 2, I = 0.5, X = 0.3, Y = 0.1, t = 0.35;
  Model model = in_plane({0, 0});
  const BodyRef foot = model.body("foot", {.mass = m, .inertia = I, .position = {X, Y}});
  model.joint("hold", Fixed{}, model.ground().at(X, Y), foot.at(0, 0));
  TimeSeries plate;
  plate.point.index = 1;  // the point is given in global axes
  plate.data.columns.resize(5);
  for (const double s : {0., 0.25, 0.5, 0.75, 1.}) {
    const double row[] = {s, 2 + 3 * s, 10 - 4 * s, 0.5 + s, 0};
    for (std::size_t k = 0; k < 5; ++k) plate.data.columns[k].push_back(row[k]);
  }
  model.force("plate", plate, model.ground().at(0, 0), foot.at(0, 0));
  Motion at(model);
  at.to(t);
  // A spline through a straight line is that line; the moment about the centre is arm × force, and the joint holds it.
  const double fx = 2 + 3 * t, fy = 10 - 4 * t;
  EXPECT_TRUE(same(at("plate.fx"), fx));
  EXPECT_TRUE(same(at("hold.on_foot.fy"), -fy));
  EXPECT_TRUE(same(at("hold.on_foot.m"), -((0.5 + t - X) * fy + Y * fx)));
}
}  // namespace
}  // namespace mubody::testing
