#pragma once
// The options of an analysis: the [analysis] and [output] sections of a model file.
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "mubody/integrators/integrator.h"
#include "mubody/mechanism/look.h"
#include "mubody/mechanism/mechanism.h"
#include "mubody/study/analysis.h"
#include "mubody/study/patience.h"
#include "mubody/study/shortcut.h"
#include "mubody/treatments/treatment.h"

namespace mubody {
/// How the start of the analysis is made consistent with the constraints.
struct AssemblyOptions {
  std::vector<std::string> hold;  // coordinates and velocities to keep, as in "crank.angle", "crank.omega"
  double tolerance = 1e-12;       // on |Φ|: a share of the characteristic length, or rad
  int iterations = 100;
  bool as_given = false;  // nothing is corrected

  void fields(Fields& f);
  void check() const;
};

/// The analysis, and the options that all analyses share.
struct AnalysisOptions {
  Box<Analysis> type;                                  // with its own options; default: the usual one
  double start = 0, end = 1;                           // [s]
  Choice formulation{{"body", "cartesian", "joint"}};  // coordinates in which a motion is computed
  std::string integrator = "auto";
  const IntegratorEntry* own_integrator = nullptr;  // from the user's program, in place of the name
  StepControl control;
  Box<Treatment> treatment;  // default: projection
  AssemblyOptions assembly;
  std::optional<double> accuracy;  // largest |Φ| [m] and relative energy residual that are accepted
  bool estimate = true;            // the error of a motion is estimated wherever that is usual
  bool estimate_usual = false;     // as it is where one motion is computed to be looked at
  int digits = 0;                  // that every channel is to have; 0: as many as the tolerance gives
  Patience patience;               // how long it may take
  bool watched = true;  // whether branches, loops and ranks are followed; not in a motion for comparison
  bool weighs_corrections = false;  // whether the energy that corrections put in is summed up
  bool extremes = true;        // whether extremes are looked for in every step; otherwise in the rows alone
  bool compiled = false;       // generated code computes motions, where that is possible ...
  MakeShortcut make_shortcut;  // ... and who makes it; who reads files sets this
  std::vector<std::string> chords;  // joints to close the loops; default: chosen by the program

  AnalysisOptions();
  /// The requested integrator; null if there is none of that name.
  const IntegratorEntry* method() const {
    return own_integrator ? own_integrator : find_integrator(integrator);
  }
  /// All options except treatment and assembly, which have their own tables, and those of a single analysis.
  void fields(Fields& f);
  void check() const;
};

struct OutputOptions {
  std::optional<double> step;             // [s] between rows; default: chosen by the program
  std::vector<double> times;              // [s] used in place of step
  std::vector<std::string> channels;      // written to channels.csv as well
  std::vector<std::string> units;         // units of the tables, as in "deg"; SI where none of them fits
  Choice format{{"csv", "npy", "both"}};  // of the files of tables
  bool omega_global = false;              // as in Mechanism, which has the same
  bool body_forces = false;               // likewise

  void fields(Fields& f);
  void check() const;
  /// The times at which results are wanted, from start to end.
  std::vector<double> at(const AnalysisOptions&) const;
};

/// A plot that a report begins with.
struct Plot {
  std::string title;                  // none if empty
  std::vector<std::string> channels;  // of one plot, in the order of its legend
};

/// How a report shows results: the [report] section.
struct ReportOptions {
  std::vector<Plot> plots;         // chosen by the page if empty
  std::vector<std::string> units;  // in which numbers are shown, as in "deg"
};

/// A model and what to do with it.
struct Study {
  Mechanism mechanism;
  AnalysisOptions analysis;
  OutputOptions output;
  ReportOptions report;
  /// What the file that was read does not say, so that the usual is taken.
  struct LeftOut {
    bool analysis = false, gravity = false;
  } left_out{};
  std::map<std::string, Look> looks;         // by body, for pictures
  std::map<std::string, double> parameters;  // parameters of the file, in SI units
  /// The same study with another value of a parameter; empty for studies made in code without parameters.
  std::function<Study(const std::string& parameter, double value)> with;
};

/// The study with the time of its limit begun.
Study with_time_begun(Study);
}  // namespace mubody
