// mubody sweep: a model at many points, on all cores or under mpirun, into a file that can be continued.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <future>
#include <iostream>
#include <limits>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.h"
#include "cli/limits.h"
#include "cli/run_model.h"
#include "cli/sampling.h"
#include "cli/sweep/device.h"
#include "cli/sweep/inputs.h"
#include "cli/sweep/rows.h"
#include "cli/team.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "mubody/analyses/run.h"
#include "mubody/model/version.h"
#include "mubody/sweep/in_lanes.h"
#include "mubody/sweep/rows_file.h"
#include "mubody/sweep/write_sweep.h"
#include "mubody/text/checksum.h"
#include "mubody/text/target.h"
#include "mubody/text/text_file.h"
#include "mubody/text/write_file.h"

namespace mubody::cli {
struct SweepOptions {
  std::string model, out, format = "text";
  std::vector<std::string> vary;    // key=lo:hi:n
  std::vector<std::string> sample;  // kind and number of points; a grid if empty
  std::uint64_t seed = 1;
  std::vector<std::string> keep;
  io::Settings settings;  // key=value
  std::optional<int> threads, lanes;
  std::string device = "cpu";
  bool fallback = false;
  Limits limits;       // of each point; of memory, of all together
  std::string report;  // a file
  bool resume = false, quiet = false, no_estimate = false, force = false;

