#include "benchmarks/problems/measure.h"

#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <sys/resource.h>

#include "benchmarks/problems/clock.h"
#include "mubody/analyses/run.h"
#include "mubody/code/emit_model.h"
#include "mubody/compiled/shared_code.h"
#include "mubody/simulation/begin.h"
#include "mubody/system/dynamics.h"

namespace mubody::bench {
namespace {
/// The equations of motion, evaluated and solved again and again next to the start.
class RightHandSide {
 public:
  explicit RightHandSide(const Study& study)
      : begun_(begin(study, "bench")), formulated_(formulate(study, begun_)),
        dynamics_(formulated_.system(), begun_.results.freedom.always_redundant()), q_(formulated_.q) {}
  void operator()(long times) {
    for (long k = 0; k < times; ++k) {
      q_[q_.size() > 2 ? 2 : 0] += nudge;
      dynamics_.evaluate(0, q_, formulated_.u);
      dynamics_.solve(dynamics_.terms.Q, dynamics_.terms.gamma);
    }
  }

 private:
  Begun begun_;
  Formulated formulated_;
  Dynamics dynamics_;
  VecX q_;
};

/// A run of 100 rows, without the estimate of its error, which is a run of its own; divided by its right-hand sides [s].
double whole_run(Study study, bool extremes, Results& r) {
  study.analysis.extremes = extremes;
  study.output.times.clear();
  study.output.step = (study.analysis.end - study.analysis.start) / 100;
  const double took = seconds_of([&] { r = run(study); });
  return took / double(std::max(r.statistics.evaluations, 1L));
}

/// The same as generated code.
class GeneratedSide {
 public:
  explicit GeneratedSide(const Study& study) : GeneratedSide(emit_model(study, {.name = "m", .steps = 0})) {}
  void operator()(long times) {
    for (long k = 0; k < times; ++k) {
      x_[3] += nudge;
      rates_(x_.data(), dy_.data());
    }
  }

 private:
  explicit GeneratedSide(const EmittedModel& c)
      : x_(c.start), dy_(x_.size()), code_(c.in_one()),
        rates_(code_.function<int(const double*, double*)>("m_rates")) {}

  std::vector<double> x_, dy_;
  io::SharedCode code_;
  int (*rates_)(const double*, double*);
};

template <class Side> std::function<void(long)> repeated(const Study& study) {
  return [side = std::make_shared<Side>(study)](long times) { (*side)(times); };
}

double memory_so_far() {
  rusage r{};
  getrusage(RUSAGE_SELF, &r);
  return double(r.ru_maxrss) / 1024;
}

std::string in_ns(const Times& t) { return t.most > 0 ? fmt::format("{:.1f}", 1e9 * t.least) : ""; }
/// How much slower the slowest repetition is than the fastest [%].
std::string spread(const Times& t) {
  return t.most > 0 ? fmt::format("{:.0f}", 100 * (t.most / t.least - 1)) : "";
}
std::string per_part(const Measured& m) {
  return m.part.empty() ? "" : fmt::format("{:.2f} per {}", m.ratio() / m.parts, m.part);
}
}  // namespace

Measured measure(const Problem& p, double seconds, int repetitions) {
  Measured m;
  m.id = p.id, m.name = p.name, m.yardstick_name = p.yardstick.name, m.part = p.part, m.parts = p.parts;
  m.error_of = p.error_of;
  const Study study = p.study();
  const std::function<void(long)> right_hand_side =
      p.generated ? repeated<GeneratedSide>(study) : repeated<RightHandSide>(study);
  const long by_hand = enough(p.yardstick.evaluate, seconds), ours = enough(right_hand_side, seconds);
  for (int k = 0; k < repetitions; ++k) {
    m.yardstick.add(seconds_of([&] { p.yardstick.evaluate(by_hand); }) / double(by_hand));
    m.right_hand_side.add(seconds_of([&] { right_hand_side(ours); }) / double(ours));
  }
  for (int k = 0; p.runs && k < std::min(repetitions, p.repetitions); ++k) {
    Results r;
    m.with_extremes.add(whole_run(study, true, r));
    m.run.add(whole_run(study, false, r));
    m.yardstick.add(seconds_of([&] { p.yardstick.evaluate(by_hand); }) / double(by_hand));
    m.right_hand_side.add(seconds_of([&] { right_hand_side(ours); }) / double(ours));
    m.evaluations = r.statistics.evaluations;
    m.error = p.error(r);
    m.trusted = r.trusted;
    m.verdict = r.verdict;
  }
  m.memory = memory_so_far();
  return m;
}

double growth(const std::vector<Measured>& all, const std::string& id) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const Measured& m : all) {
    if (m.id != id || m.evaluations > 0) continue;
    const double parts = std::log(m.parts), cost = std::log(m.right_hand_side.least);
    ++n, x += parts, y += cost, xx += parts * parts, xy += parts * cost;
  }
  return n > 1 ? (n * xy - x * y) / (n * xx - x * x) : std::numeric_limits<double>::quiet_NaN();
}

