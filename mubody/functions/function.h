#pragma once
// Functions of time with exact first and second derivatives, which drivers follow.
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "mubody/math/expression.h"
#include "mubody/math/jet.h"
#include "mubody/math/real.h"
#include "mubody/model/errors.h"
#include "mubody/model/fields.h"
#include "mubody/model/not_recorded.h"
#include "mubody/recording/recorded.h"

namespace mubody {
/// Times at which a function changes its formula.
struct Breakpoints {
  std::vector<double> jumps{};        // value, slope or second derivative may jump
  std::vector<double> knots{};        // only higher derivatives do
  std::vector<SignChange> blurred{};  // as jumps, but round-off leaves open when exactly they are

  /// Those of a formula that changes its form.
  static Breakpoints of(const std::vector<SignChange>& changes) {
    Breakpoints all;
    for (const SignChange& c : changes)
      if (c.unsure > 0)
        all.blurred.push_back(c);
      else
        all.jumps.push_back(c.at);
    return all;
  }
};

/// The common interface of the kinds of function (constant, polynomial, ...).  Each kind is one header in
/// functions/ with `info`, `fields`, `check` and
///
///   template <class R> JetOf<R> operator()(const R& t) const
///
/// One that knows doubles alone, `Jet operator()(double t) const`, serves where equations are not recorded.
class FunctionKind {
 public:
  virtual ~FunctionKind() = default;
  virtual Info info() const = 0;
  virtual void fields(Fields&) = 0;
  virtual void check() = 0;  // throws FieldError; prepares what evaluation needs
  virtual Jet at(double t) const = 0;
  /// The same where equations are recorded; throws ModelError if it cannot be.
  virtual JetOf<Recorded> at(const Recorded& t) const = 0;
  /// First and last time of its data; none if it holds at all times.
  virtual std::optional<std::pair<double, double>> data_range() const = 0;
  /// Times within a span at which its formula changes; steps of an integration end there.
  virtual Breakpoints breakpoints(double from, double to) const = 0;
  /// What a user should know about its curve, in words; empty if there is nothing.
  virtual std::string remark() const = 0;
  virtual bool is_constant() const = 0;
  /// The formula that it is made of; null if it is made of numbers.
  virtual Written* written() = 0;
  const Written* written() const { return const_cast<FunctionKind*>(this)->written(); }
  /// That formula as it is evaluated; null if there is none.
  virtual const Expression* formula() const = 0;
  virtual std::unique_ptr<FunctionKind> clone() const = 0;
};

/// A value from outside that takes the place of a function of time, held from the instant at which it was set,
/// with its rate and acceleration.
struct Held {
  bool set = false;
  double at = 0;  // [s]
  Jet value;
  int input = -1;  // which input of the model it is; −1: none by itself

  template <class R> JetOf<R> operator()(const R& t) const {
    const R s = t - at;
    return {value.x + s * (value.v + 0.5 * s * value.a), value.v + s * value.a, value.a};
  }
};

/// A function of time, a value that can be copied.
class Function {
 public:
  Function(double constant = 0);
  template <class Kind>
  requires requires { Kind::info; }
  explicit Function(Kind kind) : kind_(std::make_unique<Of<Kind>>(std::move(kind))) { kind_->check(); }
  /// Made from a formula of one variable, which must be valid.
  explicit Function(Written);
  explicit Function(std::unique_ptr<FunctionKind> kind) : kind_(std::move(kind)) {}
  Function(const Function& o) : kind_(o.kind_->clone()), held_(o.held_) {}
  Function(Function&&) noexcept = default;
  Function& operator=(Function o) noexcept {
    kind_ = std::move(o.kind_);
    held_ = std::move(o.held_);
    return *this;
  }
  ~Function() = default;

  Jet operator()(double t) const { return held_ && held_->set ? (*held_)(t) : kind_->at(t); }
  /// The same where equations are recorded.  An input of the model is what the graph of t has for it; see Computation::supply().
  JetOf<Recorded> operator()(const Recorded& t) const;
  const FunctionKind& kind() const { return *kind_; }
  /// Lets a value from outside take the place of this function, once it is set; copies share it.
  void hold(std::shared_ptr<const Held> value) { held_ = std::move(value); }
  const Held* held() const { return held_.get(); }
  /// Whether a value from outside has taken its place.
  bool is_held(double) const { return held_ && held_->set; }
  bool is_held(const Recorded& t) const {
    return held_ && (held_->set || (t.graph() && t.graph()->supplied(held_->input)));
  }
  /// Whether its value may change; a formula of parameters alone is constant.
  bool varies() const;

  template <class Kind> struct Of final : FunctionKind {
    Kind k;
    explicit Of(Kind kind = {}) : k(std::move(kind)) {}
    Info info() const override { return Kind::info; }
    void fields(Fields& f) override { k.fields(f); }
    void check() override { k.check(); }
    Jet at(double t) const override { return k(t); }
    JetOf<Recorded> at([[maybe_unused]] const Recorded& t) const override {
      if constexpr (requires { k(t); })
        return k(t);
      else
        throw not_recorded("function", Kind::info);
    }
    std::optional<std::pair<double, double>> data_range() const override {
      if constexpr (requires { k.data_range(); })
        return k.data_range();
      else
        return {};
    }
    Breakpoints breakpoints([[maybe_unused]] double from, [[maybe_unused]] double to) const override {
      if constexpr (requires { k.breakpoints(from, to); })
        return k.breakpoints(from, to);
      else
        return {};
    }
    std::string remark() const override {
      if constexpr (requires { k.remark(); })
        return k.remark();
      else
        return {};
    }
    bool is_constant() const override {
      return requires { Kind::is_constant; };
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
    std::unique_ptr<FunctionKind> clone() const override { return std::make_unique<Of>(k); }
  };

 private:
  std::unique_ptr<FunctionKind> kind_;
  std::shared_ptr<const Held> held_;
};
}  // namespace mubody
