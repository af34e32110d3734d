// Questions about a model that are no runs of it: methods compared, graph, independent variables, stability, agreement.
#include <fmt/format.h>

#include "mubody/analyses/run.h"
#include "mubody/fmi/export_fmu.h"
#include "mubody/integrators/stability.h"
#include "mubody/report/write_chart_reports.h"
#include "mubody/surveys/comparison.h"
#include "mubody/surveys/independent.h"
#include "mubody/text/cpu_clock.h"
#include "mubody/text/text_file.h"
#include "mubody/text/write_file.h"
#include "mubody/writing/compare_files.h"
#include "mubody/writing/write_comparison.h"
#include "mubody/writing/write_independent.h"
#include "mubody/writing/write_topology.h"
#include "python/bind.h"

namespace mubody::python {
namespace {
using Settings = std::vector<std::string>;

// (JSON, page, exception)
py::tuple compare_methods(const Document& d, const Settings& settings, const std::vector<Settings>& ways,
                          int rounds) {
  const RaisedRef raised = Raised::make();
  Watching watching(raised);
  const auto attempt = [&](const Study& study, const Purpose&) {
    Attempt a;
    const double before = io::thread_cpu_seconds();
    try {
      a.results = run_forward(study, std::ref(watching));
    } catch (const std::exception& e) {
      a.cannot = e.what();  // that a method refuses the model is a result too
    }
    a.cpu = io::thread_cpu_seconds() - before;
    return a;
  };
  std::string json, page;
  const Reading reading = d.reading();
  const io::ModelFile source{d.file(), d.text(), settings};  // another thread may change the document meanwhile
  in_terms_of(d, [&] {
    const Study study = reading.study(settings, raised);
    std::vector<Method> methods;
    for (Settings way : ways) {
      way.insert(way.begin(), settings.begin(), settings.end());
      methods.push_back({reading.study(way, raised).analysis});
    }
    const Comparison c = compare(study, methods, run_reference(study, attempt), attempt, {.rounds = rounds});
    json = io::comparison_json(c).dump();
    page = io::comparison_html(c, source);
  });
  return py::make_tuple(json, page, raised->taken());
}

// (text, JSON, SVG)
py::tuple topology_of(const Document& d, const Settings& settings, const std::vector<std::string>& chords) {
  std::string text, json, svg;
  const Reading reading = d.reading();
  in_terms_of(d, [&] {
    const Study study = reading.study(settings);
    const Mechanism& m = study.mechanism;
    const Graph graph = graph_of(m, chords.empty() ? study.analysis.chords : chords);
    text = io::topology_text(m, graph), json = io::topology_json(m, graph), svg = io::topology_svg(m, graph);
  });
  return py::make_tuple(text, json, svg);
}

// (text, JSON)
py::tuple independent_of(const Document& d, const Settings& settings, const py::dict& asked) {
  IndependentOptions o;
  o.body = asked["body"].cast<bool>(), o.length = asked["length"].cast<double>();
  o.chords = asked["chords"].cast<std::vector<std::string>>(),
  o.set = asked["set"].cast<std::vector<std::string>>();
  o.along = asked["along"].cast<bool>(), o.coefficients = asked["coefficients"].cast<bool>();
  std::string text, json;
  const Reading reading = d.reading();
  in_terms_of(d, [&] {
    const Independence found = find_independent(reading.study(settings), o);
    text = io::independent_text(found), json = io::independent_json(found);
  });
  return py::make_tuple(text, json);
}

py::dict stability_of(const std::string& integrator, double alpha, double beta, double step, int order) {
  const IntegratorEntry* const kind = find_integrator(integrator);
  if (!kind) throw py::value_error("there is no integrator '" + integrator + "'; see mubody.integrators");
  if (!(step > 0)) throw py::value_error("the step must be positive");
  if (order == 0) order = kind->order;
  if (order < kind->lowest || order > kind->order)
    throw py::value_error(fmt::format("{} has orders from {} to {}", integrator, kind->lowest, kind->order));
  const TestEquation equation{alpha, beta};
  const StabilityPolynomial polynomial = kind->stability_at(order);
  const Stability s = stability(polynomial, equation, step);
  py::list roots;
  for (const DiscreteRoot& r : s.roots) roots.append(r.z);
  const Extent extent = stability_extent(polynomial);
  constexpr const char* words[] = {"stable", "marginal", "unstable"};
  py::dict all;
  all["integrator"] = integrator, all["order"] = order, all["step"] = step;
  all["verdict"] = words[int(s.decay())], all["largest"] = s.largest(), all["angle"] = s.angle();
  all["roots"] = roots, all["time_constant"] = s.time_constant();
  all["largest_step"] = largest_step(polynomial, equation);
  all["region"] = py::make_tuple(extent.alpha_h, extent.beta2_h2);
  return all;
}

py::list agreement_of(const std::string& a, const std::string& b, const std::vector<std::string>& channels,
                      bool untrusted) {
  io::FileComparison found;
  {
    Unlocked release;
    found = io::compare_files(a, b, channels, untrusted);
  }
  py::list all;
  for (const io::ComparedChannel& c : found.channels) {
    const Agreement& g = c.agreement;
    py::dict row;
    row["table"] = c.table, row["channel"] = c.name, row["unit"] = c.unit, row["n"] = g.n;
    row["max"] = g.max, row["time"] = g.at, row["rms"] = g.rms, row["bias"] = g.bias, row["sd"] = g.sd;
    row["lower"] = g.lower, row["upper"] = g.upper;
    row["icc_consistency"] = g.consistency, row["icc_absolute"] = g.absolute;
    all.append(row);
  }
  return all;
}
}  // namespace

namespace {
// Writes an FMU; returns its token.
std::string fmu_of(const std::string& target, bool force, const std::string& file,
                   const std::vector<std::string>& settings, const std::string& version,
                   const std::string& kind, const std::string& engine, const std::string& name,
                   const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                   bool report) {
  if (version != "2.0" && version != "3.0") throw py::value_error("the version of FMI is \"2.0\" or \"3.0\"");
  if (kind != "cs" && kind != "me" && kind != "both")
    throw py::value_error("the kind is \"cs\", \"me\" or \"both\"");
  if (engine != "full" && engine != "compiled") throw py::value_error("the engine is \"full\" or \"compiled\"");
  const bool compiled = engine == "compiled";
  const std::filesystem::path library = io::fmu_library();
  if (library.empty() && !compiled)
    throw std::runtime_error("the library that goes into FMUs, mubody_fmu.so, is not there");
  const io::FmuKind of = kind == "me"     ? io::FmuKind::exchange
                         : kind == "both" ? io::FmuKind::both
                                          : io::FmuKind::cosimulation;
  Unlocked release;
  io::check_target(target, io::fmu_kind, {force});
  const io::FmuArchive made =
      io::export_fmu({file,
                      io::Settings(settings),
                      {name, inputs, outputs, of},
                      version == "3.0" ? io::FmiVersion::v3 : io::FmiVersion::v2,
                      compiled ? "" : io::read_file(library, {"the library of FMUs", 256, false}),
                      compiled,
                      report,
                      {}});
  io::write_file(target, made.bytes);
  return made.token;
}
}  // namespace

void bind_surveys(py::module_& m) {
  m.def("fmu", &fmu_of);
  m.def("compare", &compare_methods);
  m.def("topology", &topology_of);
  m.def("independent", &independent_of);
  m.def("stability", &stability_of);
  m.def("agree", &agreement_of);
}
}  // namespace mubody::python
