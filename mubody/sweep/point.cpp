#include "mubody/sweep/point.h"

#include <algorithm>
#include <cmath>
#include <new>

#include <fmt/format.h>

#include "mubody/analyses/run.h"

namespace mubody {
namespace {
/// Output times, together with more of them.
std::vector<double> with_times(std::vector<double> times, const std::vector<double>& more) {
  times.insert(times.end(), more.begin(), more.end());
  std::ranges::sort(times);
  const auto close = [](double a, double b) { return b - a <= 1e-12 * std::max(1.0, std::abs(b)); };
  times.erase(std::unique(times.begin(), times.end(), close), times.end());
  return times;
}
}  // namespace

Study Sweep::study(const std::vector<double>& point) const {
  Study s = model.with(plan.settings(point));
  s.analysis.extremes = false;  // numbers are kept from rows
  if (limit) s.analysis.patience.limit = limit;
  const std::vector<double> wanted = times_of(kept);
  if (wanted.empty() || !s.analysis.type->facts().moves()) return s;
  for (const double t : wanted)
    if (t < s.analysis.start || t > s.analysis.end)
      throw ModelError(fmt::format("t = {} s is to be kept, but the analysis goes from {} s to {} s", t,
                                   s.analysis.start, s.analysis.end));
  s.output.times = with_times(s.output.at(s.analysis), wanted);
  s.output.step.reset();
  return s;
}

Results Sweep::run(const Study& s, const Progress& progress) const {
  return tables ? tables->run(s, progress) : mubody::run(s, progress);
}

std::vector<std::string> Sweep::headers() const {
  std::vector<std::string> all;
  for (const Kept& k : kept)
    for (std::string& name : k.headers()) all.push_back(std::move(name));
  return all;
}

SweepRow failed_row(std::size_t index, std::vector<double> point, std::string message) {
  SweepRow row;
  row.index = index;
  row.values = std::move(point);
  row.outcome = SweepRow::failed;
  row.message = std::move(message);
  return row;
}

SweepRow too_large_row(std::size_t index, std::vector<double> point) {
  SweepRow row =
      failed_row(index, std::move(point),
                 "there is not enough memory for this point; ask for fewer results (output.step), or "
                 "raise --memory-limit");
  row.out_of_memory = true;
  return row;
}

SweepRow row_of_run(const Sweep& sweep, std::size_t index, std::vector<double> point, const Results& r) {
  if (!r.outcome) return failed_row(index, std::move(point), r.outcome.why);
  SweepRow row;
  row.index = index;
  row.values = std::move(point);
  row.kept = take(sweep.kept, r);
  row.violation = r.statistics.largest_violation;
  row.energy = r.statistics.energy_residual;
  row.outcome = r.trusted ? SweepRow::good : SweepRow::doubtful;
  if (!r.trusted) row.message = r.verdict;
  return row;
}

std::optional<SweepRow> run_point(const Sweep& sweep, std::size_t index, const Progress& progress) {
  std::vector<double> point = sweep.plan.point(index);
  try {
    const Results r = sweep.run(sweep.study(point), progress);
    if (r.outcome.kind == Outcome::interrupted) return {};
    return row_of_run(sweep, index, std::move(point), r);
  } catch (const ModelError& e) {
    return failed_row(index, std::move(point), e.what());
  } catch (const std::bad_alloc&) {
    return too_large_row(index, std::move(point));
  }
}

std::string digits_of_first_point(const Sweep& sweep, const Progress& progress) {
  try {
    Study s = sweep.study(sweep.plan.point(0));
    s.analysis.estimate_usual = true;
    const Results r = sweep.run(s, progress);
    return r.accuracy ? r.accuracy->in_words() : "";
  } catch (const ModelError&) {
    return {};  // the row of the point says why
  } catch (const std::bad_alloc&) {
    return {};  // two motions take more than one
  }
}

Results example_of(const io::ModelText& model, const SweepPlan& plan) {
  constexpr std::size_t tries = 64;
  const auto short_run = [&](const std::vector<std::string>& settings) {
    Study s = model.with(settings);
    if (s.analysis.type->facts().moves()) {
      s.analysis.end = s.analysis.start;
      s.output.times = {s.analysis.start};
      s.output.step.reset();
    }
    return run(s);
  };
  // The unchanged model is tried first, then points from all over the sweep, until one can be assembled.
  std::string why;
  const std::size_t most = std::min(tries, plan.size());
  for (std::size_t k = 0; k <= most; ++k) {
    try {
      Results r = short_run(k == 0 ? std::vector<std::string>{}
                                   : plan.settings(plan.point((k - 1) * plan.size() / most)));
      if (r.outcome) return r;
      if (why.empty()) why = r.outcome.why;
    } catch (const ModelError& e) {
      if (why.empty()) why = e.what();
    }
  }
  throw ModelError(why);
}
}  // namespace mubody
