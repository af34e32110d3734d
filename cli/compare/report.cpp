#include "cli/compare/report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cli/elements.h"
#include "cli/terminal.h"
#include "mubody/model/escape.h"
#include "mubody/text/write_aligned.h"

namespace mubody::cli {
namespace {
std::string small(double x) { return std::isfinite(x) ? fmt::format("{:.1e}", x) : "-"; }
std::string ratio(const std::optional<double>& x) {
  if (!x) return "-";
  return fmt::format("{:.{}f}", *x, *x < 10 ? 2 : *x < 100 ? 1 : 0);
}

/// Whether the runs differ in something, which is then worth a column.
template <class Of> bool differ(const std::vector<MethodRun>& runs, const Of& of) {
  return std::ranges::any_of(runs, [&](const MethodRun& r) { return of(r.method) != of(runs.front().method); });
}
bool integrators_differ(const Comparison& c) {
  return differ(c.runs, [](const Method& m) { return m.integrator(); });
}
bool steps_differ(const Comparison& c) {
  return differ(c.runs, [](const Method& m) { return m.steps(); });
}
bool has_baseline(const Comparison& c) {
  return std::ranges::any_of(c.runs, [](const MethodRun& r) { return r.relative.has_value(); });
}

std::string name_of(const Comparison& c, const Method& m) {
  std::string name = m.treatment();
  if (integrators_differ(c)) name += ", " + m.integrator();
  if (steps_differ(c)) name += ", " + m.steps();
  return name;
}

std::string heading(const Comparison& c) {
  std::string text = fmt::format("{}: {} from {:.6g} s to {:.6g} s", bold(c.model),
                                 counted(c.runs.size(), "run", "runs"), c.start, c.end);
  const Method& first = c.runs.front().method;
  if (!integrators_differ(c)) text += ", " + first.integrator();
  if (!steps_differ(c)) text += ", " + first.steps();
  return text + '\n';
}

std::string accuracy(const PositionError& e) {
  std::vector<std::string> parts;
  if (e.length > 0 || e.angle == 0) parts.push_back(small(e.length) + " m");
  if (e.angle > 0) parts.push_back(small(e.angle) + " rad");
  return fmt::format("{}", fmt::join(parts, " and "));
}

std::string reference_line(const Reference& r) {
  std::string text = "reference: " + for_terminal(r.source);
  if (!r)
    text += "; it failed, so there are no errors: " + r.missing;
  else if (r.known)
    text += fmt::format("; known to {}, by which it differs from {}", accuracy(*r.known), r.looser);
  if (!r.doubt.empty()) text += "; " + r.doubt;
  return io::wrapped_text(text, line_width(), "  ") + '\n';
}

io::TextRow figures(const MethodRun& run, bool relative) {
  if (!run.ran()) return io::TextRow(13, "-");
  const Statistics& s = run.statistics;
  return {small(s.largest_violation),
          small(s.mean_violation),
          small(s.largest_square),
          small(s.largest_rate),
          small(s.mean_rate),
          small(s.largest_rate_square),
          small(s.energy_residual),
          s.corrected_energy_size > 0 ? fmt::format("{:+.1e}", s.corrected_energy) : "-",
          run.error ? small(run.error->largest()) : "-",
          run.error ? small(run.error->at_end()) : "-",
          fmt::format("{}", s.evaluations),
          fmt::format("{}", s.corrections + s.iterations),
          relative     ? ratio(run.relative)
          : run.cost() ? small(*run.cost())
                       : "-"};
}

/// "passed", "diverged at 2.17 s".
std::string ending(const Comparison& c, const MethodRun& run) {
  const std::string word(run.word());
  return run.reached_end() || !run.ran() ? word : fmt::format("{} at {:.3g} s", word, c.start + run.simulated);
}

std::string table(const Comparison& c) {
  const bool relative = has_baseline(c);
  std::vector<io::TextRow> rows{
      {"treatment", "max |Φ|", "mean |Φ|", "max ΦᵀΦ", "max |Φ̇|", "mean |Φ̇|", "max Φ̇ᵀΦ̇", "energy", "put in",
       "error", "at end", "rhs", "Newton", "CPU", "outcome"},
      {"", "[m|rad]", "[m|rad]", "", "[m|rad/s]", "[m|rad/s]", "", "[J]", "[J]", "[m|rad]", "[m|rad]", "", "",
       relative ? "[std.]" : "[s/s]", ""}};
  const auto widen = [](io::TextRow& row, const Comparison& all, const std::string& integrator,
                        const std::string& steps) {
    if (steps_differ(all)) row.insert(row.begin() + 1, steps);
    if (integrators_differ(all)) row.insert(row.begin() + 1, integrator);
  };
  widen(rows[0], c, "integrator", "steps");
  widen(rows[1], c, "", "");
  for (const MethodRun& run : c.runs) {
    io::TextRow row = figures(run, relative);
    row.insert(row.begin(), run.method.treatment());
    row.push_back(ending(c, run));
    widen(row, c, run.method.integrator(), run.method.steps());
    rows.push_back(std::move(row));
  }
  return io::aligned(rows, 2);
}

std::string legend(const Comparison& c) {
  std::string text =
      "max and mean over all steps and the whole time; put in: what corrections of states added to the energy "
      "in sum;";
  if (c.reference)
    text +=
        " error: largest distance from the reference, in a coordinate [m] or in an angle [rad], over all "
        "output "
        "times and at the end;";
  text +=
      " rhs: evaluations of the accelerations; Newton: corrections of positions and iterations of implicit "
      "methods; CPU: per simulated second";
  if (has_baseline(c)) text += ", in that of standard multipliers with the same integrator and steps";
  return io::wrapped_text(text, line_width()) + '\n';
}

std::string reasons(const Comparison& c) {
  std::string text;
  const auto add = [&](const std::string& line) {
    text += "  " + io::wrapped_text(line, line_width() - 2, "    ") + '\n';
  };
  for (const MethodRun& run : c.runs) {
    // Some reasons already begin with the outcome.
    const std::string word(run.word()), stated = run.why.starts_with(word + ": ") ? "" : word + ": ";
    if (!run.why.empty()) add(fmt::format("{}: {}{}", name_of(c, run.method), stated, run.why));
  }
  for (const std::string& remark : c.remarks) add(remark);
  return text;
}
}  // namespace

std::string progress_line(const MethodRun& run, std::size_t number, std::size_t count,
                          const std::string& before) {
  return fmt::format("[{:>{}}/{}] {}{}: {}{}", number, std::to_string(count).size(), count, before,
                     run.method.label(), run.word(), run.ran() ? " after " + duration(run.cpu) : "");
}

std::string comparison_text(const Comparison& c) {
  const std::string why = reasons(c);
  return heading(c) + reference_line(c.reference) + '\n' + table(c) + '\n' + legend(c) +
         (why.empty() ? "" : '\n' + why);
}
}  // namespace mubody::cli
