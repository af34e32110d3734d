#pragma once
// An analysis takes a study and gives results.  Each is one header in analyses/:
//
//   struct Modes {
//     static constexpr Info info{...};
//     static constexpr AnalysisFacts facts{...};               what others need to know             (optional)
//     void fields(Fields&);                                    its own options                      (optional)
//     void check() const;                                      checks them by themselves            (optional)
//     void check(const Study&) const;                          checks them against the model        (optional)
//     Results run(const Study&, const Progress&) const;
//   };
//
// AnalysisOptions has common options, such as the time span.  An analysis does not print, exit or read the clock.
#include <functional>
#include <memory>
#include <span>

#include "mubody/mechanism/mechanism.h"
#include "mubody/model/fields.h"
#include "mubody/results/results.h"

namespace mubody {
struct Study;

/// Called now and then while an analysis runs, with the share done in [0, 1]; returning false stops it.
using Progress = std::function<bool(double)>;

/// Facts about an analysis for readers, writers and other analyses.
struct AnalysisFacts {
  bool usual = false;            // the analysis of a model that asks for none
  bool integrates = false;       // forces make the motion: integrator, step and treatment are used
  bool follows_drivers = false;  // the drivers alone determine the motion
  bool at_one_instant = false;   // the end of the time span is not used
  /// Whether it may be computed in other coordinates than those of the bodies.
  bool any_coordinates = false;
  std::span<const std::string_view> tables;  // tables that it adds to the common ones

  /// Whether there is a motion from the start of the time span to its end.
  bool moves() const { return integrates || follows_drivers; }
};

/// The common interface of the kinds of analysis.
class Analysis {
 public:
  virtual ~Analysis() = default;
  virtual Info info() const = 0;
  virtual const AnalysisFacts& facts() const = 0;
  virtual void fields(Fields&) = 0;
  /// Throws FieldError.
  virtual void check() const = 0;
  /// Throws FieldError if the options do not suit the model.
  virtual void check(const Study&) const = 0;
  /// Throws ModelError if the model does not allow this analysis.
  virtual Results run(const Study&, const Progress&) const = 0;
  virtual std::unique_ptr<Analysis> clone() const = 0;
};

template <class T> class AnalysisOf final : public Analysis {
 public:
  T analysis;

  AnalysisOf() = default;
  explicit AnalysisOf(T value) : analysis(std::move(value)) {}
  static constexpr AnalysisFacts facts_of_kind() {
    if constexpr (requires { T::facts; })
      return T::facts;
    else
      return {};
  }
  Info info() const override { return T::info; }
  const AnalysisFacts& facts() const override {
    static constexpr AnalysisFacts all = facts_of_kind();
    return all;
  }
  void fields(Fields& f) override {
    if constexpr (requires { analysis.fields(f); }) analysis.fields(f);
  }
  void check() const override {
    if constexpr (requires { analysis.check(); }) analysis.check();
  }
  void check(const Study& study) const override {
    if constexpr (requires { analysis.check(study); }) analysis.check(study);
  }
  Results run(const Study& study, const Progress& progress) const override {
    return analysis.run(study, progress);
  }
  std::unique_ptr<Analysis> clone() const override { return std::make_unique<AnalysisOf>(analysis); }
};

/// An analysis as a study holds it:  study.analysis.type = analysis_of(Modes{.inputs = {"slider.x"}}).
template <class T> Box<Analysis> analysis_of(T analysis) {
  return Box<Analysis>(std::make_unique<AnalysisOf<T>>(std::move(analysis)));
}

struct AnalysisEntry {
  Info info;
  AnalysisFacts facts;
  std::unique_ptr<Analysis> (*make)();

  template <class T> static AnalysisEntry of() {
    return {T::info, AnalysisOf<T>::facts_of_kind(),
            [] { return std::unique_ptr<Analysis>(std::make_unique<AnalysisOf<T>>()); }};
  }
};
/// All analyses; generated from the headers of analyses/.
std::span<const AnalysisEntry> analysis_kinds();
}  // namespace mubody
