#include "cli/compare/methods.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <new>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/limits.h"
#include "cli/terminal.h"
#include "mubody/analyses/run.h"
#include "mubody/math/suggest.h"
#include "mubody/model/escape.h"
#include "mubody/model/units.h"
#include "mubody/treatments/standard.h"

namespace mubody::cli {
namespace {
constexpr double longer_for_reference = 10;  // its tolerances are the tightest

/// The CPU time that this program has used [s].
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

// Options ---------------------------------------------------------------------------------------------------

/// Splits "a(x=1,y=2),b" at the commas outside parentheses.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else if (c != ' ' || depth > 0)
      parts.back() += c;
  }
  return parts;
}

template <class Entries> void expect_name(const char* kind, const std::string& name, const Entries& entries) {
  std::vector<std::string_view> known;
  for (const auto& e : entries) known.push_back(e.info.name);
  if (std::ranges::find(known, name) != known.end()) return;
  const std::string near = suggestion(name, known);
  throw UsageError(fmt::format("unknown {} '{}'{}", kind, name,
                               near.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : near));
}

/// "alpha=20" as TOML; a value that is neither a number nor in quotes is a word.
std::string assignment(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (value.empty()) throw UsageError(fmt::format("--treatments: expected key=value, got '{}'", text));
  const bool plain = value.find_first_not_of("0123456789+-.eE") == std::string::npos || value == "true" ||
                     value == "false" || value.front() == '\'' || value.front() == '"';
  return plain ? text : fmt::format("{}'{}'", text.substr(0, equals + 1), value);
}

/// The treatment "baumgarte(alpha=20)", read as if it stood in the model file.
Box<Treatment> treatment_of(const std::string& text, const MethodChoice& o, const ReadStudy& read,
                            const Study& study) {
  const std::size_t open = text.find('(');
  const std::string name = text.substr(0, open);
  expect_name("treatment", name, treatment_kinds());
  if (open == std::string::npos) {
    if (study.analysis.treatment->info().name == name) return study.analysis.treatment;
    return std::ranges::find(treatment_kinds(), name, [](const TreatmentEntry& e) { return e.info.name; })
        ->make();
  }
  if (text.back() != ')')
    throw UsageError(fmt::format("--treatments: expected 'name(key=value,...)', got '{}'", text));
  const std::string inside = text.substr(open + 1, text.size() - open - 2);
  io::Settings settings = o.settings;
  std::string table = fmt::format("type = '{}'", name);
  for (const std::string& number : split(inside)) table += ", " + assignment(number);
  settings.push_back("analysis.treatment={" + table + '}');
  try {
    return read(settings).analysis.treatment;
  } catch (const ModelError& e) {
    const std::string message = e.what(), place = "--set " + settings.back();
    throw UsageError(message.starts_with(place) ? "--treatments " + text + message.substr(place.size())
                                                : message);
  }
}

std::vector<Box<Treatment>> treatments_of(const MethodChoice& o, const ReadStudy& read, const Study& study) {
  std::vector<std::string> names = split(o.treatments);
  if (o.treatments.empty()) {
    // Standard multipliers come first, since the others are compared with them.
    names = {std::string(Standard::info.name)};
    for (const TreatmentEntry& e : treatment_kinds())
      if (e.info.name != names.front()) names.emplace_back(e.info.name);
    if (o.variants)
      for (const char* variant :
           {"baumgarte(gains=taylor)", "baumgarte(gains=auto)", "partitioning(by=qr)", "partitioning(by=svd)"})
        names.emplace_back(variant);
  }
  std::vector<Box<Treatment>> all;
  for (const std::string& name : names) all.push_back(treatment_of(name, o, read, study));
  return all;
}

std::vector<double> positive(const char* option, const std::vector<std::string>& texts, const char* unit) {
  std::vector<double> all;
  for (const std::string& text : texts) {
    double value = 0;
    try {
      value = to_si(text, unit);
    } catch (const UnitError& e) {
      throw UsageError(fmt::format("{}: {}", option, e.what()));
    }
    if (!std::isfinite(value) || value <= 0)
      throw UsageError(fmt::format("{} must be positive, got '{}'", option, text));
    all.push_back(value);
  }
  return all;
}

