#pragma once
// What an FMU knows of its model beside the model file: the list of its variables, in a text that lies in the archive.
//
//   mubody fmu 1
//   token {4a1f...}                     as in modelDescription.xml
//   model model/car.toml                or tables, for a precomputed model
//   set analysis.rtol=1e-9              changes that were asked for at the export, in their order
//   parameter length                    variables, whose references are 1, 2, ... in the order of the lines; 0 is the time
//   input steer.value
//   rate steer.value
//   acceleration steer.value
//   output rod.angle
//   cosimulation                        if it makes steps of its own
//   exchange 12 1                       states and event indicators, for model exchange: their references, then those of the
//                                       derivatives of the states and of the indicators, follow those of the variables
#include <string>
#include <string_view>
#include <vector>

namespace mubody::io {
struct FmuVariable {
  enum Kind { parameter, input, rate, acceleration, output };
  static constexpr std::string_view words[] = {"parameter", "input", "rate", "acceleration", "output"};
  Kind kind;
  std::string of;  // the parameter, the input or the channel of that name
};

struct FmuList {
  std::string token;
  std::string model;    // its path in the archive below resources/
  bool tables = false;  // a precomputed model
  std::vector<std::string> settings;
  std::vector<FmuVariable> variables;
  bool cosimulation = false, exchange = false;
  int states = 0, indicators = 0;  // for model exchange
};

/// The file in resources/.
inline constexpr std::string_view fmu_list_name = "fmu.txt";
std::string fmu_list_text(const FmuList&);
/// Throws ModelError.
FmuList read_fmu_list(std::string_view text);
}  // namespace mubody::io
