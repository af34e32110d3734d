// The program: finds the verb, reads its arguments, and turns what goes wrong into a message and an exit code.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/help.h"
#include "mubody/analyses/run.h"
#include "mubody/lanes/lane.h"
#include "mubody/math/suggest.h"
#include "mubody/model/version.h"
#include "mubody/text/json.h"
#include "mubody/text/node.h"

namespace {
using namespace mubody;
using namespace mubody::cli;

/// The arguments of one verb.  The texts of CLI11 are not used: the manual is in help.cpp.
class Arguments {
 public:
  Arguments() {
    app_.set_help_flag();
    app_.add_flag("-h,--help", help_);
  }
  CLI::App& app() { return app_; }
  void add_model(std::string& model) { app_.add_option("MODEL", model)->required(); }
  void add_settings(std::vector<std::string>& settings) {
    app_.add_option("-s,--set", settings)->allow_extra_args(false)->type_name("KEY=VALUE");
  }
  void add_format(std::string& format, const std::vector<std::string>& known) {
    const auto check = [known](const std::string& word) {
      if (std::find(known.begin(), known.end(), word) != known.end()) return std::string();
      return fmt::format("expected {}, got '{}'", fmt::join(known, " or "), word);
    };
    app_.add_option("--format", format)->check(CLI::Validator(check, ""));
  }

  /// --report, or --report FILE; empty without a file.
  void add_report(std::optional<std::string>& report) {
    report_ = &report;
    report_option_ = app_.add_option("--report")->expected(0, 1)->type_name("FILE");
  }

  /// False if there is nothing more to do than to show the manual.
  bool parse(const std::vector<std::string>& words, const char* manual) {
    // Asking for help is fine whatever else is missing.
    if (std::any_of(words.begin(), words.end(),
                    [](const std::string& w) { return w == "-h" || w == "--help"; })) {
      fmt::print("{}", manual);
      return false;
    }
    app_.allow_extras();
    app_.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    if (report_option_ && report_option_->count() > 0) {
      const std::vector<std::string> given = report_option_->results();
      *report_ = given.empty() || given.front() == "{}" ? "" : given.front();
    }
    std::vector<std::string> extras = app_.remaining();
    std::erase(extras, "--");
    if (!extras.empty()) refuse(extras.front());
    return true;
  }

