#include "cli/options.h"

#include <charconv>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "cli/exit.h"
#include "cli/limits.h"
#include "mubody/text/node.h"

namespace mubody::cli {
namespace {
template <class Number> Number number_of(const std::string& option, const std::string& word) {
  Number value{};
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error == std::errc{} && stop == end) return value;
  throw UsageError(fmt::format("{} takes a {}number, got {}", option,
                               std::is_integral_v<Number> ? "whole " : "", io::in_quotes(word)));
}

std::vector<std::string> parts_of(const std::string& word, bool list) {
  if (!list) return {word};
  std::vector<std::string> parts;
  std::istringstream in(word);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}
}  // namespace

std::string one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || (c >= '\t' && c <= '\r');
    if (!blank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  if (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

void Options::put(Option option, DeclaredOption::Kind kind, Take take) {
  if (option.value.empty()) option.value = fmt::format("{}", fmt::join(option.choices, "|"));
  option.meaning = one_line(option.meaning);
  all_.push_back({std::move(option), kind, false, group_});
  takes_.push_back(std::move(take));
}

void Options::argument(Option option, std::string& value) {
  option.required = true;
  put(std::move(option), DeclaredOption::argument, [&value](const std::string& word) { value = word; });
}

void Options::optional_argument(Option option, std::string& value) {
  put(std::move(option), DeclaredOption::argument, [&value](const std::string& word) { value = word; });
}

void Options::arguments(Option option, std::vector<std::string>& values) {
  option.required = true;
  put(std::move(option), DeclaredOption::argument,
      [&values](const std::string& word) { values.push_back(word); });
  all_.back().repeats = true;
}

void Options::add(Option option, bool& given) {
  put(std::move(option), DeclaredOption::on_or_off, [&given](const std::string&) { given = true; });
}

void Options::add(Option option, std::string& value) {
  put(std::move(option), DeclaredOption::with_value, [&value](const std::string& word) { value = word; });
}

void Options::add(Option option, std::optional<std::string>& value) {
  put(std::move(option), DeclaredOption::with_or_without_value,
      [&value](const std::string& word) { value = word; });
}

void Options::add(Option option, std::vector<std::string>& values) {
  const bool list = option.list, once = option.words > 1;
  put(std::move(option), DeclaredOption::with_value, [&values, list](const std::string& word) {
    for (std::string& part : parts_of(word, list)) values.push_back(std::move(part));
  });
  all_.back().repeats = !once;
}

void Options::add(Option option, int& value) {
  const std::string name = option.name;
  put(std::move(option), DeclaredOption::with_value,
      [&value, name](const std::string& word) { value = number_of<int>(name, word); });
}

void Options::add(Option option, std::optional<int>& value) {
  const std::string name = option.name;
  put(std::move(option), DeclaredOption::with_value,
      [&value, name](const std::string& word) { value = number_of<int>(name, word); });
}

void Options::add(Option option, std::optional<double>& value) {
  const std::string name = option.name;
  put(std::move(option), DeclaredOption::with_value,
      [&value, name](const std::string& word) { value = number_of<double>(name, word); });
}

void Options::add(Option option, std::uint64_t& value) {
  const std::string name = option.name;
  put(std::move(option), DeclaredOption::with_value,
      [&value, name](const std::string& word) { value = number_of<std::uint64_t>(name, word); });
}

void Options::model(std::string& file) {
  argument({.name = "MODEL",
            .proposes = Proposes::files,
            .meaning = "a TOML file, a MUBODYNA file, or a folder with a model.toml or model.mub"},
           file);
}

void Options::settings(io::Settings& settings, const std::string& example) {
  put({.name = "--set",
       .letter = 's',
       .value = "KEY=VALUE",
       .meaning =
           fmt::format("changes one value of the model, as in --set {}; may be repeated. The value is read "
                       "as in the file; quotes may be left out. Keys may be added, elements and parameters "
                       "must be there",
                       example)},
      DeclaredOption::with_value, [&settings](const std::string& word) {
        if (!io::is_setting(word))
          throw UsageError(
              fmt::format("--set takes key=value, as in --set analysis.end=2; got {}", io::in_quotes(word)));
        settings.push_back(word);
      });
  all_.back().repeats = true;
  untrusted(settings.untrusted);
}

void Options::untrusted(bool& is_untrusted) {
  add({.name = "--untrusted",
       .meaning =
           "the files come from a stranger: none is read from outside of the folder of the model or of the "
           "results, links are resolved, and messages do not quote what files contain"},
      is_untrusted);
}

void Options::format(std::string& word, std::vector<std::string> choices, std::string meaning) {
  format_ = &word;
  add({.name = "--format", .choices = std::move(choices), .meaning = std::move(meaning)}, word);
}

void Options::report(std::optional<std::string>& file, std::string meaning) {
  add({.name = "--report", .value = "FILE", .proposes = Proposes::files, .meaning = std::move(meaning)}, file);
}

void Options::chords(std::vector<std::string>& joints, std::string meaning) {
  add({.name = "--chords", .value = "NAME,...", .list = true, .meaning = std::move(meaning)}, joints);
}

void Options::compiled(bool& wanted) {
  add({.name = "--compiled",
       .meaning = "generated code computes the motion, compiled once by the C compiler of this machine; as "
                  "'compiled = true' in [analysis]"},
      wanted);
}
void Options::estimate(bool& none) {
  add({.name = "--no-estimate",
       .meaning = "the motion is not computed a second time with coarser steps to know its error"},
      none);
}

void Options::force(bool& is_forced) {
  add({.name = "--force",
       .meaning = "replaces files that mubody has not written too, which is refused otherwise; never the model "
                  "itself"},
      is_forced);
}

void Options::limits(Limits& limits, const std::string& usual) {
  put({.name = "--limit",
       .value = "TIME",
       .meaning = fmt::format("CPU time that a run may take, as in 10 or \"2 min\"; it ends there with what it "
                              "has. {}",
                              usual)},
      DeclaredOption::with_value, [&limits](const std::string& word) { limits.time = limit_of_time(word); });
  put({.name = "--memory-limit",
       .value = "SIZE",
       .meaning = "memory that the program may take beyond what it has at its start, as in 500MB or 2GB; none "
                  "if not given"},
      DeclaredOption::with_value,
      [&limits](const std::string& word) { limits.memory = limit_of_memory(word); });
}

void Options::quiet(bool& is_quiet, std::string meaning) {
  add({.name = "--quiet", .letter = 'q', .meaning = std::move(meaning)}, is_quiet);
}
}  // namespace mubody::cli
