// The loops and the bodies of every example give the same tangent, by two ways.
#include "mubody/surveys/independent.h"

#include "mubody/simulation/begin.h"
#include "tests/examples/example.h"

namespace mubody::testing {
namespace {
TEST(tangents, are_the_same_in_joint_variables_and_body_coordinates) {
  int loops = 0;
  for (const auto& entry : std::filesystem::directory_iterator(examples())) {
    if (!entry.is_directory()) continue;
    SCOPED_TRACE(entry.path().filename().string());
    const Study study = io::read_study(model_of(entry.path().filename().string()).string());
    Begun b = begin(study, "test");
    System& s = *b.system;
    Terms terms = s.make_terms();
    s.constraints(study.analysis.start, b.q, VecX::Zero(s.nu), terms);
    const MatX D = s.structure.full(terms.D);
    MatX own(0, s.nu);
    for (const JointRows& j : s.joints)
      if (!j.driver) {
        own.conservativeResize(own.rows() + j.count, s.nu);
        own.bottomRows(j.count) = D.middleRows(j.first, j.count);
      }
    const VariableChoice of_bodies = choose_variables(own);

    JointVariables joints(s, study.analysis.start, b.q);
    const MatX J = joints.jacobian(study.analysis.start, b.q);
    const VariableChoice of_joints = choose_variables(J);
    EXPECT_EQ(of_joints.freedoms, of_bodies.freedoms);
    // Rates of the joints in every motion that the bodies' equations allow.
    const MatX W = product(joints.rates(study.analysis.start, b.q), of_bodies.V);
    EXPECT_LE(product(J, W).norm(), 1e-7 * J.norm() * W.norm()) << "data are typed with so many digits";
    EXPECT_LT((W - product(of_joints.V, transposed_product(of_joints.V, W))).norm(), 1e-6 * W.norm());
    loops += int(joints.graph().loops().size());
  }
  EXPECT_GE(loops, 10) << "Andrews' mechanism alone has three";
}

// A steady turn through a configuration does not change the number of freedoms, in particular not where the
// angles of a ball would be singular; and a planar mechanism has the same best variables in space.
TEST(tangents, are_followed_in_space) {
  const auto follow = [](const char* name) {
    return find_independent(io::read_study(model_of(name).string()), {.along = true});
  };
  const Independence ball = follow("spatial_slider_crank");
  ASSERT_TRUE(ball.outcome) << ball.outcome.why;
  for (const IndependentAt& at : ball.motion) EXPECT_EQ(at.choice.freedoms, 1) << at.t;
  for (const BestRange& r : ball.ranges) EXPECT_EQ(r.set.size(), 1u) << r.from;

  const Independence plane = follow("four_bar"), space = follow("four_bar_in_space");
  ASSERT_EQ(space.crossings.size(), plane.crossings.size());
  for (std::size_t k = 0; k < plane.crossings.size(); ++k) {
    EXPECT_NEAR(space.crossings[k].t, plane.crossings[k].t, 1e-3) << "interpolated over 0.1 s";
    EXPECT_EQ(space.crossings[k].after, plane.crossings[k].after);
  }
}
}  // namespace
}  // namespace mubody::testing
