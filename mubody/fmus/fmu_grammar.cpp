#include "mubody/fmus/fmu_grammar.h"

#include <algorithm>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "mubody/text/node.h"

namespace mubody::io {
namespace {
/// An element; truth values end with "?", and "*" stands for anything.  A name that several elements have stands behind the
/// element around it, "SimpleType/Real".  Elements that are not listed have no attributes of their own.
struct FmuElement {
  std::string_view element, attributes, children;
};

#define MUBODY_NAMED "name description "
#define MUBODY_WHOLE "quantity min max "
#define MUBODY_REAL "quantity unit displayUnit relativeQuantity? unbounded? min max nominal "

constexpr FmuElement elements_of_2[] = {
    {"fmiModelDescription",
     "fmiVersion modelName guid description author version copyright license generationTool "
     "generationDateAndTime "
     "variableNamingConvention numberOfEventIndicators",
     "ModelExchange CoSimulation UnitDefinitions TypeDefinitions LogCategories DefaultExperiment "
     "VendorAnnotations ModelVariables ModelStructure"},
    {"ModelExchange",
     "modelIdentifier needsExecutionTool? completedIntegratorStepNotNeeded? "
     "canBeInstantiatedOnlyOncePerProcess? canNotUseMemoryManagementFunctions? canGetAndSetFMUstate? "
     "canSerializeFMUstate? providesDirectionalDerivative?",
     "SourceFiles"},
    {"CoSimulation",
     "modelIdentifier needsExecutionTool? canHandleVariableCommunicationStepSize? canInterpolateInputs? "
     "maxOutputDerivativeOrder canRunAsynchronuously? canBeInstantiatedOnlyOncePerProcess? "
     "canNotUseMemoryManagementFunctions? canGetAndSetFMUstate? canSerializeFMUstate? "
     "providesDirectionalDerivative?",
     "SourceFiles"},
    {"SourceFiles", "", "File"},
    {"File", "name", ""},
    {"UnitDefinitions", "", "Unit"},
    {"Unit", "name", "BaseUnit DisplayUnit"},
    {"BaseUnit", "kg m s A K mol cd rad factor offset", ""},
    {"DisplayUnit", "name factor offset", ""},
    {"TypeDefinitions", "", "SimpleType"},
    {"SimpleType", MUBODY_NAMED, "Real Integer Boolean String Enumeration"},
    {"SimpleType/Real", MUBODY_REAL, ""},
    {"SimpleType/Integer", MUBODY_WHOLE, ""},
    {"SimpleType/Enumeration", "quantity", "Item"},
    {"Item", MUBODY_NAMED "value", ""},
    {"LogCategories", "", "Category"},
    {"Category", MUBODY_NAMED, ""},
    {"DefaultExperiment", "startTime stopTime tolerance stepSize", ""},
    {"VendorAnnotations", "", "Tool"},
    {"Annotations", "", "Tool"},
    {"Tool", "name", "*"},
    {"ModelVariables", "", "ScalarVariable"},
    {"ScalarVariable",
     MUBODY_NAMED "valueReference causality variability initial canHandleMultipleSetPerTimeInstant?",
     "Real Integer Boolean String Enumeration Annotations"},
    {"ScalarVariable/Real", MUBODY_REAL "declaredType start derivative reinit?", ""},
    {"ScalarVariable/Integer", MUBODY_WHOLE "declaredType start", ""},
    {"ScalarVariable/Boolean", "declaredType start?", ""},
    {"ScalarVariable/String", "declaredType start", ""},
    {"ScalarVariable/Enumeration", MUBODY_WHOLE "declaredType start", ""},
    {"ModelStructure", "", "Outputs Derivatives InitialUnknowns"},
    {"Outputs", "", "Unknown"},
    {"Derivatives", "", "Unknown"},
    {"InitialUnknowns", "", "Unknown"},
    {"Unknown", "index dependencies dependenciesKind", ""},
};

#define MUBODY_INTERFACE                                                                            \
  "modelIdentifier needsExecutionTool? canBeInstantiatedOnlyOncePerProcess? canGetAndSetFMUState? " \
  "canSerializeFMUState? providesDirectionalDerivatives? providesAdjointDerivatives? "              \
  "providesPerElementDependencies? "
#define MUBODY_CLOCK                                                                                          \
  "canBeDeactivated? priority intervalVariability intervalDecimal shiftDecimal supportsFraction? resolution " \
  "intervalCounter "                                                                                          \
  "shiftCounter "
#define MUBODY_VARIABLE                                                                      \
  MUBODY_NAMED                                                                               \
  "valueReference causality variability initial canHandleMultipleSetPerTimeInstant? clocks " \
  "intermediateUpdate? previous declaredType "
#define MUBODY_WHOLE_TYPE(name) \
  { name "Type", MUBODY_NAMED MUBODY_WHOLE, "" }
#define MUBODY_WHOLE_VARIABLE(name) \
  { name, MUBODY_VARIABLE MUBODY_WHOLE "start", "Dimension Alias" }
#define MUBODY_UNKNOWN(name) \
  { name, "valueReference dependencies dependenciesKind", "" }

// Every element may have Annotations.
constexpr FmuElement elements_of_3[] = {
    {"fmiModelDescription",
     "fmiVersion modelName instantiationToken description author version copyright license generationTool "
     "generationDateAndTime variableNamingConvention",
     "ModelExchange CoSimulation ScheduledExecution UnitDefinitions TypeDefinitions LogCategories "
     "DefaultExperiment ModelVariables ModelStructure"},
    {"ModelExchange", MUBODY_INTERFACE "needsCompletedIntegratorStep? providesEvaluateDiscreteStates?", ""},
    {"CoSimulation",
     MUBODY_INTERFACE "canHandleVariableCommunicationStepSize? fixedInternalStepSize maxOutputDerivativeOrder "
                      "recommendedIntermediateInputSmoothness providesIntermediateUpdate? "
                      "mightReturnEarlyFromDoStep? canReturnEarlyAfterIntermediateUpdate? hasEventMode? "
                      "providesEvaluateDiscreteStates?",
     ""},
    {"ScheduledExecution", MUBODY_INTERFACE, ""},
    {"Annotations", "", "Annotation"},
    {"Annotation", "type", "*"},
    {"UnitDefinitions", "", "Unit"},
    {"Unit", "name", "BaseUnit DisplayUnit"},
    {"BaseUnit", "kg m s A K mol cd rad factor offset", ""},
    {"DisplayUnit", "name factor offset inverse?", ""},
    {"TypeDefinitions", "",
     "Float32Type Float64Type Int8Type UInt8Type Int16Type UInt16Type Int32Type UInt32Type Int64Type "
     "UInt64Type "
     "BooleanType StringType BinaryType EnumerationType ClockType"},
    {"Float32Type", MUBODY_NAMED MUBODY_REAL, ""},
    {"Float64Type", MUBODY_NAMED MUBODY_REAL, ""},
    MUBODY_WHOLE_TYPE("Int8"),
    MUBODY_WHOLE_TYPE("UInt8"),
    MUBODY_WHOLE_TYPE("Int16"),
    MUBODY_WHOLE_TYPE("UInt16"),
    MUBODY_WHOLE_TYPE("Int32"),
    MUBODY_WHOLE_TYPE("UInt32"),
    MUBODY_WHOLE_TYPE("Int64"),
    MUBODY_WHOLE_TYPE("UInt64"),
    {"BooleanType", MUBODY_NAMED, ""},
    {"StringType", MUBODY_NAMED, ""},
    {"BinaryType", MUBODY_NAMED "mimeType maxSize", ""},
    {"EnumerationType", MUBODY_NAMED MUBODY_WHOLE, "Item"},
    {"Item", MUBODY_NAMED "value", ""},
    {"ClockType", MUBODY_NAMED MUBODY_CLOCK, ""},
    {"LogCategories", "", "Category"},
    {"Category", MUBODY_NAMED, ""},
    {"DefaultExperiment", "startTime stopTime tolerance stepSize", ""},
    {"ModelVariables", "",
     "Float32 Float64 Int8 UInt8 Int16 UInt16 Int32 UInt32 Int64 UInt64 Boolean String Binary Enumeration "
     "Clock"},
    {"Float32", MUBODY_VARIABLE MUBODY_REAL "start derivative reinit?", "Dimension Alias"},
    {"Float64", MUBODY_VARIABLE MUBODY_REAL "start derivative reinit?", "Dimension Alias"},
    MUBODY_WHOLE_VARIABLE("Int8"),
    MUBODY_WHOLE_VARIABLE("UInt8"),
    MUBODY_WHOLE_VARIABLE("Int16"),
    MUBODY_WHOLE_VARIABLE("UInt16"),
    MUBODY_WHOLE_VARIABLE("Int32"),
    MUBODY_WHOLE_VARIABLE("UInt32"),
    MUBODY_WHOLE_VARIABLE("Int64"),
    MUBODY_WHOLE_VARIABLE("UInt64"),
    MUBODY_WHOLE_VARIABLE("Enumeration"),
    {"Boolean", MUBODY_VARIABLE "start", "Dimension Alias"},
    {"String", MUBODY_VARIABLE, "Dimension Start Alias"},
    {"Binary", MUBODY_VARIABLE "mimeType maxSize", "Dimension Start Alias"},
    {"Clock", MUBODY_VARIABLE MUBODY_CLOCK, "Alias"},
    {"Dimension", "start valueReference", ""},
    {"Start", "value", ""},
    {"Alias", MUBODY_NAMED "displayUnit", ""},
    {"ModelStructure", "", "Output ContinuousStateDerivative ClockedState InitialUnknown EventIndicator"},
    MUBODY_UNKNOWN("Output"),
    MUBODY_UNKNOWN("ContinuousStateDerivative"),
    MUBODY_UNKNOWN("ClockedState"),
    MUBODY_UNKNOWN("InitialUnknown"),
    MUBODY_UNKNOWN("EventIndicator"),
};
#undef MUBODY_NAMED
#undef MUBODY_WHOLE
#undef MUBODY_REAL
#undef MUBODY_INTERFACE
#undef MUBODY_CLOCK
#undef MUBODY_VARIABLE
#undef MUBODY_WHOLE_TYPE
#undef MUBODY_WHOLE_VARIABLE
#undef MUBODY_UNKNOWN

/// Whether a word is in a list of words with spaces between them; `mark` may stand behind it.
bool has_fmu_word(std::string_view list, std::string_view word, std::string_view mark = "") {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    std::string_view one = list.substr(0, end);
    if (one.starts_with(word) && one.substr(word.size()) == mark) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

class FmuGrammar {
 public:
  FmuGrammar(std::span<const FmuElement> known, bool annotated) : known_(known), annotated_(annotated) {}
  void look(const XmlElement& e, std::string_view around) {
    const FmuElement k = find(e.name, around);
    for (const auto& [name, value] : e.attributes) {
      if (name.find(':') != name.npos || name == "xmlns") continue;  // of schemas and other vocabularies
      const bool truth = has_fmu_word(k.attributes, name, "?");
      if (!truth && !has_fmu_word(k.attributes, name))
        complain(e, fmt::format("<{}> has an unknown attribute {}", e.name, in_quotes(name)));
      else if (truth && !has_fmu_word("true false 1 0", value))
        complain(e, fmt::format("{} is neither true nor false: {}", name, in_quotes(value)));
    }
    if (k.children == "*") return;
    for (const XmlElement& child : e.children)
      if (has_fmu_word(k.children, child.name) || (annotated_ && child.name == "Annotations"))
        look(child, e.name);
      else
        complain(child, fmt::format("<{}> has an unknown element <{}>", e.name, child.name));
  }
  std::vector<std::string> out;

 private:
  FmuElement find(std::string_view name, std::string_view around) const {
    const auto at = std::ranges::find_if(known_, [&](const FmuElement& k) {
      return k.element == name ||
             (k.element.size() == around.size() + 1 + name.size() && k.element.starts_with(around) &&
              k.element.ends_with(name) && k.element[around.size()] == '/');
    });
    return at == known_.end() ? FmuElement{name, "", ""} : *at;
  }
  void complain(const XmlElement& e, const std::string& what) {
    out.push_back(fmt::format("modelDescription.xml:{}: {}", e.line, what));
  }
  std::span<const FmuElement> known_;
  bool annotated_;
};
}  // namespace

std::vector<std::string> unknown_words(const XmlElement& description) {
  const std::string_view version = description.get("fmiVersion");
  if (version != "2.0" && !version.starts_with("3.0")) return {};
  FmuGrammar grammar(version == "2.0" ? std::span<const FmuElement>(elements_of_2)
                                      : std::span<const FmuElement>(elements_of_3),
                     version != "2.0");
  grammar.look(description, "");
  return std::move(grammar.out);
}
}  // namespace mubody::io
