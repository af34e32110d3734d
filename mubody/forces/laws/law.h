#pragma once
// A law gives the force of a spring element from its deflection and rate; it never sees bodies.
#include <memory>

#include "mubody/math/expression.h"
#include "mubody/model/errors.h"
#include "mubody/model/fields.h"
#include "mubody/model/not_recorded.h"
#include "mubody/recording/recorded.h"

namespace mubody {
/// The arguments of a law: deflection (length or angle less free value), its rate, the length or angle, time.
template <class R> struct DeflectionOf {
  R deflection = 0, rate = 0, length = 0, t = 0;  // [m, m/s, m, s] or [rad, rad/s, rad, s]
};
using Deflection = DeflectionOf<double>;

/// The common interface of the kinds of law.  Each kind is one header in forces/laws/ with `info`, `fields`, `check` and
///
///   template <class R> R force(const DeflectionOf<R>&) const
///   template <class R> R potential(const R& deflection) const
///
/// One that knows doubles alone, `double force(const Deflection&) const` and `double potential(double) const`, serves
/// where equations are not recorded.
class LawKind {
 public:
  virtual ~LawKind() = default;
  virtual Info info() const = 0;
  virtual void fields(Fields&) = 0;
  virtual void check() = 0;
  virtual double force(const Deflection&) const = 0;      // positive pulls the ends together [N, N m]
  virtual double potential(double deflection) const = 0;  // [J]; zero for laws that store none
  /// The same where equations are recorded; both throw ModelError if they cannot be.
  virtual Recorded recorded_force(const DeflectionOf<Recorded>&) const = 0;
  virtual Recorded recorded_potential(const Recorded& deflection) const = 0;
  virtual bool stores_energy() const = 0;  // the whole force comes from the potential
  virtual bool is_polynomial() const = 0;  // in the deflection: smooth everywhere
  static constexpr int time = 3;           // its place among the variables of a formula
  /// The formula that it is made of; null if it is made of numbers.
  virtual Written* written() = 0;
  /// That formula as it is evaluated, and its switches, which a motion may see and hold; null, and nothing, if there is
  /// none.
  virtual const Expression* formula() const = 0;
  virtual void watch(std::shared_ptr<Switches>) = 0;
  virtual std::unique_ptr<LawKind> clone() const = 0;
};

class Law {
 public:
  template <class Kind>
  requires requires { Kind::info; }
  explicit Law(Kind kind) : kind_(std::make_unique<Of<Kind>>(std::move(kind))) { kind_->check(); }
  /// Made from a formula in length, deflection, rate and t, which must be valid.
  explicit Law(Written);
  explicit Law(std::unique_ptr<LawKind> kind) : kind_(std::move(kind)) {}
  Law(const Law& o) : kind_(o.kind_->clone()) {}
  Law(Law&&) noexcept = default;
  Law& operator=(Law o) noexcept {
    kind_ = std::move(o.kind_);
    return *this;
  }
  ~Law() = default;

  double force(const Deflection& d) const { return kind_->force(d); }
  double potential(double deflection) const { return kind_->potential(deflection); }
  template <NotKnown R> R force(const DeflectionOf<R>& d) const { return kind_->recorded_force(d); }
  Recorded potential(const Recorded& deflection) const { return kind_->recorded_potential(deflection); }
  bool stores_energy() const { return kind_->stores_energy(); }
  const LawKind& kind() const { return *kind_; }
  /// Lets a motion see and hold the switches of its formula; copies share them.
  void watch(std::shared_ptr<Switches> switches) { kind_->watch(std::move(switches)); }

  template <class Kind> struct Of final : LawKind {
    Kind k;
    explicit Of(Kind kind = {}) : k(std::move(kind)) {}
    Info info() const override { return Kind::info; }
    void fields(Fields& f) override { k.fields(f); }
    void check() override { k.check(); }
    double force(const Deflection& d) const override { return k.force(d); }
    double potential(double d) const override { return k.potential(d); }
    Recorded recorded_force([[maybe_unused]] const DeflectionOf<Recorded>& d) const override {
      if constexpr (requires { k.force(d); })
        return k.force(d);
      else
        throw not_recorded("law", Kind::info);
    }
    Recorded recorded_potential([[maybe_unused]] const Recorded& d) const override {
      if constexpr (requires { k.potential(d); })
        return k.potential(d);
      else
        throw not_recorded("law", Kind::info);
    }
    bool stores_energy() const override { return Kind::stores_energy; }
    bool is_polynomial() const override {
      return requires { Kind::is_polynomial; };
    }
    Written* written() override {
      if constexpr (std::derived_from<Kind, Written>)
        return &k;
      else
        return nullptr;
    }
    const Expression* formula() const override {
      if constexpr (requires { k.formula; })
        return &k.formula;
      else
        return nullptr;
    }
    void watch([[maybe_unused]] std::shared_ptr<Switches> switches) override {
      if constexpr (requires { k.switches; }) k.switches = std::move(switches);
    }
    std::unique_ptr<LawKind> clone() const override { return std::make_unique<Of>(k); }
  };

 private:
  std::unique_ptr<LawKind> kind_;
};
}  // namespace mubody
