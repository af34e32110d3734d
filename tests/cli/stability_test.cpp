// mubody stability: roots, table and region.
#include "mubody/integrators/integrator.h"
#include "tests/cli/program.h"

namespace mubody::testing {
namespace {
using StabilityVerb = Program;

// R(−0.005) = 0.9950124792 for rk4, which equals exp(−0.005) to all digits shown.
TEST_F(StabilityVerb, tells_roots_and_verdict) {
  const Answer a =
      mubody({"stability", "--integrator", "rk4", "--step", "1e-3", "--alpha", "5", "--beta", "5"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(a.err, "");
  for (const char* part : {"rk4: step 0.001 s, alpha = 5 1/s, beta = 5 1/s", "0.9950124792", "angle [deg]",
                           "to 1/e in 0.2 s, 200 steps", "below 1 by 0.004988", "a step of 0.557059 s",
                           "557.1 times this one", "verdict   stable: converges without oscillation"})
    EXPECT_TRUE(has(a.out, part)) << part << "\n" << a.out;
  EXPECT_EQ(mubody({"stability", "--integrator", "rk4", "--step", "1 ms"}).out, a.out) << "units and defaults";

  const Answer wild =
      mubody({"stability", "--integrator=rk4", "--step", "3e-3", "--alpha", "1000", "--beta", "1000"});
  EXPECT_EQ(wild.code, 0) << wild.err;
  EXPECT_TRUE(has(wild.out, "verdict   unstable: diverges")) << wild.out;
  EXPECT_TRUE(has(wild.out, "|z| is above 1 by 0.375")) << wild.out;
  const Answer still =
      mubody({"stability", "--integrator=rk4", "--step", "3e-3", "--alpha", "0", "--beta", "0"});
  EXPECT_TRUE(has(still.out, "marginal: grows in proportion to time")) << still.out;
}

TEST_F(StabilityVerb, compares_all_integrators) {
  const Answer a = mubody({"stability", "--step", "1e-3", "--alpha", "-5", "--beta", "-5"});
  EXPECT_EQ(a.code, 0) << a.err;
  for (const IntegratorEntry& e : integrator_kinds())
    EXPECT_TRUE(has(a.out, "\n  " + std::string(e.info.name) + " ")) << e.info.name << "\n" << a.out;
  EXPECT_TRUE(has(a.out, "unstable: diverges")) << a.out;

  const Answer orders = mubody({"stability", "--step", "1e-3", "--integrator", "shampine-gordon"});
  EXPECT_EQ(orders.code, 0) << orders.err;
  for (const char* part : {"shampine-gordon order 2 ", "shampine-gordon order 13 ", "as if it were kept"})
    EXPECT_TRUE(has(orders.out, part)) << part << "\n" << orders.out;
}

TEST_F(StabilityVerb, prints_the_published_table) {
  const Answer a = mubody({"stability", "--table"});
  EXPECT_EQ(a.code, 0) << a.err;
  for (const char* part :
       {"1.0050        0.000  diverges", "0.9950        0.000  converges without oscillation",
        "0.9800        0.000  converges fast without oscillation",
        "0.9900        0.567  converges with oscillation          printed: 1.3 deg",
        "0.9997       90.000  converges with oscillation          printed: 0.990",
        "2.3256       64.554  diverges"})
    EXPECT_TRUE(has(a.out, part)) << part << "\n" << a.out;
  const Answer other = mubody({"stability", "--table", "--integrator", "rk4"});
  EXPECT_EQ(other.code, 0) << other.err;
  EXPECT_FALSE(has(other.out, "printed")) << other.out;
}

TEST_F(StabilityVerb, writes_the_region) {
  const Answer a = mubody({"stability", "--integrator", "euler", "--region", "region.csv", "--points", "12"});
  EXPECT_EQ(a.code, 0) << a.err;
  std::istringstream lines(contents(folder / "region.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "integrator,alpha_h[1],beta2_h2[1],largest_z[1],stable[1]");
  int rows = 0, inside = 0;
  while (std::getline(lines, line)) {
    double x = 0, y = 0, z = 0;
    int stable = -1;
    ASSERT_EQ(std::sscanf(line.c_str(), "euler,%lf,%lf,%lf,%d", &x, &y, &z, &stable), 4) << line;
    EXPECT_EQ(stable, z < 1 - 1e-14 ? 1 : 0) << line;
    ++rows;
    inside += stable;
  }
  EXPECT_EQ(rows, 144);
  EXPECT_EQ(inside, 16) << "with 0.2 i and 0.4 j: j < i and j > 2i - 10";

  const Answer all = mubody({"stability", "--region", "region.csv", "--points", "3"});
  EXPECT_EQ(all.code, 0) << all.err;
  const std::string text = contents(folder / "region.csv");
  std::size_t methods = 0;
  for (const IntegratorEntry& e : integrator_kinds()) {
    methods += std::size_t(e.order - e.lowest) + 1;
    EXPECT_TRUE(has(text, "\n" + std::string(e.info.name) + (e.varies_order() ? " order 3,0,0,1" : ",0,0,1")))
        << e.info.name;
  }
  EXPECT_EQ(std::size_t(std::count(text.begin(), text.end(), '\n')), 1 + 9 * methods);
}

TEST_F(StabilityVerb, wrong_usage_is_explained) {
  write("mine.csv", "time,x\n0,1\n");
  const auto expect = [&](std::vector<std::string> words, const std::string& part, int code = 2) {
    words.insert(words.begin(), "stability");
    const Answer a = mubody(words);
    EXPECT_EQ(a.code, code) << part;
    EXPECT_EQ(a.out, "");
    EXPECT_TRUE(a.err.starts_with("mubody: ") && has(a.err, part)) << a.err;
  };
  expect({}, "give --step, --table, --region or --report");
  expect({"--integrator", "rk5", "--step", "1"}, "unknown integrator 'rk5'; did you mean 'rk4'?");
  expect({"--integrator", "gear", "--step", "1"}, "did you mean 'gear4'?");
  expect({"--integrator", "leapfrog", "--step", "1"}, "there are all, ");
  expect({"--step", "0"}, "--step must be positive, got '0'");
  expect({"--step", "-1e-3"}, "--step must be positive");
  expect({"--step", "soon"}, "--step: ");
  expect({"--step", "1 m"}, "--step: ");
  expect({"--step", "1", "--alpha", "inf"}, "--alpha");
  expect({"--step", "1", "--alfa", "2"}, "did you mean '--alpha'?");
  expect({"--step", "1", "--points", "7"}, "--points is for --region");
  expect({"--table", "--beta", "7"}, "a gain does not go with --table");
  expect({"--region", "a.csv", "--step", "7"}, "--step does not go with --region");
  expect({"--region", "a.csv", "--points", "1"}, "--points must lie between 2 and 1000, got 1");
  expect({"--integrator", "rk4", "--region", "mine.csv/r.csv", "--points", "2"},
         "cannot write to 'mine.csv/r.csv'", 1);
  expect({"--integrator", "rk4", "--region", "mine.csv", "--points", "2"},
         "was not written by 'mubody stability'", 1);
  EXPECT_EQ(contents(folder / "mine.csv"), "time,x\n0,1\n");
}

// Responses and roots of the gains of the literature, and of those that are asked for.
TEST_F(StabilityVerb, draws_responses_and_roots) {
  const Answer a = mubody({"stability", "--integrator", "euler", "--points", "5", "--alpha", "30", "--beta",
                           "60", "--report", "s.html"});
  EXPECT_EQ(a.code, 0) << a.err;
  const std::string page = contents(folder / "s.html");
  EXPECT_TRUE(has(page, "\"damping\":\"over-damped\""));
  EXPECT_TRUE(has(page, "\"damping\":\"critically damped\""));
  EXPECT_TRUE(has(page, "\"alpha\":30.0,\"beta\":60.0"));
  // (1000, 1414) with 1 ms: z = ±i √(1.414² − 1).
  EXPECT_TRUE(has(page, "0.99969")) << "roots";
}

// Gains that the literature has are drawn once.
TEST_F(StabilityVerb, draws_no_gains_twice) {
  const auto responses = [&](const char* alpha, const char* beta) {
    const Answer a = mubody({"stability", "--integrator", "euler", "--points", "5", "--alpha", alpha, "--beta",
                             beta, "--report", "t.html", "--force"});
    EXPECT_EQ(a.code, 0) << a.err;
    const std::string page = contents(folder / "t.html");
    int count = 0;
    for (std::size_t at = page.find("\"damping\":"); at != std::string::npos;
         at = page.find("\"damping\":", at + 1))
      ++count;
    return count;
  };
  EXPECT_EQ(responses("30", "60"), 10);
  EXPECT_EQ(responses("10", "5"), 9);
}
}  // namespace
}  // namespace mubody::testing
