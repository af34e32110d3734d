#include "benchmarks/problems/problems.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "benchmarks/problems/closed_form_andrews.h"
#include "benchmarks/problems/closed_form_four_bar.h"
#include "benchmarks/problems/closed_form_slider_crank.h"
#include "benchmarks/problems/closed_form_spatial_slider_crank.h"
#include "benchmarks/problems/integrate.h"
#include "benchmarks/problems/large.h"
#include "benchmarks/problems/models.h"
#include "mubody/compiled/shared_code.h"
#include "mubody/reading/read_model.h"

namespace mubody::bench {
namespace {
template <class ClosedForm> void evaluate(long times) {
  const ClosedForm mechanism;
  double theta = 1, sum = 0;
  for (long k = 0; k < times; ++k) sum += mechanism(theta += nudge, 1.0);
  volatile double keep = sum;
  (void)keep;
}
void evaluate_andrews(long times) {
  const closed_form::Andrews mechanism;
  closed_form::Andrews::Angles q, v = closed_form::Andrews::Angles::Ones();
  q << -0.0617, 0, 0.4553, 0.2227, 0.4874, -0.2227, 1.2305;
  double sum = 0;
  for (long k = 0; k < times; ++k) {
    q[1] += nudge;
    sum += mechanism(q, v)[0];
  }
  volatile double keep = sum;
  (void)keep;
}
const Yardstick four_bar_by_hand{"closed-form four-bar", evaluate<closed_form::FourBar>};

std::function<Study()> example(std::string name, std::vector<std::string> settings = {}) {
  return [=] { return io::read_study_text(model_text(name), name + ".toml", settings); };
}

double last(const Results& r, const char* channel) { return r.column(channel).back(); }
std::function<double(const Results&)> off(const char* channel, double expected) {
  return [=](const Results& r) { return std::abs(last(r, channel) - expected); };
}

double ladder_error(const Results& r, int windows) {
  const std::string vertical = fmt::format("vertical{}.angle", windows);
  return std::abs(last(r, vertical.c_str()) - ladder_angle(windows, r.times().back()));
}

double slider_crank_error(const Results& r) {
  const double theta =
      integrate(closed_form::SliderCrank(), std::numbers::pi / 4, 2 * std::sqrt(2.0), r.times().back());
  return std::abs(last(r, "crank.angle") - theta);
}

// The right-hand sides of some of the problems once more, as generated code.
void add_generated(std::vector<Problem>& all) {
  if (io::c_compiler().empty()) return;
  for (const char* id : {"P1", "P2", "P3", "P5", "P7"}) {
    Problem p = *std::ranges::find(all, id, &Problem::id);
    p.id = "P13", p.name += ", generated", p.runs = false, p.generated = true, p.error_of = "";
    all.push_back(std::move(p));
  }
}
}  // namespace

std::vector<Problem> problems() {
  constexpr int windows = 40, rods = 100;
  std::vector<Problem> all;
  // Crank angle at 10 s: Marques, Souto & Flores (2017); two independent routes.
  all.push_back({"P1", "four-bar",
                 example("four_bar", {"analysis.integrator='dormand-prince'", "analysis.rtol=1e-10"}),
                 "crank angle at 10 s [rad]", off("crank.angle", -0.48089787952216956), four_bar_by_hand});
  all.push_back({"P2", fmt::format("ladder of {} four-bars", windows), [] { return ladder(windows); },
                 "angle at 10 s [rad]", [](const Results& r) { return ladder_error(r, windows); },
                 four_bar_by_hand, windows, "window"});
  all.push_back({"P3", fmt::format("open chain of {} rods", rods),
                 [] {
                   Study s = chain(rods);
                   s.analysis.formulation.index = 2;
                   s.analysis.end = 0.5;
                   return s;
                 },
                 "energy balance [J]", [](const Results& r) { return r.statistics.energy_residual; },
                 four_bar_by_hand, rods, "body"});
  all.push_back({"P4",
                 "slider-crank through singular positions",
                 example("slider_crank_singular"),
                 "crank angle at 10 s [rad]",
                 slider_crank_error,
                 {"closed-form slider-crank", evaluate<closed_form::SliderCrank>}});
  // β at 0.03 s: Mazzia & Magherini, Test Set for Initial Value Problem Solvers.
  all.push_back({"P5",
                 "Andrews' squeezing mechanism",
                 example("andrews"),
                 "K1 angle at 0.03 s [rad]",
                 off("K1.angle", 15.81077119629904),
                 {"seven angles, by hand", evaluate_andrews}});
  all.push_back({"P6", "Bricard's mechanism", example("bricard"), "energy balance [J]",
                 [](const Results& r) { return r.statistics.energy_residual; }, four_bar_by_hand});
  all.push_back({"P7",
                 "spatial slider-crank",
                 example("spatial_slider_crank", {"analysis.rtol=1e-10"}),
                 "energy balance [J]",
                 [](const Results& r) { return r.statistics.energy_residual; },
                 {"closed-form spatial slider-crank", evaluate<closed_form::SpatialSliderCrank>}});
  // First contact: see the example's expected answers.
  all.push_back({"P8", "slider-crank with clearance", example("clearance_slider_crank"), "energy balance [J]",
                 [](const Results& r) { return r.statistics.energy_residual; }, four_bar_by_hand});
  add_generated(all);
  return all;
}

std::vector<Problem> growing(int largest) {
  std::vector<Problem> all;
  for (int n = 10; n <= largest; n *= 10)
    all.push_back({"P2",
                   fmt::format("ladder of {} four-bars", n),
                   [n] { return ladder(n); },
                   "",
                   {},
                   four_bar_by_hand,
                   n,
                   "window",
                   false});
  for (int n = 10; n <= largest; n *= 10)
    all.push_back({"P3",
                   fmt::format("open chain of {} rods", n),
                   [n] {
                     Study s = chain(n);
                     s.analysis.formulation.index = 2;
                     return s;
                   },
                   "",
                   {},
                   four_bar_by_hand,
                   n,
                   "body",
                   false});
  return all;
}
}  // namespace mubody::bench