/// The integrators with their steps or tolerances, each as the options of an analysis.
std::vector<AnalysisOptions> steps_of(const MethodChoice& o, const Study& study) {
  const std::vector<double> steps = positive("--steps", o.steps, "s");
  const std::vector<double> tolerances = positive("--tolerances", o.tolerances, "1");
  std::vector<std::string> integrators = o.integrators;
  if (integrators.empty()) integrators.push_back(study.analysis.integrator);
  std::vector<AnalysisOptions> all;
  bool any_fixed = false, any_adaptive = false;
  for (const std::string& name : integrators) {
    expect_name("integrator", name, integrator_kinds());
    AnalysisOptions analysis = study.analysis;
    analysis.integrator = name;
    const bool adaptive = find_integrator(name)->adaptive;
    (adaptive ? any_adaptive : any_fixed) = true;
    if (!adaptive && steps.empty() && !analysis.control.step)
      throw UsageError(fmt::format("'{}' has a fixed step: give --steps, as in --steps 1e-3", name));
    const std::vector<double>& sizes = adaptive ? tolerances : steps;
    if (sizes.empty()) all.push_back(analysis);
    for (const double size : sizes) {
      if (adaptive)
        analysis.control.rtol = size, analysis.control.atol.reset();
      else
        analysis.control.step = size;
      try {
        analysis.control.check();
      } catch (const FieldError& e) {
        throw UsageError(fmt::format("{} {} {}", adaptive ? "--tolerances:" : "--steps:", e.field, e.what()));
      }
      all.push_back(analysis);
    }
  }
  if (!steps.empty() && !any_fixed)
    throw UsageError("--steps is for integrators with a fixed step; add one, as in --integrators rk4");
  if (!tolerances.empty() && !any_adaptive)
    throw UsageError(
        "--tolerances is for integrators that control their steps; add one, as in --integrators "
        "dormand-prince");
  return all;
}

bool steps_itself(const Treatment& treatment) {
  const auto is_it = [&](const TreatmentEntry& e) { return e.info.name == treatment.info().name; };
  return std::ranges::find_if(treatment_kinds(), is_it)->steps;
}

}  // namespace

std::vector<Method> methods_of(const MethodChoice& o, const ReadStudy& read, const Study& study) {
  std::vector<Method> all;
  const std::vector<Box<Treatment>> treatments = treatments_of(o, read, study);
  const std::vector<AnalysisOptions> all_steps = steps_of(o, study);
  const auto is_fixed = [](const AnalysisOptions& a) { return !find_integrator(a.integrator)->adaptive; };
  for (const AnalysisOptions& steps : all_steps)
    for (const Box<Treatment>& treatment : treatments) {
      // A treatment that does its own steps needs a step size, whatever the integrators.
      if (steps_itself(*treatment) && !is_fixed(steps) && std::ranges::any_of(all_steps, is_fixed)) continue;
      Method method{steps};
      method.analysis.treatment = treatment;
      const auto is_same = [&](const Method& other) { return other.label() == method.label(); };
      if (std::ranges::none_of(all, is_same)) all.push_back(std::move(method));
    }
  return all;
}

Attempt Bench::operator()(Study study, const Purpose& purpose) {
  if (!quiet_ && purpose.kind != Purpose::method && purpose.label != said_)
    note(fmt::format("{}{}\n", before_, for_terminal(purpose.label)));
  said_ = purpose.label;
  study.analysis.patience.limit = limit_ * (purpose.kind == Purpose::reference ? longer_for_reference : 1);
  Attempt attempt;
  try {
    ShownProgress progress(!quiet_);
    const double before = cpu_seconds();
    attempt.results = mubody::run_forward(study, std::ref(progress));
    attempt.cpu = cpu_seconds() - before;
  } catch (const std::bad_alloc&) {
    attempt.cannot = memory_is_exhausted();
  } catch (const std::exception& e) {
    attempt.cannot = e.what();
  }
  return attempt;
}
}  // namespace mubody::cli
