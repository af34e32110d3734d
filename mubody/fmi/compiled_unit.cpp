#include "mubody/fmi/compiled_unit.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "mubody/code/emit_model.h"
#include "mubody/compiled/shared_code.h"
#include "mubody/fmi/fmu_dependencies.h"
#include "mubody/model/escape.h"
#include "mubody/text/temporary.h"
#include "mubody/text/text_file.h"
#include "mubody/text/write_file.h"

namespace mubody::io {
namespace fmu_c {
extern const std::string_view unit_h, fmi2_c, fmi3_c;
}

namespace {
namespace fs = std::filesystem;
constexpr std::string_view step_variable = "step";

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size())
    text.replace(at, what.size(), by);
}

double step_of(const Study& study) {
  const AnalysisOptions& a = study.analysis;
  return a.control.step ? *a.control.step : std::min(1e-3, (a.end - a.start) / 1000);
}

/// The step of the integration takes the place of all parameters: what follows them has other references then, by which
/// dependencies name it.
void exchange_parameters(FmuContents& c, const FmuScalar& step) {
  std::vector<FmuScalar> left = {step};
  std::map<int, int> references{{0, 0}};  // the time
  for (std::size_t k = 0; k < c.variables.size(); ++k) {
    if (c.variables[k].kind == FmuVariable::parameter) continue;
    left.push_back(std::move(c.variables[k]));
    references[int(k) + 1] = int(left.size());
  }
  for (FmuScalar& v : left)
    if (v.depends_on)
      for (int& known : *v.depends_on) known = references.at(known);
  c.variables = std::move(left);
}

EmittedModel emitted(const FmuContents& c, const Study& study) {
  EmitModelOptions o;
  o.name = c.identifier;
  o.steps = 0;
  o.changes = true;
  o.step = step_of(study);
  o.inputs = asked_inputs(c, study);
  for (const FmuScalar& v : c.variables)
    if (v.kind == FmuVariable::output) o.outputs.push_back(v.of);
  return emit_model(study, o);
}
}  // namespace

FmuContents compiled_contents(FmuContents c, const Study& study) {
  if (c.exchange)
    throw ModelError("generated code is for co-simulation alone: --engine full has model exchange");
  exchange_parameters(c, {{FmuVariable::parameter, std::string(step_variable)},
                          "integration_step",
                          "s",
                          step_of(study),
                          "step of the Runge-Kutta method at most"});
  c.tolerance.reset();
  c.changes = true;
  return c;
}

CompiledUnit compiled_unit(const FmuContents& c, const Study& study, FmiVersion version) {
  EmittedModel code = emitted(c, study);
  constexpr const char* kinds[] = {"the_step", "an_input", "a_rate", "an_acceleration", "an_output"};
  std::string variables, unit(fmu_c::unit_h.substr(fmu_c::unit_h.find("/*")));
  for (const FmuScalar& v : c.variables)
    variables +=
        fmt::format("{}{{{}, \"{}\"}}", variables.empty() ? "" : ",\n    ", kinds[v.kind], for_c_string(v.of));
  replace_all(unit, "model_", c.identifier + "_");
  replace_all(unit, "\"model.h\"", fmt::format("\"{}.h\"", c.identifier));
  replace_all(unit, "@VARIABLES@", "\n    " + variables);
  replace_all(unit, "@STEP@", fmt::format("{}", step_of(study)));
  return {{{c.identifier + ".h", std::move(code.header)},
           {c.identifier + ".c", std::move(code.source)},
           {"unit.h", std::move(unit)},
           version == FmiVersion::v3 ? ZipEntry{"fmi3.c", std::string(fmu_c::fmi3_c)}
                                     : ZipEntry{"fmi2.c", std::string(fmu_c::fmi2_c)}},
          std::move(code.notes)};
}

void put_token(std::vector<ZipEntry>& sources, const std::string& token) {
  for (ZipEntry& s : sources)
    if (s.name == "unit.h") replace_all(s.content, "@TOKEN@", token);
}

std::string compiled_library(const std::vector<ZipEntry>& sources) {
  const Temporary folder = make_temporary_folder(fs::temp_directory_path(), "fmu");
  const auto made = [&] {
    std::vector<fs::path> files;
    for (const ZipEntry& e : sources) {
      write_file(folder.path / e.name, e.content);
      if (e.name.ends_with(".c")) files.push_back(folder.path / e.name);
    }
    compile_library(files, folder.path / "unit.so");
    return read_file(folder.path / "unit.so", {"a shared library", 1000, false});
  };
  std::error_code ignored;
  try {
    const std::string library = made();
    fs::remove_all(folder.path, ignored);
    return library;
  } catch (const std::exception& e) {
    fs::remove_all(folder.path, ignored);
    throw ModelError(e.what());
  }
}
}  // namespace mubody::io