std::string as_text(const std::vector<Measured>& all) {
  std::string text =
      fmt::format("{:<3} {:<40} {:>9} {:>9} {:>9} {:>8} {:>8} {:>7} {:>7} {:>9}  {:<12} {}\n", "", "problem",
                  "by hand", "rhs", "in a run", "ratio", "in run", "whole", "with", "rhs", "error", "of");
  text += fmt::format("{:<3} {:<40} {:>9} {:>9} {:>9} {:>8} {:>8} {:>7} {:>7} {:>9}\n", "", "", "[ns]", "[ns]",
                      "[ns]", "", "", "run/rhs", "extr.", "number");
  for (const Measured& m : all) {
    text += fmt::format("{:<3} {:<40} {:>9} {:>9} {:>9} {:>8.2f} {:>8} {:>7} {:>7} {:>9}  {:<12} {}\n", m.id,
                        m.name, in_ns(m.yardstick), in_ns(m.right_hand_side), in_ns(m.run), m.ratio(),
                        m.evaluations > 0 ? fmt::format("{:.2f}", m.ratio_of_run()) : "",
                        m.evaluations > 0 ? fmt::format("{:.2f}", m.whole()) : "",
                        m.evaluations > 0 ? fmt::format("{:.2f}", m.whole_with_extremes()) : "",
                        m.evaluations > 0 ? fmt::format("{}", m.evaluations) : "",
                        m.evaluations > 0 ? fmt::format("{:.1e}", m.error) : "", m.error_of);
    const std::string part = per_part(m);
    text += fmt::format("    ratio to the {}{}; slowest above fastest: {} % by hand, {} % rhs{}\n",
                        m.yardstick_name, part.empty() ? "" : ", " + part, spread(m.yardstick),
                        spread(m.right_hand_side),
                        m.evaluations > 0 ? fmt::format(", {} % run", spread(m.run))
                                          : fmt::format("; {:.0f} MB of memory at most", m.memory));
    if (m.evaluations > 0 && !m.trusted) text += fmt::format("    NOT TRUSTED: {}\n", m.verdict);
  }
  for (const char* id : {"P2", "P3"})
    if (const double exponent = growth(all, id); std::isfinite(exponent))
      text +=
          fmt::format("{} cost of a right-hand side grows with the power {:.3f} of the size\n", id, exponent);
  return text;
}

std::string as_csv(const std::vector<Measured>& all) {
  std::string text(csv_start);
  text +=
      "by_hand_slowest[ns],rhs[ns],rhs_slowest[ns],run_per_rhs[ns],"
      "run_per_rhs_slowest[ns],ratio[1],ratio_in_run[1],run_by_rhs[1],run_with_extremes_by_rhs[1],parts[1],rhs_"
      "in_run[1],error,error_of,trusted,memory["
      "MB]\n";
  for (const Measured& m : all)
    text += fmt::format(
        "{},{},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{},{},{:.6g},{},{},{:."
        "1f}\n",
        m.id, m.name, m.yardstick_name, 1e9 * m.yardstick.least, 1e9 * m.yardstick.most,
        1e9 * m.right_hand_side.least, 1e9 * m.right_hand_side.most, m.evaluations > 0 ? 1e9 * m.run.least : 0,
        1e9 * m.run.most, m.ratio(), m.evaluations > 0 ? m.ratio_of_run() : 0,
        m.evaluations > 0 ? m.whole() : 0, m.evaluations > 0 ? m.whole_with_extremes() : 0, m.parts,
        m.evaluations, m.error, m.error_of, m.trusted ? 1 : 0, m.memory);
  return text;
}

std::string as_page(const std::vector<Measured>& all) {
  std::string rows;
  double largest = 1;
  for (const Measured& m : all) largest = std::max(largest, m.ratio() / m.parts);
  for (const Measured& m : all) {
    const double ratio = m.ratio() / m.parts;
    rows += fmt::format(
        "<tr><td>{}</td><td>{}<br><small>{}</small></td><td>{:.1f}</td><td>{:.1f}</td><td>{:.2f}<div class=bar "
        "style='width:{:.0f}%'></div></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
        m.id, m.name, m.yardstick_name, 1e9 * m.yardstick.least, 1e9 * m.right_hand_side.least, ratio,
        100 * ratio / largest, m.evaluations > 0 ? fmt::format("{:.2f}", m.ratio_of_run() / m.parts) : "–",
        m.evaluations > 0 ? fmt::format("{:.2f}", m.whole()) : "–",
        m.evaluations > 0 ? fmt::format("{:.1e}", m.error) : "–", m.error_of);
  }
  return fmt::format(
      R"(<!doctype html><html lang=en><meta charset=utf-8><meta name="generator" content="mubody"><meta name=viewport content="width=device-width">
<title>mubody: benchmarks</title><style>
body{{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:64rem;padding:0 1rem;color:#222;background:#fff}}
table{{border-collapse:collapse;width:100%}}td,th{{padding:.35rem .6rem;text-align:left;border-bottom:1px solid #ccc}}
.bar{{height:.4rem;background:#2a78c2}}small{{opacity:.7}}
@media(prefers-color-scheme:dark){{body{{color:#ddd;background:#181a1d}}td,th{{border-color:#444}}}}
</style><h1>What a right-hand side costs</h1>
<p>Fastest of several repetitions; ratios to something written by hand for the mechanism, compiled in the same program and
measured in turns with it; per body or window where there are many.</p>
<table><tr><th></th><th>problem</th><th>by hand [ns]</th><th>right-hand side [ns]</th><th>ratio</th>
<th>in a whole run</th><th>run by its right-hand sides</th><th>error</th><th>of</th></tr>
{}</table></html>
)",
      rows);
}
}  // namespace mubody::bench
