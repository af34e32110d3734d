// One model under several methods: figures, outcomes and costs.
#include "mubody/joints/distance.h"
#include "mubody/surveys/suite.h"
#include "mubody/treatments/baumgarte.h"
#include "mubody/treatments/projection.h"
#include "mubody/treatments/standard.h"
#include "tests/analyses/study.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
template <class T> Method method(const Study& s, T treatment, const char* integrator, double step) {
  Method m{s.analysis};
  m.analysis.treatment = Box<Treatment>(std::make_unique<TreatmentOf<T>>(treatment));
  m.analysis.integrator = integrator;
  m.analysis.control.step = step;
  return m;
}

Attempt attempt(const Study& s, const Purpose&) { return {run_forward(s), 0.1, ""}; }

TEST(comparison, labels_name_the_numbers_that_are_not_the_usual_ones) {
  const Study s = study(four_bar());
  EXPECT_EQ(method(s, Baumgarte{}, "rk4", 1e-3).label(), "baumgarte, rk4, 0.001 s");
  EXPECT_EQ(method(s, Baumgarte{.alpha = 20, .beta = 5}, "rk4", 1e-3).treatment(),
            "baumgarte(alpha=20,beta=5)");
  EXPECT_EQ(method(s, Baumgarte{.alpha = 20, .beta = 30}, "dormand-prince", 1e-3).label(),
            "baumgarte(alpha=20,beta=30), dormand-prince, rtol 1e-09");
  EXPECT_EQ(method(s, Projection{.tolerance = 1e-10}, "heun", 1. / 3000).label(),
            "projection(tolerance=1e-10), heun, 0.0003333333333333333 s");
}

// The table has every step, so that the mean over time is known.
TEST(comparison, means_of_violations_are_means_over_the_time) {
  Study s = study(four_bar(), 2);
  s.analysis = method(s, Standard{}, "rk4", 0.01).analysis;
  const Results r = run_forward(s);
  ASSERT_EQ(r.times().size(), 201U);
  for (const auto& [column, mean] :
       {std::pair("position", r.statistics.mean_violation), std::pair("velocity", r.statistics.mean_rate)}) {
    const std::vector<double> x = r.find("violations")->column(column);
    double sum = -(x.front() + x.back()) / 2;
    for (const double value : x) sum += value;
    EXPECT_NEAR(mean, sum / 200, 1e-12 * mean) << column;
    EXPECT_GT(mean, 0);
  }
  // Rows between steps do not count.
  s.output.step = 0.003;
  EXPECT_NEAR(run_forward(s).statistics.mean_violation, r.statistics.mean_violation,
              1e-12 * r.statistics.mean_violation);
}

// RK4 has order four: half the step gives a sixteenth of the error if the step is small enough.  (With
// projection the error falls even faster in this mechanism.)  The reference must be known far better than that.
TEST(comparison, errors_against_the_reference_have_the_order_of_the_integrator) {
  const Study s = study(four_bar(), 2);
  const Reference reference = run_reference(s, attempt);
  ASSERT_TRUE(reference) << reference.missing;
  ASSERT_TRUE(reference.known);
  EXPECT_LT(reference.known->largest(), 1e-10);
  const std::vector methods{method(s, Standard{}, "rk4", 0.002), method(s, Standard{}, "rk4", 0.001),
                            method(s, Projection{}, "rk4", 0.002)};
  const Comparison c = compare(s, methods, reference, attempt);
  ASSERT_EQ(c.runs.size(), 3U);
  EXPECT_NEAR(c.runs[0].error->largest() / c.runs[1].error->largest(), 16, 1);
  EXPECT_EQ(c.runs[0].statistics.evaluations, 4000);
  EXPECT_EQ(c.runs[0].statistics.corrections, 0);
  EXPECT_EQ(c.runs[2].fate, MethodRun::passed) << c.runs[2].why;
  EXPECT_LT(c.runs[2].error->largest(), c.runs[0].error->largest());
  EXPECT_GT(c.runs[2].statistics.corrections, 0);
}

