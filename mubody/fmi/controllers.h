#pragma once
// FMUs of others that control a mechanism: at equal instants each gets numbers of the motion and gives values of inputs, which
// hold until the next one.
//
//   [controllers]
//   ctl = {fmu = "pid.fmu", step = "1 ms", inputs = {error = "error"}, outputs = {force = "push"}, parameters = {kp = 60}}
//
//   docs/user/fmi.md#fmus-as-controllers
#include <map>
#include <string>
#include <vector>

#include "mubody/reading/read_model.h"
#include "mubody/study/analysis.h"

namespace mubody::io {
struct FmuController {
  /// What a variable of the FMU gets or gives, and where the model says so.
  template <class T> struct Stated {
    T what;
    Mark mark;
  };
  template <class T> using ByVariable = std::map<std::string, Stated<T>>;

  std::string name;
  std::filesystem::path file;
  Mark mark;                        // in the model
  double step = 0;                  // [s]
  ByVariable<std::string> inputs;   // from channels of the model
  ByVariable<std::string> outputs;  // to inputs of the model
  ByVariable<double> parameters;
};

/// Those of a model file; none if it has none.  Throws ModelError.
std::vector<FmuController> read_controllers(const std::string& path, const Settings&);

/// The motion of a study with its controllers.  Their code runs in this process.  Throws ModelError.
Results run_controlled(const Study&, const std::vector<FmuController>&, const Progress&);
}  // namespace mubody::io
