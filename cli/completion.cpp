#include "cli/completion.h"

#include <algorithm>

namespace mubody::cli {
std::vector<std::string> proposed_words(const DeclaredOption& o, std::span<const Verb> verbs) {
  if (o.known) return o.known();
  if (o.proposes != Proposes::verbs) return o.choices;
  std::vector<std::string> names;
  for (const Verb& verb : verbs) names.push_back(verb.manual.name);
  return names;
}

std::string brief_meaning(const DeclaredOption& o) {
  return o.meaning.substr(0, std::min(o.meaning.find("; "), o.meaning.find(". ")));
}

std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}
}  // namespace mubody::cli
