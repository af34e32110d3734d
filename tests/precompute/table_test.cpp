// Axes, the polynomials of cells, and tables with a known error.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "mubody/precompute/tables/make_table.h"
#include "tests/reference.h"

namespace mubody::testing {
namespace {
TEST(axis, finds_the_cell_that_holds_a_value) {
  Axis a(-1, 3, false, 4);
  a.divide(1, 4);
  ASSERT_EQ(a.cells(), 7);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> inside(-1, 3);
  for (int k = 0; k < 1000; ++k) {
    const double x = inside(random);
    const Axis::At at = a.locate(x);
    const Axis::Cell c = a.cell(at.cell);
    EXPECT_NEAR(c.middle + at.s * c.half, x, 1e-14);
    EXPECT_LE(std::abs(at.s), 1 + 1e-14);
    EXPECT_NEAR(at.slope * c.half, 1, 1e-14);
  }
}

TEST(axis, ends_where_its_range_ends) {
  const Axis a(-1, 3, false, 4);
  for (const double x : {3.0, 3.5, 1e9}) {
    EXPECT_EQ(a.locate(x).cell, 3);
    EXPECT_EQ(a.locate(x).s, 1);
  }
  for (const double x : {-1.0, -1.5, -1e9}) {
    EXPECT_EQ(a.locate(x).cell, 0);
    EXPECT_EQ(a.locate(x).s, -1);
  }
}

TEST(axis, goes_round) {
  const Axis a(0.5, 0.5 + 2 * pi, true, 5);
  for (const double x : {0.6, 3.0, 6.5}) {
    const Axis::At here = a.locate(x), later = a.locate(x + 6 * pi), before = a.locate(x - 4 * pi);
    EXPECT_EQ(here.cell, later.cell);
    EXPECT_EQ(here.cell, before.cell);
    EXPECT_NEAR(here.s, later.s, 1e-13);
    EXPECT_NEAR(here.s, before.s, 1e-13);
    EXPECT_EQ(a.laps(x + 6 * pi), 3);
  }
}

// f = Π (1 + x_a + ... + x_a^d): every power up to d in each argument.
struct Powers {
  int degree;
  double one(double x) const {
    double sum = 0;
    for (int k = degree; k >= 0; --k) sum = sum * x + 1;
    return sum;
  }
  double slope(double x) const {
    double sum = 0;
    for (int k = degree; k >= 1; --k) sum = sum * x + k;
    return sum;
  }
  double at(const VecX& x) const {
    double product = 1;
    for (const double y : x) product *= one(y);
    return product;
  }
  double at(const VecX& x, Eigen::Index a) const {
    double product = slope(x[a]);
    for (Eigen::Index b = 0; b < x.size(); ++b)
      if (b != a) product *= one(x[b]);
    return product;
  }
};

TEST(hermite, gives_back_polynomials_of_its_degree) {
  for (const int n : {1, 2, 3})
    for (const int degree : {3, 5, 7, 9}) {
      if (n == 3 && degree > 5) continue;  // many coefficients: slow, and nothing new
      const CellPolynomial h(n, degree);
      const Powers f{degree};
      for (const bool slopes : {true, false}) {
        VecX data(Eigen::Index(h.data(slopes).size()));
        for (int k = 0; k < int(data.size()); ++k) {
          const auto [point, slope] = h.data(slopes)[std::size_t(k)];
          const VecX& x = h.points()[std::size_t(point)];
          data[k] = slope < 0 ? f.at(x) : f.at(x, slope);
        }
        const VecX c = h.fit(slopes, data);
        for (const double x : c) EXPECT_NEAR(x, 1, 1e-10) << n << " arguments, degree " << degree;
      }
    }
}

/// A smooth function of n arguments with exact slopes, and the same without.
class Smooth final : public Sampled {
 public:
  explicit Smooth(int n) : n_(n) { quantities = {{"f", "1", true, true}, {"g", "1", false, false}}; }
  bool at(const VecX& x, Out values, MatX& slopes) override {
    const double sum = n_ == 1 ? x[0] : x.sum() - 0.3 * x[0];
    values[0] = values[1] = std::exp(std::sin(sum)) + std::cos(2 * x[n_ - 1]);
    slopes.setZero();
    for (Eigen::Index a = 0; a < n_; ++a)
      slopes(0, a) = std::exp(std::sin(sum)) * std::cos(sum) * (n_ > 1 && a == 0 ? 0.7 : 1) -
                     (a == n_ - 1 ? 2 * std::sin(2 * x[n_ - 1]) : 0);
    return true;
  }

