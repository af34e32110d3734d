// mubody help: the manual, on the screen or for man.
#include <algorithm>

#include <fmt/format.h>

#include "cli/glossary.h"
#include "cli/program.h"
#include "cli/verb.h"

namespace mubody::cli {
namespace {
struct HelpOptions {
  std::string verb, format = "text";

  void declare(Options& o) {
    o.optional_argument({.name = "VERB",
                         .proposes = Proposes::verbs,
                         .meaning = "the verb that the page is about; the program if not given"},
                        verb);
    o.format(format, {"text", "man"}, "for the screen, or in the language of man(1)");
  }
};

int help(const HelpOptions& options, std::span<const Verb> verbs) {
  const bool is_verb = std::ranges::any_of(verbs, [&](const Verb& v) { return v.manual.name == options.verb; });
  if (const std::string word = is_verb ? "" : explained(options.verb); !word.empty()) {
    fmt::print("{}", word);
    return done;
  }
  const Page page = options.verb.empty() ? page_of(verbs) : page_of(find_verb(verbs, options.verb));
  if (options.format == "man")
    fmt::print("{}", man_of(page));
  else
    print_page(page);
  return done;
}
}  // namespace

Verb help_verb() {
  return Verb::of(help, {.name = "help",
                         .shelf = Shelf::program,
                         .sentence = "show the manual of the program or of a verb",
                         .description = {"'mubody help VERB' and 'mubody VERB --help' show the same page."},
                         .exits = {{done, "done"}, {wrong_input, "there is no such verb"}},
                         .examples = {"mubody help run", "mubody help run --format man | man -l -"}});
}
}  // namespace mubody::cli
