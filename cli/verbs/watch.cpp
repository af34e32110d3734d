// mubody watch: a page in the browser that follows a model while it is edited.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <thread>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/limits.h"
#include "cli/run_model.h"
#include "cli/serve/page_server.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "mubody/analyses/run.h"
#include "mubody/report/report_page.h"
#include "mubody/report/write_report.h"
#include "mubody/text/json.h"
#include "mubody/text/text_file.h"

namespace mubody::cli {
struct WatchOptions {
  std::string model;
  io::Settings settings;
  int port = 0;
  bool no_estimate = false, quiet = false;
  Limits limits;

  void declare(Options& o) {
    o.model(model);
    o.add({.name = "--port",
           .value = "N",
           .meaning = "the port of 127.0.0.1 at which the page is; any that is free if not given"},
          port);
    o.settings(settings);
    o.estimate(no_estimate);
    o.limits(limits);
    o.quiet(quiet, "no line for each run; only the address and errors");
  }
};

namespace {
namespace fs = std::filesystem;

/// Knows when files are saved.
class SavedFiles {
 public:
  using Time = fs::file_time_type;

  /// These files were read by somebody who began at that time.  What has been saved since counts as changed.
  void read_since(Time began, const std::vector<fs::path>& files) {
    std::map<fs::path, Stamp> now;
    for (const fs::path& file : files) {
      const Stamp stamp = stamp_of(file);
      const auto before = known_.find(file);
      now[file] = stamp.time < began - coarse ? stamp : before != known_.end() ? before->second : Stamp{};
    }
    known_ = std::move(now);
  }
  /// Whether a file is no longer as it was.  A file that is gone is being replaced: many editors save in this way.
  bool changed() const {
    return std::ranges::any_of(known_, [](const auto& known) {
      const Stamp now = stamp_of(known.first);
      return now.exists && !(now == known.second);
    });
  }

 private:
  static constexpr std::chrono::milliseconds coarse{10};  // what times of files may be behind
  struct Stamp {
    Time time = Time::min();
    std::uintmax_t size = 0;
    bool exists = false;
    bool operator==(const Stamp&) const = default;
  };
  static Stamp stamp_of(const fs::path& file) {
    std::error_code missing;
    const Time time = fs::last_write_time(file, missing);
    const std::uintmax_t size = missing ? 0 : fs::file_size(file, missing);
    return missing ? Stamp{} : Stamp{time, size, true};
  }

  std::map<fs::path, Stamp> known_;
};

constexpr std::chrono::milliseconds often(20);  // between two looks at the files
constexpr std::chrono::milliseconds settled(
    15);  // after a save, so that what follows it at once is read as well

// What is shown until the model has run for the first time.
constexpr std::string_view waiting = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; connect-src 'self'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>mubody watch</title>
<style>:root { color-scheme: light dark } body { font: 1rem/1.5 system-ui, sans-serif; margin: 3rem auto; max-width: 60rem; padding: 0 1rem } pre { white-space: pre-wrap }</style>
<h1>mubody watch</h1>
<pre role="status" id="message">The model is run for the first time.</pre>
<script>
const source = new EventSource("events");
source.onmessage = ({ data }) => {
  const { version, message } = JSON.parse(data);
  if (version > 0) return location.reload();
  if (message) document.getElementById("message").textContent = message;
};
source.onerror = () => { document.getElementById("message").textContent = "'mubody watch' has ended, or does not answer."; };
</script>
</html>
)";

/// All mistakes that were found, a line each.
std::vector<std::string> lines_of(const ModelError& e) {
  std::vector<std::string> lines{e.what()};
  for (const ModelError& other : e.others) lines.emplace_back(other.what());
  if (e.left_out > 0) lines.push_back(fmt::format("... and {} more", e.left_out));
  return lines;
}

/// A model that is wrong may be mended while it is watched, one that is not there was misspelt.
fs::path watched_file(const std::string& model) {
  const fs::path file = model_file(model);
  try {
    io::read_file(file, io::files::model);
  } catch (const io::FileError& e) {
    throw ModelError(Place{file.string()}, e.what());
  }
  return file;
}

class Watch {
 public:
  explicit Watch(const WatchOptions& options)
      : o_(options), file_(watched_file(options.model)), server_(std::uint16_t(options.port)) {
    server_.show(std::string(waiting));
  }

