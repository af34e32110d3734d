// mubody studio: the page in which mechanisms are drawn, with a model inside.
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/limits.h"
#include "cli/run_model.h"
#include "cli/serve/browser.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "mubody/mubodyna/to_model.h"
#include "mubody/reading/read_model.h"
#include "mubody/report/report_page.h"
#include "mubody/text/json.h"
#include "mubody/text/text_file.h"
#include "mubody/text/write_file.h"

namespace mubody::cli {
struct StudioOptions {
  std::string model, out, page;
  bool no_open = false, untrusted = false, force = false, quiet = false;
  Limits limits;

  void declare(Options& o) {
    o.optional_argument(
        {.name = "MODEL",
         .proposes = Proposes::files,
         .meaning = "a TOML file to begin with, or a folder with model.toml; an empty drawing if left out"},
        model);
    o.add({.name = "--out",
           .letter = 'o',
           .value = "FILE",
           .proposes = Proposes::files,
           .meaning = "where the page goes, a name that ends with .html; MODEL with the ending .studio.html if "
                      "not given"},
          out);
    o.add({.name = "--page",
           .value = "FILE",
           .proposes = Proposes::files,
           .meaning = "the studio itself; the one that was built or installed with the program if not given"},
          page);
    o.add({.name = "--no-open", .meaning = "write the page and do not open it in the browser"}, no_open);
    o.untrusted(untrusted);
    o.limits(limits, "none, if not given");
    o.force(force);
    o.quiet(quiet, "no message; only errors");
  }
};

namespace {
namespace fs = std::filesystem;

constexpr std::string_view empty_model = R"(<script type="application/json" id="model"></script>)";
constexpr io::FileKind studio_file{"the studio", 64, false};

/// The page that was built or installed with this program.  Throws Hindrance.
fs::path page_of_program() {
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  for (const char* beside : {"../studio.html", "../share/mubody/studio.html"})
    if (const fs::path page = (program.parent_path() / beside).lexically_normal();
        fs::is_regular_file(page, failed))
      return page;
  throw Hindrance(
      "the studio was not built with this program: 'make studio' makes it, and --page FILE says where it lies");
}

/// The text of a page, which must have a place for a model.
std::string text_of_page(const fs::path& file) {
  std::string text;
  try {
    text = io::read_file(file, studio_file);
  } catch (const io::FileError& e) {
    throw UsageError(located(file, e.what()));
  }
  if (text.find(empty_model) == std::string::npos)
    throw UsageError(
        located(file, "this is no studio, for it has no place for a model; 'make studio' makes one"));
  return text;
}

/// The model as the page reads it: its text or, if it takes others files as well, an object with all of them.
io::Json inside_of(const fs::path& file, bool untrusted) {
  const std::string text = io::read_file(file, io::files::model);
  if (io::mubodyna::is_mubodyna(text, file.string()))
    throw UsageError(located(file, "the studio reads TOML; 'mubody convert' makes that of a MUBODYNA file"));
  io::DataFiles data;
  try {
    io::read_study_text(text, file.string(), io::Settings({}, untrusted), &data);
  } catch (const ModelError&) {  // the studio shows what is wrong
  }
  if (data.empty()) return text;
  io::Json files = io::Json::object();
  for (const fs::path& other : data) {
    const std::string name = other.lexically_relative(file.parent_path()).generic_string();
    files[name] = io::base64(io::read_file(other, studio_file));
  }
  return {{"name", file.filename().string()}, {"text", text}, {"files", files}};
}

void write_with_model(const StudioOptions& o, const fs::path& page, const fs::path& out,
                      const fs::path& model) {
  std::string text = text_of_page(page);
  check_files({.inputs = {{"the model itself", model}, {"the studio", page}}, .outputs = {{"the page", out}}});
  check_report(out, {o.force});
  const std::string inside = io::json_in_page(inside_of(model, o.untrusted));
  text.insert(text.find(empty_model) + empty_model.rfind("</"), inside);
  write_page(out, text);
}

int studio(const StudioOptions& o) {
  if (!o.out.empty() && o.model.empty()) throw UsageError("--out goes with a model, which is missing");
  const fs::path page = o.page.empty() ? page_of_program() : fs::path(o.page);
  fs::path shown_page = page;
  if (o.model.empty()) {
    text_of_page(page);
  } else {
    const fs::path model = model_file(o.model);
    shown_page = o.out.empty() ? fs::path(model).replace_extension(".studio.html") : fs::path(o.out);
    write_with_model(o, page, shown_page, model);
  }
  if (!o.quiet) fmt::print("studio in {}\n", shown(shown_page));
  flush_stdout();
  if (!o.no_open && !open_in_browser(shown_page))
    complain(fmt::format("there is no 'xdg-open' here: open {} in a browser yourself", shown(shown_page)));
  return done;
}
}  // namespace

Verb studio_verb() {
  return Verb::of(
      studio,
      {.name = "studio",
       .shelf = Shelf::everyday,
       .sentence = "draw a mechanism in the browser and see it move",
       .description =
           {R"(Writes the studio, one page with the whole program inside, with MODEL in it, and opens it in the browser. The
            page works from the disk: it needs no server and no network. Files that the model includes or takes data
            from go along.)",
            R"(Without MODEL, opens the studio where it lies; what was drawn there last is there again.)"},
       .exits = {{done, "done"},
                 {failed, "the studio was not built, or the page cannot be written"},
                 {wrong_input, "there is no such model, it is no TOML file, or wrong usage"}},
       .examples = {"mubody studio", "mubody studio four_bar.toml",
                    "mubody studio four_bar.toml --no-open -o drawn.html"}});
}
}  // namespace mubody::cli
