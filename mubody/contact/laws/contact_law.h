#pragma once
// A normal law gives the force between two bodies that are pressed into each other; it never sees the bodies.
//
//   docs/theory/contact.md#laws
//
// It receives the depth δ = −gap [m], its rate δ̇ [m/s], positive while the bodies approach, and the first
// speed δ̇₀ > 0 [m/s], the rate at which they first touched, which the caller keeps from touch to separation.
// Each law is one header in this folder with `info`, `fields`, `check` and
//
//   double force(double depth, double rate, double first_speed) const;   [N], positive pushes apart; 0 for depth ≤ 0
//   double elastic(double depth) const;                                  [N], the part that has a potential
//   double stored(double depth) const;                                   [J], that potential, zero at depth 0
//   static constexpr bool tensile;                                       whether it may pull
//   bool jumps() const;                                                  whether it starts with a force (optional: no)
//
// The rest of the force turns power into heat: (force − elastic)·rate ≥ 0 for every law and every state.
#include <memory>

#include "mubody/contact/laws/elastic_part.h"

namespace mubody {
/// The common interface of the kinds of normal law.
class ContactLawKind {
 public:
  virtual ~ContactLawKind() = default;
  virtual Info info() const = 0;
  virtual void fields(Fields&) = 0;
  virtual void check() const = 0;
  virtual double force(double depth, double rate, double first_speed) const = 0;  // [N]
  virtual double elastic(double depth) const = 0;                                 // [N]
  virtual double stored(double depth) const = 0;                                  // [J]
  virtual bool tensile() const = 0;
  virtual bool jumps() const = 0;
  /// Stiffness and exponent.  A stiffness that was not given must be set before the first evaluation.
  virtual ElasticPart& elastic_part() = 0;
  virtual std::unique_ptr<ContactLawKind> clone() const = 0;

  /// Power turned into heat [W]; never negative.
  double dissipated(double depth, double rate, double first_speed) const {
    return (force(depth, rate, first_speed) - elastic(depth)) * rate;
  }
};

class ContactLaw {
 public:
  template <class Kind> explicit ContactLaw(Kind kind) : kind_(std::make_unique<Of<Kind>>(std::move(kind))) {
    kind_->check();
  }
  explicit ContactLaw(std::unique_ptr<ContactLawKind> kind) : kind_(std::move(kind)) {}
  ContactLaw(const ContactLaw& o) : kind_(o.kind_->clone()) {}
  ContactLaw(ContactLaw&&) noexcept = default;
  ContactLaw& operator=(ContactLaw o) noexcept {
    kind_ = std::move(o.kind_);
    return *this;
  }
  ~ContactLaw() = default;

  ContactLawKind& operator*() { return *kind_; }
  const ContactLawKind& operator*() const { return *kind_; }
  ContactLawKind* operator->() { return kind_.get(); }
  const ContactLawKind* operator->() const { return kind_.get(); }

  template <class Kind> struct Of final : ContactLawKind {
    Kind k;
    explicit Of(Kind kind = {}) : k(std::move(kind)) {}
    Info info() const override { return Kind::info; }
    void fields(Fields& f) override { k.fields(f); }
    void check() const override { k.check(); }
    double force(double depth, double rate, double first_speed) const override {
      return k.force(depth, rate, first_speed);
    }
    double elastic(double depth) const override { return k.elastic(depth); }
    double stored(double depth) const override { return k.stored(depth); }
    bool tensile() const override { return Kind::tensile; }
    bool jumps() const override {
      if constexpr (requires { k.jumps(); })
        return k.jumps();
      else
        return false;
    }
    ElasticPart& elastic_part() override { return k; }
    std::unique_ptr<ContactLawKind> clone() const override { return std::make_unique<Of>(k); }
  };

 private:
  std::unique_ptr<ContactLawKind> kind_;
};
}  // namespace mubody
