#include "mubody/fmus/fmu_rules.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "mubody/fmus/variable_names.h"
#include "mubody/text/node.h"

namespace mubody::io {
namespace {
using Words = std::initializer_list<std::string_view>;
bool among(std::string_view word, Words all) { return std::find(all.begin(), all.end(), word) != all.end(); }

class Rules {
 public:
  explicit Rules(const FmuDescription& d) : d_(d) {}
  std::vector<std::string> broken() {
    identifiers();
    for (const DescribedVariable& v : d_.variables) {
      kinds(v);
      start(v);
      units(v);
      name(v);
    }
    uniqueness();
    structure();
    initial_unknowns();
    return std::move(out_);
  }

 private:
  void complain(int line, const std::string& what) {
    out_.push_back(fmt::format("modelDescription.xml:{}: {}", line, what));
  }
  void complain(const DescribedVariable& v, const std::string& what) {
    complain(v.line, fmt::format("variable {}: {}", in_quotes(v.name), what));
  }

  void identifiers() {
    for (const auto* id : {&d_.exchange, &d_.cosimulation, &d_.scheduled}) {
      if (!*id) continue;
      const std::string& name = **id;
      const bool fits = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
                        std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
      if (!fits) complain(1, fmt::format("the model identifier {} is no name in C", in_quotes(name)));
    }
  }

  // Tables in FMI 2.0, section 2.2.7, and FMI 3.0, section 2.4.7.
  void kinds(const DescribedVariable& v) {
    const bool known_cause =
        among(v.causality, {"parameter", "calculatedParameter", "input", "output", "local", "independent"}) ||
        (d_.version == 3 && v.causality == "structuralParameter");
    if (!known_cause) return complain(v, fmt::format("unknown causality {}", in_quotes(v.causality)));
    if (!among(v.variability, {"constant", "fixed", "tunable", "discrete", "continuous"}))
      return complain(v, fmt::format("unknown variability {}", in_quotes(v.variability)));
    const bool parameter = among(v.causality, {"parameter", "calculatedParameter", "structuralParameter"});
    const bool fits = parameter                      ? among(v.variability, {"fixed", "tunable"})
                      : v.causality == "input"       ? among(v.variability, {"discrete", "continuous"})
                      : v.causality == "independent" ? v.variability == "continuous"
                      : v.causality == "output"      ? !among(v.variability, {"fixed", "tunable"})
                                                     : true;
    if (!fits)
      complain(v,
               fmt::format("causality {} and variability {} do not go together", v.causality, v.variability));
    if (v.variability == "continuous" && !among(v.type, {"Float64", "Float32"}))
      complain(v, fmt::format("type {} cannot be continuous", v.type));
    if (v.initial_given && among(v.causality, {"input", "independent"}) &&
        !(d_.version == 3 && v.causality == "input"))
      complain(v, fmt::format("initial is not for causality {}", v.causality));
    if (v.initial_given && !among(v.initial, {"exact", "approx", "calculated"}))
      complain(v, fmt::format("unknown initial {}", in_quotes(v.initial)));
  }

  void start(const DescribedVariable& v) {
    const bool needs =
        v.causality == "input" || among(v.initial, {"exact", "approx"}) || v.variability == "constant";
    const bool is_clock = v.type == "Clock" || v.type == "Binary";
    if (needs && !v.start && !is_clock) complain(v, "a start value is missing");
    if (v.start && v.initial == "calculated") complain(v, "a calculated variable has no start value");
    if (v.start && v.causality == "independent") complain(v, "the independent variable has no start value");
    if (v.min && v.max && *v.min > *v.max) complain(v, "min is above max");
    if (!v.start || v.type != "Float64" || v.is_array) return;
    const std::optional<double> x = xml_number(*v.start);
    if (!x)
      complain(v, fmt::format("the start value is no number: {}", in_quotes(*v.start)));
    else if ((v.min && *x < *v.min) || (v.max && *x > *v.max))
      complain(v, "the start value is not between min and max");
  }

  void units(const DescribedVariable& v) {
    const auto unit = d_.units.find(v.unit);
    if (!v.unit.empty() && unit == d_.units.end())
      complain(v, fmt::format("unit {} is not defined", in_quotes(v.unit)));
    if (!v.display_unit.empty() && v.declared_type.empty() &&
        (unit == d_.units.end() || !unit->second.contains(v.display_unit)))
      complain(v, fmt::format("display unit {} is not defined for its unit", in_quotes(v.display_unit)));
    if (!v.declared_type.empty() && !d_.types.contains(v.declared_type))
      complain(v, fmt::format("type {} is not defined", in_quotes(v.declared_type)));
    if (!v.derivative_of) return;
    const DescribedVariable* const state = d_.of({*v.derivative_of, {}, 0});
    if (!state || !among(state->type, {"Float64", "Float32"}) || state->variability != "continuous")
      complain(v, "it is the derivative of no continuous variable");
    else
      states_.insert(state);
  }