 private:
  int n_;
};

TEST(table, meets_its_bound_between_the_points_that_were_checked) {
  std::mt19937 random(2);
  for (const int n : {1, 2, 3})
    for (const double bound : {1e-3, 1e-6, 1e-10}) {
      if (n == 3 && bound < 1e-6) continue;
      Smooth f(n);
      std::vector<int> arguments;
      std::vector<Axis> axes;
      for (int a = 0; a < n; ++a) arguments.push_back(a), axes.emplace_back(-0.7, 0.9, false, 2);
      TableOptions o;
      o.degree = bound > 1e-5 ? 3 : bound > 1e-8 ? 5 : 7;
      o.bound = bound;
      const MadeTable made = make_table(f, arguments, axes, o);
      ASSERT_EQ(made.ending, MadeTable::made);
      EXPECT_LE(made.certificate.worst, 1);
      std::uniform_real_distribution<double> inside(-0.7, 0.9);
      VecX values(2), x(n);
      MatX slopes(2, n);
      std::vector<double> got(2), got_slopes(std::size_t(2 * n)), scratch(made.table.scratch());
      for (int k = 0; k < 500; ++k) {
        for (double& y : x) y = inside(random);
        f.at(x, values, slopes);
        made.table.evaluate(x.data(), got.data(), got_slopes.data(), scratch.data());
        EXPECT_NEAR(got[0], values[0], bound);
        EXPECT_NEAR(got[1], values[1], bound);
        for (int a = 0; a < n; ++a) EXPECT_NEAR(got_slopes[std::size_t(2 * a)], slopes(0, a), bound);
      }
    }
}

TEST(table, is_continuous_from_cell_to_cell) {
  Smooth f(2);
  TableOptions o;
  o.degree = 5;
  o.bound = 1e-4;
  const MadeTable made = make_table(f, {0, 1}, {Axis(0, 1, false, 3), Axis(0, 1, false, 3)}, o);
  ASSERT_EQ(made.ending, MadeTable::made);
  std::vector<double> left(2), right(2), scratch(made.table.scratch());
  for (int k = 0; k < 50; ++k) {
    const double y = k / 50.0, border = 1.0 / 3;
    const double a[] = {border - 1e-14, y}, b[] = {border + 1e-14, y};
    made.table.evaluate(a, left.data(), nullptr, scratch.data());
    made.table.evaluate(b, right.data(), nullptr, scratch.data());
    EXPECT_NEAR(left[0], right[0], 1e-12);
  }
}

TEST(table, refines_only_where_it_must) {
  // A narrow peak in a wide range.
  struct Peak final : Sampled {
    Peak() { quantities = {{"f", "1", true, false}}; }
    bool at(const VecX& x, Out values, MatX& slopes) override {
      const double d = 1 + 400 * x[0] * x[0];
      values[0] = 1 / d;
      slopes(0, 0) = -800 * x[0] / (d * d);
      return true;
    }
  } f;
  TableOptions o;
  o.bound = 1e-8;
  const MadeTable made = make_table(f, {0}, {Axis(-1, 1, false, 16)}, o);
  ASSERT_EQ(made.ending, MadeTable::made);
  const std::vector<int>& parts = made.table.axes()[0].parts();
  EXPECT_GE(parts[8], 4 * parts[0]);
}

TEST(table, reports_the_memory_it_would_need) {
  Smooth f(2);
  TableOptions o;
  o.bound = 1e-9;
  o.memory = 20000;
  const MadeTable made = make_table(f, {0, 1}, {Axis(-1, 1, false, 2), Axis(-1, 1, false, 2)}, o);
  EXPECT_EQ(made.ending, MadeTable::out_of_memory);
  EXPECT_GT(made.needed, o.memory);
  EXPECT_GT(made.reached, o.bound);
}

// What a table needs in the end is foreseen from its first rounds: too much of it is refused after a small part of the work.
TEST(table, foresees_what_it_would_need) {
  for (const int n : {2, 3}) {
    Smooth f(n);
    std::vector<int> arguments;
    std::vector<Axis> axes;
    for (int a = 0; a < n; ++a) arguments.push_back(a), axes.emplace_back(-0.7, 0.9, false, 2);
    TableOptions o;
    o.degree = 3;
    o.bound = n == 2 ? 1e-6 : 1e-3;
    const MadeTable made = make_table(f, arguments, axes, o);
    ASSERT_EQ(made.ending, MadeTable::made);
    const double bytes = double(made.table.bytes()), work = double(made.certificate.samples);
    o.only_look = true;
    o.work = 0.02 * work;
    const MadeTable looked = make_table(f, arguments, axes, o);
    EXPECT_EQ(looked.ending, MadeTable::looked);
    EXPECT_LE(looked.needed, bytes) << n;  // it is the least
    EXPECT_GE(looked.needed, bytes / 64) << n;
    o.only_look = false;
    o.work = std::numeric_limits<double>::infinity();
    o.memory = bytes / 64;
    const MadeTable refused = make_table(f, arguments, axes, o);
    EXPECT_EQ(refused.ending, MadeTable::out_of_memory);
    EXPECT_GT(refused.needed, o.memory);
    EXPECT_LT(double(refused.certificate.samples), 0.02 * work) << n;
    o.memory = 1.1 * bytes;  // nothing that can be had is refused
    EXPECT_EQ(make_table(f, arguments, axes, o).ending, MadeTable::made) << n;
  }
}
}  // namespace
}  // namespace mubody::testing
