// The variables of a sweep, and the points that they give.
#include "mubody/sweep/plan.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <set>
#include <stdexcept>
#include <unistd.h>

#include <gtest/gtest.h>

#include "mubody/text/checksum.h"
#include "mubody/text/text_file.h"

namespace mubody::testing {
namespace {
SweepPlan plan(const std::vector<std::string>& texts, Sampling sampling = {}) {
  std::vector<SweptVariable> all;
  for (const std::string& text : texts) all.push_back(read_variable(text, io::Quotes::shown));
  return {all, sampling};
}

std::string fault(const std::string& text) {
  try {
    read_variable(text, io::Quotes::shown);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

// Tables of the normal distribution: P(X < 1.959964) = 0.975; and the tails, where P = erfc(-x/√2)/2 must come back.
TEST(distribution, normal_quantiles_come_back_as_shares) {
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-16);
  EXPECT_NEAR(normal_quantile(1e-10), -6.361340902404056, 1e-12);
  for (const double p : {1e-300, 1e-20, 1e-9, 1e-4, 0.02, 0.3, 0.5, 0.7, 0.98, 0.9999, 1 - 1e-9})
    EXPECT_NEAR(normal_share(normal_quantile(p)) / p, 1, 1e-12) << p;
}

// Each quantile against the closed form of the share below it, at several p.
TEST(distribution, quantiles_invert_shares) {
  struct Case {
    Distribution d;
    double (*share)(double x);
  };
  const Case cases[] = {
      {{"uniform", {2, 6}}, [](double x) { return (x - 2) / 4; }},
      {{"loguniform", {1, 100}}, [](double x) { return std::log10(x) / 2; }},
      {{"normal", {3, 2}}, [](double x) { return normal_share((x - 3) / 2); }},
      {{"lognormal", {0.5, 0.25}}, [](double x) { return normal_share((std::log(x) - 0.5) / 0.25); }},
      {{"triangular", {0, 1, 4}}, [](double x) { return x < 1 ? x * x / 4 : 1 - (4 - x) * (4 - x) / 12; }},
      {{"exponential", {2}}, [](double x) { return 1 - std::exp(-x / 2); }},
      {{"weibull", {3, 2}}, [](double x) { return 1 - std::exp(-x * x / 9); }},
      {{"normal", {0, 1, -1, 2}},
       [](double x) { return (normal_share(x) - normal_share(-1)) / (normal_share(2) - normal_share(-1)); }},
      {{"normal", {0, 1, 7, 8}},
       [](double x) { return (normal_share(-7) - normal_share(-x)) / (normal_share(-7) - normal_share(-8)); }}};
  for (const Case& c : cases)
    for (const double p : {0.001, 0.1, 0.25, 0.5, 0.8, 0.999})
      EXPECT_NEAR(c.share(c.d.quantile(p)), p, 1e-9) << c.d.text() << " at " << p;
}

TEST(distribution, tells_what_is_wrong) {
  EXPECT_EQ(fault("a=normall(1, 2)"), "unknown distribution 'normall'; did you mean 'normal'?");
  EXPECT_EQ(fault("a=normal(1)"), "expected normal(mean, sd) or normal(mean, sd, low, high)");
  EXPECT_EQ(fault("a=normal(1, -2)"), "normal: the standard deviation must be positive");
  EXPECT_EQ(fault("a=normal(1, 2, 3)"), "normal: limits come in pairs: normal(mean, sd, low, high)");
  EXPECT_EQ(fault("a=uniform(2, 1)"), "uniform: the first number must be below the second");
  EXPECT_EQ(fault("a=loguniform(-1, 1)"), "loguniform: both numbers must be positive");
  EXPECT_NE(fault("a=triangular(1, 5, 2)"), "");
}

TEST(variable, reads_ranges_and_lists_with_units) {
  EXPECT_EQ(read_variable("a=0:1:11", io::Quotes::shown).values[3], 0.3);  // to the last digit
  EXPECT_EQ(read_variable("a=1:100:3:log", io::Quotes::shown).values, (std::vector<double>{1, 10, 100}));
  EXPECT_EQ(read_variable("a = 1, +2.5 ,-3e2", io::Quotes::shown).values, (std::vector<double>{1, 2.5, -300}));
  const SweptVariable angle = read_variable("parameters.angle=30 deg:90:4", io::Quotes::shown);
  EXPECT_EQ(angle.values, (std::vector<double>{30, 50, 70, 90}));
  EXPECT_EQ(angle.header(), "parameters.angle[deg]");
  EXPECT_EQ(angle.setting(50), "parameters.angle=50 deg");
  EXPECT_TRUE(read_variable("a=1:2", io::Quotes::shown).distribution.has_value());

  EXPECT_EQ(fault("a=1 m,2 mm"), "'m' and 'mm': one unit for all numbers, please");
  EXPECT_EQ(fault("a=1,x"), "expected a number, got 'x'");
  EXPECT_NE(fault("a=1:2:3:4"), "");
  EXPECT_NE(fault("a=1:2:2.5"), "");
  EXPECT_NE(fault("a=1:2:0"), "");
  EXPECT_NE(fault("a=1:2:1"), "");
  EXPECT_NE(fault("a=-1:2:4:log"), "");
  EXPECT_NE(fault("a="), "");
  EXPECT_NE(fault("a"), "");
  EXPECT_NE(fault("a b=1,2"), "");
  EXPECT_NE(fault("a=inf,1"), "");
}

class FileOfValues : public ::testing::Test {
 protected:
  FileOfValues()
      : path((std::filesystem::temp_directory_path() / ("mubody-values-" + std::to_string(getpid()) + ".csv"))
                 .string()) {
    std::ofstream(path) << "mass[kg],length[mm]\n1,100\n2,200\n3,300\n";
  }
  ~FileOfValues() override { std::filesystem::remove(path); }
  std::string path;
};

TEST_F(FileOfValues, columns_of_one_file_go_along_together) {
  const SweepPlan p = plan({"bodies.rod.mass=@" + path, "l=@" + path + ":length", "k=7,8"});
  ASSERT_EQ(p.size(), 6);
  EXPECT_EQ(p.point(0), (std::vector<double>{1, 100, 7}));
  EXPECT_EQ(p.point(3), (std::vector<double>{2, 200, 8}));
  EXPECT_EQ(p.settings(p.point(5)), (std::vector<std::string>{"bodies.rod.mass=3 kg", "l=300 mm", "k=8"}));
  // In a sample too.
  const SweepPlan s = plan({"bodies.rod.mass=@" + path, "l=@" + path + ":length"}, {Sampling::lhs, 30, 1});
  for (std::size_t k = 0; k < s.size(); ++k) EXPECT_EQ(s.point(k)[1], 100 * s.point(k)[0]);
  EXPECT_NE(fault("x=@" + path), "") << "which column?";
  EXPECT_NE(fault("x=@" + path + ":width"), "");
  EXPECT_THROW(read_variable("x=@/nowhere.csv", io::Quotes::shown), io::FileError);
}

TEST(plan, a_grid_has_every_combination_once) {
  const SweepPlan p = plan({"a=1,2", "b=0:1:3", "c=5,6"});
  ASSERT_EQ(p.size(), 12);
  EXPECT_EQ(p.point(0), (std::vector<double>{1, 0, 5}));
  EXPECT_EQ(p.point(1), (std::vector<double>{1, 0, 6}));  // the last varies fastest
  std::set<std::vector<double>> all;
  for (std::size_t k = 0; k < p.size(); ++k) all.insert(p.point(k));
  EXPECT_EQ(all.size(), 12);
  EXPECT_THROW(plan({"a=1:2"}), std::invalid_argument) << "a distribution without a sample";
  EXPECT_THROW(plan({"a=1,2", "a=3,4"}), std::invalid_argument);
  EXPECT_THROW(plan({"a=0:1:100000", "b=0:1:100000"}), std::invalid_argument);
}

TEST(plan, a_latin_hypercube_has_one_point_in_every_stratum) {
  constexpr std::size_t n = 1000;
  const SweepPlan p = plan({"a=0:1", "b=normal(5, 2)"}, {Sampling::lhs, n, 3});
  std::set<std::size_t> of_a, of_b;
  double together = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const std::vector<double> x = p.point(k);
    of_a.insert(std::size_t(x[0] * n));
    of_b.insert(std::size_t(normal_share((x[1] - 5) / 2) * n));
    together += (x[0] - 0.5) * (x[1] - 5);
  }
  EXPECT_EQ(of_a.size(), n);
  EXPECT_EQ(of_b.size(), n);
  // Independent variables: the mean of the product is zero, with a standard deviation of 0.289·2/√n.
  EXPECT_LT(std::abs(together / n), 4 * 0.289 * 2 / std::sqrt(double(n)));
}

TEST(plan, random_samples_have_the_moments_of_their_distributions) {
  constexpr double n = 20000;
  const SweepPlan p = plan({"a=normal(5, 2)", "b=1,2,3,4"}, {Sampling::random, std::size_t(n), 1});
  double sum = 0, squares = 0;
  int fours = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const std::vector<double> x = p.point(k);
    sum += x[0], squares += (x[0] - 5) * (x[0] - 5);
    fours += x[1] == 4;
  }
  EXPECT_NEAR(sum / n, 5, 4 * 2 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 4, 4 * 4 * std::sqrt(2 / n));
  EXPECT_NEAR(fours / n, 0.25, 4 * std::sqrt(0.25 * 0.75 / n));
}

TEST(plan, points_depend_on_the_seed_and_on_nothing_else) {
  const Sampling seed7{Sampling::lhs, 50, 7}, seed8{Sampling::lhs, 50, 8};
  const SweepPlan p = plan({"a=0:1", "b=0:1"}, seed7), swapped = plan({"b=0:1", "c=0:1", "a=0:1"}, seed7);
  const SweepPlan other = plan({"a=0:1", "b=0:1"}, seed8);
  for (std::size_t k = 0; k < 50; ++k) {
    EXPECT_EQ(p.point(k)[0], swapped.point(k)[2]);
    EXPECT_EQ(p.point(k)[1], swapped.point(k)[0]);
    EXPECT_NE(p.point(k)[0], other.point(k)[0]);
  }
  // These numbers must be the same on every machine.
  EXPECT_EQ(io::checksum("mubody"), 0x3400d89cf7d9d36fu);
}
}  // namespace
}  // namespace mubody::testing
