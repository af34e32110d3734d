#include "mubody/fmus/fmu_description.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <sstream>
#include <type_traits>

#include <fmt/format.h>

#include "mubody/text/node.h"

namespace mubody::io {
namespace {
class DescriptionReader {
 public:
  DescriptionReader(const XmlElement& root, std::vector<std::string>& complaints)
      : root_(root), complaints_(complaints) {}

  FmuDescription read() {
    if (root_.name != "fmiModelDescription") {
      complain(root_, fmt::format("the root is {}, not fmiModelDescription", in_quotes(root_.name)));
      return {};
    }
    const std::string_view version = root_.get("fmiVersion");
    d_.version = version.starts_with("3.") ? 3 : version.starts_with("2.") ? 2 : 0;
    if (d_.version == 0) {
      complain(root_, fmt::format("fmiVersion is {}; versions 2.0 and 3.0 are read", in_quotes(version)));
      return {};
    }
    d_.model = needed(root_, "modelName");
    d_.token = needed(root_, d_.version == 3 ? "instantiationToken" : "guid");
    d_.convention = root_.get("variableNamingConvention", "flat");
    interface("ModelExchange", d_.exchange);
    interface("CoSimulation", d_.cosimulation);
    interface("ScheduledExecution", d_.scheduled);
    if (!d_.exchange && !d_.cosimulation && !d_.scheduled)
      complain(root_, "there is neither ModelExchange nor CoSimulation");
    units();
    experiment();
    variables();
    structure();
    return std::move(d_);
  }

 private:
  void complain(const XmlElement& e, const std::string& what) {
    complaints_.push_back(fmt::format("modelDescription.xml:{}: {}", e.line, what));
  }
  std::string needed(const XmlElement& e, const char* attribute) {
    if (!e.find(attribute)) complain(e, fmt::format("<{}> has no {}", e.name, attribute));
    return std::string(e.get(attribute));
  }
  template <class T> std::optional<T> number(const XmlElement& e, const char* attribute) {
    const std::string* const text = e.find(attribute);
    if (!text) return {};
    if constexpr (std::is_same_v<T, double>) {
      if (const std::optional<double> x = xml_number(*text)) return x;
    } else {
      const std::string_view digits = std::string_view(*text).substr(text->starts_with('+') ? 1 : 0);
      T x{};
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), x);
      if (error == std::errc() && end == digits.data() + digits.size()) return x;
    }
    complain(e, fmt::format("{} is no number: {}", attribute, in_quotes(*text)));
    return {};
  }

  static bool says(const XmlElement& e, const char* attribute) {
    return e.get(attribute) == "true" || e.get(attribute) == "1";
  }

  void interface(const char* name, std::optional<std::string>& identifier) {
    const XmlElement* const e = root_.child(name);
    if (!e) return;
    identifier = needed(*e, "modelIdentifier");
    if (std::string_view(name) != "CoSimulation") return;
    d_.gets_and_sets_state = says(*e, d_.version == 3 ? "canGetAndSetFMUState" : "canGetAndSetFMUstate");
    d_.needs_tool = says(*e, "needsExecutionTool");
  }

  void units() {
    if (const XmlElement* const all = root_.child("UnitDefinitions"))
      for (const XmlElement& unit : all->children) {
        const std::string name = needed(unit, "name");
        if (!d_.units.try_emplace(name).second) complain(unit, fmt::format("two units {}", in_quotes(name)));
        for (const XmlElement& shown : unit.children)
          if (shown.name == "DisplayUnit") d_.units[name].insert(needed(shown, "name"));
      }
    if (const XmlElement* const all = root_.child("TypeDefinitions"))
      for (const XmlElement& type : all->children) d_.types.insert(needed(type, "name"));
  }

  void experiment() {
    const XmlElement* const e = root_.child("DefaultExperiment");
    if (!e) return;
    d_.start = number<double>(*e, "startTime");
    d_.stop = number<double>(*e, "stopTime");
    d_.step = number<double>(*e, "stepSize");
    d_.tolerance = number<double>(*e, "tolerance");
    if (d_.start && d_.stop && *d_.stop < *d_.start) complain(*e, "stopTime comes before startTime");
  }

  void variables() {
    const XmlElement* const all = root_.child("ModelVariables");
    if (!all) return complain(root_, "there is no ModelVariables");
    for (const XmlElement& e : all->children) {
      // In 2.0 the number is an element within the variable.
      const XmlElement* type = &e;
      if (d_.version == 2) {
        constexpr std::string_view types[] = {"Real", "Integer", "Boolean", "String", "Enumeration"};
        const auto at = std::ranges::find_if(e.children, [&](const XmlElement& c) {
          return std::ranges::find(types, c.name) != std::end(types);
        });
        if (e.name != "ScalarVariable" || at == e.children.end()) {
          complain(e, fmt::format("<{}> is no variable with a type", e.name));
          continue;
        }
        type = &*at;
      }
      d_.variables.push_back(variable(e, *type));
    }
  }

