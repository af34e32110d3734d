#include "benchmarks/problems/whole_runs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "benchmarks/problems/clock.h"
#include "benchmarks/problems/models.h"
#include "mubody/analyses/run.h"
#include "mubody/reading/read_model.h"

namespace mubody::bench {
namespace {
std::function<Study()> model(std::string name, std::vector<std::string> settings = {}) {
  return [=] { return io::read_study_text(model_text(name), name + ".toml", settings); };
}

/// The largest difference in some channels at all rows.
std::function<double(const Results&, const Results&)> largest_difference(std::vector<std::string> channels) {
  return [=](const Results& a, const Results& b) {
    double most = 0;
    for (const std::string& c : channels) {
      const auto x = a.column(c), y = b.column(c);
      for (std::size_t k = 0; k < x.size(); ++k) most = std::max(most, std::abs(x[k] - y[k]));
    }
    return most;
  };
}

// Each contact bears the discs above it: K δ^1.5 = n m g.
double stack_error(const Results& r, const Results&) {
  constexpr int discs = 5;
  constexpr double radius = 0.1, stiffness = 1e8, weight = 9.81;
  double y = -radius, most = 0;
  for (int k = 0; k < discs; ++k) {
    y += 2 * radius - std::pow((discs - k) * weight / stiffness, 2.0 / 3);
    most = std::max(most, std::abs(r.column(fmt::format("d{}.y", k)).back() - y));
  }
  return most;
}

const std::string by_explicit = "analysis.integrator='dormand-prince'";
}  // namespace

std::vector<WholeRun> whole_runs() {
  return {{"P9", "flyball governor, stiff dampers", model("governor"), "dormand-prince",
           model("governor", {by_explicit}), "positions at all times, from the other's [m]",
           largest_difference({"ball_a.x", "ball_a.y", "ball_a.z", "slider.z"})},
          {"P10", "five discs at rest", model("stack"), "", {}, "heights at the end [m]", stack_error},
          {"P11", "three bars, stiff bushes", model("bushes"), "dormand-prince", model("bushes", {by_explicit}),
           "positions at all times, from the other's [m]", largest_difference({"bar3.x", "bar3.y", "bar3.z"})},
          {"P12",
           "four-bar, sensitivity to ten parameters",
           model("four_bar", {"analysis.type='forward_sensitivity'", "analysis.integrator='dormand-prince'",
                              "output.channels=['crank.angle']",
                              "analysis.start_values=['crank.omega','coupler.omega','follower.omega']"}),
           "one run",
           model("four_bar", {by_explicit}),
           "",
           {}}};
}

MeasuredRun measure(const WholeRun& w, int repetitions) {
  MeasuredRun m;
  m.id = w.id, m.name = w.name, m.other_name = w.other_name, m.error_of = w.error_of;
  const Study study = w.study();
  Results run_of, other;
  m.seconds = std::numeric_limits<double>::infinity();
  for (int k = 0; k < repetitions; ++k)
    m.seconds = std::min(m.seconds, seconds_of([&] { run_of = run(study); }));
  if (w.other) m.other = seconds_of([&] { other = run(w.other()); });
  m.evaluations = run_of.statistics.evaluations;
  m.trusted = run_of.trusted, m.verdict = run_of.verdict;
  if (w.error) m.error = w.error(run_of, other);
  return m;
}

std::string as_text(const std::vector<MeasuredRun>& all) {
  if (all.empty()) return "";
  std::string text = fmt::format("{:<3} {:<40} {:>9} {:>9}  {}\n", "", "whole run", "[s]", "rhs", "error");
  for (const MeasuredRun& m : all) {
    text += fmt::format("{:<3} {:<40} {:>9.3f} {:>9}  {}\n", m.id, m.name, m.seconds,
                        m.evaluations > 0 ? fmt::to_string(m.evaluations) : "",
                        m.error_of.empty() ? "" : fmt::format("{:.1e} of {}", m.error, m.error_of));
    if (m.other > 0)
      text += fmt::format("    {} takes {:.3f} s: {:.2f} times as long\n", m.other_name, m.other,
                          m.other / m.seconds);
    if (!m.remark.empty()) text += fmt::format("    {}\n", m.remark);
    if (!m.trusted) text += fmt::format("    NOT TRUSTED: {}\n", m.verdict);
  }
  return text;
}

Measured as_measured(const MeasuredRun& r) {
  Measured m;
  m.id = r.id, m.name = r.name, m.error_of = r.error_of;
  m.yardstick_name = r.other_name.empty() ? "itself" : r.other_name;
  const double rates = double(std::max(r.evaluations, 1L));
  m.yardstick.add((r.other > 0 ? r.other : r.seconds) / rates);
  for (Times* t : {&m.right_hand_side, &m.run, &m.with_extremes}) t->add(r.seconds / rates);
  m.evaluations = r.evaluations, m.error = r.error, m.trusted = r.trusted, m.verdict = r.verdict;
  return m;
}
}  // namespace mubody::bench
