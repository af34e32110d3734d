#include "mubody/simulation/estimate.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/mechanism/unresolved.h"
#include "mubody/simulation/verdict.h"

namespace mubody {
namespace {
constexpr double coarser_tolerance = 100, coarser_step = 2;
constexpr double largest_rtol = 0.1;    // beyond that, step control is none
constexpr double finest_rtol = 1e-14;   // below that, round-off rejects every step
constexpr double adaptive_safety = 10;  // tolerances are kept in the mean only
constexpr double fixed_safety = 3;
constexpr double finer_tolerance = 10, finer_step = 2;  // of a motion that stands for the truth ...
constexpr double finer_safety = 2;                      // ... nearly
constexpr double out_of_tune = 0.6180339887498949;      // of a step: no small whole numbers have this ratio
constexpr double clearly_longer = 1.3;                  // steps of the coarser motion
constexpr double clearly_less = 10, least_growth = 2;   // of the growth that was measured
constexpr double first_order = 0.35;    // of the difference: a third of the error if only order 1 is left
constexpr std::size_t most_rows = 400;  // that are compared ...
constexpr std::size_t most_rows_of_finer = 4000;  // ... with a finer motion, of which single peaks must be seen
constexpr int most_runs = 5;                      // to reach the digits that are asked for
constexpr double most_refined = 32;               // of steps of one size, at once
constexpr double most_steps = 3e6;                // of one size, that are still taken to reach them

/// How steps are chosen, and what follows for the estimate.
struct StepSizes {
  bool adaptive;
  int order;

