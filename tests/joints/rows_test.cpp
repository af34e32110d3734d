// Coordinates as equations of their own.
#include "mubody/joints/rows.h"

#include "mubody/system/build.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(rows, values_and_columns_are_those_of_the_coordinate) {
  Mechanism m;
  m.bodies.emplace_back().mass = 1;
  m.bodies[0].inertia(2, 2) = 1;
  m.bodies[0].start = {Vec<3>(3, 4, 0), turn_about_z(0.5), 0.5};
  const Marker i{}, j{1, Vec<3>::Zero(), Quaternion::Identity()};
  m.joints.push_back({"length", {}, row_of_distance(i, j)});
  m.joints.push_back({"x", {}, row_of(i, j, slide_x)});
  m.joints.push_back({"turn", {}, row_of(i, j, turn_z)});
  m.joints.push_back({"y", {}, row_of_body(1, 1)});
  const auto system = build_system(m);
  VecX q(system->nq), u(system->nu);
  system->start(q, u);
  u << 1, 2, 3;
  Terms terms = system->make_terms();
  system->constraints(0, q, u, terms);
  // Of the point (3, 4) with the velocity (1, 2): the length 5 grows by (3 + 8) / 5.
  const double values[] = {5, 3, 0.5, 4}, rates[] = {11. / 5, 1, 3, 2};
  for (int k = 0; k < 4; ++k) {
    EXPECT_TRUE(same(terms.phi[k], values[k])) << k;
    EXPECT_TRUE(same(terms.rate[k], rates[k])) << k;
  }
}
}  // namespace
}  // namespace mubody::testing