 private:
  [[noreturn]] void refuse(const std::string& word) const {
    std::vector<std::string> known{"--help"};
    for (const CLI::Option* option : app_.get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    const bool is_option = word.starts_with('-');
    const std::string message = fmt::format("unexpected {} '{}'", is_option ? "option" : "argument", word);
    const std::string near = is_option ? suggestion(word, known) : "";
    if (!near.empty()) throw UsageError(message + near);
    throw CLI::ParseError(message, failed);
  }

  CLI::App app_;
  CLI::Option* report_option_ = nullptr;
  std::optional<std::string>* report_ = nullptr;
  bool help_ = false;
};

void check_settings(const std::vector<std::string>& settings) {
  for (const std::string& s : settings)
    if (!io::is_setting(s))
      throw UsageError(
          fmt::format("--set takes key=value, as in --set analysis.end=2; got {}", io::in_quotes(s)));
}

/// A program that asked for JSON gets the error as JSON too, besides the message for people on stderr.
template <class Work> int with_json_error(bool json, const Work& work) {
  try {
    return work();
  } catch (const ModelError& e) {
    using io::Json;
    // A message may quote a file that is not UTF-8.
    if (json) fmt::print("{}\n", Json{{"error", e.what()}}.dump(2));
    throw;
  }
}

int run_verb(const std::vector<std::string>& words) {
  RunOptions options;
  std::string format = "text";
  Arguments arguments;
  arguments.add_model(options.model);
  arguments.add_settings(options.settings);
  arguments.add_format(format, {"text", "json"});
  arguments.app().add_option("-o,--out", options.out)->type_name("FOLDER");
  arguments.app().add_option("--analysis", options.analysis)->type_name("TYPE");
  arguments.add_report(options.report);
  arguments.app().add_flag("-q,--quiet", options.quiet);
  arguments.app().add_option("--report-text", options.report_text)->type_name("FILE");
  arguments.app().add_option("--every", options.every)->type_name("N");
  arguments.app().add_flag("--full", options.full);
  if (!arguments.parse(words, run_help)) return done;
  check_settings(options.settings);
  if (options.every && *options.every < 1)
    throw UsageError(fmt::format("--every must be positive, got {}", *options.every));
  if ((options.every || options.full) && options.report_text.empty())
    throw UsageError("--every and --full go with --report-text FILE");
  options.json = format == "json";
  return with_json_error(options.json, [&] { return run(options); });
}

int report_verb(const std::vector<std::string>& words) {
  ReportOptions options;
  Arguments arguments;
  arguments.app().add_option("SOURCE", options.source)->required();
  arguments.add_settings(options.settings);
  arguments.app().add_option("-o,--out", options.out)->type_name("FILE");
  arguments.app().add_option("--model", options.model)->type_name("FILE");
  arguments.app().add_flag("-q,--quiet", options.quiet);
  if (!arguments.parse(words, report_help)) return done;
  check_settings(options.settings);
  return report(options);
}

int check_verb(const std::vector<std::string>& words) {
  CheckOptions options;
  std::string format = "text";
  Arguments arguments;
  arguments.add_model(options.model);
  arguments.add_settings(options.settings);
  arguments.add_format(format, {"text", "json"});
  if (!arguments.parse(words, check_help)) return done;
  check_settings(options.settings);
  options.json = format == "json";
  return with_json_error(options.json, [&] { return check(options); });
}

int convert_verb(const std::vector<std::string>& words) {
  ConvertOptions options;
  Arguments arguments;
  arguments.app().add_option("FROM", options.from)->required();
  arguments.app().add_option("TO", options.to)->required();
  arguments.add_settings(options.settings);
  arguments.add_format(options.format, {"toml", "mub"});
  if (!arguments.parse(words, convert_help)) return done;
  check_settings(options.settings);
  return convert(options);
}

int list_verb(const std::vector<std::string>& words) {
  ListOptions options;
  Arguments arguments;
  arguments.app().add_option("CATEGORY", options.category);
  arguments.app().add_option("NAME", options.name);
  arguments.add_format(options.format, {"text", "json", "markdown"});
  if (!arguments.parse(words, list_help)) return done;
  return list(options);
}

int agree_verb(const std::vector<std::string>& words) {
  AgreeOptions options;
  Arguments arguments;
  arguments.app().add_option("A", options.a)->required();
  arguments.app().add_option("B", options.b)->required();
  arguments.app().add_option("--channels", options.channels)->delimiter(',')->allow_extra_args(false);
  arguments.app().add_option("--tolerance", options.tolerance)->type_name("T");
  arguments.add_format(options.format, {"text", "csv", "json"});
  if (!arguments.parse(words, agree_help)) return done;
  if (options.tolerance && !(*options.tolerance >= 0))
    throw UsageError(fmt::format("--tolerance must not be negative, got {}", *options.tolerance));
  return with_json_error(options.format == "json", [&] { return agree(options); });
}

int bench_verb(const std::vector<std::string>& words) {
  BenchOptions options;
  Arguments arguments;
  CLI::App& app = arguments.app();
  app.add_option("--only", options.only)->delimiter(',');
  app.add_option("--largest", options.largest)->check(CLI::Range(0, 1000000));
  app.add_option("--repeat", options.repetitions)->check(CLI::Range(1, 1000));
  app.add_option("--csv", options.csv);
  app.add_option("--report", options.report);
  app.add_flag("-q,--quiet", options.quiet);
  if (!arguments.parse(words, bench_help)) return done;
  return bench(options);
}

int stability_verb(const std::vector<std::string>& words) {
  StabilityOptions options;
  Arguments arguments;
  CLI::App& app = arguments.app();
  app.add_option("--integrator", options.integrator);
  app.add_option("--step", options.step);
  app.add_option("--alpha", options.alpha);
  app.add_option("--beta", options.beta);
  app.add_option("--region", options.region);
  app.add_option("--report", options.report);
  app.add_option("--points", options.points);
  app.add_flag("--table", options.table);
  if (!arguments.parse(words, stability_help)) return done;
  return stability(options);
}

int compare_verb(const std::vector<std::string>& words) {
  CompareOptions options;
  Arguments arguments;
  CLI::App& app = arguments.app();
  arguments.add_model(options.model);
  arguments.add_settings(options.settings);
  arguments.add_format(options.format, {"text", "csv", "json"});
  app.add_option("--treatments", options.treatments);
  app.add_option("--integrators", options.integrators)->delimiter(',')->allow_extra_args(false);
  app.add_option("--steps", options.steps)->delimiter(',')->allow_extra_args(false);
  app.add_option("--tolerances", options.tolerances)->delimiter(',')->allow_extra_args(false);
  app.add_option("--reference", options.reference)->type_name("FILE");
  app.add_option("-o,--out", options.out)->type_name("FOLDER");
  app.add_option("--repeat", options.repeat)->type_name("N");
  app.add_option("--limit", options.limit)->type_name("TIME");
  arguments.add_report(options.report);
  app.add_flag("-q,--quiet", options.quiet);
  if (!arguments.parse(words, compare_help)) return done;
  check_settings(options.settings);
  return with_json_error(options.format == "json", [&] { return compare(options); });
}

int picture_verb(const std::vector<std::string>& words) {
  PictureOptions options;
  Arguments arguments;
  CLI::App& app = arguments.app();
  arguments.add_model(options.model);
  arguments.add_settings(options.settings);
  const auto names = [&app](const char* option, std::vector<std::string>& list) {
    app.add_option(option, list)->delimiter(',')->allow_extra_args(false);
  };
  app.add_option("-o,--out", options.out)->type_name("FILE")->required();
  app.add_option("--results", options.results)->type_name("FOLDER");
  app.add_option("-t,--time", options.time);
  app.add_option("--strobe", options.strobe)->type_name("N");
  names("--trace", options.traces);
  names("--plot", options.plot);
  names("--phase", options.phase);
  app.add_option("--view", options.view);
  app.add_option("--size", options.size);
  const auto check = [](const std::string& word) {
    return word == "on" || word == "off" ? "" : fmt::format("expected on or off, got '{}'", word);
  };
  app.add_option("--exaggerate", options.exaggerate)->type_name("N");
  app.add_option("--labels", options.labels)->check(CLI::Validator(check, ""));
  app.add_flag("--transparent", options.transparent);
  app.add_flag("-q,--quiet", options.quiet);
  if (!arguments.parse(words, picture_help)) return done;
  check_settings(options.settings);
  return picture(options);
}

int topology_verb(const std::vector<std::string>& words) {
  TopologyOptions options;
  Arguments arguments;
  arguments.add_model(options.model);
  arguments.add_settings(options.settings);
  arguments.add_format(options.format, {"text", "json", "svg"});
  arguments.app().add_option("--chords", options.chords)->delimiter(',')->allow_extra_args(false);
  if (!arguments.parse(words, topology_help)) return done;
  check_settings(options.settings);
  return with_json_error(options.format == "json", [&] { return topology(options); });
}

int independent_verb(const std::vector<std::string>& words) {
  IndependentOptions options;
  Arguments arguments;
  CLI::App& app = arguments.app();
  arguments.add_model(options.model);
  arguments.add_settings(options.settings);
  arguments.add_format(options.format, {"text", "json"});
  app.add_option("--chords", options.chords)->delimiter(',')->allow_extra_args(false);
  app.add_option("--length", options.length)->type_name("LENGTH");
  app.add_option("--table", options.table)->type_name("FILE");
  app.add_option("--variables", options.variables)->delimiter(',')->allow_extra_args(false);
  app.add_option("--coefficients", options.coefficients)->type_name("FILE");
  app.add_flag("--along", options.along);
  app.add_flag("--body", options.body);
  app.add_flag("-q,--quiet", options.quiet);
  if (!arguments.parse(words, independent_help)) return done;
  check_settings(options.settings);
  return with_json_error(options.format == "json", [&] { return independent(options); });
}

int sweep_verb(const std::vector<std::string>& words) {
  SweepOptions options;
  Arguments arguments;
  CLI::App& app = arguments.app();
  arguments.add_model(options.model);
  arguments.add_settings(options.settings);
  arguments.add_format(options.format, {"text", "json"});
  app.add_option("--vary", options.vary)->allow_extra_args(false)->type_name("KEY=VALUES");
  app.add_option("--sample", options.sample)->expected(2)->type_name("lhs|random N");
  app.add_option("--seed", options.seed)->type_name("N");
  app.add_option("--keep", options.keep)->delimiter(',')->allow_extra_args(false);
  app.add_option("-o,--out", options.out)->type_name("FILE");
  app.add_option("-j,--threads", options.threads)->type_name("N");
  app.add_option("--lanes", options.lanes)->type_name("N");
  app.add_option("--report", options.report)->type_name("FILE");
  app.add_flag("--resume", options.resume);
  app.add_flag("-q,--quiet", options.quiet);
  if (!arguments.parse(words, sweep_help)) return done;
  check_settings(options.settings);
  if (options.threads && *options.threads < 1)
    throw UsageError(fmt::format("--threads must be positive, got {}", *options.threads));
  if (options.lanes && *options.lanes != 0 && *options.lanes != LaneReal::lanes)
    throw UsageError(fmt::format("--lanes is 0 or {}, got {}", LaneReal::lanes, *options.lanes));
  return with_json_error(options.format == "json", [&] { return sweep(options); });
}

int precompute_verb(const std::vector<std::string>& words) {
  PrecomputeOptions options;
  Arguments arguments;
  CLI::App& app = arguments.app();
  arguments.add_model(options.model);
  arguments.add_settings(options.settings);
  arguments.add_format(options.format, {"text", "json"});
  app.add_option("-o,--out", options.out)->type_name("FILE");
  app.add_option("--independent", options.independent)->delimiter(',')->allow_extra_args(false);
  app.add_option("--range", options.ranges)->allow_extra_args(false)->type_name("NAME=LOW:HIGH");
  app.add_option("--design", options.design)->delimiter(',')->allow_extra_args(false);
  app.add_option("--bound", options.bound);
  app.add_option("--memory", options.memory);
  app.add_option("--order", options.order)->type_name("N");
  app.add_option("--emit-c", options.emit_c)->type_name("FOLDER");
  app.add_option("--name", options.name);
  app.add_option("--step", options.step);
  const auto check = [](const std::string& word) {
    return word == "float" || word == "double" ? "" : fmt::format("expected float or double, got '{}'", word);
  };
  app.add_option("--real", options.real)->check(CLI::Validator(check, ""));
  app.add_flag("-q,--quiet", options.quiet);
  if (!arguments.parse(words, precompute_help)) return done;
  // What is not given is as the model says.
  if (app.count("--bound") == 0) options.bound.clear();
  if (app.count("--memory") == 0) options.memory.clear();
  check_settings(options.settings);
  if (options.emit_c.empty() && (!options.name.empty() || !options.step.empty() || options.real != "double"))
    throw UsageError("--name, --step and --real go with --emit-c FOLDER");
  return with_json_error(options.format == "json", [&] { return precompute(options); });
}

struct Verb {
  std::string_view name;
  int (*run)(const std::vector<std::string>&);
};
constexpr Verb verbs[] = {{"run", run_verb},
                          {"check", check_verb},
                          {"report", report_verb},
                          {"list", list_verb},
                          {"compare", compare_verb},
                          {"convert", convert_verb},
                          {"agree", agree_verb},
                          {"stability", stability_verb},
                          {"picture", picture_verb},
                          {"topology", topology_verb},
                          {"independent", independent_verb},
                          {"sweep", sweep_verb},
                          {"precompute", precompute_verb},
                          {"bench", bench_verb}};

[[noreturn]] void refuse_verb(const std::string& word) {
  if (word.starts_with('-')) throw UsageError(fmt::format("unknown option '{}'; see 'mubody --help'", word));
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored))
    throw UsageError(fmt::format("what shall be done with '{0}'? 'mubody run {0}' runs it", word));
  std::vector<std::string_view> known;
  for (const Verb& v : verbs) known.push_back(v.name);
  const std::string near = suggestion(word, known);
  throw UsageError(
      fmt::format("unknown verb '{}'{}{}", word, near, near.empty() ? "; see 'mubody --help'" : ""));
}

int program(std::vector<std::string> words) {
  if (words.empty()) {
    fmt::print(stderr, "{}", short_help);
    return failed;
  }
  if (words[0] == "help") {  // 'mubody help run' is 'mubody run --help'
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  if (words[0] == "--help" || words[0] == "-h") {
    fmt::print("{}", program_help);
    return done;
  }
  if (words[0] == "--version") {
    fmt::print("mubody {}\n", version());
    return done;
  }
  for (const Verb& verb : verbs) {
    if (verb.name != words[0]) continue;
    try {
      return verb.run({words.begin() + 1, words.end()});
    } catch (const CLI::ParseError& e) {
      throw UsageError(fmt::format("{}; see 'mubody {} --help'", e.what(), verb.name));
    }
  }
  refuse_verb(words[0]);
}
}  // namespace

int main(int argc, char** argv) {
  try {
    return program({argv + 1, argv + argc});
  } catch (const ModelError& e) {
    complain(e.what());
    return invalid_model;
  } catch (const UsageError& e) {
    complain(e.what());
    return failed;
  } catch (const std::exception& e) {
    complain(fmt::format("internal error: {}; please report it with the model", e.what()));
    return failed;
  }
}