  explicit StepSizes(const AnalysisOptions& o) : adaptive(o.method()->adaptive), order(o.method()->order) {
    if (const int own = o.treatment->order_of_steps(); own > 0) adaptive = false, order = own;
  }
};

/// At most so many of some times, at uneven distances: a motion that is in step with even ones would be seen in one phase
/// alone.  The last one is among them.
std::vector<double> few_of(const std::vector<double>& times, std::size_t most) {
  if (times.size() <= most) return times;
  const double every = double(times.size()) / double(most);
  std::vector<double> few;
  for (std::size_t k = 0; k + 1 < most; ++k) {
    const double within = std::fmod(double(k) * out_of_tune, 1.0);
    few.push_back(times[std::size_t((double(k) + within) * every)]);
  }
  few.push_back(times.back());
  return few;
}

/// Output times at which the motions are compared: few, and where both have a step, if there are such.
std::vector<double> compared_times(const Study& study, bool adaptive) {
  const std::vector<double> all = study.output.at(study.analysis);
  std::vector<double> chosen;
  if (!adaptive) {
    const double h = coarser_step * study.analysis.control.step.value_or(0);
    for (const double t : all) {
      const double steps = (t - study.analysis.start) / h;
      if (std::abs(steps - std::round(steps)) < 1e-6) chosen.push_back(t);
    }
  }
  constexpr std::size_t enough = 20;
  if (chosen.size() < enough) chosen = all;
  return few_of(chosen, most_rows);
}

/// Allows errors that are so many times as large, with all steps that depend on them.
void loosen(AnalysisOptions& o, double factor) {
  StepControl& control = o.control;
  const double longer = std::pow(factor, 1.0 / StepSizes(o).order);
  if (control.atol) *control.atol *= factor;
  control.rtol *= factor;
  control.max_step = control.longest_over(o.end - o.start) * longer;
  control.stretch *= longer;
}

struct Coarse {
  Study study;
  Coarseness coarseness;
  std::string method;  // in words
};

Coarse coarser(const Study& fine) {
  Coarse c{fine, {}, {}};
  const StepSizes method(fine.analysis);
  StepControl& control = c.study.analysis.control;
  c.study.output.times = compared_times(fine, method.adaptive);
  c.study.output.step.reset();
  c.study.output.channels.clear();
  c.study.analysis.watched = false;
  if (method.adaptive) {
    const double factor = std::max(2.0, std::min(coarser_tolerance, largest_rtol / control.rtol));
    loosen(c.study.analysis, factor);
    c.coarseness = {factor, adaptive_safety};
    c.method = fmt::format("rtol = {:.0e}", control.rtol);
  } else {
    if (control.step) *control.step *= coarser_step;
    control.stretch *= coarser_step;
    const double growth = std::pow(coarser_step, method.order);
    c.coarseness = {growth, std::max(fixed_safety, first_order * (growth - 1))};
    c.method = fmt::format("steps of {:.3g} s", control.step.value_or(0));
  }
  return c;
}

// Where breakpoints lie so close that they dictate the steps, looser tolerances hardly lengthen them: the error grows
// with the steps that were taken, and is at most what the tolerance allows.
void measure_growth(const Study& study, double longer, Coarseness& c) {
  const StepSizes method(study.analysis);
  const double measured = std::pow(longer, method.order);
  if (!method.adaptive) {
    c.growth = std::min(c.growth, measured);
    return;
  }
  if (measured > c.growth / clearly_less) return;
  c.growth = std::max(measured, least_growth);
  c.least = study.analysis.control.rtol;
}

// Errors of the same channels, from another comparison, where they are larger.
void take_larger(const Accuracy& other, Accuracy& all) {
  if (all.times.empty()) all.times = other.times;
  for (std::size_t k = 0; k < std::min(all.channels.size(), other.channels.size()); ++k)
    if (other.channels[k].error > all.channels[k].error) {
      all.channels[k] = other.channels[k];
      if (other.times.size() != all.times.size()) all.channels[k].band.clear();
    }
  if (other.until && !(all.until && *all.until < *other.until)) all.until = other.until;
}

// Remarks functions of time that vary within a step.  Returns whether there are any.
bool remark_unresolved(const Study& study, Results& r) {
  const AnalysisOptions& o = study.analysis;
  if (StepSizes(o).adaptive || !o.control.step) return false;
  const std::vector<Unresolved> unresolved = unresolved_by(study.mechanism, o.start, o.end, *o.control.step);
  for (const Unresolved& u : unresolved)
    if (u.clearly)
      r.remarks.push_back(fmt::format("{} varies within steps of {:.3g} s; a step of {:.3g} s follows it",
                                      u.element, *o.control.step, u.step));
  return !unresolved.empty();
}

// Where a function of time varies within a step, two motions with steps of h and 2h may both be in tune with it, and agree
// on something else than the truth.  A third one has steps that are in tune with neither; what it differs by is an error.
void compare_out_of_tune(const Study& study, Results& r, const Progress& progress,
                         const ComputeMotion& compute) {
  const StepControl& control = study.analysis.control;
  Study other = coarser(study).study;
  other.analysis.control = control;
  *other.analysis.control.step *= out_of_tune;
  const std::string method = fmt::format("a third one with steps of {:.3g} s", *other.analysis.control.step);
  const Results motion = compute(other, progress);
  if (motion.outcome)
    take_larger(compare_motions(r, motion, {.growth = 2, .safety = 1}, r.scales), *r.accuracy);
  else
    r.accuracy->missing = fmt::format("forces vary within steps, and {} does not reach its end ({})", method,
                                      motion.outcome.word());
  r.accuracy->method += " and " + method;
}

// Where constraints give way, as with a penalty, both motions do so alike and agree on what that does to them.  A third one,
// whose constraints give way twice as much, differs by as much as this one from the truth.
void compare_softer(const Study& study, Results& r, const Progress& progress, const ComputeMotion& compute) {
  constexpr double softer = 2, safety = 2;
  Study other = coarser(study).study;
  other.analysis.control = study.analysis.control;
  if (!other.analysis.treatment->soften(softer)) return;
  const Results motion = compute(other, progress);
  if (motion.outcome)
    take_larger(compare_motions(r, motion, {.growth = softer, .safety = safety}, r.scales), *r.accuracy);
  else
    r.accuracy->missing =
        fmt::format("constraints give way, and a motion where they do so more does not reach its end ({})",
                    motion.outcome.word());
  r.accuracy->method += " and a third one whose constraints give way twice as much";
}

/// The study with steps that should give so many digits more.
Study finer(const Study& study, double digits) {
  Study s = study;
  StepControl& control = s.analysis.control;
  const StepSizes method(study.analysis);
  const double factor = std::pow(10, std::min(digits, 6.0) + 0.3);
  if (method.adaptive) {
    loosen(s.analysis, std::max(1 / factor, finest_rtol / control.rtol));
    control.stretch = study.analysis.control.stretch;  // this one is not for comparison
  } else if (control.step) {
    *control.step /= std::min(std::ceil(std::pow(factor, 1.0 / method.order)), most_refined);
  }
  return s;
}

// Where the coarser motion has nothing in common with this one any more, this one is known no longer from it, but may well
// be right.  A finer one shows until when.
void compare_finer(const Study& study, Results& r, const Progress& progress, const ComputeMotion& compute) {
  Study other = coarser(study).study;
  other.output.times = few_of(study.output.at(study.analysis), most_rows_of_finer);
  const StepSizes method(study.analysis);
  StepControl& control = other.analysis.control = study.analysis.control;
  if (!method.adaptive && !control.step) return;
  if (method.adaptive) {
    loosen(other.analysis, std::max(1 / finer_tolerance, finest_rtol / control.rtol));
  } else {
    *control.step /= finer_step;
    control.stretch /= finer_step;
  }
  const std::string words =
      fmt::format("a finer one with {}", method.adaptive ? fmt::format("rtol = {:.0e}", control.rtol)
                                                         : fmt::format("steps of {:.3g} s", *control.step));
  const Results motion = compute(other, progress);
  const double shorter = double(motion.statistics.steps) / double(std::max(r.statistics.steps, 1L));
  const double expected =
      method.adaptive ? study.analysis.control.rtol / control.rtol : std::pow(finer_step, method.order);
  const double gained = std::min(std::pow(shorter, method.order), expected);
  std::string why;
  if (!motion.outcome)
    why = fmt::format("does not reach its end ({})", motion.outcome.word());
  else if (gained < least_growth)
    why = "takes nearly the same steps";
  if (!why.empty()) {
    r.accuracy->method += fmt::format("; {} {}, so that the motion is perhaps known for longer", words, why);
    return;
  }
  const std::string before = r.accuracy->method;
  r.accuracy = compare_motions(r, motion, {.growth = 1 / gained, .safety = finer_safety}, r.scales);
  r.accuracy->method = before + " and " + words;
}

void estimate(const Study& study, Results& r, const Progress& progress, const ComputeMotion& compute) {
  Coarse c = coarser(study);
  const Results other = compute(c.study, progress);
  const double longer = double(r.statistics.steps) / double(std::max(other.statistics.steps, 1L));
  measure_growth(study, longer, c.coarseness);
  if (other.outcome && !StepSizes(study.analysis).adaptive && longer < clearly_longer)
    r.accuracy.emplace().missing =
        "breakpoints lie closer than the steps, so that a coarser motion takes nearly the same ones";
  else if (other.outcome)
    r.accuracy = compare_motions(r, other, c.coarseness, r.scales);
  else
    r.accuracy.emplace().missing =
        fmt::format("with {} the motion does not reach its end ({})", c.method, other.outcome.word());
  r.accuracy->method = "a second motion with " + c.method;
  if (r.accuracy->until && !c.coarseness.shows_horizon()) compare_finer(study, r, progress, compute);
  if (remark_unresolved(study, r) && r.accuracy->missing.empty())
    compare_out_of_tune(study, r, progress, compute);
  if (r.accuracy->missing.empty()) compare_softer(study, r, progress, compute);
}

// Reactions that are not unique say nothing about the digits of forces; if all are such, nothing does.
void remark_open_forces(Results& r) {
  if (!r.accuracy || !r.accuracy->missing.empty() || r.accuracy->worst(ChannelAccuracy::force)) return;
  if (std::ranges::find(r.reactions, Reaction::no, &Reaction::unique) == r.reactions.end()) return;
  r.remarks.push_back(
      "no digits of forces are known: constraints are redundant and leave the reactions open, so that the "
      "smallest are given");
}

// The motion is computed in passes; each is one part of the whole, as far as it is known how many there will be.
Progress part_of(const Progress& whole, double from, double to) {
  if (!whole) return {};
  return [whole, from, to](double share) { return whole(from + share * (to - from)); };
}
}  // namespace

Results run_with_estimate(const Study& study, const Progress& progress, const ComputeMotion& compute) {
  const AnalysisOptions& o = study.analysis;
  if (!(o.estimate && o.estimate_usual) && o.digits == 0) {
    Results r = compute(study, progress);
    remark_unresolved(study, r);
    return r;
  }
  constexpr double share = 0.7;  // of the time that the motion itself takes
  Study now = study;
  now.output.times = study.output.at(o);  // the same rows, whatever the steps
  now.output.step.reset();
  std::optional<Results> before;
  for (int run = 1;; ++run) {
    // Every further run has half of what is left, since nobody knows how many there will be.
    const double from = o.digits > 0 ? 1 - std::pow(0.5, run - 1) : 0,
                 to = o.digits > 0 ? 1 - std::pow(0.5, run) : 1;
    Results r = compute(now, part_of(progress, from, from + share * (to - from)));
    if (!r.outcome && before) {
      before->remarks.push_back(
          fmt::format("a motion with finer steps, for the digits that are asked for, does not "
                      "reach its end ({})",
                      r.outcome.word()));
      return std::move(*before);
    }
    if (!r.outcome) return r;
    estimate(now, r, part_of(progress, from + share * (to - from), to), compute);
    r.accuracy->wanted = o.digits;
    r.accuracy->runs = run;
    remark_open_forces(r);
    judge(o, r);
    const double steps = (o.end - o.start) / now.analysis.control.step.value_or(o.end - o.start);
    const bool can =
        r.accuracy->missing.empty() &&
        (StepSizes(now.analysis).adaptive ? now.analysis.control.rtol > finest_rtol : steps < most_steps);
    if (o.digits == 0 || r.accuracy->digits() >= o.digits || run == most_runs || !can) return r;
    now = finer(now, o.digits - r.accuracy->digits());
    before = std::move(r);
  }
}
}  // namespace mubody