  void follow() {
    fmt::print("watching {}\nthe page is {}\nCtrl-C ends this\n", shown(file_), server_.address());
    flush_stdout();
    while (interrupt_signal() == 0) {
      run_once();
      while (interrupt_signal() == 0 && !files_.changed()) std::this_thread::sleep_for(often);
      std::this_thread::sleep_for(settled);
    }
  }

 private:
  void run_once() {
    const Stopwatch watch;
    tell("running", "");
    try {
      const Results results = run();
      if (files_.changed() || interrupt_signal() != 0) return;  // nobody wants this result any more
      show(results, watch);
    } catch (const ModelError& e) {
      report_failure(lines_of(e));
    } catch (const Hindrance& e) {
      report_failure({e.what()});
    } catch (const std::bad_alloc&) {
      report_failure({memory_is_exhausted()});
    }
  }

  Results run() {
    io::DataFiles data;
    const SavedFiles::Time began = SavedFiles::Time::clock::now();
    const auto note_files = [&] {
      std::vector<fs::path> all(data.begin(), data.end());
      all.push_back(file_);
      files_.read_since(began, all);
    };
    try {
      study_ = io::read_study(file_.string(), o_.settings, &data);
    } catch (const ModelError&) {
      note_files();
      throw;
    }
    note_files();
    study_.analysis.estimate_usual = !o_.no_estimate;
    o_.limits.hold_time(study_);
    refine_for_page(study_);
    auto next = std::chrono::steady_clock::now() + often;
    const auto goes_on = [&](double) {
      if (interrupt_signal() != 0) return false;
      const auto now = std::chrono::steady_clock::now();
      if (now < next) return true;
      next = now + often;
      return !files_.changed();
    };
    try {
      return mubody::run(study_, goes_on);
    } catch (const ModelError& e) {
      throw ModelError(located(file_, e.what()));
    }
  }

  void show(const Results& results, const Stopwatch& watch) {
    const int code = exit_code(results);
    if (code == not_assembled || results.tables.empty()) {
      report_failure({located(file_, results.outcome.place, failure(code, results))});
      return;
    }
    std::string page = report_page(results, study_, file_, o_.settings);
    constexpr std::string_view body = "<body>";
    // The page learns from this which version it is, and that it is to follow the next ones.
    const io::Json own{{"version", ++version_}};
    if (const std::size_t at = page.find(body); at != std::string::npos)
      page.insert(at + body.size(),
                  fmt::format("\n<script type=\"application/json\" id=\"watched\">{}</script>", own.dump()));
    server_.show(std::move(page));
    tell("ready", "");
    if (!o_.quiet) fmt::print("{}: {}\n", duration(watch.seconds()), results.verdict);
    flush_stdout();
  }
  void report_failure(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) complain(line);
    tell("failed", fmt::format("{}", fmt::join(lines, "\n")));
  }
  void tell(const char* state, const std::string& message) {
    server_.tell(io::Json{{"version", version_}, {"state", state}, {"message", message}}.dump());
  }

  const WatchOptions& o_;
  fs::path file_;
  SavedFiles files_;
  Study study_;
  int version_ = 0;
  PageServer server_;
};

int watch(const WatchOptions& options) {
  constexpr int last_port = 65535;
  if (options.port < 0 || options.port > last_port)
    throw UsageError(fmt::format("--port takes a number from 0 to {}, got {}", last_port, options.port));
  with_files([] { io::check_reports(); });
  begin_keeping();  // Ctrl-C is how this ends
  Watch(options).follow();
  return interrupt_signal() == SIGTERM ? terminated : done;
}
}  // namespace

Verb watch_verb() {
  return Verb::of(
      watch,
      {.name = "watch",
       .shelf = Shelf::everyday,
       .sentence = "show a model in the browser, and run it again whenever it is saved",
       .description =
           {R"(Runs MODEL and serves its report at an address of this computer, which it prints: open that in a
            browser. Whenever the model, a file that it includes or a data file is saved, the model is run again, and the page
            shows the new motion at the time and from the side that it showed before. Where the model is wrong or the run
            fails, the page keeps the last motion and shows the message. Ctrl-C ends the program.)",
            R"(Only this computer can reach the page, and only who knows its address, which is new at every start. The
            page can be read and nothing else; no file is written.)"},
       .exits = {{done, "ended by Ctrl-C"},
                 {failed, "the port is taken"},
                 {wrong_input, "there is no such model, or wrong usage"}},
       .examples = {"mubody watch four_bar.toml", "mubody watch four_bar.toml --port 8000 --no-estimate"}});
}
}  // namespace mubody::cli
