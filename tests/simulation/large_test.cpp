// Models of many bodies: what they take of memory, and what is not listed of them.
#include <limits>
#include <malloc.h>

#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/joints/revolute.h"
#include "mubody/simulation/simulation.h"
#include "tests/sanitized.h"

namespace mubody::testing {
namespace {
/// Bodies beside each other, each on a pin of the ground or in free fall.
Study beside_each_other(int bodies, bool pinned) {
  Study s;
  Mechanism& m = s.mechanism;
  m.gravity = {0, -9.81, 0};
  for (int k = 0; k < bodies; ++k) {
    RigidBody b;
    b.name = "b" + std::to_string(k);
    b.mass = 1, b.inertia(2, 2) = 0.1;
    b.start = {{double(k), 0, 0}, Quaternion::Identity(), 0};
    m.bodies.push_back(b);
    if (pinned)
      m.add_joint("p" + std::to_string(k), Revolute{{ground, {k - 0.5, 0, 0}, Quaternion::Identity()},
                                                    {k + 1, {-0.5, 0, 0}, Quaternion::Identity()}});
  }
  m.prepare();
  s.analysis.integrator = "rk4";
  s.analysis.end = 1e-3, s.analysis.control.step = 1e-3;
  s.analysis.estimate = s.analysis.estimate_usual = false;
  s.output.times = {s.analysis.end};
  return s;
}

std::string all_remarks(const Results& r) {
  std::string all;
  for (const std::string& line : r.remarks) all += line + "\n";
  return all;
}

// Nine columns for each body in free fall.
TEST(large, lists_end_where_nobody_reads_them) {
  constexpr int most = 500'000 / 9;
  Study small = beside_each_other(100, true);
  small.output.times = {0, small.analysis.end};
  const Results few = run(small);
  EXPECT_EQ(few.extremes.size(), 100U * 18);
  EXPECT_EQ(few.reactions.size(), 100U * 6);
  EXPECT_EQ(all_remarks(few).find("not listed"), std::string::npos);
  const Results many = run(beside_each_other(most + 1, false));
  EXPECT_TRUE(many.trusted) << many.verdict;
  EXPECT_TRUE(many.extremes.empty() && many.reactions.empty());
  EXPECT_NE(
      all_remarks(many).find("extremes and reactions are not listed: there are 500004 columns of results"),
      std::string::npos)
      << all_remarks(many);
  // The row is there: s = g t² / 2.
  ASSERT_EQ(many.tables[0].rows(), 1U);
  EXPECT_NEAR(many.tables[0].column("b55555.y")[0], -9.81e-6 / 2, 1e-18);
}

/// What the memory in use grows by while something is there [bytes].
double taken_by(const Study& study) {
  const auto in_use = [] {
    const struct mallinfo2 now = mallinfo2();
    return double(now.uordblks) + double(now.hblkhd);
  };
  const double before = in_use();
  const Simulation simulation(study);
  return in_use() - before;
}

TEST(large, a_body_takes_so_much_memory_while_it_moves) {
  if (is_sanitized) GTEST_SKIP() << "sanitizers have memory of their own";
  // So many that there are no lists of channels; measured: 4540 and 7630 bytes.
  constexpr int bodies = 60'000;
  EXPECT_LT(taken_by(beside_each_other(bodies, false)) / bodies, 4800);
  EXPECT_LT(taken_by(beside_each_other(bodies / 2, true)) / (bodies / 2), 8000);
}
}  // namespace
}  // namespace mubody::testing