  void declare(Options& o);
  /// Whether somebody sees more of the rows than how many there are.
  bool shows_columns() const { return !quiet || format != "text" || !report.empty(); }
};

namespace {
namespace fs = std::filesystem;

/// Puts the name of an option before the message about it.
template <class Work> auto with_option(const std::string& option, const Work& work) {
  try {
    return work();
  } catch (const std::invalid_argument& e) {
    throw UsageError(fmt::format("{}: {}", option, e.what()));
  } catch (const io::FileError& e) {
    throw UsageError(fmt::format("{}: {}", option, e.what()));
  }
}

SweepPlan plan_of(const SweepOptions& o, const io::ModelText& model, io::DataFiles& data) {
  const io::Quotes quotes = io::quotes_of(o.settings.untrusted);
  std::vector<SweptVariable> variables;
  for (const std::string& text : o.vary) {
    o.limits.renew_time();
    variables.push_back(with_option("--vary " + text, [&] { return read_variable(text, quotes); }));
    variables.back().key = model.full_key(variables.back().key);
    data = check_key(model, variables.back(), quotes);
  }
  return with_option("--vary", [&] { return SweepPlan(std::move(variables), sampling_of(o.sample, o.seed)); });
}

fs::path rows_path(const SweepOptions& o, const fs::path& model) {
  return o.out.empty() ? fs::path(model).replace_extension(".sweep.csv") : fs::path(o.out);
}

RowsHead head_of(const SweepOptions& o, const Sweep& sweep, const std::string& contents,
                 const io::DataFiles& data, const std::string& engine) {
  RowsHead head;
  std::string others;
  for (const std::string& setting : o.settings) others += "\n--set " + setting;
  head.kept = sweep.headers();
  for (const SweptVariable& v : sweep.plan.variables()) head.varied.push_back(v.header());
  others += fmt::format("\n{}\n{}", sweep.plan.text(), fmt::join(head.kept, "\n"));
  const std::uint64_t model = io::checksum(fmt::format("{}\n{}", version(), contents));
  head.hash = io::checksum(others, checksum_of(data, model));
  head.points = sweep.plan.size();
  head.engine = engine;
  return head;
}

Worker worker_of(const Sweep& sweep, const std::optional<LanePlan>& lanes,
                 const std::optional<DevicePlan>& device) {
  return [&](const NextPoint& next, const TakeRow& take) {
    const Progress going = [](double) { return interrupt_signal() == 0; };
    if (device) return work_on_device(sweep, *device, going, next, take);
    if (lanes) return work_in_lanes(sweep, *lanes, going, next, take);
    while (const auto index = next())
      if (const auto row = run_point(sweep, *index, going)) take(*row);
  };
}

/// As many threads as are asked for, or one per core; no more than there are points.
int threads_for(const SweepOptions& o, std::size_t points) {
  const auto wanted = std::size_t(o.threads.value_or(int(std::max(1U, std::thread::hardware_concurrency()))));
  return int(std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(points, 1)));
}

/// Hands out the points that are not done, and writes the rows, which are returned as they come.
std::vector<SweepRow> compute(const SweepOptions& o, const Team& team, const RowsHead& head,
                              const Worker& worker, RowsFile& file) {
  std::size_t next_index = 0;
  // Whoever asks for a point has handed over all rows of those before.
  const auto some = [&](std::size_t most) {
    file.flush();
    std::vector<std::size_t> indices;
    for (; indices.size() < most && next_index < head.points && interrupt_signal() == 0; ++next_index)
      if (!file.done()[next_index]) indices.push_back(next_index);
    return indices;
  };
  const NextPoint next(
      [&]() -> std::optional<std::size_t> {
        const std::vector<std::size_t> one = some(1);
        return one.empty() ? std::nullopt : std::optional(one.front());
      },
      some);
  ProgressBar bar(!o.quiet);
  const std::size_t before = file.count();
  const double to_do = double(head.points - before);
  std::vector<SweepRow> all;
  const TakeRow take = [&](const SweepRow& row) {
    file.add(row);
    all.push_back(o.shows_columns() ? row : without_numbers(row));
    all.back().line = {};
    if (row.outcome == SweepRow::failed)  // as it is read
      all.back().violation = all.back().energy = std::numeric_limits<double>::quiet_NaN();
    bar.show(double(file.count() - before) / to_do);
  };
  if (team.size() > 1)
    team.lead(worker, next, take, head.points - before, head.varied.size(), head.kept.size());
  else
    in_threads(threads_for(o, head.points - before), worker, next, take);
  file.flush();
  return all;
}

/// Everything that is known before the first point is run.
struct Setup {
  fs::path file, rows;  // the model; the file of rows, without links
  std::string name;     // name of the model
  std::optional<Sweep> sweep;
  std::optional<LanePlan> lanes;
  std::string no_lanes;  // why there are no lanes
  std::optional<DevicePlan> device;
  RowsHead head;
};

/// Checks before any run that all files can be written.  Returns the file of rows, without links.
fs::path check_outputs(const SweepOptions& o, const SweepPlan& plan, io::CommandFiles all,
                       const fs::path& rows) {
  if (io::is_stream(rows))
    throw UsageError(
        fmt::format("rows are added to a file one by one, and '{}' is none; choose another place with --out",
                    rows.string()));
  for (const SweptVariable& v : plan.variables())
    if (!v.together.empty()) all.inputs.push_back({"a list of points", v.together});
  all.outputs.push_back({"the rows", rows});
  if (!o.report.empty()) all.outputs.push_back({"the report", o.report});
  check_files(all);
  fs::path file;
  with_files([&] {
    io::check_target(rows, {"'mubody sweep'", is_rows_file}, {o.force});
    file = io::without_links(rows);
  });
  if (o.force) {
    all.outputs.push_back({"new rows until they are complete", part_of(file)});
    check_files(all);
  }
  if (!o.report.empty()) check_report(o.report, {o.force});
  return file;
}

Setup setup_of(const SweepOptions& o, int rank, int processes) {
  Setup s;
  s.file = model_file(o.model);
  const SweptModel swept = swept_model(s.file, o.settings);
  const io::ModelText& model = swept.text;
  io::DataFiles data;
  const SweepPlan plan = plan_of(o, model, data);
  s.rows = check_outputs(o, plan, files_of_model(s.file, data, o.settings), rows_path(o, s.file));
  o.limits.renew_time();
  try {
    const Results example = example_of(model, plan);
    s.name = example.model;
    s.sweep = Sweep{model, plan, with_option("--keep", [&] { return read_kept(o.keep, example); }),
                    o.limits.time, swept.tables};
  } catch (const ModelError& e) {
    throw ModelError(located(s.file, e.what()));
  }
  o.limits.renew_time();
  if (swept.tables)
    s.no_lanes = "from tables";
  else if (o.lanes.value_or(LaneBatch::width) != 0)
    s.lanes = plan_lanes(*s.sweep, s.no_lanes);
  else
    s.no_lanes = "--lanes 0";
  const DeviceChoice choice = of_process(device_choice(o.device), rank, processes);
  s.device = device_plan(choice, o.fallback, o.settings.untrusted, *s.sweep, s.lanes, s.no_lanes);
  if (s.device) s.device->callers = threads_for(o, s.sweep->plan.size());
  const std::string engine = s.device ? choice.engine() : s.lanes ? "lanes" : "one by one";
  s.head = head_of(o, *s.sweep, swept.contents, data, swept.tables ? engine + " from tables" : engine);
  return s;
}

/// Every process reads the model by itself; if one cannot, all stop and the first reports why.
Setup setup_of(const SweepOptions& o, const Team& team) {
  if (team.size() == 1) return setup_of(o, 0, 1);
  if (o.threads) throw UsageError("--threads is for one machine; under mpirun every process is one worker");
  Setup s;
  std::exception_ptr error;
  std::string why;
  try {
    s = setup_of(o, team.rank(), team.size());
    if (s.device) s.device->callers = 1;
  } catch (const std::exception& e) {
    error = std::current_exception();
    why = e.what();
  }
  const std::string trouble = team.first_trouble(why);
  if (error) std::rethrow_exception(error);
  if (!trouble.empty()) throw Hindrance("in another process: " + trouble);
  return s;
}

std::string page_of(const Setup& s, const std::vector<SweepRow>& rows, const SweepStatistics& statistics) {
  const std::string first = statistics.digits.empty() ? "" : "; at the first point " + statistics.digits;
  return sweep_html({s.name, s.file.filename().string(),
                     s.sweep->tables ? s.sweep->tables->model()->text : s.sweep->model.text(),
                     plan_line(s.sweep->plan) + first},
                    rows, statistics);
}

/// Computes the rows that are not there, and puts them where they belong once all are.  Returns all rows; `before` were there.
/// `computed` is called before the file is finished.
std::vector<SweepRow> collect(const SweepOptions& o, const Team& team, const RowsHead& head,
                              const Worker& worker, RowsPlace& place, std::size_t& before,
                              const std::function<void()>& computed) {
  // Another sweep may be writing to the file that this one is to replace.
  const io::Descriptor held = place.part == place.file ? io::Descriptor() : hold_rows(place.file);
  RowsFile rows(place.part, head, place.old);
  before = rows.count();
  std::vector<SweepRow> all = compute(o, team, head, worker, rows);
  computed();
  if (rows.count() == head.points && rows.move_to(place.file)) place.part = place.file;
  if (before > 0) return read_rows(place.part, head);
  return in_order(std::move(all));
}

std::string how_line(const Setup& s) {
  if (s.device)
    return fmt::format(
        "by {}{}", s.device->name,
        s.device->not_quick.empty() ? "" : fmt::format(" (every point is assembled: {})", s.device->not_quick));
  return s.lanes ? fmt::format("in {} lanes on each core", LaneBatch::width)
                 : fmt::format("one by one ({})", s.no_lanes);
}

void print_summary(const SweepOptions& o, const Setup& setup, const SweepStatistics& s, const fs::path& path,
                   std::size_t before, double seconds) {
  fmt::print("{}: {}\n", bold(setup.name), plan_line(setup.sweep->plan));
  if (before < s.done())
    fmt::print("  {} {} in {}: {:.4g} points per second\n", s.done() - before, how_line(setup),
               duration(seconds), double(s.done() - before) / seconds);
  fmt::print("  {} good, {} doubtful, {} failed{}{}\n", s.good, s.doubtful, s.failed,
             s.done() < s.points ? fmt::format(", {} to do", s.points - s.done()) : "",
             before > 0 ? fmt::format("; {} were there already", before) : "");
  fmt::print("{}", sweep_text(s, line_width()));
  if (s.done() > 0) fmt::print("rows in {}\n", shown(path));
  if (!o.report.empty()) fmt::print("report in {}\n", shown(o.report));
}

int code_of(const SweepStatistics& s) {
  if (s.done() < s.points) return interrupt_signal() == SIGTERM ? terminated : interrupted;
  return s.good + s.doubtful > 0 ? done : solver_failed;
}

void check(const SweepOptions& o) {
  if (o.threads && *o.threads < 1)
    throw UsageError(fmt::format("--threads must be positive, got {}", *o.threads));
  (void)device_choice(o.device);
  if (o.lanes && *o.lanes != 0 && *o.lanes != LaneBatch::width)
    throw UsageError(fmt::format("--lanes is 0 or {}, got {}", LaneBatch::width, *o.lanes));
}

int sweep(const SweepOptions& o) {
  check(o);
  const Stopwatch watch;
  const Team team;
  Setup setup;
  try {
    setup = setup_of(o, team);
  } catch (...) {
    if (team.leads()) throw;
    return failed;  // the leader reports it
  }
  begin_keeping();
  const RowsHead& head = setup.head;
  const Worker worker = worker_of(*setup.sweep, setup.lanes, setup.device);
  if (!team.leads()) {
    team.follow(worker, head.kept.size());
    return done;
  }

  RowsPlace place;
  std::size_t before = 0;
  std::vector<SweepRow> rows;
  std::future<void> device_is_back;
  with_files([&] {
    place = place_of(setup.rows, head, o.force, o.resume);
    rows = collect(o, team, head, worker, place, before, [&] { device_is_back = give_back(setup.device); });
  });
  const fs::path& path = place.part;
  SweepStatistics statistics = o.shows_columns() ? statistics_of(rows, head.points, head.varied, head.kept)
                                                 : statistics_of(rows, head.points, {}, {});
  if (!o.no_estimate && statistics.done() == statistics.points && rows.front().outcome != SweepRow::failed)
    statistics.digits = digits_of_first_point(*setup.sweep, [](double) { return interrupt_signal() == 0; });
  if (!o.report.empty()) write_page(o.report, page_of(setup, rows, statistics));
  if (o.format == "json")
    std::cout << sweep_json(statistics, setup.name, path.string());
  else if (!o.quiet)
    print_summary(o, setup, statistics, path, before, watch.seconds());
  flush_stdout();
  const int code = code_of(statistics);
  if (code == interrupted || code == terminated)
    complain(fmt::format("interrupted: {} of {} points are done; continue with --resume{}", statistics.done(),
                         head.points,
                         path == place.file ? ""
                                            : fmt::format(" --force. They are in '{}'; '{}' is as it was",
                                                          path.string(), place.file.string())));
  if (code == solver_failed)
    complain(fmt::format("all {} points failed; the first: {}", head.points, rows.front().message));
  return code;
}
}  // namespace

