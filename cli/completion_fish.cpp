#include <fmt/format.h>

#include "cli/completion.h"

namespace mubody::cli {
namespace {
constexpr const char* fish_start = R"(# Completion of mubody for fish; written by 'mubody completion fish'.

function __mubody_first
    test (count (commandline -opc)) -eq 1
end

function __mubody_verb
    set -l words (commandline -opc)
    test (count $words) -gt 1; and test $words[2] = $argv[1]
end

# The words after the first, each behind what stands before the last comma of the word at the cursor.
function __mubody_list
    set -l before (string match -r '^.*,' -- (commandline -ct))
    for word in $argv
        echo $before$word
    end
end

complete -c mubody -f
complete -c mubody -n __mubody_first -s h -l help -d 'show the manual'
complete -c mubody -n __mubody_first -l version -d 'show the version'
)";

// The arguments that complete a value: "-x" where only these words are valid, "-r -F" for files.
std::string fish_proposal(const DeclaredOption& o, std::span<const Verb> verbs) {
  if (const std::vector<std::string> words = proposed_words(o, verbs); !words.empty()) {
    const std::string all = fmt::format("{}", fmt::join(words, " "));
    return " -x -a " + shell_quoted(o.list ? "(__mubody_list " + all + ")" : all);
  }
  switch (o.proposes) {
    case Proposes::files: return " -r -F";
    case Proposes::folders: return " -x -a '(__fish_complete_directories)'";
    default: break;
  }
  return " -x";
}

std::string line_of(const std::string& verb, const DeclaredOption& o, std::span<const Verb> verbs) {
  std::string line = fmt::format("complete -c mubody -n '__mubody_verb {}'", verb);
  if (o.kind == DeclaredOption::argument) {
    if (const std::vector<std::string> words = proposed_words(o, verbs); !words.empty())
      return line + " -a " + shell_quoted(fmt::format("{}", fmt::join(words, " "))) + '\n';
    return o.proposes == Proposes::nothing ? "" : line + " -F\n";
  }
  if (o.letter) line += fmt::format(" -s {}", o.letter);
  line += fmt::format(" -l {}", o.name.substr(2));
  if (o.kind == DeclaredOption::with_value) line += fish_proposal(o, verbs);
  return line + " -d " + shell_quoted(brief_meaning(o)) + '\n';
}
}  // namespace

std::string fish_completion(std::span<const Verb> verbs) {
  std::string script = fish_start;
  for (const Verb& verb : verbs)
    script += fmt::format("complete -c mubody -n __mubody_first -a {} -d {}\n", verb.manual.name,
                          shell_quoted(verb.manual.sentence));
  for (const Verb& verb : verbs) {
    const std::string& name = verb.manual.name;
    script += fmt::format(
        "\ncomplete -c mubody -n '__mubody_verb {}' -s h -l help -d 'show the manual of this verb'\n", name);
    for (const DeclaredOption& o : verb.options) script += line_of(name, o, verbs);
  }
  return script;
}
}  // namespace mubody::cli
