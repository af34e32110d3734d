// The limit of CPU time, with a clock that goes on by a second whenever it is looked at.
#include "mubody/analyses/equilibrium.h"
#include "mubody/analyses/kinematic.h"
#include "mubody/simulation/simulation.h"
#include "tests/analyses/study.h"

namespace mubody::testing {
namespace {
double ticking() {
  static double now = 0;
  return now += 1;
}

Study limited(const Mechanism& m, double end, double limit) {
  Study s = study(m, end);
  s.analysis.patience.limit = limit;
  s.analysis.patience.clock = ticking;
  return s;
}

TEST(patience, is_lost_when_the_time_is_up) {
  Patience p;
  EXPECT_FALSE(p.lost()) << "without a limit";
  p.limit = 3;
  p.begin();
  EXPECT_FALSE(p.lost()) << "without a clock";
  p.clock = ticking;
  EXPECT_FALSE(p.lost()) << "before it has begun";
  p.begin();
  EXPECT_FALSE(p.waits());
  EXPECT_FALSE(p.lost());
  EXPECT_FALSE(p.lost());
  EXPECT_TRUE(p.lost());
  EXPECT_TRUE(p.lost());
}

TEST(patience, ends_a_forward_motion_with_the_rows_so_far) {
  const Results r = run(limited(four_bar(), 5, 20));
  EXPECT_EQ(r.outcome.kind, Outcome::out_of_time);
  EXPECT_EQ(r.outcome.word(), "out of time");
  EXPECT_FALSE(r.trusted);
  EXPECT_GT(r.outcome.at, 0);
  EXPECT_LT(r.outcome.at, 5);
  ASSERT_FALSE(r.times().empty());
  EXPECT_LE(r.times().back(), r.outcome.at);
}

TEST(patience, is_shared_by_the_motion_and_its_estimate) {
  Study s = limited(four_bar(), 1, 1e6);
  s.analysis.estimate_usual = true;
  const Results all = run(s);
  ASSERT_TRUE(all.accuracy && all.accuracy->missing.empty());
  s.analysis.patience.limit =
      1.2 * double(all.statistics.steps);  // one look at the clock per step, and some of assembly
  const Results r = run(s);
  EXPECT_TRUE(r.outcome) << r.outcome.why;
  ASSERT_TRUE(r.accuracy);
  EXPECT_NE(r.accuracy->missing.find("out of time"), std::string::npos) << r.accuracy->missing;
}

TEST(patience, ends_what_drivers_lead) {
  Mechanism m = four_bar();
  m.add_joint("motor", motor(ground, 1, polynomial({pi / 3, 2})));
  m.prepare();
  Study s = limited(m, 3, 10);
  s.analysis.type = analysis_of(Kinematic{});
  const Results r = run(s);
  EXPECT_EQ(r.outcome.kind, Outcome::out_of_time);
  EXPECT_FALSE(r.times().empty());
}

TEST(patience, ends_the_search_for_rest) {
  Study s = limited(four_bar(), 1, 2);
  s.analysis.type = analysis_of(Equilibrium{});
  const Results r = run(s);
  EXPECT_EQ(r.outcome.kind, Outcome::out_of_time) << r.outcome.why;
}

TEST(patience, does_not_end_what_a_program_steps_itself) {
  Simulation sim(limited(four_bar(), 5, 3));
  for (int k = 0; k < 100; ++k) EXPECT_TRUE(sim.advance(1e-3));
}
}  // namespace
}  // namespace mubody::testing
