#pragma once
// A treatment turns the equations of motion into an ordinary differential equation y' = f(t, y) and holds the
// constraints.  Each is one header in this folder:
//
//   struct Baumgarte {
//     static constexpr Info info{...};
//     void fields(Fields&);                                  its numbers
//     void accelerations(Dynamics&);                         fills a and λ from the terms
//     void after_step(Dynamics&, double t, Out q, Out u);    corrects an accepted step   (optional)
//   };
//
// A treatment in use is a copy of its own: what it keeps is workspace, nothing that a later evaluation depends on.
#include <memory>
#include <span>

#include "mubody/model/fields.h"
#include "mubody/system/dynamics.h"

namespace mubody {
/// What the kinds of treatment share.
class Treatment {
 public:
  virtual ~Treatment() = default;
  virtual Info info() const = 0;
  virtual void fields(Fields&) = 0;
  virtual void check() const = 0;
  /// Fills `a` and `lambda` of the dynamics, whose terms have been evaluated.
  virtual void accelerations(Dynamics&) = 0;
  /// Corrects an accepted state; true if it may have changed it.
  virtual bool after_step(Dynamics&, double t, Out q, Out u) = 0;
  virtual std::unique_ptr<Treatment> clone() const = 0;
};

template <class T> class TreatmentOf final : public Treatment {
 public:
  T treatment;

  explicit TreatmentOf(T value = {}) : treatment(std::move(value)) {}
  Info info() const override { return T::info; }
  void fields(Fields& f) override { treatment.fields(f); }
  void check() const override {
    if constexpr (requires { treatment.check(); }) treatment.check();
  }
  void accelerations(Dynamics& d) override { treatment.accelerations(d); }
  bool after_step(Dynamics& d, double t, Out q, Out u) override {
    if constexpr (requires { treatment.after_step(d, t, q, u); })
      return treatment.after_step(d, t, q, u), true;
    else
      return false;
  }
  std::unique_ptr<Treatment> clone() const override { return std::make_unique<TreatmentOf>(treatment); }
};

struct TreatmentEntry {
  Info info;
  std::unique_ptr<Treatment> (*make)();

  template <class T> static TreatmentEntry of() {
    return {T::info, [] { return std::unique_ptr<Treatment>(std::make_unique<TreatmentOf<T>>()); }};
  }
};
/// All treatments; generated from the headers of this folder.
std::span<const TreatmentEntry> treatment_kinds();
}  // namespace mubody
