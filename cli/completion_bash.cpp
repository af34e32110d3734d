#include <fmt/format.h>

#include "cli/completion.h"

namespace mubody::cli {
namespace {
constexpr const char* bash_start = R"(# Completion of mubody for bash; written by 'mubody completion bash'.

# The words of $1 that begin as the word at the cursor does.
_mubody_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }

# The same for the last of several that are separated by commas.
_mubody_list() {
  local last=${cur##*,}
  mapfile -t COMPREPLY < <(compgen -P "${cur%"$last"}" -W "$1" -- "$last")
  compopt -o nospace 2> /dev/null
}

_mubody() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]}
  local options='' takes='' skip='' word position=0
  COMPREPLY=()
  # "--out=x" is three words.
  if [[ $cur == = ]]; then
    cur=''
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD-2]}
  fi
)";

constexpr const char* bash_middle = R"(  if [[ $cur == -* ]]; then
    _mubody_words "$options"
    return
  fi
  for word in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
    if [[ $word == = ]]; then
      skip=1
    elif [[ $skip ]]; then
      skip=''
    elif [[ $takes == *" $word "* ]]; then
      skip=1
    elif [[ $word != -* ]]; then
      position=$((position + 1))
    fi
  done
)";

constexpr const char* bash_end = R"(}

complete -F _mubody mubody
)";

std::vector<std::string> names_of(const DeclaredOption& o) {
  std::vector<std::string> names{o.name};
  if (o.letter) names.push_back(std::string("-") + o.letter);
  return names;
}

// The command that proposes values.
std::string bash_proposal(const DeclaredOption& o, std::span<const Verb> verbs) {
  if (const std::vector<std::string> words = proposed_words(o, verbs); !words.empty())
    return fmt::format("{} {}", o.list ? "_mubody_list" : "_mubody_words",
                       shell_quoted(fmt::format("{}", fmt::join(words, " "))));
  switch (o.proposes) {
    case Proposes::files: return "compopt -o default 2> /dev/null";
    case Proposes::folders: return "compopt -o dirnames 2> /dev/null";
    default: break;
  }
  return ":";
}

std::string options_case(const Verb& verb) {
  std::string options = "--help", takes;
  for (const DeclaredOption& o : verb.options) {
    if (o.kind == DeclaredOption::argument) continue;
    options += ' ' + o.name;
    if (o.kind == DeclaredOption::with_value) takes += fmt::format(" {}", fmt::join(names_of(o), " "));
  }
  return fmt::format("    {}) options={} takes={} ;;\n", verb.manual.name, shell_quoted(options),
                     shell_quoted(takes + ' '));
}

std::string values_cases(const Verb& verb, std::span<const Verb> verbs) {
  std::string cases;
  for (const DeclaredOption& o : verb.options) {
    if (!o.takes_value()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : names_of(o))
      patterns.push_back(fmt::format("'{} {}'", verb.manual.name, name));
    cases += fmt::format("    {}) {}; return ;;\n", fmt::join(patterns, " | "), bash_proposal(o, verbs));
  }
  return cases;
}

std::string argument_cases(const Verb& verb, std::span<const Verb> verbs) {
  std::string cases, last;
  int position = 0;
  for (const DeclaredOption& o : verb.options)
    if (o.kind == DeclaredOption::argument) {
      last = bash_proposal(o, verbs);
      cases += fmt::format("    '{} {}') {} ;;\n", verb.manual.name, position++, last);
    }
  // The next word may belong to an option that takes several.
  return last.empty() ? "" : cases + fmt::format("    '{} '*) {} ;;\n", verb.manual.name, last);
}
}  // namespace

std::string bash_completion(std::span<const Verb> verbs) {
  std::string names, options, values, arguments;
  for (const Verb& verb : verbs) {
    names += verb.manual.name + ' ';
    options += options_case(verb);
    values += values_cases(verb, verbs);
    arguments += argument_cases(verb, verbs);
  }
  std::string script = bash_start;
  script += fmt::format(
      "  if ((COMP_CWORD == 1)); then\n    _mubody_words '{}--help --version'\n    return\n  fi\n", names);
  script += "  case $verb in\n" + options + "  esac\n";
  script += "  case \"$verb $prev\" in\n" + values + "  esac\n";
  script += bash_middle;
  script += "  case \"$verb $position\" in\n" + arguments + "  esac\n";
  return script + bash_end;
}
}  // namespace mubody::cli
