#include <fmt/format.h>

#include "cli/completion.h"

namespace mubody::cli {
namespace {
constexpr const char* zsh_start = R"(#compdef mubody
# Completion of mubody for zsh; written by 'mubody completion zsh'.

_mubody() {
  local context state state_descr line curcontext=$curcontext
  local -a verbs
  typeset -A opt_args
  verbs=(
)";

constexpr const char* zsh_middle = R"(  )
  _arguments -C '(- *)'{-h,--help}'[show the manual]' '(- *)--version[show the version]' \
    '1: :->verb' '*:: :->rest'
  case $state in
    verb) _describe verb verbs ;;
    rest)
      case $words[1] in
)";

constexpr const char* zsh_end = R"(      esac ;;
  esac
}

_mubody "$@"
)";

// Escapes characters that have a meaning within a specification.
std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string action(const DeclaredOption& o, std::span<const Verb> verbs) {
  if (const std::vector<std::string> words = proposed_words(o, verbs); !words.empty())
    return o.list ? fmt::format("_sequence compadd - {}", fmt::join(words, " "))
                  : fmt::format("({})", fmt::join(words, " "));
  switch (o.proposes) {
    case Proposes::files: return "_files";
    case Proposes::folders: return "_files -/";
    default: break;
  }
  return " ";
}

std::string option_specification(const DeclaredOption& o, std::span<const Verb> verbs) {
  const std::string meaning = '[' + escaped(brief_meaning(o), "[]:\\") + ']';
  std::string value;
  if (o.takes_value())
    value = fmt::format("{}{}:{}", o.kind == DeclaredOption::with_or_without_value ? "::" : ":",
                        escaped(o.value, ":\\"), action(o, verbs));
  for (std::size_t k = 1; k < o.words; ++k) value += ":N: ";
  const std::string before = o.repeats ? "*" : "", equals = o.takes_value() ? "=" : "";
  if (!o.letter) return shell_quoted(before + o.name + equals + meaning + value);
  const std::string plus = o.takes_value() ? "+" : "";
  const std::string first = o.repeats ? "*" : fmt::format("(-{} {})", o.letter, o.name);
  return fmt::format("{}{{-{}{},{}{}}}{}", shell_quoted(first), o.letter, plus, o.name, equals,
                     shell_quoted(meaning + value));
}

std::string argument_specification(const DeclaredOption& o, int position, std::span<const Verb> verbs) {
  return shell_quoted(fmt::format("{}:{}{}:{}", position, o.required ? "" : ":", o.name, action(o, verbs)));
}

std::string verb_case(const Verb& verb, std::span<const Verb> verbs) {
  std::string text = fmt::format("        {})\n          _arguments -s ", verb.manual.name);
  text += "'(- *)'{-h,--help}'[show the manual of this verb]'";
  int position = 1;
  for (const DeclaredOption& o : verb.options)
    text +=
        " \\\n            " + (o.kind == DeclaredOption::argument ? argument_specification(o, position++, verbs)
                                                                  : option_specification(o, verbs));
  return text + " ;;\n";
}
}  // namespace

std::string zsh_completion(std::span<const Verb> verbs) {
  std::string script = zsh_start;
  for (const Verb& verb : verbs)
    script +=
        fmt::format("    {}\n", shell_quoted(verb.manual.name + ':' + escaped(verb.manual.sentence, ":\\")));
  script += zsh_middle;
  for (const Verb& verb : verbs) script += verb_case(verb, verbs);
  return script + zsh_end;
}
}  // namespace mubody::cli
