// [look]: how bodies are drawn.
#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "mubody/math/suggest.h"
#include "mubody/reading/field_reader.h"
#include "mubody/reading/sections.h"

namespace mubody::io {
namespace {
// Colours that go together on white and on black.
constexpr std::pair<std::string_view, std::string_view> colours[] = {
    {"blue", "#2f6fb3"},   {"orange", "#d9772b"}, {"green", "#3a9463"}, {"red", "#c2453d"},
    {"purple", "#7d5ba6"}, {"teal", "#2a9d9d"},   {"brown", "#8c6239"}, {"pink", "#c95d8f"},
    {"yellow", "#c9a227"}, {"grey", "#7a8189"},   {"black", "#22272e"}, {"white", "#ffffff"}};

std::string read_colour(const std::string& text, const Node& at, const Scope& scope) {
  for (const auto& [name, code] : colours)
    if (text == name) return std::string(code);
  const bool is_code =
      (text.size() == 4 || text.size() == 7) && text[0] == '#' &&
      std::all_of(text.begin() + 1, text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
  if (is_code && text.size() == 7) return text;
  if (is_code) return fmt::format("#{0}{0}{1}{1}{2}{2}", text[1], text[2], text[3]);
  std::vector<std::string_view> names;
  for (const auto& [name, unused] : colours) names.push_back(name);
  scope.fail(at,
             fmt::format("expected a colour as in \"#2f6fb3\", or {}; got {}", one_of(names), in_quotes(text)));
}
}  // namespace

void read_looks(const Node& root, Study& study, const Known& known) {
  const Node* table = root.find("look");
  if (!table) return;
  if (!table->is(Node::Kind::table)) Scope("look").expected("a table: [look] and one line per body", *table);
  for (std::size_t k = 0; k < table->items.size(); ++k) {
    const Node::Key& key = table->keys[k];
    const Node& node = table->items[k];
    const Scope scope("look of " + in_quotes(key.name));
    if (const auto body = known.bodies.find(key.name); body == known.bodies.end() || body->second == ground) {
      std::vector<std::string> names;
      for (const auto& [name, index] : known.bodies)
        if (index != ground) names.push_back(name);
      scope.fail(key.mark, "there is no such body" + suggestion(key.name, names));
    }
    if (!node.is(Node::Kind::table)) scope.expected("a table {shape = ..., colour = ..., size = ...}", node);
    Look look;
    expect_keys(node, scope, fields_of(look).names);
    FieldReader reader(node, key.mark, scope, known);
    reader.fill(look);
    with_places(node, key.mark, scope, [&] { look.check(); });
    if (const Node* colour = node.find("colour"))
      look.colour = read_colour(look.colour, *colour, scope / "colour");
    look.figure = study.looks[key.name].figure;
    study.looks[key.name] = look;
  }
}
}  // namespace mubody::io
