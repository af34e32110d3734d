// mubody stability: how an integrator treats the violations that Baumgarte's method damps.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "cli/names.h"
#include "cli/run_model.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "mubody/integrators/euler.h"
#include "mubody/math/suggest.h"
#include "mubody/model/units.h"
#include "mubody/report/write_chart_reports.h"
#include "mubody/text/target.h"
#include "mubody/text/write_aligned.h"
#include "mubody/text/write_file.h"
#include "mubody/treatments/baumgarte.h"

namespace mubody::cli {
struct StabilityOptions {
  std::string integrator, step, alpha, beta;  // empty if not given; numbers may have units
  std::string region;                         // a file
  std::string report;                         // a file
  std::optional<int> points;                  // along each axis of the region
  bool table = false, force = false;

  void declare(Options& o) {
    o.add(
        {.name = "--integrator",
         .value = "NAME",
         .known = [] { return names_in("integrators"); },
         .meaning = "one of 'mubody list integrators', or all, the default; with --table the default is euler"},
        integrator);
    o.add({.name = "--step", .value = "TIME", .meaning = "the step h [s], as in 1e-3 or \"1 ms\""}, step);
    o.add({.name = "--alpha", .value = "GAIN", .meaning = "damping of violations [1/s]; 5 if not given"},
          alpha);
    o.add({.name = "--beta", .value = "GAIN", .meaning = "stiffness of violations [1/s]; 5 if not given"},
          beta);
    o.add({.name = "--table", .meaning = "the table of the literature"}, table);
    o.add({.name = "--region",
           .value = "FILE",
           .proposes = Proposes::files,
           .meaning = "writes the region of stability; replaces only a file that this command has written, "
                      "others with --force"},
          region);
    o.add({.name = "--report",
           .value = "FILE",
           .proposes = Proposes::files,
           .meaning = "writes regions, roots in the z plane and responses as a page with pictures"},
          report);
    o.add({.name = "--points",
           .value = "N",
           .meaning = "points along each axis of the region, 2 to 1000; if not given 200, or 50 for several "
                      "integrators"},
          points);
    o.force(force);
  }
};

namespace {
/// An integrator, or one order of it if the order varies.
struct Method {
  std::string name;
  const IntegratorEntry* kind;
  StabilityPolynomial polynomial;
};
using Methods = std::vector<Method>;

constexpr double fast = 50;     // steps in which errors fall to 1/e
constexpr double beyond = 1.1;  // the grid goes further than the region by this factor
constexpr int fewest_points = 2, most_points = 1000;
constexpr int points_of_one = 200, points_of_many = 50;  // default along each axis
constexpr std::string_view region_header = "integrator,alpha_h[1],beta2_h2[1],largest_z[1],stable[1]";

/// Flores & Lankarani (2012), Table 1, for Euler with a step of 1 ms; with its misprints noted.
constexpr double published_step = 1e-3;
struct Published {
  TestEquation gains;
  const char* misprint;
};
constexpr Published published[] = {{{-5, -5}, ""},
                                   {{5, 5}, ""},
                                   {{20, 20}, ""},
                                   {{10, 14}, "printed: 1.3 deg"},
                                   {{1000, 1414}, "printed: 0.990"},
                                   {{0.8, 2100}, ""}};

double number(const char* option, const std::string& text, const char* unit) {
  double value = 0;
  try {
    value = to_si(text, unit);
  } catch (const UnitError& e) {
    throw UsageError(fmt::format("{}: {}", option, e.what()));
  }
  if (!std::isfinite(value))
    throw UsageError(fmt::format("{} must be a finite number, got '{}'", option, text));
  return value;
}

double step_of(const std::string& text) {
  const double step = number("--step", text, "s");
  if (step <= 0) throw UsageError(fmt::format("--step must be positive, got '{}'", text));
  return step;
}

void add(Methods& methods, const IntegratorEntry& kind) {
  for (int order = kind.lowest; order <= kind.order; ++order)
    methods.push_back(
        {kind.varies_order() ? fmt::format("{} order {}", kind.info.name, order) : std::string(kind.info.name),
         &kind, kind.stability_at(order)});
}

Methods chosen(const std::string& name) {
  Methods methods;
  std::vector<std::string_view> known{"all"};
  for (const IntegratorEntry& e : integrator_kinds()) {
    if (name == "all" || name == e.info.name) add(methods, e);
    known.push_back(e.info.name);
  }
  if (!methods.empty()) return methods;
  const std::string near = suggestion(name, known);
  throw UsageError(fmt::format("unknown integrator '{}'{}", name,
                               near.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : near));
}

// The angle in degrees, where zero has no sign.
double degrees(double angle) { return angle * 180 / std::numbers::pi + 0.0; }

std::string text_of(Complex z) {
  if (z.imag() == 0) return fmt::format("{:.10g}", z.real());
  return fmt::format("{:.10g} {} {:.10g}i", z.real(), z.imag() < 0 ? '-' : '+', std::abs(z.imag()));
}

/// The behaviour in the words of Table 1.
std::string behaviour(const Stability& s) {
  switch (s.decay()) {
    case Decay::unstable: return "diverges";
    case Decay::marginal: return s.repeated() ? "grows in proportion to time" : "neither decays nor grows";
    case Decay::stable: break;
  }
  return fmt::format("converges{} {} oscillation", s.time_constant() <= fast * s.step ? " fast" : "",
                     s.oscillates() ? "with" : "without");
}

std::string verdict(const Stability& s) {
  const char* word = s.decay() == Decay::stable     ? "stable"
                     : s.decay() == Decay::marginal ? "marginal"
                                                    : "unstable";
  return fmt::format("{}: {}", word, behaviour(s));
}

std::string coloured_verdict(const Stability& s) {
  return s.decay() == Decay::stable ? good(verdict(s)) : bad(verdict(s));
}

std::string settling(const Stability& s) {
  const double constant = s.time_constant();
  if (std::isinf(constant)) return "never";
  return constant < 0 ? fmt::format("never; grows e-fold in {:.4g} s", -constant)
                      : fmt::format("to 1/e in {:.4g} s, {:.4g} steps", constant, constant / s.step);
}

std::string settling_of_equation(const TestEquation& e) {
  const auto s = e.roots();
  const double rate = std::max(s[0].real(), s[1].real());
  return rate < 0 ? fmt::format("to 1/e in {:.4g} s", -1 / rate) : "never";
}

std::string step_limit(double limit) {
  if (limit == 0) return "none";
  return std::isinf(limit) ? "any" : fmt::format("{:.6g} s", limit);
}

std::string border(const Stability& s, double limit) {
  const double margin = 1 - s.largest();
  const std::string where =
      s.decay() == Decay::marginal
          ? "|z| is 1"
          : fmt::format("|z| is {} 1 by {:.4g}", margin > 0 ? "below" : "above", std::abs(margin));
  if (limit == 0) return where + "; at these gains no step is stable";
  if (std::isinf(limit)) return where + "; at these gains errors grow with no step";
  return fmt::format("{}; at these gains errors do not grow up to a step of {:.6g} s, {:.4g} times this one",
                     where, limit, limit / s.step);
}

std::string heading(const TestEquation& e, double step) {
  return fmt::format("step {:.6g} s, alpha = {:.6g} 1/s, beta = {:.6g} 1/s", step, e.alpha, e.beta);
}

void print_one(const Method& method, const TestEquation& e, double step) {
  const Stability s = stability(method.polynomial, e, step);
  std::vector<io::TextRow> rows{{"s [1/s]", "z", "|z|", "angle [deg]"}};
  for (const DiscreteRoot& r : s.roots)
    rows.push_back({text_of(r.s), text_of(r.z), fmt::format("{:.8g}", std::abs(r.z)),
                    fmt::format("{:.6g}", degrees(std::arg(r.z)))});
  fmt::print("{}: {}\n{}", bold(method.name), heading(e, step), io::aligned(rows, true, "  "));
  fmt::print("  settling  {}; the equation itself {}\n", settling(s), settling_of_equation(e));
  fmt::print("  border    {}\n", border(s, largest_step(method.polynomial, e)));
  if (method.kind->adaptive)
    fmt::print("  remark    {} chooses its steps; this holds where it takes this one\n", method.name);
  fmt::print("  verdict   {}\n", coloured_verdict(s));
}

void print_all(const Methods& methods, const TestEquation& e, double step) {
  std::vector<io::TextRow> rows{{"integrator", "|z|", "angle [deg]", "largest step", "verdict"}};
  for (const Method& method : methods) {
    const Stability s = stability(method.polynomial, e, step);
    rows.push_back({method.name, fmt::format("{:.8g}", s.largest()), fmt::format("{:.6g}", degrees(s.angle())),
                    step_limit(largest_step(method.polynomial, e)), verdict(s)});
  }
  fmt::print("{}\n{}", bold(heading(e, step)), io::aligned(rows, true, "  "));
  if (std::ranges::any_of(methods, [](const Method& m) { return m.kind->varies_order(); }))
    fmt::print("  An order that varies has no region of its own: each is judged as if it were kept.\n");
}

void print_table(const Method& method, double step) {
  const bool as_published = method.kind == find_integrator(Euler::info.name) && step == published_step;
  std::vector<io::TextRow> rows{{"alpha [1/s]", "beta [1/s]", "|z|", "angle [deg]", "stability"}};
  if (as_published) rows[0].push_back("remark");
  for (const Published& p : published) {
    const Stability s = stability(method.polynomial, p.gains, step);
    rows.push_back({fmt::format("{:g}", p.gains.alpha), fmt::format("{:g}", p.gains.beta),
                    fmt::format("{:.4f}", s.largest()), fmt::format("{:.3f}", degrees(s.angle())),
                    behaviour(s)});
    if (as_published) rows.back().push_back(p.misprint);
  }
  fmt::print("{}: the gains of Flores & Lankarani (2012), Table 1, with a step of {:.6g} s\n{}",
             bold(method.name), step, io::aligned(rows, true, "  "));
}

constexpr io::OwnKind region_file{"'mubody stability'", [](std::string_view beginning) {
                                    return io::first_line(beginning) == region_header;
                                  }};

std::vector<double> spread(double end, int points) {
  std::vector<double> all;
  for (int k = 0; k < points; ++k) all.push_back(end * k / (points - 1));
  return all;
}

/// Each method has a grid of its own, since regions differ too much for a common one.
Extent grid_of(const Method& method) {
  const Extent extent = stability_extent(method.polynomial);
  return {beyond * extent.alpha_h, beyond * extent.beta2_h2};
}

/// The extents are sought along many rays, so that they are found once.
std::vector<Extent> extents_of(const Methods& methods) {
  std::vector<Extent> all;
  for (const Method& method : methods) all.push_back(stability_extent(method.polynomial));
  return all;
}

std::string region_csv(const Methods& methods, const std::vector<Extent>& extents, int points) {
  std::string text(region_header);
  text += '\n';
  for (std::size_t k = 0; k < methods.size(); ++k) {
    const Method& method = methods[k];
    const Extent grid{beyond * extents[k].alpha_h, beyond * extents[k].beta2_h2};
    for (const double alpha_h : spread(grid.alpha_h, points))
      for (const double beta2_h2 : spread(grid.beta2_h2, points)) {
        const Stability s = stability(method.polynomial, {alpha_h, std::sqrt(beta2_h2)}, 1);
        fmt::format_to(std::back_inserter(text), "{},{},{},{},{}\n", method.name, alpha_h, beta2_h2,
                       s.largest(), s.decay() == Decay::stable ? 1 : 0);
      }
  }
  return text;
}

void print_region(const Methods& methods, const std::vector<Extent>& extents, const std::string& file,
                  int points) {
  std::vector<io::TextRow> rows{{"integrator", "largest alpha h", "largest beta^2 h^2"}};
  for (std::size_t k = 0; k < methods.size(); ++k)
    rows.push_back({methods[k].name, fmt::format("{:.4f}", extents[k].alpha_h),
                    fmt::format("{:.4f}", extents[k].beta2_h2)});
  fmt::print("{}\n{} rows in {}\n", io::aligned(rows, true),
             methods.size() * std::size_t(points) * std::size_t(points), shown(file));
}

std::vector<io::Region> regions_of(const Methods& methods, int points) {
  std::vector<io::Region> regions;
  for (const Method& method : methods) {
    const Extent grid = grid_of(method);
    io::Region r{method.name, spread(grid.alpha_h, points), spread(grid.beta2_h2, points), {}};
    for (const double beta2_h2 : r.beta2_h2)
      for (const double alpha_h : r.alpha_h)
        r.largest_z.push_back(float(stability(method.polynomial, {alpha_h, std::sqrt(beta2_h2)}, 1).largest()));
    regions.push_back(std::move(r));
  }
  return regions;
}

/// Gains that are there already are not shown twice.
void add_own(const std::optional<TestEquation>& own, std::vector<TestEquation>& all) {
  const auto same = [&](const TestEquation& e) { return e.alpha == own->alpha && e.beta == own->beta; };
  if (own && std::ranges::none_of(all, same)) all.push_back(*own);
}

/// Figs. 56 to 58 of Flores & Lankarani (2012), and the gains that were asked for.
std::vector<io::DampedResponse> responses_of(const std::optional<TestEquation>& own) {
  std::vector<TestEquation> all{{10, 5},  {20, 10}, {40, 20}, {5, 5},  {10, 10},
                                {20, 20}, {5, 20},  {10, 40}, {20, 80}};
  add_own(own, all);
  std::vector<io::DampedResponse> responses;
  for (const TestEquation& e : all) {
    const char* const damping = e.alpha > e.beta   ? "over-damped"
                                : e.alpha < e.beta ? "under-damped"
                                                   : "critically damped";
    io::DampedResponse r{damping, e.alpha, e.beta, spread(1, 401), {}};
    for (const double t : r.times) r.values.push_back(float(e.response(t)));
    responses.push_back(std::move(r));
  }
  return responses;
}

/// The gains of Table 1, and those that were asked for, in the z plane.
std::vector<io::PlaneRoots> roots_of(const Methods& methods, const std::optional<TestEquation>& own,
                                     double step) {
  std::vector<TestEquation> all;
  for (const Published& p : published) all.push_back(p.gains);
  add_own(own, all);
  std::vector<io::PlaneRoots> roots;
  for (const Method& method : methods)
    for (const TestEquation& e : all) {
      io::PlaneRoots r{method.name, e.alpha, e.beta, step, {}};
      for (const DiscreteRoot& root : stability(method.polynomial, e, step).roots)
        r.z.push_back({root.z.real(), root.z.imag()});
      roots.push_back(std::move(r));
    }
  return roots;
}

std::optional<TestEquation> gains_of(const StabilityOptions& o) {
  if (o.alpha.empty() && o.beta.empty()) return {};
  return TestEquation{o.alpha.empty() ? Baumgarte::usual : number("--alpha", o.alpha, "1/s"),
                      o.beta.empty() ? Baumgarte::usual : number("--beta", o.beta, "1/s")};
}

std::string page_of(const StabilityOptions& o, const Methods& methods, int points) {
  const double step = o.step.empty() ? published_step : step_of(o.step);
  const std::optional<TestEquation> own = gains_of(o);
  return io::stability_html({regions_of(methods, points), responses_of(own), roots_of(methods, own, step)});
}

/// Writes what is asked for; no file appears before all are complete.
void write_regions(const StabilityOptions& o, const Methods& methods, int points) {
  io::CommandFiles all;
  if (!o.region.empty()) all.outputs.push_back({"--region", o.region});
  if (!o.report.empty()) all.outputs.push_back({"--report", o.report});
  check_files(all);
  if (!o.report.empty()) check_report(o.report, {o.force});
  std::vector<Extent> extents;
  with_files([&] {
    if (!o.region.empty()) io::check_target(o.region, region_file, {o.force});
    std::vector<io::FileText> files;
    if (!o.region.empty()) extents = extents_of(methods);
    if (!o.region.empty()) files.push_back({o.region, region_csv(methods, extents, points)});
    if (!o.report.empty()) files.push_back({o.report, page_of(o, methods, points)});
    io::write_files(files, until_interrupted());
  });
  if (!o.region.empty()) print_region(methods, extents, o.region, points);
  if (!o.report.empty()) fmt::print("report in {}\n", shown(o.report));
}

void refuse_together(const char* with, std::initializer_list<std::pair<const char*, bool>> options) {
  for (const auto& [name, given] : options)
    if (given)
      throw UsageError(fmt::format("{} does not go with {}; see 'mubody stability --help'", name, with));
}

int stability(const StabilityOptions& o) {
  const bool gains = !o.alpha.empty() || !o.beta.empty();
  const Methods methods = chosen(!o.integrator.empty() ? o.integrator : o.table ? "euler" : "all");
  if (!o.region.empty() || !o.report.empty()) {
    refuse_together(o.region.empty() ? "--report" : "--region", {{"--table", o.table}});
    if (o.report.empty()) refuse_together("--region", {{"--step", !o.step.empty()}, {"a gain", gains}});
    const int points = o.points.value_or(methods.size() > 1 ? points_of_many : points_of_one);
    if (points < fewest_points || points > most_points)
      throw UsageError(
          fmt::format("--points must lie between {} and {}, got {}", fewest_points, most_points, points));
    write_regions(o, methods, points);
    return done;
  }
  if (o.points) throw UsageError("--points is for --region and --report; see 'mubody stability --help'");
  if (o.table) {
    refuse_together("--table", {{"a gain", gains}});
    const double step = o.step.empty() ? published_step : step_of(o.step);
    for (const Method& method : methods) {
      if (&method != &methods.front()) fmt::print("\n");
      print_table(method, step);
    }
    return done;
  }
  if (o.step.empty())
    throw UsageError("give --step, --table, --region or --report; see 'mubody stability --help'");
  const double step = step_of(o.step);
  const TestEquation e = gains_of(o).value_or(TestEquation{Baumgarte::usual, Baumgarte::usual});
  if (methods.size() == 1)
    print_one(methods.front(), e, step);
  else
    print_all(methods, e, step);
  return done;
}
}  // namespace

Verb stability_verb() {
  return Verb::of(
      stability,
      {.name = "stability",
       .shelf = Shelf::study,
       .sentence = "report which gains of Baumgarte's method suit which step",
       .description =
           {R"(Baumgarte's method lets a violation e of the constraints follow e'' + 2 alpha e' + beta^2 e =
            0. An integrator with the step h multiplies each solution exp(s t) of it by a root z per step:
            errors decay if all |z| < 1. One of --step, --table, --region and --report is needed.)",
            R"(With --step: the roots, their sizes and angles, the time in which errors fall to 1/e, how far
            the border of stability is, and a verdict; for all integrators in one table if no NAME is given.)",
            R"(With --table: the gains of Table 1 of Flores & Lankarani (2012), by default for Euler with 1
            ms as there. Two numbers are misprinted in the original and marked.)",
            R"(With --region: a CSV file with rows alpha h, beta^2 h^2, largest |z|, and 1 where that is
            below 1. Integrators that choose their steps are treated as if they took steps of one size;
            those that vary their order, as if every order were kept. With --report: a page with the region
            of each as a picture, its roots for the gains of Table 1 in the z plane, and the response of the
            damped violation over time; --step, 1 ms if not given, is that of the roots, and gains that are
            given are shown too.)"},
       .exits = {{done, "done, whatever the verdict"},
                 {failed, "a file that cannot be written"},
                 {wrong_input, "wrong usage"}},
       .examples = {"mubody stability --step \"1 ms\"",
                    "mubody stability --integrator rk4 --step 1e-3 --alpha 5 --beta 5",
                    "mubody stability --table",
                    "mubody stability --integrator rk4 --region region.csv --points 100",
                    "mubody stability --integrator euler --report stability.html"}});
}
}  // namespace mubody::cli