  void name(const DescribedVariable& v) {
    if (v.name.empty()) complain(v, "the name is empty");
    if (d_.convention == "structured" && !is_structured(v.name)) complain(v, "the name is not structured");
  }

  void uniqueness() {
    std::map<std::string_view, int> names;
    std::map<unsigned, const DescribedVariable*> references;
    int independents = 0;
    for (const DescribedVariable& v : d_.variables) {
      if (!names.emplace(v.name, v.line).second) complain(v, "another variable has this name");
      const auto [at, fresh] = references.emplace(v.reference, &v);
      if (!fresh && d_.version == 3)
        complain(v, fmt::format("variable {} has the same reference", in_quotes(at->second->name)));
      independents += v.causality == "independent";
    }
    if (independents > 1) complain(1, "there are several independent variables");
    if (independents == 0 && d_.version == 3) complain(1, "there is no independent variable");
  }

  void structure() {
    std::set<const DescribedVariable*> listed;
    const auto check = [&](const std::vector<DescribedUnknown>& list, const char* what) {
      for (const DescribedUnknown& u : list) {
        if (!d_.of(u)) complain(u.line, fmt::format("ModelStructure: {} {} is no variable", what, u.of));
        kinds(u);
        dependencies(u, what, &list == &d_.initial_unknowns);
      }
    };
    check(d_.outputs, "output"), check(d_.derivatives, "derivative"),
        check(d_.initial_unknowns, "initial unknown");
    for (const DescribedUnknown& u : d_.outputs) {
      const DescribedVariable* const v = d_.of(u);
      if (v && v->causality != "output")
        complain(u.line, fmt::format("ModelStructure: {} is no output", in_quotes(v->name)));
      if (v && !listed.insert(v).second)
        complain(u.line, fmt::format("ModelStructure: {} is listed twice", in_quotes(v->name)));
    }
    for (const DescribedVariable& v : d_.variables)
      if (v.causality == "output" && !listed.contains(&v) && v.type != "Clock")
        complain(v, "it is an output, but ModelStructure does not list it");
  }

  // What an unknown may follow: FMI 2.0, section 2.2.8, and FMI 3.0, section 2.4.8.
  void dependencies(const DescribedUnknown& u, const char* what, bool at_the_start) {
    for (const unsigned k : u.dependencies.value_or(std::vector<unsigned>())) {
      const DescribedVariable* const v = d_.of({k, {}, 0});
      if (!v)
        complain(u.line, fmt::format("ModelStructure: {} depends on {}, which is no variable", what, k));
      else if (!is_known(*v, at_the_start))
        complain(u.line, fmt::format("ModelStructure: {} depends on {}, which is neither an input nor {}", what,
                                     in_quotes(v->name), at_the_start ? "given at the start" : "a state"));
    }
  }
  bool is_known(const DescribedVariable& v, bool at_the_start) const {
    if (among(v.causality, {"input", "independent"})) return true;
    if (at_the_start) return v.initial == "exact";
    const bool is_state = states_.contains(&v) || (d_.version == 3 && v.variability == "discrete");
    return is_state || (d_.version == 3 && among(v.causality, {"parameter", "structuralParameter"}));
  }

  void kinds(const DescribedUnknown& u) {
    if (!u.kinds) return;
    if (!u.dependencies || u.kinds->size() != u.dependencies->size())
      complain(u.line, fmt::format("ModelStructure: dependenciesKind has {} entries, dependencies {}",
                                   u.kinds->size(), u.dependencies ? u.dependencies->size() : 0));
    for (const std::string& kind : *u.kinds)
      if (!among(kind, {"dependent", "constant", "fixed", "tunable", "discrete"}))
        complain(u.line, fmt::format("ModelStructure: unknown dependenciesKind {}", in_quotes(kind)));
  }

