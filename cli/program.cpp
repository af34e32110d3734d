#include "cli/program.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include "cli/limits.h"
#include "cli/terminal.h"
#include "mubody/math/suggest.h"
#include "mubody/model/errors.h"
#include "mubody/model/version.h"
#include "mubody/text/write_file.h"

namespace mubody::cli {
namespace {
constexpr std::size_t widest_page = 100;  // longer lines are hard to read

const std::string& verb_name(const Verb& verb) { return verb.manual.name; }

bool asks_for_help(const std::string& word) { return word == "-h" || word == "--help"; }

// Refuses a model without a verb, or an option that the program does not have.
void refuse_odd_start(std::span<const Verb> verbs, const std::string& word) {
  if (word.starts_with('-')) throw UsageError(fmt::format("unknown option '{}'; see 'mubody --help'", word));
  std::error_code ignored;
  if (std::ranges::none_of(verbs, [&](const Verb& v) { return v.manual.name == word; }) &&
      std::filesystem::exists(word, ignored))
    throw UsageError(fmt::format("what shall be done with '{0}'? 'mubody run {0}' runs it", word));
}

std::string internal_error(const std::exception& e) {
  return fmt::format("internal error: {}; please report it with the model", e.what());
}

int answer(std::span<const Verb> verbs, const std::vector<std::string>& words) {
  if (words.empty()) {
    note(overview_of(verbs));
    return wrong_input;
  }
  if (asks_for_help(words[0])) {
    print_page(page_of(verbs));
    return done;
  }
  if (words[0] == "--version") {
    fmt::print("mubody {}\n", version());
    return done;
  }
  refuse_odd_start(verbs, words[0]);
  const Verb& verb = find_verb(verbs, words[0]);
  // Help is given whatever else is missing.
  if (std::any_of(words.begin() + 1, words.end(), asks_for_help)) {
    print_page(page_of(verb));
    return done;
  }
  return verb.run(verbs, {words.begin() + 1, words.end()});
}
}  // namespace

const Verb& find_verb(std::span<const Verb> verbs, const std::string& name) {
  std::vector<std::string> known;
  for (const Verb& verb : verbs) {
    if (verb.manual.name == name) return verb;
    known.push_back(verb.manual.name);
  }
  const std::string near = suggestion(name, known);
  throw UsageError(
      fmt::format("unknown verb '{}'{}{}", name, near, near.empty() ? "; see 'mubody --help'" : ""));
}

void print_page(const Page& page) { fmt::print("{}", text_of(page, std::min(line_width(), widest_page))); }

int run_program(int argc, char** argv, std::vector<Verb> all) {
  for (const Verb& ours : verbs())
    if (std::ranges::find(all, ours.manual.name, verb_name) == all.end()) all.push_back(ours);
  std::ranges::sort(all, {}, verb_name);
  expect_failing_writes();
  return program(all, {argv + 1, argv + argc});
}

namespace {
/// The exit code, with errors turned into messages.
int guarded_answer(std::span<const Verb> verbs, const std::vector<std::string>& words) {
  try {
    return answer(verbs, words);
  } catch (const ModelError& e) {
    complain(e.what());
    for (const ModelError& other : e.others) complain(other.what());
    if (e.left_out > 0) complain(fmt::format("... and {} more", e.left_out));
    return wrong_input;
  } catch (const UsageError& e) {
    complain(e.what());
    return wrong_input;
  } catch (const Hindrance& e) {
    complain(e.what());
    return failed;
  } catch (const io::WritingStopped&) {
    complain("interrupted while files were being written; what was there before is as it was");
    return interrupt_signal() == SIGTERM ? terminated : interrupted;
  } catch (const std::bad_alloc&) {
    complain(memory_is_exhausted());
    return failed;
  } catch (const std::length_error&) {  // more than any memory has
    complain(memory_is_exhausted());
    return failed;
  } catch (const std::system_error& e) {
    // fmt throws where it cannot print; program() says so.
    if (std::ferror(stdout)) return remember_trouble_of_stdout(e.code().message()), failed;
    const bool threads = e.code() == std::errc::resource_unavailable_try_again;
    complain(threads ? no_more_threads() : internal_error(e));
    return failed;
  } catch (const std::exception& e) {
    complain(internal_error(e));
    return failed;
  }
}
}  // namespace

int program(std::span<const Verb> verbs, const std::vector<std::string>& words) {
  const int code = guarded_answer(verbs, words);
  lift_limit_of_time();
  if (const std::string why = trouble_of_stdout(); !why.empty()) {
    complain("cannot write to the standard output: " + why);
    return failed;
  }
  return code;
}
}  // namespace mubody::cli
