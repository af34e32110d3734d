#include "cli/compare/paper.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

namespace mubody::cli {
// examples/NAME/model.toml
extern const std::string_view four_bar_model, five_bar_pendulum_model, spatial_slider_crank_model,
    iltis_suspension_model;

namespace {
constexpr const char* paper_steps = "0.001 s";

/// The runs of the paper's integrator and step, by model and treatment.
class PaperRuns {
 public:
  explicit PaperRuns(const Suite& s) : suite_(s) {}

  std::size_t models() const { return suite_.comparisons.size(); }
  const std::string& name(std::size_t model) const { return suite_.comparisons[model].model; }
  const MethodRun* find(std::size_t model, std::string_view treatment) const {
    if (model >= models()) return nullptr;
    for (const MethodRun& run : suite_.comparisons[model].runs)
      if (run.method.treatment() == treatment && run.method.integrator() == "rk4" &&
          run.method.steps() == paper_steps && run.reached_end())
        return &run;
    return nullptr;
  }
  bool have(std::initializer_list<std::string_view> treatments) const {
    for (std::size_t m = 0; m < models(); ++m)
      for (const std::string_view t : treatments)
        if (!find(m, t)) return false;
    return models() > 0;
  }

 private:
  const Suite& suite_;
};

double most_squares(const MethodRun& r) { return r.statistics.largest_square; }
double most_energy(const MethodRun& r) { return r.statistics.energy_residual; }
double relative_cpu(const MethodRun& r) { return r.relative.value_or(std::nan("")); }
using Of = double (*)(const MethodRun&);

/// "four-bar 4.7e-14, pendulum 3e-17": a figure of a treatment in every model.
std::string each_model(const PaperRuns& runs, std::string_view treatment, Of of, const char* form) {
  std::vector<std::string> parts;
  for (std::size_t m = 0; m < runs.models(); ++m)
    parts.push_back(runs.name(m) + ' ' + fmt::format(fmt::runtime(form), of(*runs.find(m, treatment))));
  return fmt::format("{}", fmt::join(parts, ", "));
}
/// In how many models that holds.
int count_models(const PaperRuns& runs, const std::function<bool(std::size_t)>& holds) {
  int n = 0;
  for (std::size_t m = 0; m < runs.models(); ++m) n += holds(m);
  return n;
}

Finding violation_grows(const PaperRuns& runs) {
  // Over the second half it is larger than over the first.
  const int all = count_models(runs, [&](std::size_t m) {
    const Table& curves = runs.find(m, "standard")->curves;
    const auto column = std::size_t(curves.find("violation_squares"));
    double first = 0, second = 0;
    for (std::size_t row = 0; row < curves.rows(); ++row) {
      double& half = 2 * row < curves.rows() ? first : second;
      half = std::max(half, curves.at(row, column));
    }
    return second > first;
  });
  return {"figs. 5 and 14", "with multipliers alone the violation grows with time",
          fmt::format("it does in {} of {} models; ΦᵀΦ reaches: {}", all, runs.models(),
                      each_model(runs, "standard", most_squares, "{:.1e}")),
          all == int(runs.models()),
          "the motion that has come to rest, as that of the suspension, violates nothing more"};
}

Finding augmented_is_closer(const PaperRuns& runs) {
  const int closer = count_models(runs, [&](std::size_t m) {
    return most_squares(*runs.find(m, "augmented")) < most_squares(*runs.find(m, "baumgarte"));
  });
  return {
      "figs. 5, 10, 14 and 18",
      "the augmented Lagrangian holds the constraints more closely than Baumgarte's method",
      fmt::format("in {} of {} models; largest ΦᵀΦ of augmented: {}; of baumgarte: {}", closer, runs.models(),
                  each_model(runs, "augmented", most_squares, "{:.1e}"),
                  each_model(runs, "baumgarte", most_squares, "{:.1e}")),
      closer == int(runs.models()),
      "both damp the violation as the same oscillator, with ω = 10 and with α = β = 5: what is left differs "
      "with the "
      "frequencies of the motion, not with the method"};
}

Finding violation_is_gone(const PaperRuns& runs) {
  double most = 0;
  for (const char* t : {"index1", "partitioning", "direct"})
    for (std::size_t m = 0; m < runs.models(); ++m) most = std::max(most, most_squares(*runs.find(m, t)));
  return {"figs. 5, 10, 14 and 18",
          "index-1, coordinate partitioning and direct correction eliminate the violation",
          fmt::format("ΦᵀΦ is at most {:.1e} in all of them", most), most < 1e-25, "round-off is larger here"};
}

Finding energy_is_kept(const PaperRuns& runs) {
  const char* const all[] = {"standard", "baumgarte", "augmented", "index1", "partitioning", "direct"};
  std::vector<std::string_view> order(std::begin(all), std::end(all));
  std::ranges::sort(order, {}, [&](std::string_view t) { return most_energy(*runs.find(0, t)); });
  const auto place = [&](std::string_view t) { return std::ranges::find(order, t) - order.begin(); };
  std::vector<std::string> parts;
  for (const std::string_view t : order)
    parts.push_back(fmt::format("{} {:.1e}", t, most_energy(*runs.find(0, t))));
  return {"fig. 7", "of the four-bar, coordinate partitioning and direct correction conserve the energy best",
          fmt::format("largest residual [J]: {}", fmt::join(parts, ", ")),
          place("partitioning") < 2 && place("direct") < 2,
          "with Runge-Kutta's method the energy misses what its steps miss, which methods that stay on the "
          "constraints share; "
          "the index-1 method ends where the projection does"};
}

Finding four_bar_costs(const PaperRuns& runs) {
  const double direct = relative_cpu(*runs.find(0, "direct")),
               partitioning = relative_cpu(*runs.find(0, "partitioning")),
               baumgarte = relative_cpu(*runs.find(0, "baumgarte")),
               augmented = relative_cpu(*runs.find(0, "augmented"));
  return {"fig. 8",
          "of the four-bar, direct correction and coordinate partitioning cost least after multipliers alone, "
          "Baumgarte's "
          "method most",
          fmt::format(
              "CPU in that of standard: baumgarte {:.2f}, direct {:.2f}, augmented {:.2f}, partitioning {:.2f}",
              baumgarte, direct, augmented, partitioning),
          std::max(direct, partitioning) < std::min(baumgarte, augmented),
          "Baumgarte's method adds two products of a vector to each evaluation, and partitioning solves the "
          "constraints in "
          "each; a time that says otherwise is that of the program, not of the method"};
}

Finding suspension_costs(const PaperRuns& runs) {
  const std::size_t last = runs.models() - 1;
  const double index1 = relative_cpu(*runs.find(last, "index1")),
               direct = relative_cpu(*runs.find(last, "direct")),
               baumgarte = relative_cpu(*runs.find(last, "baumgarte")),
               augmented = relative_cpu(*runs.find(last, "augmented"));
  return {
      "fig. 20",
      "of the suspension, index-1 costs most, direct correction less, Baumgarte's method and the augmented "
      "Lagrangian least",
      fmt::format("CPU in that of standard: index1 {:.2f}, direct {:.2f}, augmented {:.2f}, baumgarte {:.2f}",
                  index1, direct, augmented, baumgarte),
      index1 > direct && direct > std::max(augmented, baumgarte),
      "with factors at hand, further rounds of the augmented Lagrangian take a solution each in every "
      "evaluation, direct "
      "corrections one factorization per step"};
}

Finding energy_of_corrections(const PaperRuns& runs) {
  double most = 0;
  for (std::size_t m = 0; m < runs.models(); ++m)
    most = std::max(most, std::abs(runs.find(m, "direct")->statistics.corrected_energy) /
                              std::max(1e-300, runs.find(m, "direct")->statistics.energy_scale));
  return {
      "sec. 5", "corrections put energy in or take it out; how much is an open issue",
      fmt::format(
          "direct corrections put in, in sum [J]: {}; at most {:.0e} of the energy in play. Projections in the "
          "metric "
          "of the mass [J]: {}",
          each_model(
              runs, "direct", [](const MethodRun& r) { return r.statistics.corrected_energy; }, "{:+.1e}"),
          most,
          each_model(
              runs, "projection", [](const MethodRun& r) { return r.statistics.corrected_energy; }, "{:+.1e}")),
      true, ""};
}
}  // namespace

std::vector<SuiteModel> paper_models() {
  const auto model = [](const char* name, std::string_view text) {
    return SuiteModel{fmt::format("examples/{}/model.toml", name), std::string(text)};
  };
  return {model("four_bar", four_bar_model), model("five_bar_pendulum", five_bar_pendulum_model),
          model("spatial_slider_crank", spatial_slider_crank_model),
          model("iltis_suspension", iltis_suspension_model)};
}

std::vector<Finding> paper_findings(const Suite& s) {
  const PaperRuns runs(s);
  if (!runs.have({"standard", "baumgarte", "augmented", "index1", "partitioning", "direct", "projection"}))
    return {};
  return {violation_grows(runs), augmented_is_closer(runs), violation_is_gone(runs),    energy_is_kept(runs),
          four_bar_costs(runs),  suspension_costs(runs),    energy_of_corrections(runs)};
}
}  // namespace mubody::cli
