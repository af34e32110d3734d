// mubody list: what a model file may contain.
#include <algorithm>

#include <fmt/format.h>

#include "cli/glossary.h"
#include "cli/names.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "mubody/math/suggest.h"
#include "mubody/reading/describe.h"

namespace mubody::cli {
struct ListOptions {
  std::string category, name, format = "text";

  void declare(Options& o) {
    o.optional_argument({.name = "CATEGORY",
                         .known = [] { return categories_and_names(); },
                         .meaning = "everything in it, or the one element of that name"},
                        category);
    o.optional_argument(
        {.name = "NAME", .known = [] { return names_in(""); }, .meaning = "this one of the category alone"},
        name);
    o.format(format, {"text", "json", "markdown", "schema"},
             "for people, for programs, for documents, or a JSON Schema of model files for editors");
  }
};

namespace {
// "[analysis]" is found as "analysis" too, and a joint by what others call it.
bool is_called(const io::KindNote& kind, const std::string& name) {
  return kind.name == name || kind.name == "[" + name + "]" || Info{kind.name, "", kind.also}.is_also(name);
}

// The kinds of that name; categories without one are dropped.
std::vector<io::Category> only(std::vector<io::Category> all, const std::string& name) {
  for (io::Category& c : all)
    std::erase_if(c.kinds, [&](const io::KindNote& k) { return !is_called(k, name); });
  std::erase_if(all, [](const io::Category& c) { return c.kinds.empty(); });
  return all;
}

std::vector<std::string> names_of_kinds(const std::vector<io::Category>& all) {
  std::vector<std::string> names;
  for (const io::Category& c : all)
    for (const io::KindNote& k : c.kinds) names.push_back(k.name);
  return names;
}

std::vector<io::Category> chosen(const ListOptions& options) {
  std::vector<io::Category> all = io::describe();
  std::string name = options.name;
  if (!options.category.empty()) {
    std::vector<std::string> names;
    for (const io::Category& c : all) names.push_back(c.name);
    if (std::ranges::find(names, options.category) != names.end()) {
      std::erase_if(all, [&](const io::Category& c) { return c.name != options.category; });
    } else if (name.empty() && !only(all, options.category).empty()) {
      name = options.category;  // 'mubody list revolute' is clear enough
    } else {
      const std::vector<std::string> kinds = names_of_kinds(all);
      names.insert(names.end(), kinds.begin(), kinds.end());
      throw UsageError(
          fmt::format("nothing to list under '{}'{}", options.category, suggestion(options.category, names)));
    }
  }
  if (name.empty()) return all;
  std::vector<io::Category> found = only(all, name);
  if (found.empty())
    throw UsageError(
        fmt::format("no '{}' among the {}{}", name, options.category, suggestion(name, names_of_kinds(all))));
  return found;
}

// A kind that may stand in two sections is described once.
std::string text_of_kinds(const std::vector<io::Category>& found) {
  std::string out;
  std::vector<std::string> shown;
  for (const io::Category& c : found)
    for (const io::KindNote& k : c.kinds) {
      std::string text = io::describe_text(k, line_width());
      if (std::ranges::find(shown, text) != shown.end()) continue;
      out += (out.empty() ? "" : "\n") + text;
      shown.push_back(std::move(text));
    }
  return out;
}

// A word of a book that is no element.
std::string explained_word(const ListOptions& options) {
  if (options.category.empty() || !options.name.empty() || options.format != "text") return {};
  const std::vector<io::Category> all = io::describe();
  const bool known = std::ranges::find(all, options.category, &io::Category::name) != all.end() ||
                     !only(all, options.category).empty();
  return known ? std::string() : explained(options.category);
}

int list(const ListOptions& options) {
  if (options.format == "schema") {
    if (!options.category.empty())
      throw UsageError(
          fmt::format("--format schema is of whole model files; leave '{}' out", options.category));
    fmt::print("{}", io::model_schema());
    return done;
  }
  if (const std::string word = explained_word(options); !word.empty()) {
    fmt::print("{}", word);
    return done;
  }
  const std::vector<io::Category> found = chosen(options);
  std::string out;
  if (options.format == "json")
    out = io::describe_json(found);
  else if (options.format == "markdown")
    out = io::describe_markdown(found);
  else if (options.category.empty())
    out = io::overview_text(found, line_width()) + "\nMore: mubody list CATEGORY [NAME]\n";
  else if (found.size() == 1 && found[0].name == options.category && options.name.empty())
    out = io::describe_text(found[0], line_width());
  else
    out = text_of_kinds(found);
  fmt::print("{}", out);
  return done;
}
}  // namespace

Verb list_verb() {
  return Verb::of(
      list, {.name = "list",
             .shelf = Shelf::program,
             .sentence = "list what a model file may contain: elements, keys, units and defaults",
             .description =
                 {R"(Without arguments, all categories and the names in them. With a CATEGORY, everything in it:
            keys, units, defaults and meaning. With a NAME, that alone; the category may then be left out.
            A word of a book that is no element, such as "rheonomic", is explained by the glossary.)",
                  R"(The categories are bodies, joints, drivers, forces, laws, contact-laws, friction-laws,
            functions, curves, treatments, integrators and analyses.)"},
             .exits = {{done, "done"}, {wrong_input, "wrong usage"}},
             .examples = {"mubody list", "mubody list joints", "mubody list revolute",
                          "mubody list functions harmonic", "mubody list --format json | jq '.joints[].name'",
                          "mubody list --format schema > mubody.schema.json"}});
}
}  // namespace mubody::cli
