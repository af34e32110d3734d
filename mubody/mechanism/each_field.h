#pragma once
// Visitors of fields that treat all types by one template.
#include <utility>

#include "mubody/contact/friction/friction.h"
#include "mubody/contact/laws/contact_law.h"
#include "mubody/forces/laws/law.h"
#include "mubody/functions/signal.h"
#include "mubody/joints/coupled.h"
#include "mubody/joints/curves/body_curve.h"

namespace mubody {
/// Hands every field to  template <class T> void Derived::each(const Field&, T&).
template <class Derived> class EachField : public Fields {
 public:
  void visit(const Field& f, double& v) final { self().each(f, v); }
  void visit(const Field& f, int& v) final { self().each(f, v); }
  void visit(const Field& f, bool& v) final { self().each(f, v); }
  void visit(const Field& f, std::string& v) final { self().each(f, v); }
  void visit(const Field& f, Choice& v) final { self().each(f, v); }
  void visit(const Field& f, Vec<3>& v) final { self().each(f, v); }
  void visit(const Field& f, std::vector<double>& v) final { self().each(f, v); }
  void visit(const Field& f, std::vector<std::string>& v) final { self().each(f, v); }
  void visit(const Field& f, Data& v) final { self().each(f, v); }
  void visit(const Field& f, Marker& v) final { self().each(f, v); }
  void visit(const Field& f, std::vector<Coupled>& v) final { self().each(f, v); }
  void visit(const Field& f, Function& v) final { self().each(f, v); }
  void visit(const Field& f, std::vector<Function>& v) final { self().each(f, v); }
  void visit(const Field& f, Signal& v) final { self().each(f, v); }
  void visit(const Field& f, std::vector<Signal>& v) final { self().each(f, v); }
  void visit(const Field& f, Law& v) final { self().each(f, v); }
  void visit(const Field& f, std::optional<double>& v) final { self().each(f, v); }
  void visit(const Field& f, std::optional<Function>& v) final { self().each(f, v); }
  void visit(const Field& f, std::optional<Law>& v) final { self().each(f, v); }
  void visit(const Field& f, ContactLaw& v) final { self().each(f, v); }
  void visit(const Field& f, std::optional<Friction>& v) final { self().each(f, v); }
  void visit(const Field& f, BodyCurve& v) final { self().each(f, v); }
  void visit(const Field& f, Nested& v) final { self().each(f, v); }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
};

/// Hands every field to  template <class T> void Derived::each(const Field&, const T&),  for show_fields().
template <class Derived> class EachConstField : public EachField<EachConstField<Derived>> {
 public:
  static constexpr bool changes_nothing = true;
  template <class T> void each(const Field& f, T& v) { static_cast<Derived&>(*this).each(f, std::as_const(v)); }
};
}  // namespace mubody
