// Until when a chaotic motion can be predicted, against the instant at which its true error passes 1 % of the range.
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/reading/read_model.h"
#include "tests/simulation/rods.h"

namespace mubody::testing {
namespace {
constexpr double one_percent = 0.01;

Study chaotic(const std::string& model, double rtol, double end) {
  Study s = io::read_study(std::string(MUBODY_SOURCE_DIR) + "/examples/" + model + "/model.toml");
  s.analysis.end = end;
  s.analysis.control.rtol = rtol;
  s.output.step = 0.02;
  return s;
}

/// The first instant at which a position or velocity differs from the truth by 1 % of its range; the truth returns the
/// values of a channel at all times, or none where it is not known.
double parts_from(const Results& r, const std::function<std::vector<double>(const std::string&)>& truth) {
  const std::vector<double> t = r.times();
  double first = std::numeric_limits<double>::infinity();
  for (const ChannelAccuracy& a : r.accuracy->channels) {
    if (a.kind > ChannelAccuracy::velocity) continue;
    const std::vector<double> x = r.column(a.channel), exact = truth(a.channel);
    for (std::size_t k = 0; k < exact.size() && t[k] < first; ++k)
      if (std::abs(x[k] - exact[k]) > one_percent * a.range) first = t[k];
  }
  return first;
}

Results with_estimate(Study s) {
  s.analysis.estimate_usual = true;
  return run(s);
}
}  // namespace

// However long it is followed beyond that instant.
TEST(prediction, ends_where_the_five_bar_pendulum_parts_from_the_truth) {
  for (const double end : {7.0, 9.0, 10.0}) {
    const Results truth = run(chaotic("five_bar_pendulum", 1e-13, end));
    ASSERT_TRUE(truth.outcome);
    for (const double rtol : {1e-4, 1e-5, 1e-6, 1e-7}) {
      const Results r = with_estimate(chaotic("five_bar_pendulum", rtol, end));
      ASSERT_TRUE(r.outcome && r.accuracy) << rtol;
      const double parts = parts_from(r, [&](const std::string& channel) { return truth.column(channel); });
      EXPECT_NEAR(r.accuracy->until.value_or(end), std::min(parts, end), 0.1 * parts) << rtol << " " << end;
      EXPECT_EQ(r.trusted, !r.accuracy->until);
    }
  }
}

namespace {
using Real = long double;

/// Two equal rods of 1 m and 1 kg with an inertia of 0.1 kg m², by Lagrange's equations in their two angles.
struct Rods {
  using State = std::array<Real, 4>;  // angles from the horizontal, and their rates

  static State rates(const State& y) {
    const Real l = 1, c = 0.5L, I = 0.1L, gravity = 9.81L;
    const Real sine = std::sin(y[0] - y[1]), cosine = std::cos(y[0] - y[1]);
    const Real m11 = I + c * c + l * l, m12 = l * c * cosine, m22 = I + c * c;
    const Real f1 = -l * c * sine * y[3] * y[3] - (c + l) * gravity * std::cos(y[0]);
    const Real f2 = l * c * sine * y[2] * y[2] - c * gravity * std::cos(y[1]);
    const Real det = m11 * m22 - m12 * m12;
    return {y[2], y[3], (m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det};
  }

  /// Gragg's midpoint rule with substeps, extrapolated (Bulirsch and Stoer): order 16.
  static State step(const State& y, Real h) {
    constexpr int columns = 8;
    std::array<State, columns> T;
    for (int j = 0; j < columns; ++j) {
      const int n = 2 * (j + 1);
      State before = y, now = y;
      for (int k = 0; k <= n; ++k) {
        const State f = rates(now);
        State next;
        for (int i = 0; i < 4; ++i) next[i] = k == 0 ? y[i] + h / n * f[i] : before[i] + 2 * h / n * f[i];
        if (k == n)
          for (int i = 0; i < 4; ++i) T[j][i] = (now[i] + (before[i] + h / n * f[i])) / 2;
        before = now, now = next;
      }
      for (int m = j - 1; m >= 0; --m) {
        const Real ratio = Real(n) / (2 * (m + 1));
        for (int i = 0; i < 4; ++i) T[m][i] = T[m + 1][i] + (T[m + 1][i] - T[m][i]) / (ratio * ratio - 1);
      }
    }
    return T[0];
  }
};
}  // namespace

TEST(prediction, ends_where_the_double_pendulum_parts_from_the_truth) {
  const double h = 0.01;
  std::map<std::string, std::vector<double>> truth;
  Rods::State y{0, 0, 0, 0};
  for (int k = 0; k <= int(std::lround(16 / h)); ++k) {
    if (k > 0) y = Rods::step(y, Real(h));
    const char* names[] = {"a.angle", "b.angle", "a.omega", "b.omega"};
    for (std::size_t i = 0; i < 4; ++i) truth[names[i]].push_back(double(y[i]));
    truth["b.x"].push_back(double(std::cos(y[0]) + 0.5L * std::cos(y[1])));
    truth["b.y"].push_back(double(std::sin(y[0]) + 0.5L * std::sin(y[1])));
  }
  for (const double end : {9.0, 12.0, 16.0})
    for (const double rtol : {1e-5, 1e-7, 1e-9}) {
      Study s = io::read_study_text(two_rods, "test.toml");
      s.analysis.end = end;
      s.analysis.control.rtol = rtol;
      s.output.step = h;
      const Results r = with_estimate(s);
      ASSERT_TRUE(r.outcome && r.accuracy) << rtol;
      const double parts = parts_from(r, [&](const std::string& channel) {
        std::vector<double> exact = truth[channel];
        if (exact.size() > r.times().size()) exact.resize(r.times().size());
        return exact;
      });
      EXPECT_NEAR(r.accuracy->until.value_or(end), std::min(parts, end), 0.1 * parts) << rtol << " " << end;
    }
}

TEST(prediction, does_not_end_where_an_angle_jumps_by_half_a_turn) {
  const Results r = with_estimate(
      io::read_study(std::string(MUBODY_SOURCE_DIR) + "/examples/spatial_slider_crank/model.toml"));
  ASSERT_TRUE(r.outcome && r.accuracy);
  EXPECT_FALSE(r.accuracy->until);
  EXPECT_GT(r.accuracy->digits(), 5);
}
}  // namespace mubody::testing
