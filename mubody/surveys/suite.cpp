#include "mubody/surveys/suite.h"

#include <algorithm>
#include <cmath>

#include "mubody/math/finite.h"
#include "mubody/treatments/standard.h"

namespace mubody {
namespace {
/// Means of ratios are geometric: twice and half make one.
class GeometricMean {
 public:
  void add(double ratio) {
    if (!(ratio > 0) || !std::isfinite(ratio)) return;
    sum_ += std::log(ratio);
    ++count_;
  }
  double value() const { return count_ > 0 ? std::exp(sum_ / count_) : std::nan(""); }

 private:
  double sum_ = 0;
  int count_ = 0;
};

/// Errors below what the reference is known to count as that.
double error_of(const MethodRun& run, const Reference& reference) {
  const double least = reference.known ? reference.known->largest() : 0;
  return run.error ? std::max(run.error->largest(), least) : std::nan("");
}

int order_of(const Method& m) {
  const int own = m.analysis.treatment->order_of_steps();
  return own > 0 ? own : std::max(1, m.analysis.method()->order);
}

Rank rank_of(const Method& method, std::span<const Comparison> all) {
  Rank rank{.method = method};
  GeometricMean cpu, error, work;
  for (const Comparison& c : all) {
    const MethodRun *run = find_run(c, method), *standard = standard_run(c, method);
    if (!run) continue;
    ++rank.models;
    if (run->fate != MethodRun::passed) continue;
    ++rank.passed;
    const Statistics& s = run->statistics;
    keep_largest(rank.square, s.largest_square);
    keep_largest(rank.rate_square, s.largest_rate_square);
    if (s.energy_scale > 0) keep_largest(rank.energy, s.energy_residual / s.energy_scale);
    if (!standard || !standard->reached_end() || !run->relative) continue;
    const double ratio = error_of(*run, c.reference) / error_of(*standard, c.reference);
    cpu.add(*run->relative);
    error.add(ratio);
    work.add(*run->relative * std::pow(ratio, 1.0 / order_of(method)));
  }
  rank.cpu = cpu.value(), rank.error = error.value(), rank.work = work.value();
  return rank;
}
}  // namespace

const MethodRun* find_run(const Comparison& c, const Method& method) {
  const auto found =
      std::ranges::find_if(c.runs, [&](const MethodRun& run) { return run.method.label() == method.label(); });
  return found == c.runs.end() ? nullptr : &*found;
}

const MethodRun* standard_run(const Comparison& c, const Method& method) {
  const auto found = std::ranges::find_if(c.runs, [&](const MethodRun& run) {
    return run.method.treatment() == Standard::info.name && run.method.integrator() == method.integrator() &&
           run.method.steps() == method.steps();
  });
  return found == c.runs.end() ? nullptr : &*found;
}

std::vector<Rank> ranking(std::span<const Comparison> all) {
  std::vector<Rank> ranks;
  for (const Comparison& c : all)
    for (const MethodRun& run : c.runs) {
      const auto is_same = [&](const Rank& r) { return r.method.label() == run.method.label(); };
      if (std::ranges::none_of(ranks, is_same)) ranks.push_back(rank_of(run.method, all));
    }
  const auto work_of = [](const Rank& r) {
    return std::isfinite(r.work) ? r.work : std::numeric_limits<double>::infinity();
  };
  std::ranges::stable_sort(ranks, [&](const Rank& a, const Rank& b) {
    return std::pair(-a.passed, work_of(a)) < std::pair(-b.passed, work_of(b));
  });
  return ranks;
}
}  // namespace mubody