void SweepOptions::declare(Options& o) {
  o.model(model);
  o.group("What to run");
  o.add({.name = "--vary",
         .value = "KEY=VALUES",
         .required = true,
         .lack = "nothing varies: add --vary key=lo:hi:n",
         .meaning =
             R"(what varies; may be repeated. KEY is any number of the model, with dots, as in
            bodies.crank.mass or analysis.rtol; gravity.1 is an entry of an array, counted from 0; a
            parameter may be given by its name alone. VALUES is one of those above)"},
        vary);
  o.add({.name = "--sample",
         .value = "KIND N",
         .known =
             [] {
               return std::vector<std::string>{"lhs", "random"};
             },
         .words = 2,
         .meaning =
             R"(lhs N: a Latin hypercube of N points in place of the grid, where any value of a list is as
            likely; random N: N points drawn independently, Monte Carlo)"},
        sample);
  o.add({.name = "--seed",
         .value = "N",
         .meaning = "seed of the sample; 1 if not given. The same seed gives the same points everywhere"},
        seed);
  o.settings(settings);
  o.group("What to keep");
  o.add({.name = "--keep",
         .value = "LIST",
         .list = true,
         .meaning =
             R"(what is kept of each run, separated by commas: crank.angle, the last value; crank.angle@2.5,
            the value at a time; max(crank.omega) or min(crank.omega), the largest or smallest of all
            results and its time. Stars stand for any characters: "crank.*". If not given, the channels that
            [output] lists, or the positions of all bodies, at the end)"},
        keep);
  o.add({.name = "--out",
         .letter = 'o',
         .value = "FILE",
         .proposes = Proposes::files,
         .meaning = "the file of rows; MODEL with the ending .sweep.csv if not given"},
        out);
  o.add({.name = "--resume", .meaning = "continues FILE; starts anew if there is none"}, resume);
  o.add(
      {.name = "--force",
       .meaning =
           R"(replaces FILE if it is there, whatever it is, but never the model. It stays as it is until all rows are
            complete, which are collected in FILE.part; --resume --force continues that)"},
      force);
  o.add({.name = "--report",
         .value = "FILE",
         .proposes = Proposes::files,
         .meaning = "also a page with parallel coordinates, scatter plots and statistics"},
        report);
  o.estimate(no_estimate);
  o.format(format, {"text", "json"}, "statistics of the columns on stdout: for people, or for programs");
  o.quiet(quiet, "no statistics and no progress bar; only errors");
  o.group("How to run it");
  o.add({.name = "--threads",
         .letter = 'j',
         .value = "N",
         .meaning = "how many points are run at once; one per core if not given"},
        threads);
  o.add({.name = "--lanes",
         .value = "N",
         .meaning =
             R"(0: every point is run by itself. If not given, or 32, small mechanisms are run 32 at once on
            each core where that is possible)"},
        lanes);
  o.add(
      {.name = "--device",
       .value = "NAME",
       .known =
           [] {
             return std::vector<std::string>{"cpu", "compiled", "cuda", "auto"};
           },
       .meaning =
           R"(where points are run: cpu, or on a graphics processor by cuda, cuda:K for that of number K; auto takes
            one if there is any. compiled is the same code on the cores of this machine)"},
      device);
  o.add(
      {.name = "--fallback",
       .meaning =
           R"(what the device cannot run goes to the cores of this machine; without it such a model is refused, and
            such points fail)"},
      fallback);
  o.limits(limits,
           "It holds for every point: one that takes longer gets a row with the reason, and the others "
           "go on");
}

