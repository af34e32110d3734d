#include "mubody/fmi/model_description.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "mubody/fmi/log_categories.h"
#include "mubody/model/escape.h"
#include "mubody/model/shown_units.h"
#include "mubody/model/units.h"
#include "mubody/model/version.h"

namespace mubody::io {
namespace {
std::string attribute(const char* name, std::string_view value) {
  return fmt::format(" {}=\"{}\"", name, for_xml(value));
}
std::string attribute(const char* name, double value) { return fmt::format(" {}=\"{}\"", name, value); }

// Products are written with points: "N.m".
std::string unit_name(std::string unit) {
  std::ranges::replace(unit, ' ', '.');
  return unit;
}

class DescriptionWriter {
 public:
  DescriptionWriter(const FmuContents& c, FmiVersion v, const std::string& token)
      : c_(c), v3_(v == FmiVersion::v3), token_(token), shown_(shown_units(c)) {}

  std::string text() {
    out_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription";
    out_ += attribute("fmiVersion", v3_ ? "3.0" : "2.0") + attribute("modelName", c_.model) +
            attribute(v3_ ? "instantiationToken" : "guid", token_) +
            attribute("generationTool", fmt::format("mubody {}", version())) +
            attribute("variableNamingConvention", c_.convention);
    if (c_.exchange && !v3_) out_ += fmt::format(" numberOfEventIndicators=\"{}\"", c_.indicators);
    out_ += ">\n";
    interface();
    units();
    out_ += "  <LogCategories>\n";
    for (const char* name : log_categories) out_ += "    <Category" + attribute("name", name) + "/>\n";
    out_ += "  </LogCategories>\n  <DefaultExperiment" + attribute("startTime", c_.start) +
            attribute("stopTime", c_.end);
    if (c_.tolerance) out_ += attribute("tolerance", *c_.tolerance);
    out_ += attribute("stepSize", c_.step) + "/>\n";
    variables();
    structure();
    return out_ + "</fmiModelDescription>\n";
  }

 private:
  // Angles in degrees are what people read, unless the model asks for something else.
  static ShownUnits shown_units(const FmuContents& c) {
    std::vector<std::string> all = c.shown_units;
    for (const char* usual : {"deg", "deg/s", "deg/s2"}) {
      bool named = false;
      for (const std::string& unit : c.shown_units)
        named = named || parse_unit(unit).dim == parse_unit(usual).dim;
      if (!named) all.push_back(usual);
    }
    return ShownUnits(all);
  }

  void interface() {
    const std::string both =
        attribute("modelIdentifier", c_.identifier) +
        fmt::format(" canGetAndSetFMU{0}=\"true\" canSerializeFMU{0}=\"true\"", v3_ ? "State" : "state");
    if (c_.exchange)
      out_ += "  <ModelExchange" + both + (v3_ ? " needsCompletedIntegratorStep=\"true\"/>\n" : "/>\n");
    if (!c_.cosimulation) return;
    out_ += "  <CoSimulation" + both + " canHandleVariableCommunicationStepSize=\"true\"";
    if (c_.changes) out_ += fmt::format(" providesDirectionalDerivative{}=\"true\"", v3_ ? "s" : "");
    // Generated code passes over instants at which something happens.
    if (v3_ && c_.sources.empty()) out_ += " mightReturnEarlyFromDoStep=\"true\" hasEventMode=\"true\"";
    if (!v3_ && c_.sources.empty()) out_ += " canInterpolateInputs=\"true\"";
    if (v3_ || c_.sources.empty()) {
      out_ += "/>\n";
      return;
    }
    out_ += ">\n    <SourceFiles>\n";
    for (const std::string& file : c_.sources) out_ += "      <File" + attribute("name", file) + "/>\n";
    out_ += "    </SourceFiles>\n  </CoSimulation>\n";
  }

  void units() {
    std::map<std::string, std::string> all;  // in the order of their names
    all["s"] = "";
    for (const FmuScalar& v : c_.variables)
      if (!v.unit.empty()) all[v.unit] = "";
    out_ += "  <UnitDefinitions>\n";
    for (const auto& [unit, ignored] : all) {
      const Quantity q = parse_unit(unit);
      out_ += "    <Unit" + attribute("name", unit_name(unit)) + "><BaseUnit";
      const auto power = [&](const char* base, double p) {
        if (p != 0) out_ += attribute(base, p);
      };
      power("kg", q.dim.kg), power("m", q.dim.m), power("s", q.dim.s), power("rad", q.dim.rad);
      if (q.si != 1) out_ += attribute("factor", q.si);
      out_ += "/>";
      if (const ShownUnit shown = shown_.of(unit); shown.unit != unit)
        out_ += "<DisplayUnit" + attribute("name", unit_name(shown.unit)) + attribute("factor", shown.factor) +
                "/>";
      out_ += "</Unit>\n";
    }
    out_ += "  </UnitDefinitions>\n";
  }

