#include "mubody/fmi/check_fmu.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "mubody/fmi/unpacked_fmu.h"
#include "mubody/fmus/fmu_grammar.h"
#include "mubody/fmus/fmu_rules.h"
#include "mubody/model/errors.h"
#include "mubody/text/node.h"
#include "mubody/text/temporary.h"
#include "mubody/text/text_file.h"
#include "mubody/text/write_file.h"

namespace mubody::io {
namespace {
namespace fs = std::filesystem;
constexpr std::size_t most_described = 256'000'000;  // bytes of a description

const DescribedVariable& settable(const FmuDescription& d, const std::string& name) {
  const DescribedVariable* const v = d.find(name);
  if (!v) throw ModelError(fmt::format("the FMU has no variable {}", in_quotes(name)));
  if (v->type != "Float64" || v->is_array)
    throw ModelError(fmt::format("variable {} is no real number", in_quotes(name)));
  return *v;
}

FmuRunOptions run_options(const FmuDescription& d, const FmuCheckOptions& o) {
  FmuRunOptions r;
  r.start = o.start.value_or(d.start.value_or(0));
  r.stop = o.stop.value_or(d.stop.value_or(r.start + 1));
  const double span = r.stop - r.start;
  r.step = o.step.value_or(d.step.value_or(span > 0 ? span / 100 : 0.01));
  constexpr double most_steps = 1e7;
  if (!(span >= 0 && r.step > 0 && span / r.step < most_steps && std::isfinite(r.step)))
    throw ModelError(
        fmt::format("from {} s to {} s in steps of {} s is no run: the end must come after the start, and "
                    "in less than {:.0f} positive steps; give --stop and --step",
                    r.start, r.stop, r.step, most_steps));
  r.inputs = o.inputs;
  for (const std::string& name : r.inputs.names)
    if (settable(d, name).causality != "input")
      throw ModelError(fmt::format("variable {} is no input", in_quotes(name)));
  for (const std::string& setting : o.values) {
    const std::size_t equals = setting.find('=');
    double x = 0;
    const char* const last = setting.data() + setting.size();
    if (equals == setting.npos || std::from_chars(setting.data() + equals + 1, last, x).ptr != last)
      throw ModelError(fmt::format("{} is not of the form name=number", in_quotes(setting)));
    r.values[settable(d, setting.substr(0, equals)).name] = x;
  }
  r.patience = o.patience;
  if (o.memory) r.memory = *o.memory;
  r.goes_on = o.goes_on;
  return r;
}

void run_and_see(const ZipArchive& archive, const FmuCheckOptions& o, FmuFindings& found) {
  const FmuDescription& d = found.description;
  if (!d.cosimulation)
    return found.notes.push_back(fmt::format("it is for {}, which cannot be run here",
                                             !d.scheduled  ? "model exchange alone"
                                             : !d.exchange ? "scheduled execution alone"
                                                           : "model exchange and scheduled execution"));
  if (d.needs_tool) return found.notes.push_back("it needs another program, and is not run");
  const std::string library = library_entry(d, *d.cosimulation);
  if (!archive.find(library)) {
    bool others = false;
    for (const ZipArchive::Entry& e : archive.entries())
      others = others || e.name.starts_with("binaries/") || e.name.starts_with("sources/");
    if (others)
      return found.notes.push_back(
          fmt::format("there is no {} for this machine, so that it is not run", library));
    return found.complaints.push_back(
        fmt::format("there is neither {} nor any other library, nor sources", library));
  }
  const FmuRunOptions options = run_options(d, o);
  const UnpackedFmu unpacked(archive);
  FmuRun run = run_fmu(unpacked.path(), d, options);
  found.complaints.insert(found.complaints.end(), run.complaints.begin(), run.complaints.end());
  if (run.end) found.notes.push_back(*run.end);
  found.messages = std::move(run.messages);
  found.outputs = std::move(run.outputs);
}
}  // namespace

FmuFindings check_fmu(const fs::path& file, const FmuCheckOptions& o) {
  FmuFindings found;
  try {
    const ZipArchive archive(read_file(file, {"an FMU", 1000, false}));
    const ZipArchive::Entry* const described = archive.find("modelDescription.xml");
    if (!described) throw ZipError("there is no modelDescription.xml at the top of the archive");
    if (described->size > most_described) throw ZipError("modelDescription.xml is too large");
    for (const ZipArchive::Entry& e : archive.entries()) archive.content(e);  // whose checksums are right
    const XmlElement root = read_xml(archive.content(*described));
    found.description = read_fmu_description(root, found.complaints);
    if (found.description.version == 0) return found;
    for (const auto& broken : {unknown_words(root), broken_rules(found.description)})
      found.complaints.insert(found.complaints.end(), broken.begin(), broken.end());
    if (o.run) run_and_see(archive, o, found);
  } catch (const ZipError& e) {
    found.complaints.push_back(e.what());
  } catch (const XmlError& e) {
    found.complaints.push_back(fmt::format("modelDescription.xml: {}", e.what()));
  }
  return found;
}
}  // namespace mubody::io
