// The sketches of all kinds in the registries: every kind shows something or says why not, and its arrows are
// numbers that it reports.
#include <set>

#include "tests/properties/sample.h"

namespace mubody::testing {
namespace {
template <class Any> Sketch sketch_of(const Any& element, int dim, bool driver) {
  Sketch s{.dim = dim, .driver = driver};
  element.draw(s);
  return s;
}

template <class Any> void expect_sketch(const Any& element, int dim, bool driver) {
  const Sketch s = sketch_of(element, dim, driver);
  EXPECT_NE(s.empty(), s.why_empty.empty()) << "either something to see, or why there is nothing";
  for (const Sketch::Part& p : s.parts) {
    EXPECT_GE(p.axis.k, 0);
    EXPECT_LT(p.axis.k, 3);
    EXPECT_GE(p.size, 0);
  }
}

class DrawnJoint : public ::testing::TestWithParam<Kind<JointEntry>> {};
TEST_P(DrawnJoint, shows_something_or_says_why_not) {
  const auto [kind, dim] = GetParam();
  Random random(7);
  for (int variant = 0; variant < variants(); ++variant) {
    const auto joint = kind->make();
    randomize(*joint, random, variant, dim);
    if (kind->use != Use::driver) expect_sketch(*joint, dim, false);
    if (kind->use != Use::joint) expect_sketch(*joint, dim, true);
  }
}
INSTANTIATE_TEST_SUITE_P(registry, DrawnJoint, ::testing::ValuesIn(all_in_both(joint_kinds())),
                         [](const auto& x) { return name_of(x.param); });

class DrawnForce : public ::testing::TestWithParam<Kind<ForceEntry>> {};
TEST_P(DrawnForce, shows_something_or_says_why_not) {
  const auto [kind, dim] = GetParam();
  Random random(8);
  for (int variant = 0; variant < variants(); ++variant) {
    const auto force = kind->make();
    randomize(*force, random, variant, dim);
    expect_sketch(*force, dim, false);
  }
}

TEST_P(DrawnForce, has_arrows_of_what_it_reports) {
  const auto [kind, dim] = GetParam();
  Random random(9);
  Mechanism m = two_bodies(random, dim);
  auto force = kind->make();
  const double apart = randomize(*force, random, 0, dim);
  if (force->attach() == Attach::pin) mesh(m, *force, apart);
  const Sketch s = sketch_of(*force, dim, false);
  EXPECT_TRUE(!s.arrows.empty() || !s.why_empty.empty()) << "a force can be shown";
  m.forces.push_back({"f", {}, Box<AnyForce>(std::move(force))});
  m.prepare();
  std::set<std::string> reported;
  const auto system = build_system(m);
  for (const Channel& c : system->channels) reported.insert(c.name);
  for (const Sketch::Arrow& a : s.arrows)
    for (const auto* names : {&a.parts, &a.point})
      for (const std::string_view name : *names)
        if (!name.empty()) EXPECT_TRUE(reported.contains("f." + std::string(name))) << name;
}
INSTANTIATE_TEST_SUITE_P(registry, DrawnForce, ::testing::ValuesIn(all_in_both(force_kinds())),
                         [](const auto& x) { return name_of(x.param); });
}  // namespace
}  // namespace mubody::testing
