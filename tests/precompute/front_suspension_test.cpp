// The front suspension with steering of the dissertation: order of its loops, and the wheel over the plane of shock absorber
// and pitman arm.
#include <algorithm>
#include <cmath>

#include "mubody/precompute/plan/closure.h"
#include "tests/precompute/models.h"
#include "tests/turns.h"

namespace mubody::testing {
namespace {
using V3 = Vec<3>;

constexpr double inch = 0.0254;
V3 at(double x, double y, double z) { return inch * V3(x, y, z); }

/// The angle near zero by which p must turn about an axis through o to have the given distance from w.
double turn_to(const V3& o, const V3& axis, const V3& p, const V3& w, double distance) {
  const V3 r = p - o, along = axis * axis.dot(r), across = r - along, third = axis.cross(across),
           to = w - o - along;
  // across·to cos + third·to sin = c
  const double a = across.dot(to), b = third.dot(to),
               c = (across.squaredNorm() + to.squaredNorm() - distance * distance) / 2;
  const double middle = std::atan2(b, a), half = std::acos(c / std::hypot(a, b));
  const double one = wrapped(middle - half), other = wrapped(middle + half);
  return std::abs(one) < std::abs(other) ? one : other;
}
V3 turned(const V3& o, const V3& axis, double angle, const V3& p) {
  return o + Eigen::AngleAxisd(angle, axis) * (p - o);
}

/// The centre of the wheel in closed form, loop after loop as in fig. 5.8.3.
V3 wheel(double slide, double pitman) {
  const V3 R1 = at(9.811, 55.355, 34.039), R2 = at(9.811, 50.556, 32.433), in = at(17.655, 47.635, 32.905),
           out = at(32.327, 44.702, 30.127), low = at(30.965, 39.18, 26.12), up = at(28.17, 39.868, 39.254),
           foot = at(19.598, 33.685, 29.259), top = at(19.598, 33.685, 43.492), lower = at(12.09, 37.78, 30.77),
           upper = at(18.183, 44.0025, 39.435), centre = at(34, 39.5, 31);
  const V3 pin = V3(0, -1.606, 4.799).normalized(), axis = V3(1.25, 8.665, -1.93).normalized();
  // Loop 1: the steering is a parallelogram, so that its link only shifts.
  const V3 inner = in + turned(R1, pin, pitman, R2) - R2;
  // Loop 2: the lower arm by the length of the shock absorber.
  const double arm = turn_to(lower, V3::UnitY(), foot, top, 14.233 * inch + slide);
  const V3 low_ball = turned(lower, V3::UnitY(), arm, low);
  // Loop 3: the upper arm by the distance of the balls.
  const double other = turn_to(upper, axis, up, low_ball, (up - low).norm());
  const V3 up_ball = turned(upper, axis, other, up);
  // Loop 4: the hub, turned about the kingpin until the tie rod fits.
  const V3 king = (up_ball - low_ball).normalized();
  const auto first = turn_between(up - low, king);
  const auto carried = [&](const V3& p) { return V3(low_ball + first * (p - low)); };
  const double steer = turn_to(low_ball, king, carried(out), inner, (out - in).norm());
  return turned(low_ball, king, steer, carried(centre));
}

PrecomputeOptions suspension_options(double bound) {
  PrecomputeOptions o;
  o.bound = bound;
  o.degree = 9;  // few cells: each takes exact solutions of 54 equations
  o.independent = {"shock.slide", "rev1.angle"};
  o.ranges = {{"shock.slide", -0.08, 0.06}, {"rev1.angle", -0.4, 0.4}};
  return o;
}

const NamedBlock& block_of(const Precomputed& made, const std::string& variable) {
  for (const NamedBlock& x : made.order)
    if (std::ranges::find(x.variables, variable) != x.variables.end()) return x;
  ADD_FAILURE() << "no block has " << variable;
  return made.order.front();
}

void finds_loops_and_their_order(const Precomputed& made) {
  using Names = std::vector<std::string>;
  const auto place_of = [&](const std::string& variable) {
    return &block_of(made, variable) - made.order.data();
  };
  for (const char* name : {"rev2.angle", "rev3.angle", "rev4.angle"})
    EXPECT_EQ(block_of(made, name).arguments, Names{"rev1.angle"}) << name;
  EXPECT_EQ(block_of(made, "lower_axis.angle").arguments, Names{"shock.slide"});
  EXPECT_EQ(block_of(made, "upper_axis.angle").arguments, Names{"shock.slide"});
  EXPECT_EQ(block_of(made, "upper_axis.angle").from, Names{"lower_axis.angle"});
  EXPECT_LT(place_of("lower_axis.angle"), place_of("upper_axis.angle"));
  for (const char* name : {"lower_ball.wx", "outer_ball.wx"})
    EXPECT_EQ(block_of(made, name).arguments.size(), 2u) << name;
  for (const char* before : {"rev2.angle", "lower_axis.angle", "upper_axis.angle"})
    EXPECT_LT(place_of(before), place_of("lower_ball.wx"));
  // The steering has tables of one argument, and so have the arms; hub and tie rod of two.
  std::vector<std::size_t> arguments;
  for (const BodyTable& t : made.model.regions[0].bodies) arguments.push_back(t.table.arguments().size());
  std::ranges::sort(arguments);
  EXPECT_EQ(arguments, (std::vector<std::size_t>{1, 1, 2}));
}

void has_the_wheel_where_closed_form_and_full_model_have_it(const Precomputed& made) {
  const Study study = example("front_suspension");
  const auto& bodies = study.mechanism.bodies;
  const auto hub = std::ranges::find(bodies, "hub", &RigidBody::name) - bodies.begin();
  Begun b = begin(study, "test");
  Closure full(study.mechanism,
               {find_variable(study.mechanism, "shock.slide"), find_variable(study.mechanism, "rev1.angle")}, 0,
               b.q);
  RealTime run(made.model, study.mechanism);
  VecX q(b.q.size());
  constexpr int steps = 16;
  double from_closed_form = 0, from_full = 0;
  for (int i = 0; i <= steps; ++i)
    for (int k = 0; k <= steps; ++k) {
      RealTime::State s = run.start();
      s.theta[0] = -0.08 + 0.14 * i / steps;
      s.theta[1] = -0.4 + 0.8 * (i % 2 == 0 ? k : steps - k) / steps;
      run.positions(s, q);
      ASSERT_TRUE(full.go(Eigen::Vector2d(s.theta[0], s.theta[1])));
      const V3 here = q.segment<3>(7 * hub);
      from_closed_form = std::max(from_closed_form, (here - wheel(s.theta[0], s.theta[1])).norm());
      from_full = std::max(from_full, (here - full.q().segment<3>(7 * hub)).norm());
    }
  // The bound belongs to the largest numbers, slopes of J of 500 kg; lengths are far more accurate.
  EXPECT_LT(from_closed_form, 1e-8);
  EXPECT_LT(from_full, 1e-8);
}

void moves_as_the_full_model_does(const Precomputed& made) {
  const Study study = example("front_suspension");
  const Results fast = run_real_time(made.model, study), full = run(study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  for (const char* column : {"hub.x", "hub.y", "hub.z", "link.x", "lower_arm.z"})
    EXPECT_LT(apart(fast, full, column), 1e-6) << column;
}

// Its tables take longest to make, and one test makes them once.
TEST(front_suspension, has_its_loops_its_wheel_and_its_motion) {
  const Precomputed made = precompute(example("front_suspension"), suspension_options(1e-4));
  finds_loops_and_their_order(made);
  has_the_wheel_where_closed_form_and_full_model_have_it(made);
  moves_as_the_full_model_does(made);
}
}  // namespace
}  // namespace mubody::testing