  DescribedVariable variable(const XmlElement& e, const XmlElement& type) {
    DescribedVariable v;
    v.name = needed(e, "name");
    v.line = e.line;
    v.type = type.name == "Real" ? "Float64" : type.name == "Integer" ? "Int32" : type.name;
    needed(e, "valueReference");
    v.reference = number<unsigned>(e, "valueReference").value_or(0);
    v.causality = e.get("causality", "local");
    const bool continuous = v.type == "Float64" || v.type == "Float32";
    const bool fixed = v.causality == "parameter" || v.causality == "calculatedParameter" ||
                       v.causality == "structuralParameter";
    v.variability = e.get("variability", fixed && d_.version == 3 ? "fixed"
                                         : continuous             ? "continuous"
                                                                  : "discrete");
    v.initial_given = e.find("initial");
    v.initial = e.get("initial", usual_initial(v));
    v.unit = type.get("unit");
    v.display_unit = type.get("displayUnit");
    v.declared_type = type.get("declaredType");
    if (const std::string* const start = type.find("start")) v.start = *start;
    if (d_.version == 3)
      for (const XmlElement& c : e.children) {
        if (c.name == "Dimension") v.is_array = true;
        if (c.name == "Start") v.start = c.get("value");  // of strings
      }
    if (continuous) v.min = number<double>(type, "min"), v.max = number<double>(type, "max");
    v.derivative_of = number<unsigned>(type, "derivative");
    v.reinitialized = says(type, "reinit");
    v.is_clocked = !e.get("clocks").empty();
    return v;
  }

  // The defaults of the standard: 2.0 and 3.0 have the same table.
  static std::string_view usual_initial(const DescribedVariable& v) {
    if (v.causality == "parameter" || v.causality == "structuralParameter" || v.variability == "constant")
      return "exact";
    if (v.causality == "input" || v.causality == "independent") return "";
    return "calculated";
  }

  void structure() {
    const XmlElement* const all = root_.child("ModelStructure");
    if (!all) return complain(root_, "there is no ModelStructure");
    for (const XmlElement& e : all->children) {
      if (d_.version == 3) {
        if (e.name == "Output") add(d_.outputs, e, "valueReference");
        if (e.name == "ContinuousStateDerivative") add(d_.derivatives, e, "valueReference");
        if (e.name == "InitialUnknown") add(d_.initial_unknowns, e, "valueReference");
        continue;
      }
      for (const XmlElement& unknown : e.children) {
        if (e.name == "Outputs") add(d_.outputs, unknown, "index");
        if (e.name == "Derivatives") add(d_.derivatives, unknown, "index");
        if (e.name == "InitialUnknowns") add(d_.initial_unknowns, unknown, "index");
      }
    }
  }
  static std::optional<std::vector<std::string>> words(const XmlElement& e, const char* attribute) {
    const std::string* const text = e.find(attribute);
    if (!text) return {};
    std::istringstream in(*text);
    return std::vector<std::string>(std::istream_iterator<std::string>(in), {});
  }
  void add(std::vector<DescribedUnknown>& list, const XmlElement& e, const char* key) {
    needed(e, key);
    DescribedUnknown u{number<unsigned>(e, key).value_or(0), {}, e.line};
    if (const auto texts = words(e, "dependencies")) {
      u.dependencies.emplace();
      for (const std::string& text : *texts) {
        unsigned n = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
        if (error != std::errc() || end != text.data() + text.size()) {
          complain(e, fmt::format("dependencies are no list of numbers: {}", in_quotes(e.get("dependencies"))));
          break;
        }
        u.dependencies->push_back(n);
      }
    }
    u.kinds = words(e, "dependenciesKind");
    list.push_back(std::move(u));
  }

  const XmlElement& root_;
  std::vector<std::string>& complaints_;
  FmuDescription d_;
};
}  // namespace

const DescribedVariable* FmuDescription::find(std::string_view name) const {
  const auto at = std::ranges::find(variables, name, &DescribedVariable::name);
  return at == variables.end() ? nullptr : &*at;
}
const DescribedVariable* FmuDescription::of(const DescribedUnknown& u) const {
  if (version == 2) return u.of >= 1 && u.of <= variables.size() ? &variables[u.of - 1] : nullptr;
  const auto at = std::ranges::find(variables, u.of, &DescribedVariable::reference);
  return at == variables.end() ? nullptr : &*at;
}

FmuDescription read_fmu_description(const XmlElement& root, std::vector<std::string>& complaints) {
  return DescriptionReader(root, complaints).read();
}
}  // namespace mubody::io