  // What stands in the element of a scalar in 2.0 and in that of its number in 3.0.
  std::string number(const std::string& unit, const double* start) const {
    std::string text;
    if (!unit.empty()) {
      text += attribute("unit", unit_name(unit));
      if (const ShownUnit shown = shown_.of(unit); shown.unit != unit)
        text += attribute("displayUnit", unit_name(shown.unit));
    }
    return start ? text + attribute("start", *start) : text;
  }
  static std::string range(const FmuScalar& v) {
    return (v.min ? attribute("min", *v.min) : "") + (v.max ? attribute("max", *v.max) : "");
  }
  void variable(std::size_t reference, const std::string& head, const std::string& number) {
    const std::string where = fmt::format(" valueReference=\"{}\"", reference);
    out_ += v3_ ? "    <Float64" + head + where + number + "/>\n"
                : "    <ScalarVariable" + head + where + "><Real" + number + "/></ScalarVariable>\n";
  }
  void variables() {
    out_ += "  <ModelVariables>\n";
    variable(0, attribute("name", "time") + " causality=\"independent\" variability=\"continuous\"",
             number("s", nullptr));
    for (std::size_t k = 0; k < c_.variables.size(); ++k) {
      const FmuScalar& v = c_.variables[k];
      std::string head = attribute("name", v.name);
      if (!v.meaning.empty()) head += attribute("description", v.meaning);
      if (v.kind == FmuVariable::parameter)
        head += " causality=\"parameter\" variability=\"fixed\" initial=\"exact\"";
      else if (v.kind == FmuVariable::output)
        head += " causality=\"output\" variability=\"continuous\" initial=\"calculated\"";
      else
        head += " causality=\"input\" variability=\"continuous\"";
      variable(k + 1, head, number(v.unit, v.kind == FmuVariable::output ? nullptr : &v.start) + range(v));
    }
    exchanged();
    out_ += "  </ModelVariables>\n";
  }

  // The states of an integrator outside, their derivatives, and in 3.0 its event indicators: plain lists of numbers.
  void exchanged() {
    const std::string kind = " causality=\"local\" variability=\"continuous\" initial=\"calculated\"";
    const std::size_t first = c_.variables.size() + 1;
    for (int k = 0; k < c_.states; ++k)
      variable(first + std::size_t(k), attribute("name", fmt::format("state[{}]", k + 1)) + kind,
               " reinit=\"true\"");  // contacts and projections set states anew
    for (int k = 0; k < c_.states; ++k) {
      // 2.0 names a state by its place in the list, the first being 1, 3.0 by its reference.
      const std::size_t state = first + std::size_t(k) + (v3_ ? 0 : 1);
      variable(first + std::size_t(c_.states + k),
               attribute("name", fmt::format("der(state[{}])", k + 1)) + kind,
               fmt::format(" derivative=\"{}\"", state));
    }
    for (int k = 0; v3_ && k < c_.indicators; ++k)
      variable(first + std::size_t(2 * c_.states + k),
               attribute("name", fmt::format("indicator[{}]", k + 1)) + kind, "");
  }

  void structure() {
    std::vector<std::string> outputs, derivatives, initial, indicators;
    for (std::size_t k = 0; k < c_.variables.size(); ++k)
      if (c_.variables[k].kind == FmuVariable::output) {
        const auto& known = c_.variables[k].depends_on;
        outputs.push_back(unknown("Output", k, known ? dependencies(*known) : ""));
        initial.push_back(unknown("InitialUnknown", k, ""));
      }
    const std::size_t first = c_.variables.size();
    for (std::size_t k = 0; k < std::size_t(c_.states); ++k)
      derivatives.push_back(unknown("ContinuousStateDerivative", first + std::size_t(c_.states) + k,
                                    c_.rates_depend_on.empty() ? "" : dependencies(c_.rates_depend_on[k])));
    for (int k = 0; k < 2 * c_.states; ++k)
      initial.push_back(unknown("InitialUnknown", first + std::size_t(k), ""));
    for (int k = 0; v3_ && k < c_.indicators; ++k)
      indicators.push_back(unknown("EventIndicator", first + std::size_t(2 * c_.states + k), ""));
    out_ += "  <ModelStructure>\n";
    listed("Outputs", outputs);
    listed("Derivatives", derivatives);
    listed("InitialUnknowns", initial);
    listed("", indicators);
    out_ += "  </ModelStructure>\n";
  }
  std::string dependencies(const std::vector<int>& references) const {
    std::vector<int> names = references;
    if (!v3_)
      for (int& name : names) ++name;
    return fmt::format(" dependencies=\"{}\"", fmt::join(names, " "));
  }
  void listed(const char* list, const std::vector<std::string>& unknowns) {
    if (unknowns.empty()) return;
    if (!v3_) out_ += fmt::format("    <{}>\n", list);
    for (const std::string& u : unknowns) out_ += u;
    if (!v3_) out_ += fmt::format("    </{}>\n", list);
  }
  // 3.0 names variables by reference, 2.0 by their place in the list, the first being 1.
  std::string unknown(const char* element, std::size_t k, const std::string& dependencies) const {
    return v3_ ? fmt::format("    <{} valueReference=\"{}\"{}/>\n", element, k + 1, dependencies)
               : fmt::format("      <Unknown index=\"{}\"{}/>\n", k + 2, dependencies);
  }

  const FmuContents& c_;
  bool v3_;
  const std::string& token_;
  ShownUnits shown_;
  std::string out_;
};
}  // namespace

std::string model_description(const FmuContents& c, FmiVersion version, const std::string& token) {
  return DescriptionWriter(c, version, token).text();
}

std::string build_description(const FmuContents& c) {
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n"
      "  <BuildConfiguration" +
      attribute("modelIdentifier", c.identifier) + ">\n    <SourceFileSet language=\"C99\">\n";
  for (const std::string& file : c.sources) out += "      <SourceFile" + attribute("name", file) + "/>\n";
  return out + "    </SourceFileSet>\n  </BuildConfiguration>\n</fmiBuildDescription>\n";
}
}  // namespace mubody::io