// Two beads on a link drift apart at a speed that the start has and the link forbids: the first correction takes the energy of
// their relative motion, m_r v²/2, and later ones nothing.
TEST(comparison, energy_that_corrections_take_out) {
  Model model = in_plane({0, 0});
  const double m1 = 2, m2 = 3, speed = 0.02;
  const BodyRef one = model.body("one", {.mass = m1, .inertia = 1});
  const BodyRef two = model.body("two", {.mass = m2, .inertia = 1, .position = {1, 0}, .velocity = {speed, 0}});
  Distance link;
  link.length = Function(1.);
  model.joint("link", link, one.at(0, 0), two.at(0, 0));
  Study s = model.study();
  s.analysis.end = 0.1;
  s.analysis.assembly.as_given = true;
  s.analysis = method(s, Projection{}, "rk4", 0.01).analysis;
  EXPECT_EQ(run_forward(s).statistics.corrected_energy_size, 0) << "only if it is asked for";
  s.analysis.weighs_corrections = true;
  const Statistics with = run_forward(s).statistics;
  const double taken = m1 * m2 / (m1 + m2) * speed * speed / 2;
  EXPECT_NEAR(with.corrected_energy, -taken, 1e-12 * taken);
  EXPECT_NEAR(with.corrected_energy_size, taken, 1e-12 * taken);
  // One equation: the sum of squares is the square of the largest.
  EXPECT_DOUBLE_EQ(with.largest_rate_square, with.largest_rate * with.largest_rate);
  EXPECT_GT(with.solves, with.evaluations);
}

// Means of ratios are geometric; errors of a quarter with order two are worth half the time.
TEST(ranking, work_weighs_time_and_error) {
  const Study s = study(four_bar(), 1);
  const auto compared = [&](double cpu, double error, MethodRun::Fate fate) {
    Comparison c;
    const auto run = [&](Method m, double relative, double e) {
      MethodRun r{.method = std::move(m)};
      r.relative = relative;
      r.error = PositionError{.length = e};
      c.runs.push_back(r);
    };
    run(method(s, Standard{}, "heun", 0.01), 1, 1e-3);
    run(method(s, Projection{}, "heun", 0.01), cpu, error * 1e-3);
    c.runs.back().fate = fate;
    return c;
  };
  const std::vector all{compared(1, 1. / 4, MethodRun::passed), compared(4, 1, MethodRun::passed),
                        compared(9, 9, MethodRun::diverged)};
  const std::vector<Rank> ranks = ranking(all);
  ASSERT_EQ(ranks.size(), 2U);
  EXPECT_EQ(ranks[0].method.treatment(), "standard") << "which passed all three";
  EXPECT_NEAR(ranks[0].work, 1, 1e-14);
  EXPECT_EQ(ranks[1].passed, 2);
  EXPECT_EQ(ranks[1].models, 3);
  EXPECT_NEAR(ranks[1].cpu, 2, 1e-14);
  EXPECT_NEAR(ranks[1].error, 0.5, 1e-14);
  EXPECT_NEAR(ranks[1].work, std::sqrt(2), 1e-14);  // of 1/2 and 4
}

TEST(comparison, results_are_taken_at_the_same_times_and_kept_as_curves) {
  const Study s = study(four_bar(), 1);
  const std::vector methods{method(s, Standard{}, "rk4", 0.002),
                            method(s, Standard{}, "dormand-prince", 0.002)};
  const Comparison c = compare(s, methods, {}, attempt);
  ASSERT_EQ(c.runs[0].curves.rows(), 501U);
  EXPECT_EQ(c.runs[0].curves.column("time"), c.runs[1].curves.column("time"));
  EXPECT_EQ(c.runs[0].curves.columns[3].name, "energy_residual");
  EXPECT_FALSE(c.runs[0].error);
}

TEST(comparison, costs_are_those_of_the_standard_multipliers_with_the_same_steps) {
  const Study s = study(four_bar(), 2);
  double cpu = 1;
  const auto timed = [&](const Study& each, const Purpose&) {
    return Attempt{run_forward(each), cpu *= 2, ""};
  };
  const std::vector methods{method(s, Standard{}, "rk4", 0.01), method(s, Projection{}, "rk4", 0.01),
                            method(s, Projection{}, "rk4", 0.02)};
  const Comparison c = compare(s, methods, {}, timed);
  EXPECT_EQ(c.runs[0].cost(), 1);  // 2 s for 2 s
  EXPECT_EQ(c.runs[0].relative, 1);
  EXPECT_EQ(c.runs[1].relative, 2);
  EXPECT_FALSE(c.runs[2].relative);
  ASSERT_EQ(c.remarks.size(), 1U);
  EXPECT_NE(c.remarks[0].find("rk4, 0.02 s"), std::string::npos) << c.remarks[0];
}

TEST(comparison, the_shortest_of_several_rounds_counts) {
  const Study s = study(four_bar(), 1);
  const std::vector<double> times{4, 5, 3, 7, 6, 0.5};  // two methods, three rounds
  std::size_t next = 0;
  std::vector<std::string> labels;
  const auto timed = [&](const Study& each, const Purpose& purpose) {
    labels.push_back(purpose.label);
    return Attempt{run_forward(each), times[next++], ""};
  };
  const std::vector methods{method(s, Standard{}, "rk4", 0.01), method(s, Projection{}, "rk4", 0.01)};
  const Comparison c = compare(s, methods, {}, timed, {.rounds = 3, .once = 10});
  EXPECT_EQ(c.runs[0].cpu, 3);
  EXPECT_EQ(c.runs[1].cpu, 0.5);
  EXPECT_EQ(labels.back(), "timing, round 3 of 3");
  next = 0;
  EXPECT_EQ(compare(s, methods, {}, timed, {.rounds = 3, .once = 4.5}).runs[1].cpu,
            5);  // long enough to be measured
}

