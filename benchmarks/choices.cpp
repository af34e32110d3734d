// What `auto` takes beside explicit and implicit steps alone: a table, in the form of docs/performance.md.
//
//   mubody_choices [WORD ...]     the examples with a forward motion, and P1 to P12; those alone whose names have one of the
//                                 words
//
// Whole runs without the estimate of their error, in seconds of the processor, in turns, and the least of some.  Who takes more
// than a share above what `auto` took is given up: how much longer it takes does not matter.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "benchmarks/problems/clock.h"
#include "benchmarks/problems/problems.h"
#include "benchmarks/problems/whole_runs.h"
#include "mubody/analyses/run.h"
#include "mubody/model/errors.h"
#include "mubody/reading/read_model.h"

namespace mubody::bench {
namespace {
namespace fs = std::filesystem;
constexpr double given_up = 1.6;  // times what `auto` took
constexpr int most_turns = 5;
constexpr double enough_seconds = 4;  // of all turns of one motion

struct Motion {
  std::string name;
  std::function<Study()> study;
};

struct Way {
  const char* integrator;
  double seconds = std::numeric_limits<double>::infinity();
  long evaluations = 0;
  bool ends = true, was_implicit = false;
  std::string why{};  // it did not end
};

std::vector<Motion> motions() {
  std::vector<Motion> all;
  const fs::path examples = MUBODY_SOURCE_DIR "/examples";
  for (const auto& entry : fs::recursive_directory_iterator(examples)) {
    const fs::path& p = entry.path();
    if (p.extension() != ".toml") continue;
    const fs::path in = fs::relative(p, examples);
    const fs::path name = p.stem() == "model" ? in.parent_path() : in.parent_path() / p.stem();
    all.push_back({name.string(), [file = p.string()] { return io::read_study(file); }});
  }
  std::ranges::sort(all, {}, &Motion::name);
  for (const Problem& p : problems())
    if (p.runs) all.push_back({p.id + " " + p.name, p.study});
  for (const WholeRun& w : whole_runs()) all.push_back({w.id + " " + w.name, w.study});
  return all;
}

/// Whether there is a choice: a treatment may step by itself, and not every analysis moves anything.
bool has_choice(const Study& s) {
  return s.analysis.type->facts().integrates && s.analysis.treatment->order_of_steps() == 0;
}

void take(Way& way, Study study, std::optional<double> limit) {
  AnalysisOptions& o = study.analysis;
  o.integrator = way.integrator;
  o.estimate = o.estimate_usual = false;
  o.compiled = false;
  o.patience = {};
  o.patience.limit = limit, o.patience.clock = processor_time;
  try {
    Results r;
    const double took = seconds_of([&] { r = run(study); });
    way.ends = way.ends && bool(r.outcome);
    if (!r.outcome) way.why = r.outcome.why;
    if (r.outcome || r.outcome.kind == Outcome::out_of_time) way.seconds = std::min(way.seconds, took);
    way.evaluations = r.statistics.evaluations;
    for (const std::string& remark : r.remarks)
      way.was_implicit = way.was_implicit || remark.find("took over from") != std::string::npos;
  } catch (const ModelError& e) {
    way.ends = false, way.why = e.what();
  }
}

std::string in_seconds(const Way& w) {
  return std::isfinite(w.seconds) ? fmt::format("{:.4f}{}", w.seconds, w.ends ? "" : "+") : "no";
}

/// A row of the table; what `auto` takes by the better of the two others.
double compare(const Motion& m) {
  const Study study = m.study();
  Way chosen{"auto"}, by_explicit{"dormand-prince"}, by_implicit{"radau"};
  double spent = 0;
  for (int k = 0; k < most_turns && (k == 0 || spent < enough_seconds); ++k) {
    const double before = processor_time();
    take(chosen, study, {});
    const double limit = std::max(given_up * chosen.seconds, 0.01);
    for (Way* w : {&by_explicit, &by_implicit})
      if (w->ends) take(*w, study, limit);
    spent += processor_time() - before;
  }
  const double better = std::min(by_explicit.seconds, by_implicit.seconds), ratio = chosen.seconds / better;
  fmt::print("| {} | {} | {} | {} | {:.2f} | {} | {} {} {} |{}\n", m.name, in_seconds(chosen),
             in_seconds(by_explicit), in_seconds(by_implicit), ratio, chosen.was_implicit ? "yes" : "",
             chosen.evaluations, by_explicit.evaluations, by_implicit.evaluations,
             chosen.ends ? "" : " " + chosen.why);
  std::fflush(stdout);
  return ratio;
}

int table(const std::vector<std::string>& words) {
  const auto is_wanted = [&](const std::string& name) {
    return words.empty() ||
           std::ranges::any_of(words, [&](const std::string& w) { return name.find(w) != std::string::npos; });
  };
  fmt::print(
      "| | auto | explicit | implicit | auto by the better one | chose implicit steps | right-hand sides |\n"
      "|---|---|---|---|---|---|---|\n");
  double worst = 0;
  std::string worst_name;
  for (const Motion& m : motions()) {
    if (!is_wanted(m.name)) continue;
    try {
      if (!has_choice(m.study())) continue;
      if (const double ratio = compare(m); ratio > worst) worst = ratio, worst_name = m.name;
    } catch (const ModelError& e) {
      fmt::print(stderr, "{} is left out: {}\n", m.name, e.what());
    }
  }
  fmt::print("\nat most {:.2f}: {}\n", worst, worst_name);
  return 0;
}
}  // namespace
}  // namespace mubody::bench

int main(int count, char** words) { return mubody::bench::table({words + 1, words + count}); }
