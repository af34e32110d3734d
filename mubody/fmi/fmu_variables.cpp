#include "mubody/fmi/fmu_variables.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "mubody/model/errors.h"

namespace mubody::io {
namespace {
constexpr std::string_view fmu_list_title = "mubody fmu 1";

// Names and settings stand on lines of their own, whatever they contain.
std::string on_one_line(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c == '\n')
      out += "\\n";
    else if (c == '\\')
      out += "\\\\";
    else
      out += c;
  return out;
}

std::string as_it_was(std::string_view line) {
  std::string out;
  for (std::size_t k = 0; k < line.size(); ++k)
    if (line[k] == '\\' && k + 1 < line.size())
      out += line[++k] == 'n' ? '\n' : line[k];
    else
      out += line[k];
  return out;
}
}  // namespace

std::string fmu_list_text(const FmuList& list) {
  std::string text = fmt::format("{}\ntoken {}\n{} {}\n", fmu_list_title, list.token,
                                 list.tables ? "tables" : "model", on_one_line(list.model));
  for (const std::string& s : list.settings) text += "set " + on_one_line(s) + "\n";
  for (const FmuVariable& v : list.variables)
    text += fmt::format("{} {}\n", FmuVariable::words[v.kind], on_one_line(v.of));
  if (list.cosimulation) text += "cosimulation\n";
  if (list.exchange) text += fmt::format("exchange {} {}\n", list.states, list.indicators);
  return text;
}

FmuList read_fmu_list(std::string_view text) {
  const auto next_line = [&] {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
  };
  FmuList list;
  if (next_line() != fmu_list_title)
    throw ModelError("the list of variables is not one of this version of mubody: export the model again");
  while (!text.empty()) {
    const std::string_view line = next_line();
    const std::size_t space = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, space);
    std::string rest = as_it_was(line.substr(std::min(space + 1, line.size())));
    const auto kind = std::ranges::find(FmuVariable::words, word);
    if (kind != std::end(FmuVariable::words))
      list.variables.push_back({FmuVariable::Kind(kind - FmuVariable::words), std::move(rest)});
    else if (word == "cosimulation")
      list.cosimulation = true;
    else if (word == "exchange")
      list.exchange = true, std::sscanf(rest.c_str(), "%d %d", &list.states, &list.indicators);
    else if (word == "token")
      list.token = std::move(rest);
    else if (word == "set")
      list.settings.push_back(std::move(rest));
    else if (word == "model" || word == "tables")
      list.model = std::move(rest), list.tables = word == "tables";
    else
      throw ModelError(fmt::format("the list of variables has a line that begins with '{}'", word));
  }
  return list;
}
}  // namespace mubody::io
