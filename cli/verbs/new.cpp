// mubody new: a model to begin with.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "cli/run_model.h"
#include "cli/templates/templates.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "mubody/math/suggest.h"
#include "mubody/text/write_aligned.h"

namespace mubody::cli {
namespace {
std::vector<std::string> template_names() {
  std::vector<std::string> names;
  for (const Template& t : templates()) names.emplace_back(t.name);
  return names;
}
}  // namespace

struct NewOptions {
  std::string name, file;
  bool force = false, quiet = false;

  void declare(Options& o) {
    o.optional_argument({.name = "TEMPLATE",
                         .known = template_names,
                         .meaning = "which model; all of them are listed if left out"},
                        name);
    o.optional_argument(
        {.name = "NAME",
         .proposes = Proposes::files,
         .meaning = "the file to write, with .toml added if it has no such ending; TEMPLATE.toml if left out"},
        file);
    o.force(force);
    o.quiet(quiet, "no message; only errors");
  }
};

namespace {
void list_templates() {
  std::vector<io::TextRow> rows;
  for (const Template& t : templates()) rows.push_back({std::string(t.name), t.sentence()});
  fmt::print("{}\nmubody new TEMPLATE [NAME] writes one of them\n", io::aligned(rows, false, "", line_width()));
}

const Template& find_template(const std::string& name) {
  const auto found = std::ranges::find(templates(), name, &Template::name);
  if (found == templates().end())
    throw UsageError(fmt::format("there is no template '{}'{}; 'mubody new' lists all", name,
                                 suggestion(name, template_names())));
  return *found;
}

int make_new(const NewOptions& o) {
  if (o.name.empty()) {
    list_templates();
    return done;
  }
  const Template& chosen = find_template(o.name);
  std::filesystem::path file = o.file.empty() ? o.name : o.file;
  if (file.extension() != ".toml") file += ".toml";
  with_files([&] {
    io::check_target(file, {"mubody", nullptr}, {o.force});
    const io::GoesOn goes_on = until_interrupted();
    const io::NewFolders folder = make_folder_of(file);
    io::write_file(file, std::string(chosen.text), goes_on);
  });
  if (!o.quiet)
    fmt::print("{0}: {1}\n'mubody run {0} --report' runs it, 'mubody watch {0}' follows your changes\n",
               shown(file), chosen.sentence());
  return done;
}
}  // namespace

Verb new_verb() {
  return Verb::of(
      make_new,
      {.name = "new",
       .shelf = Shelf::everyday,
       .sentence = "begin a model from one of twelve templates",
       .description = {R"(Without arguments, lists the templates. With TEMPLATE, writes a model that runs, with
            comments that say what it is made of and what to try. Each is about another part of the program: mechanisms that
            are driven, that fall, that collide, controllers, vibrations, space.)"},
       .exits = {{done, "done"},
                 {failed, "the file is there already, or cannot be written"},
                 {wrong_input, "there is no such template, or wrong usage"}},
       .examples = {"mubody new", "mubody new four_bar", "mubody new controller my_arm.toml"}});
}
}  // namespace mubody::cli