  // What is computed at the start: FMI 2.0, section 2.2.8, and FMI 3.0, section 2.4.8.
  void initial_unknowns() {
    std::set<const DescribedVariable*> listed, needed;
    for (const DescribedUnknown& u : d_.initial_unknowns) listed.insert(d_.of(u));
    for (const DescribedUnknown& u : d_.derivatives) {
      const DescribedVariable* const v = d_.of(u);
      if (!v) continue;
      if (!v->derivative_of)
        complain(u.line, fmt::format("ModelStructure: {} does not say of which state it is the derivative",
                                     in_quotes(v->name)));
      needed.insert(v);
      if (v->derivative_of) needed.insert(d_.of({*v->derivative_of, {}, 0}));
    }
    for (const DescribedVariable& v : d_.variables) {
      if (v.reinitialized && !states_.contains(&v)) complain(v, "reinit is for continuous states alone");
      const bool belongs =
          needed.contains(&v) || v.causality == "calculatedParameter" || v.causality == "output";
      if (belongs && among(v.initial, {"approx", "calculated"}) && !v.is_clocked && v.type != "Clock" &&
          !listed.contains(&v))
        complain(v, "it is computed at the start, but ModelStructure does not list it as an initial unknown");
    }
  }

  const FmuDescription& d_;
  std::set<const DescribedVariable*> states_;
  std::vector<std::string> out_;
};
}  // namespace

std::vector<std::string> broken_rules(const FmuDescription& d) { return Rules(d).broken(); }

std::string library_entry(const FmuDescription& d, const std::string& identifier) {
#if defined(__aarch64__)
  const char* const platform = "aarch64-linux";
#elif defined(__x86_64__)
  const char* const platform = d.version == 3 ? "x86_64-linux" : "linux64";
#else
  const char* const platform = d.version == 3 ? "x86-linux" : "linux32";
#endif
  return fmt::format("binaries/{}/{}.so", platform, identifier);
}

std::vector<std::string> functions_of(const FmuDescription& d) {
  std::vector<std::string> all;
  const std::string prefix = d.version == 3 ? "fmi3" : "fmi2";
  const auto add = [&](Words names) {
    for (const std::string_view name : names) all.push_back(prefix + std::string(name));
  };
  add({"GetVersion", "SetDebugLogging", "FreeInstance", "EnterInitializationMode", "ExitInitializationMode",
       "Terminate", "Reset", "GetBoolean", "GetString", "SetBoolean", "SetString", "GetDirectionalDerivative"});
  if (d.version == 3)
    add({"GetFloat32",
         "GetFloat64",
         "GetInt8",
         "GetUInt8",
         "GetInt16",
         "GetUInt16",
         "GetInt32",
         "GetUInt32",
         "GetInt64",
         "GetUInt64",
         "GetBinary",
         "GetClock",
         "SetFloat32",
         "SetFloat64",
         "SetInt8",
         "SetUInt8",
         "SetInt16",
         "SetUInt16",
         "SetInt32",
         "SetUInt32",
         "SetInt64",
         "SetUInt64",
         "SetBinary",
         "SetClock",
         "GetFMUState",
         "SetFMUState",
         "FreeFMUState",
         "SerializedFMUStateSize",
         "SerializeFMUState",
         "DeserializeFMUState",
         "EnterEventMode",
         "EnterConfigurationMode",
         "ExitConfigurationMode",
         "UpdateDiscreteStates",
         "GetNumberOfVariableDependencies",
         "GetVariableDependencies",
         "GetAdjointDerivative"});
  else
    add({"GetTypesPlatform", "Instantiate", "SetupExperiment", "GetReal", "GetInteger", "SetReal", "SetInteger",
         "GetFMUstate", "SetFMUstate", "FreeFMUstate", "SerializedFMUstateSize", "SerializeFMUstate",
         "DeSerializeFMUstate"});
  if (d.cosimulation && d.version == 3)
    add({"InstantiateCoSimulation", "EnterStepMode", "GetOutputDerivatives", "DoStep"});
  if (d.cosimulation && d.version == 2)
    add({"SetRealInputDerivatives", "GetRealOutputDerivatives", "DoStep", "CancelStep", "GetStatus",
         "GetRealStatus", "GetIntegerStatus", "GetBooleanStatus", "GetStringStatus"});
  if (d.exchange) {
    add({"EnterContinuousTimeMode", "CompletedIntegratorStep", "SetTime", "SetContinuousStates",
         "GetEventIndicators", "GetContinuousStates", "GetNominalsOfContinuousStates"});
    if (d.version == 3)
      add({"InstantiateModelExchange", "GetContinuousStateDerivatives", "GetNumberOfEventIndicators",
           "GetNumberOfContinuousStates"});
    else
      add({"EnterEventMode", "NewDiscreteStates", "GetDerivatives"});
  }
  return all;
}
}  // namespace mubody::io
