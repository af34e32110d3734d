// Formulas and laws that seem to have no effect but act in part of the range are applied at run time.
#include "tests/precompute/models.h"

namespace mubody::testing {
namespace {
std::string pendulum(const std::string& start, const std::string& force) {
  return "gravity = [0, -9.81]\n[bodies]\nbob = {mass = 1, inertia = 0.1, position = [0.5, 0]" + start +
         "}\n[joints]\nA = {type = \"revolute\", bodies = [\"ground\", \"bob\"], i = [0, 0], j = [-0.5, 0]}\n"
         "[forces]\nf = " +
         force + "\n[analysis]\nend = 2\nrtol = 1e-10\nmax_step = 0.002\n[output]\nstep = 0.05\n";
}
std::string two_pendula(const std::string& force) {
  return "gravity = [0, -9.81]\n[bodies]\na = {mass = 1, inertia = 0.1, position = [0.5, 0]}\n"
         "b = {mass = 1, inertia = 0.1, position = [2.5, 0]}\n[joints]\n"
         "A = {type = \"revolute\", bodies = [\"ground\", \"a\"], i = [0, 0], j = [-0.5, 0]}\n"
         "B = {type = \"revolute\", bodies = [\"ground\", \"b\"], i = [2, 0], j = [-0.5, 0]}\n[forces]\nf = " +
         force + "\n[analysis]\nend = 2\nrtol = 1e-10\nmax_step = 0.002\n[output]\nstep = 0.05\n";
}

class Formulas : public ::testing::TestWithParam<std::string> {};

TEST_P(Formulas, do_in_tables_what_they_do_in_the_full_model) {
  const Study study = io::read_study_text(GetParam(), "pendulum.toml");
  const Precomputed made = precompute(study, {.bound = 1e-9});
  EXPECT_EQ(made.run_time, std::vector<std::string>{"f"});
  const Results fast = run_real_time(made.model, study), full = run(study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  const std::string body = study.mechanism.bodies.front().name;
  EXPECT_LT(apart(fast, full, body + ".angle"), 1e-6);
  EXPECT_LT(apart(fast, full, body + ".omega"), 1e-5);
}
std::string moment(const std::string& body, const std::string& formula) {
  return "{type = \"moment\", body = \"" + body + "\", moment = \"= " + formula + "\"}";
}
std::vector<std::string> cases() {
  return {// A brake in a small part of the range.
          pendulum("", moment("bob", "if(abs(bob.angle + 0.8) < 0.1, -5*bob.omega, 0)")),
          // A moment that acts from the second turn on.
          pendulum(", omega = 10", moment("bob", "-50*max(0, bob.angle - 10)")),
          pendulum(", omega = 10",
                   "{type = \"torsion_spring\", bodies = [\"ground\", \"bob\"], free_angle = 0, "
                   "law = {type = \"piecewise\", breaks = [-10, 10], stiffness = [20, 0, 20]}}"),
          // A moment on one body that depends on the motion of another.
          two_pendula(moment("a", "3*b.x")), two_pendula(moment("a", "-0.5*b.omega")),
          // A moment that acts only where both bodies are low.
          two_pendula(moment("a", "200*max(0, -0.6 - a.y - b.y)"))};
}
INSTANTIATE_TEST_SUITE_P(forces, Formulas, ::testing::ValuesIn(cases()),
                         [](const auto& of) { return "number_" + std::to_string(of.index); });

// Forces from outside: a constant moment as the model has it, and as an input.
TEST(input, is_a_force_on_the_variable) {
  const Study with = io::read_study_text(pendulum("", moment("bob", "2")), "with.toml"),
              without = io::read_study_text(pendulum("", moment("bob", "0")), "without.toml");
  const Precomputed made_with = precompute(with, {.bound = 1e-10}),
                    made_without = precompute(without, {.bound = 1e-10});
  RealTime a(made_with.model, with.mechanism), b(made_without.model, without.mechanism);
  RealTime::State x = a.start(), y = b.start();
  y.input[0] = 2;
  for (int k = 0; k < 1000; ++k) {
    ASSERT_TRUE(a.step(x, 1e-3));
    ASSERT_TRUE(b.step(y, 1e-3));
  }
  EXPECT_NEAR(x.theta[0], y.theta[0], 1e-8);
  EXPECT_NEAR(x.rate[0], y.rate[0], 1e-8);
}
}  // namespace
}  // namespace mubody::testing
