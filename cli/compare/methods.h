#pragma once
// Which methods 'mubody compare' runs, and how it runs them: for one model and for several.
#include <functional>
#include <string>
#include <vector>

#include "mubody/reading/settings.h"
#include "mubody/surveys/comparison.h"

namespace mubody::cli {
/// The options that choose methods.
struct MethodChoice {
  std::string treatments;                                   // "baumgarte(alpha=20),projection"; all if empty
  std::vector<std::string> integrators, steps, tolerances;  // as in the model if empty; numbers may have units
  io::Settings settings;                                    // key=value
  bool variants = true;                                     // of treatments, if all are chosen
};
/// Reads the model with other settings.
using ReadStudy = std::function<Study(const io::Settings&)>;

/// Throws UsageError.
std::vector<Method> methods_of(const MethodChoice&, const ReadStudy&, const Study&);

/// Runs a study and measures its time; the refusal of a model by a method is a result too.
class Bench {
 public:
  /// `limit`: CPU time of a run [s]; `before`: what lines of progress begin with.
  Bench(bool quiet, double limit, std::string before = "")
      : quiet_(quiet), limit_(limit), before_(std::move(before)) {}
  Attempt operator()(Study, const Purpose&);

 private:
  bool quiet_;
  double limit_;
  std::string before_, said_;
};
}  // namespace mubody::cli
