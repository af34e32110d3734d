// Tables of the neighbourhood of a motion.
#include "tests/near.h"

#include "mubody/precompute/tables/make_near.h"

namespace mubody::testing {
namespace {
/// √(1.2 − x² − y²) and its slopes, which nobody can have outside of a circle and which are steep near it.
class Dome final : public Sampled {
 public:
  Dome() { quantities = {{.name = "height", .slopes_used = true}}; }
  bool at(const VecX& x, Out values, MatX& slopes) override {
    const double square = 1.2 - x.squaredNorm();
    if (!(square > 0)) return false;
    values[0] = std::sqrt(square);
    slopes = -x.transpose() / values[0];
    return true;
  }
};

// A quarter of a circle inside of the one that bounds the dome.
std::vector<VecX> quarter(double radius) {
  std::vector<VecX> all;
  for (int k = 0; k <= 40; ++k)
    all.push_back(radius *
                  Eigen::Vector2d(std::cos(0.025 * EIGEN_PI / 2 * k), std::sin(0.025 * EIGEN_PI / 2 * k)));
  return all;
}

MadeTable dome(const Neighbourhood& near) {
  Dome f;
  TableOptions o;
  o.degree = 7, o.bound = 1e-7, o.near = &near;
  return make_table(f, {0, 1}, {Axis(-0.05, 1.05, false, 4), Axis(-0.05, 1.05, false, 4)}, o);
}

TEST(near_table, has_the_function_where_the_motion_is_and_tells_where_it_is_not) {
  const Neighbourhood near(quarter(0.95), VecX::Constant(2, 0.05));
  const MadeTable made = dome(near);
  ASSERT_EQ(made.ending, MadeTable::made);
  EXPECT_LE(made.certificate.worst, 1);
  double value = 0, slopes[2];
  std::vector<double> scratch(made.table.scratch());
  for (const VecX& x : near.places())
    for (const double off : {-0.02, 0.0, 0.02}) {
      const VecX at = x * (1 + off);
      ASSERT_TRUE(made.table.holds(at.data()));
      made.table.evaluate(at.data(), &value, slopes, scratch.data());
      const double height = std::sqrt(1.2 - at.squaredNorm());
      EXPECT_NEAR(value, height, 1e-7);
      EXPECT_NEAR(slopes[0], -at[0] / height, 1e-7);
      EXPECT_NEAR(slopes[1], -at[1] / height, 1e-7);
    }
  const double middle[] = {0.2, 0.2}, beyond[] = {0.9, 0.9};
  EXPECT_FALSE(made.table.holds(middle));
  EXPECT_FALSE(made.table.holds(beyond));
  const std::vector<Axis::Cell> back = made.table.closest(beyond);
  const double closest[] = {back[0].middle, back[1].middle};
  EXPECT_TRUE(made.table.holds(closest));
  EXPECT_NEAR(std::hypot(closest[0], closest[1]), 1, 0.1);
  // Where there is nothing it stays close to what there is, and within numbers.
  made.table.evaluate(beyond, &value, slopes, scratch.data());
  EXPECT_GT(value, 0);
  EXPECT_LT(value, 0.7);
}

TEST(near_table, has_more_cells_the_further_it_reaches) {
  const Neighbourhood narrow(quarter(0.95), VecX::Constant(2, 0.02)),
      wide(quarter(0.95), VecX::Constant(2, 0.08));
  EXPECT_LT(dome(narrow).table.cells(), dome(wide).table.cells());
}

// A motion that touches the border of what can be reached has no table.
TEST(near_table, is_refused_where_the_motion_cannot_be_reached) {
  const Neighbourhood near(quarter(1.1), VecX::Constant(2, 0.05));
  EXPECT_EQ(dome(near).ending, MadeTable::unreachable);
}
}  // namespace
}  // namespace mubody::testing