Verb sweep_verb() {
  return Verb::of(
      sweep,
      {.name = "sweep",
       .shelf = Shelf::everyday,
       .sentence = "run a model many times with other numbers, on all cores or under mpirun",
       .description =
           {R"(Runs MODEL at every point of a grid, or of a sample, and writes one row per point: what
            varied, what is kept, and how the run went. A point that cannot be run, or fails, gets a row
            with the reason, and the others go on.)",
            "What varies is --vary KEY=VALUES, where VALUES is one of",
            Terms{{"lo:hi:n", "n values from lo to hi"},
                  {"lo:hi:n:log", "the same with equal ratios"},
                  {"1,2,5", "these"},
                  {"@file.csv[:column]", "those of a column; columns of one file go along row by row"},
                  {"uniform(lo, hi), lo:hi", R"manual(and other distributions, with --sample: loguniform(lo,
            hi), normal(mean, sd[, lo, hi]), lognormal(mean, sd) of the logarithm, triangular(lo, mode, hi),
            exponential(mean), weibull(scale, shape))manual"}},
            "Numbers may have a unit: --vary crank_angle=\"30 deg:90 deg:7\".",
            R"(Rows are written as points are done. A sweep that was stopped, by Ctrl-C or by force,
            continues with --resume where it was: no row is lost and no point is done twice. The rows do not
            depend on how many threads or processes there are, nor on interruptions, but for their order.)",
            R"(Under mpirun the same command spreads over processes, on one machine or many that share the
            folder of the model; the first process hands out points and writes the file.)"},
       .exits = {{done, "done, whatever became of single points"},
                 {failed, "a file that cannot be written, or an internal error"},
                 {wrong_input, "wrong usage, the model is invalid, or what varies is not in it"},
                 {solver_failed,
                  "every point failed, or the limit of CPU time was reached before the first one began"},
                 {interrupted, "interrupted by Ctrl-C; --resume continues"},
                 {terminated, "ended by SIGTERM; --resume continues"}},
       .examples = {
           "mubody sweep examples/four_bar --vary a=1.8:2.2:9 --vary crank_angle=\"30 deg:90 deg:13\" \\\n"
           "    --keep \"max(crank.omega),tip.x@5\" -o four_bar.csv --report four_bar.html",
           "mubody sweep four_bar.toml --vary bodies.crank.mass=\"normal(1, 0.05)\" \\\n"
           "    --vary gravity.1=-9.83:-9.78 --sample lhs 10000 --seed 7",
           "mubody sweep four_bar.toml --vary b=3.8:4.2 --sample random 1e5 --resume",
           "mubody sweep four_bar.toml --vary b=3.8:4.2 --sample lhs 1e6 --device auto",
           "mpirun -n 64 mubody sweep four_bar.toml --vary b=3.8:4.2 --sample lhs 1e6 --resume"}});
}
}  // namespace mubody::cli
