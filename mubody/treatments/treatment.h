#pragma once
// A treatment turns the equations of motion into an ordinary differential equation y' = f(t, y) and holds the
// constraints.  Each is one header in this folder:
//
//   struct Baumgarte {
//     static constexpr Info info{...};
//     void fields(Fields&);                                    its numbers
//     void accelerations(Dynamics&);                           fills a and λ from the terms
//     void after_step(Dynamics&, double t, Out q, Out u);      corrects an accepted step            (optional)
//     void before_rates(Dynamics&, double t, Out q, Out u);    corrects a state within a step       (optional)
//     void accepted(Dynamics&, double t, const In& q, const In& u);   sees an accepted step         (optional)
//     std::string prepare(const Stepping&);                      suits itself to the integrator       (optional)
//     std::string report() const;                              what it did, after a run              (optional)
//     void soften(double times);                               lets constraints give way more       (optional)
//     static constexpr bool passes_singular_positions = true;  if it does                          (optional)
//     Closing closing() const;                                 if accelerations are those of the multipliers alone, and
//                                                              after_step() is the correction by the mass   (optional)
//     static constexpr bool multipliers_alone = true;          if a and λ solve the equations as they are (optional)
//     void memory(Memory&);                                    lists what accepted() changes        (optional)
//     std::unique_ptr<Integrator> stepper(Dynamics&, const Stepping&);  brings its own integrator     (optional)
//     static constexpr int order = 2;                          the order of that integrator          (with it)
//   };
//
// Each use has its own copy of a treatment.  Its members are workspace, or change in accepted() only: a
// rejected step leaves no trace.
#include <memory>
#include <optional>
#include <span>

#include "mubody/integrators/integrator.h"
#include "mubody/model/fields.h"
#include "mubody/system/dynamics.h"

namespace mubody {
/// How positions are put back on the constraints.
struct Closing {
  double tolerance = 0;  // largest |Φ| that is left: a share of the characteristic length, or rad
  int iterations = 0;
};

/// The integrator and step that a treatment is used with.
struct Stepping {
  const IntegratorEntry& integrator;
  const StepControl& control;
};

/// The common interface of the kinds of treatment.
class Treatment {
 public:
  virtual ~Treatment() = default;
  virtual Info info() const = 0;
  virtual void fields(Fields&) = 0;
  virtual void check() const = 0;
  /// Called before a run.  Returns in words what was chosen, if anything; throws ModelError if it does not fit.
  virtual std::string prepare(const Stepping&) = 0;
  /// The integrator of a treatment that steps by itself; null for the others.
  virtual std::unique_ptr<Integrator> stepper(Dynamics&, const Stepping&) = 0;
  /// The order of its own steps, which are of one size; 0 if it uses the integrator.
  virtual int order_of_steps() const = 0;
  /// True if states within a step are to be corrected by before_rates().
  virtual bool corrects_stages() const = 0;
  virtual void before_rates(Dynamics&, double t, Out q, Out u) = 0;
  /// Fills `a` and `lambda` of the dynamics, whose terms have been evaluated.
  virtual void accelerations(Dynamics&) = 0;
  /// Corrects an accepted state, or one of the output; returns true if it may have changed it.
  virtual bool after_step(Dynamics&, double t, Out q, Out u) = 0;
  /// Called at the start and after every accepted step.
  virtual void accepted(Dynamics&, double t, const In& q, const In& u) = 0;
  /// Returns in words, after a run, what it did; empty if there is nothing to report.
  virtual std::string report() const = 0;
  /// Lets constraints give way so many times as much, where they do; returns false if they do not.
  virtual bool soften(double times) = 0;
  /// How positions are put back on the constraints, if accelerations and corrections are those of the multipliers and of the
  /// mass alone; none if it does something else.
  virtual std::optional<Closing> closing() const = 0;
  /// Whether a motion goes straight through singular positions.
  virtual bool passes_singular_positions() const = 0;
  /// Whether accelerations and multipliers solve M a + Dᵀ λ = Q, D a = γ, with nothing added.
  virtual bool has_multipliers_alone() const = 0;
  /// Lists what changed in accepted().
  virtual void memory(Memory&) = 0;
  virtual std::unique_ptr<Treatment> clone() const = 0;
};

template <class T> class TreatmentOf final : public Treatment {
 public:
  T treatment;

  TreatmentOf() = default;
  explicit TreatmentOf(T value) : treatment(std::move(value)) {}
  Info info() const override { return T::info; }
  void fields(Fields& f) override { treatment.fields(f); }
  void check() const override {
    if constexpr (requires { treatment.check(); }) treatment.check();
  }
  std::string prepare(const Stepping& method) override {
    if constexpr (requires { treatment.prepare(method); })
      return treatment.prepare(method);
    else
      return {};
  }
  std::unique_ptr<Integrator> stepper(Dynamics& d, const Stepping& method) override {
    if constexpr (requires { treatment.stepper(d, method); })
      return treatment.stepper(d, method);
    else
      return nullptr;
  }
  int order_of_steps() const override {
    if constexpr (requires { T::order; })
      return T::order;
    else
      return 0;
  }
  bool corrects_stages() const override {
    return requires(T x, Dynamics & d, double t, Out q, Out u) { x.before_rates(d, t, q, u); };
  }
  void before_rates(Dynamics& d, double t, Out q, Out u) override {
    if constexpr (requires { treatment.before_rates(d, t, q, u); }) treatment.before_rates(d, t, q, u);
  }
  void accelerations(Dynamics& d) override { treatment.accelerations(d); }
  bool after_step(Dynamics& d, double t, Out q, Out u) override {
    if constexpr (requires { treatment.after_step(d, t, q, u); })
      return treatment.after_step(d, t, q, u), true;
    else
      return false;
  }
  void accepted(Dynamics& d, double t, const In& q, const In& u) override {
    if constexpr (requires { treatment.accepted(d, t, q, u); }) treatment.accepted(d, t, q, u);
  }
  std::string report() const override {
    if constexpr (requires { treatment.report(); })
      return treatment.report();
    else
      return {};
  }
  bool soften([[maybe_unused]] double times) override {
    if constexpr (requires { treatment.soften(times); })
      return treatment.soften(times), true;
    else
      return false;
  }
  std::optional<Closing> closing() const override {
    if constexpr (requires { treatment.closing(); })
      return treatment.closing();
    else
      return {};
  }
  bool passes_singular_positions() const override {
    return requires { T::passes_singular_positions; };
  }
  bool has_multipliers_alone() const override {
    return requires { T::multipliers_alone; };
  }
  void memory([[maybe_unused]] Memory& m) override {
    if constexpr (requires { treatment.memory(m); }) treatment.memory(m);
  }
  std::unique_ptr<Treatment> clone() const override { return std::make_unique<TreatmentOf>(treatment); }
};

struct TreatmentEntry {
  Info info;
  std::unique_ptr<Treatment> (*make)();
  bool steps;  // it steps by itself: the integrator of the model is not used

  template <class T> static TreatmentEntry of() {
    constexpr bool brings_integrator = requires(T x, Dynamics & d, const Stepping& s) { x.stepper(d, s); };
    return {T::info, [] { return std::unique_ptr<Treatment>(std::make_unique<TreatmentOf<T>>()); },
            brings_integrator};
  }
};
/// All treatments; generated from the headers of this folder.
std::span<const TreatmentEntry> treatment_kinds();
}  // namespace mubody
