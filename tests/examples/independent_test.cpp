// Loops and bodies tell the same about every example: two ways to its tangent.
#include "mubody/analyses/independent.h"

#include <Eigen/QR>

#include "mubody/analyses/begin.h"
#include "tests/examples/example.h"

namespace mubody::testing {
namespace {
TEST(Examples, HaveTheSameTangentInJointVariablesAndBodyCoordinates) {
  int loops = 0;
  for (const auto& entry : std::filesystem::directory_iterator(examples())) {
    if (!entry.is_directory()) continue;
    SCOPED_TRACE(entry.path().filename().string());
    const Study study = read_study(model_of(entry.path().filename().string()).string());
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
    const MatX W = joints.rates(study.analysis.start, b.q) * of_bodies.V;
    if (J.rows() > 0)
      EXPECT_LT((J * W).norm(), 1e-7 * J.norm() * W.norm()) << "data are typed with so many digits";
    EXPECT_LT((W - of_joints.V * (of_joints.V.transpose() * W)).norm(), 1e-6 * W.norm());
    loops += int(joints.graph().loops().size());
  }
  EXPECT_GE(loops, 10) << "Andrews' mechanism alone has three";
}
}  // namespace
}  // namespace mubody::testing