TEST(comparison, goes_on_after_a_method_that_cannot_or_that_diverges) {
  const Study s = study(four_bar(), 2);
  const auto choosy = [&](const Study& each, const Purpose& purpose) {
    return purpose.label.starts_with("standard") ? Attempt{{}, 0, "cannot: no reason"} : attempt(each, purpose);
  };
  // |1 + hs| < 1 with h = 0.01 and s = -1000: errors grow ninefold per step.
  const std::vector methods{method(s, Standard{}, "euler", 0.01),
                            method(s, Baumgarte{.alpha = 1000, .beta = 1000}, "euler", 0.01),
                            method(s, Projection{}, "euler", 0.01), method(s, Projection{}, "rk4", 0.01)};
  const Comparison c = compare(s, methods, run_reference(s, attempt), choosy);
  ASSERT_EQ(c.runs.size(), 4U);
  EXPECT_EQ(c.runs[0].fate, MethodRun::cannot);
  EXPECT_EQ(c.runs[0].why, "cannot: no reason");
  EXPECT_EQ(c.runs[1].fate, MethodRun::diverged) << c.runs[1].why;
  EXPECT_LT(c.runs[1].simulated, 2);
  EXPECT_EQ(c.runs[2].fate, MethodRun::inaccurate);
  EXPECT_NE(c.runs[2].why.find("energy balance"), std::string::npos) << c.runs[2].why;
  EXPECT_EQ(c.runs[3].fate, MethodRun::passed) << c.runs[3].why;
}

// A motion may satisfy constraints and energy and still be a different one.
TEST(comparison, a_motion_far_from_the_reference_has_not_passed) {
  const Study s = study(four_bar(), 1);
  Reference other = run_reference(s, attempt);
  const auto column = std::size_t(other.positions.find("crank.x"));
  for (std::size_t row = 0; row < other.positions.rows(); ++row)
    other.positions.values[row * other.positions.columns.size() + column] += 0.25;
  const std::vector methods{method(s, Projection{}, "rk4", 0.001)};
  const Comparison c = compare(s, methods, other, attempt);
  EXPECT_EQ(c.runs[0].fate, MethodRun::inaccurate);
  EXPECT_NE(c.runs[0].why.find("crank.x"), std::string::npos) << c.runs[0].why;
  EXPECT_NEAR(c.runs[0].error->length, 0.25, 1e-9);
}

// Whoever asked to stop asked once: the runs after the reference must not begin.
TEST(comparison, stops_when_the_reference_is_interrupted) {
  const Study s = study(four_bar(), 1);
  const Method methods[] = {method(s, Standard{}, "rk4", 1e-2), method(s, Baumgarte{}, "rk4", 1e-2)};
  for (const int stopped : {1, 2}) {
    int runs = 0;
    const Attempts once = [&](const Study& x, const Purpose&) {
      const bool stops = ++runs == stopped;
      return Attempt{run_forward(x, [&](double part) { return !stops || part < 0.5; }), 0.1, ""};
    };
    const Comparison c = compare(s, methods, run_reference(s, once), once, {.rounds = 3});
    EXPECT_EQ(runs, stopped);
    EXPECT_TRUE(c.interrupted);
    ASSERT_EQ(c.runs.size(), 1u);
    EXPECT_EQ(c.runs[0].fate, MethodRun::interrupted);
  }
}

TEST(comparison, stops_when_interrupted) {
  const Study s = study(four_bar(), 1);
  const auto impatient = [&](const Study& each, const Purpose& purpose) {
    const bool stop = purpose.label.starts_with("projection");
    return Attempt{run_forward(each, [&](double share) { return !stop || share < 0.5; }), 1, ""};
  };
  const std::vector methods{method(s, Standard{}, "rk4", 0.01), method(s, Projection{}, "rk4", 0.01),
                            method(s, Baumgarte{}, "rk4", 0.01)};
  int heard = 0;
  const Comparison c = compare(s, methods, {}, impatient, {}, [&](const MethodRun&) { ++heard; });
  EXPECT_TRUE(c.interrupted);
  EXPECT_EQ(c.runs.size(), 2U);
  EXPECT_EQ(heard, 2);
  EXPECT_NEAR(c.runs[1].simulated, 0.5, 0.011);
}
}  // namespace
}  // namespace mubody::testing
