// mubody picture: a mechanism at an instant or in motion, its channels over time, or an animation.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <csignal>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/limits.h"
#include "cli/run_model.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "mubody/analyses/run.h"
#include "mubody/model/units.h"
#include "mubody/picture/draw_scene.h"
#include "mubody/picture/plot_svg.h"
#include "mubody/picture/write_gltf.h"
#include "mubody/reading/read_model.h"
#include "mubody/text/write_file.h"
#include "mubody/writing/read_results.h"
#include "mubody/writing/read_tables.h"

namespace mubody::cli {
struct PictureOptions {
  std::string model, out, results;       // results: a folder, in place of a run
  std::string time, size, view, labels;  // "0.5 s", "800x560", "iso", "on" or "off"; empty if not given
  std::optional<int> strobe;             // instants on top of each other
  std::optional<double> exaggerate;      // factor by which gaps are enlarged
  std::vector<std::string> traces;       // points, joints or bodies
  std::vector<std::string> plot, phase;  // channels
  io::Settings settings;                 // key=value
  Limits limits;
  bool transparent = false, quiet = false, force = false;

  void declare(Options& o);
};

namespace {
namespace fs = std::filesystem;
using namespace mubody::io;
using cli::PictureOptions;

struct Moved {
  Results results;  // the tables, if results were read
  int code = done;
};

double number_of(const std::string& text, const std::string& option, const std::string& unit) {
  try {
    return to_si(text, unit);
  } catch (const UnitError& e) {
    throw UsageError(fmt::format("{}: {}", option, e.what()));
  }
}

// "800x600"
std::pair<double, double> size_of(const std::string& text) {
  const std::size_t cross = text.find('x');
  const auto number = [](std::string_view part) {
    double value = 0;
    const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    return error == std::errc{} && stop == part.data() + part.size() ? value : 0;
  };
  const double width = number(std::string_view(text).substr(0, cross));
  const double height = cross == text.npos ? 0 : number(std::string_view(text).substr(cross + 1));
  constexpr double least = 120, most = 20000;
  const auto fits = [&](double x) { return x >= least && x <= most; };
  if (!fits(width) || (cross != text.npos && !fits(height)))
    throw UsageError(fmt::format(
        "--size takes a width and a height from {} to {} pixels, as in 800x560, or a width alone; got '{}'",
        least, most, text));
  return {width, height};
}

std::vector<double> strobe_times(double from, double to, int count) {
  std::vector<double> times;
  for (int k = 0; k < count; ++k) times.push_back(count == 1 ? to : from + (to - from) * k / (count - 1));
  return times;
}

// Asks for results at the instants to be drawn, so that nothing is interpolated between rows, and for so many
// that curves look smooth.
void ask_for(Study& study, const std::vector<double>& wanted) {
  const AnalysisOptions& a = study.analysis;
  std::vector<double> times = study.output.at(a);
  constexpr int enough = 600;
  if (times.size() < enough && a.end > a.start) {
    const std::vector<double> given = times;
    for (const double t : strobe_times(a.start, a.end, enough + 1)) {
      const auto next = std::ranges::lower_bound(given, t);
      const double gap = 0.3 * (a.end - a.start) / enough;  // not close to an existing one
      if ((next == given.end() || *next - t > gap) && (next == given.begin() || t - *(next - 1) > gap))
        times.push_back(t);
    }
  }
  std::ranges::sort(times);
  for (const double t : wanted)
    if (t >= a.start && t <= a.end && !std::ranges::binary_search(times, t))
      times.insert(std::ranges::lower_bound(times, t), t);
  study.output.step.reset();
  study.output.times = times;
}

Moved results_of(const PictureOptions& options, Study study, const fs::path& file,
                 const std::vector<double>& wanted) {
  if (!options.results.empty())
    return {{.tables = read_tables(options.results, options.settings.untrusted)}, done};
  if (!study.analysis.type->facts().at_one_instant) ask_for(study, wanted);
  Moved moved;
  try {
    ShownProgress progress(!options.quiet);
    moved.results = mubody::run(study, std::ref(progress));
  } catch (const ModelError& e) {
    throw ModelError(located(file, e.what()));
  }
  moved.code = exit_code(moved.results);
  return moved;
}

void expect_within(const Playback& playback, double t, io::Quotes quotes) {
  const double from = playback.times.front(), to = playback.times.back(), slack = 1e-9 * (1 + std::abs(to));
  if (t < from - slack || t > to + slack)
    throw UsageError(fmt::format("--time {} s is outside of the results{}", t,
                                 told(quotes, fmt::format(", which go from {:.6g} s to {:.6g} s", from, to))));
}

std::string plots(const PictureOptions& options, const std::string& title, const std::vector<Table>& tables) {
  PlotOptions plot{.transparent = options.transparent, .title = title};
  if (!options.size.empty()) std::tie(plot.width, plot.height) = size_of(options.size);
  const io::Quotes quotes = io::quotes_of(options.settings.untrusted);
  if (!options.plot.empty()) return plot_svg(time_panels(tables, options.plot, quotes), plot);
  const Panel panel = phase_panel(tables, options.phase[0], options.phase[1], quotes);
  if (plot.height == 0) plot.height = 0.75 * plot.width;
  return plot_svg({panel}, plot);
}

std::string scene_picture(const PictureOptions& options, const Study& study, const Scene& scene,
                          const Playback& playback, const std::vector<double>& times) {
  io::PictureOptions picture{.transparent = options.transparent, .title = study.mechanism.name, .times = times};
  if (!options.size.empty()) std::tie(picture.width, picture.height) = size_of(options.size);
  if (picture.height == 0) picture.height = 0.7 * picture.width;
  try {
    picture.view = View::named(options.view, study.mechanism.dim, study.mechanism.gravity);
  } catch (const FieldError& e) {
    throw UsageError(fmt::format("--view: {}", e.what()));
  }
  for (const std::string& name : options.traces) picture.traces.push_back(trace_of(scene, name));
  picture.exaggerate = options.exaggerate.value_or(1);
  picture.labels = options.labels == "on" || (options.labels.empty() && times.size() == 1);
  return draw_scene(scene, playback, picture);
}

void check(const PictureOptions& options) {
  const bool plots = !options.plot.empty() || !options.phase.empty();
  if (!options.phase.empty() && options.phase.size() != 2)
    throw UsageError("--phase takes two channels, as in --phase rod.angle,rod.omega");
  if (options.strobe && (*options.strobe < 1 || *options.strobe > 500))
    throw UsageError(fmt::format("--strobe takes a number of instants from 1 to 500, got {}", *options.strobe));
  constexpr double most_exaggerated = 1e9;
  if (options.exaggerate && !(*options.exaggerate >= 1 && *options.exaggerate <= most_exaggerated))
    throw UsageError(fmt::format("--exaggerate takes a number from 1 to {:g}, got {:g}", most_exaggerated,
                                 *options.exaggerate));
  if (options.exaggerate && plots)
    throw UsageError("--exaggerate goes with a drawing, not with --plot or --phase");
  if (!options.results.empty() && !options.settings.empty())
    throw UsageError("--set changes the model, but --results are there already: give one of the two");
  const std::string extension = fs::path(options.out).extension().string();
  if (extension != ".svg" && extension != ".glb")
    throw UsageError(fmt::format(
        "--out takes a file that ends with .svg, a picture, or .glb, an animation; got '{}'", options.out));
  if (extension == ".glb" &&
      (plots || options.strobe || !options.time.empty() || !options.traces.empty() || options.exaggerate))
    throw UsageError(
        "an animation (.glb) shows the whole motion as it is: leave out --time, --strobe, --trace, "
        "--exaggerate, --plot and --phase");
}

int picture(const PictureOptions& options) {
  check(options);
  const fs::path file = model_file(options.model);
  // The results belong to the model as it was at the time of the run.
  io::Settings settings = options.settings;
  if (!options.results.empty()) {
    settings = io::Settings(io::changes_in(options.results, settings.untrusted), settings.untrusted);
    settings.from = (fs::path(options.results) / "summary.json").string();
  }
  io::DataFiles data;
  Study study = io::read_study(file.string(), settings, &data);
  options.limits.hold_time(study);
  io::CommandFiles files = files_of_model(file, data, options.settings);
  files.outputs.push_back({"the picture", options.out});
  check_files(files);
  with_files([&] { io::check_target(options.out, {"mubody", io::is_picture}, {options.force}); });
  const Mechanism& mechanism = study.mechanism;
  const AnalysisOptions& analysis = study.analysis;

  std::vector<double> times;
  if (!options.time.empty()) times.push_back(number_of(options.time, "--time", "s"));
  if (options.strobe) times = strobe_times(analysis.start, analysis.end, *options.strobe);
  const Moved moved = results_of(options, study, file, times);
  const Results& results = moved.results;
  if (moved.code == not_assembled) {
    const bool drawn = io::is_picture(io::beginning_of(options.out).value_or(""));
    complain(located(file, results.outcome.place, results.outcome.why + earlier_remains(options.out, drawn)));
    return moved.code;
  }
  std::string content;
  if (!options.plot.empty() || !options.phase.empty()) {
    content = plots(options, mechanism.name, results.tables);
  } else {
    const Table* bodies = results.find("bodies");
    const Playback playback = bodies ? playback_of(mechanism, *bodies) : start_of(mechanism);
    if (playback.empty())
      throw ModelError(located(file, "there is nothing to draw: the results have no row of finite numbers"));
    if (!options.time.empty()) expect_within(playback, times[0], io::quotes_of(settings.untrusted));
    if (options.strobe) times = strobe_times(playback.times.front(), playback.times.back(), *options.strobe);
    if (times.empty()) times.push_back(playback.times.front());
    Scene scene = scene_of(mechanism, study.looks);
    if (options.exaggerate && scene.gaps.empty())
      throw UsageError("--exaggerate: this model has no joint with clearance and no bushing");
    fit_guides(scene, playback);
    content = options.out.ends_with(".glb") ? gltf_of(scene, playback, mechanism.name, mechanism.gravity)
                                            : scene_picture(options, study, scene, playback, times);
  }
  with_files([&] { io::write_file(options.out, content, until_interrupted()); });
  if (moved.code != done)
    complain(located(file, results.outcome.place,
                     (results.outcome.why.empty() ? results.verdict : results.outcome.why) +
                         "; the picture shows the results up to there"));
  return moved.code;
}
}  // namespace

void PictureOptions::declare(Options& o) {
  o.model(model);
  o.add({.name = "--out",
         .letter = 'o',
         .value = "FILE",
         .proposes = Proposes::files,
         .required = true,
         .meaning = "what to write: FILE.svg or FILE.glb; replaces a picture of mubody, and nothing else "
                    "without --force"},
        out);
  o.settings(settings);
  o.limits(limits);
  o.add({.name = "--results",
         .value = "FOLDER",
         .proposes = Proposes::folders,
         .meaning =
             R"(what 'mubody run' has written for this model, in place of a run; between two rows positions
            are interpolated)"},
        results);
  o.force(force);
  o.quiet(quiet, "no progress bar");
  o.group("What to draw");
  o.add({.name = "--time",
         .letter = 't',
         .value = "TIME",
         .meaning = "the instant to draw [s], as in 0.5 or \"20 ms\"; the start if not given"},
        time);
  o.add({.name = "--strobe",
         .value = "N",
         .instead = "--time",
         .meaning = "N instants from the start to the end, evenly, earlier ones paler"},
        strobe);
  o.add({.name = "--trace",
         .value = "NAME,...",
         .list = true,
         .meaning = "also the path of these points, joints or bodies through the whole motion"},
        traces);
  o.add({.name = "--plot",
         .value = "CHANNEL,...",
         .list = true,
         .meaning = "channels by name, any column of the tables of results"},
        plot);
  o.add({.name = "--phase",
         .value = "X,Y",
         .list = true,
         .instead = "--plot",
         .meaning = "channel Y against channel X"},
        phase);
  o.group("How to draw it");
  o.add({.name = "--view",
         .value = "VIEW",
         .known =
             [] {
               return std::vector<std::string>{"iso", "xy", "xz", "yz"};
             },
         .meaning =
             R"(from where to look: iso, xy, xz, yz, or azimuth,elevation in degrees as in --view=-45,30;
            iso in space, xy in the plane)"},
        view);
  o.add({.name = "--exaggerate",
         .value = "N",
         .meaning = "draws clearance and deflections of bushings N times as large as they are"},
        exaggerate);
  o.add({.name = "--labels",
         .choices = {"on", "off"},
         .meaning = "names of pins and points; on, but off with --strobe"},
        labels);
  o.add({.name = "--size",
         .value = "WIDTHxHEIGHT",
         .meaning = "size of the picture in pixels, or WIDTH alone; 800x560 if not given"},
        size);
  o.add({.name = "--transparent", .meaning = "no white paper behind the drawing"}, transparent);
}

Verb picture_verb() {
  return Verb::of(
      picture,
      {.name = "picture",
       .shelf = Shelf::everyday,
       .sentence = "draw a mechanism, its motion or its channels: a picture or an animation",
       .description =
           {R"(Runs MODEL, or takes the results of an earlier run, and writes a picture as SVG, for papers
            and web pages, or an animation as binary glTF, for Blender and model viewers. Bodies are drawn
            from their joints and points; a section [look] in the model may say otherwise.)",
            R"(Without --plot and --phase: the mechanism at one time, or at several on top of each other,
            with the ways of points. With --plot: channels over the time, those with the same unit in one
            panel. With --phase: the second channel against the first. An animation, FILE.glb, shows the
            whole motion as it is.)",
            "With the exit codes 4, 5, 130 and 143 the picture shows the results up to there."},
       .exits = exits_of_runs(),
       .examples = {
           "mubody picture four_bar.toml -o frame.svg -t 0.5",
           "mubody picture four_bar.toml -o motion.svg --strobe 9 --trace coupler",
           "mubody picture four_bar.toml -o curves.svg --plot crank.angle,crank.omega,kinetic",
           "mubody picture pendulum.toml -o phase.svg --phase rod.angle,rod.omega --results pendulum.out",
           "mubody picture suspension.toml -o side.svg --view yz --transparent",
           "mubody picture suspension.toml -o motion.glb"}});
}
}  // namespace mubody::cli
