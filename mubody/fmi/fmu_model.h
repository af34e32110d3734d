#pragma once
// A model file as an FMU uses it: parsed once, with parameters changed before each motion; a precomputed model likewise.
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mubody/precompute/tables/model.h"
#include "mubody/reading/read_model.h"
#include "mubody/reading/values.h"
#include "mubody/simulation/simulation.h"

namespace mubody::io {
class FmuModel {
 public:
  /// Throws ModelError.
  FmuModel(const std::filesystem::path& file, const Settings& settings);

  bool tables() const { return tables_.has_value(); }
  struct Parameter {
    std::string name, unit;  // no unit if the file states a plain number
    double value;            // [SI]
    ParameterRange range;
  };
  /// The numbers of [parameters] that others do not determine, in the order of the file; of tables those that were foreseen.
  const std::vector<Parameter>& parameters() const { return parameters_; }
  /// Throws ModelError for a value outside of the range of a parameter, as reading the model with it would.
  void check(const std::string& parameter, double value) const;
  /// The model with these values of parameters.  Throws ModelError.
  Study study(const std::map<std::string, double>& parameters, DataFiles* = nullptr) const;
  /// Throws ModelError.
  Simulation simulate(const Study&, const SimulationOptions&) const;
  /// What the model asks for as it stands, without estimates of errors.  Throws ModelError.
  Results run(Study, const Progress&) const;
  /// The text of the model, without changes.
  const std::string& text() const;

 private:
  /// What the precomputed model was made with, and what was asked for since.
  Settings settings_of_tables() const;

  std::string file_;
  std::optional<RealTimeModel> tables_;
  std::optional<ModelText> text_;
  Settings settings_;
  std::vector<Parameter> parameters_;
};
}  // namespace mubody::io
