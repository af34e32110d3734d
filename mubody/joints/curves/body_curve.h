#pragma once
// A curve fixed in a body, in the axes of a marker: points run along it, rollers and flat faces roll on it.
//                                                                                docs/theory/curves.md
//
//   r(s), 0 ≤ s ≤ end,   with its first three derivatives with respect to s
//
// A closed curve repeats itself; beyond the ends of an open one it goes on straight, along its tangent, so that place and
// direction are continuous there.
#include <memory>
#include <vector>

#include "mubody/math/space.h"
#include "mubody/math/spline.h"
#include "mubody/model/errors.h"
#include "mubody/model/fields.h"
#include "mubody/model/not_recorded.h"
#include "mubody/recording/recorded_vectors.h"

namespace mubody {
/// A point of a curve and its derivatives with respect to the parameter.
template <class R> struct CurveAtOf {
  Vec<3, R> r = Vec<3, R>::Zero(), d = Vec<3, R>::Zero(), dd = Vec<3, R>::Zero(), ddd = Vec<3, R>::Zero();
};
using CurveAt = CurveAtOf<double>;

/// The common interface of the kinds of curve.  Each kind is one header in joints/curves/ with
///
///   static constexpr Info info{...};
///   void fields(Fields&);
///   void check();                          throws FieldError; prepares what evaluation needs
///   double end() const;                    the last parameter; the first is 0
///   bool is_closed() const;
///   template <class R> CurveAtOf<R> operator()(const R& s) const;      for 0 ≤ s ≤ end
///   int pieces() const;                    equal parts in none of which it turns by more than a right angle or so
///
/// One that knows doubles alone, `CurveAt operator()(double s) const`, serves where equations are not recorded.
class CurveKind {
 public:
  virtual ~CurveKind() = default;
  virtual Info info() const = 0;
  virtual void fields(Fields&) = 0;
  virtual void check() = 0;
  virtual double end() const = 0;
  virtual bool is_closed() const = 0;
  virtual CurveAt at(double s) const = 0;
  /// The same where equations are recorded; throws ModelError if they cannot be.
  virtual CurveAtOf<Recorded> at(const Recorded& s) const = 0;
  virtual int pieces() const = 0;
  virtual std::unique_ptr<CurveKind> clone() const = 0;
};

/// A curve, a value that can be copied.
class BodyCurve {
 public:
  /// A line along x.
  BodyCurve();
  template <class Kind>
  requires requires { Kind::info; }
  explicit BodyCurve(Kind kind) : BodyCurve(prepared(std::make_unique<Of<Kind>>(std::move(kind)))) {}
  /// Of a kind that was checked.
  explicit BodyCurve(std::unique_ptr<CurveKind>);
  BodyCurve(const BodyCurve& o) : kind_(o.kind_->clone()), samples_(o.samples_), across_(o.across_) {}
  BodyCurve(BodyCurve&&) noexcept = default;
  BodyCurve& operator=(BodyCurve o) noexcept {
    kind_ = std::move(o.kind_), samples_ = std::move(o.samples_), across_ = std::move(o.across_);
    return *this;
  }
  ~BodyCurve() = default;

  const CurveKind& kind() const { return *kind_; }
  CurveAt operator()(double s) const;
  CurveAtOf<Recorded> operator()(const Recorded& s) const;
  /// The parameter of the point that is nearest to p.
  double nearest(const Vec<3>& p) const;
  /// The parameter of the point that lies farthest in the direction n.
  double farthest(const Vec<3>& n) const;
  /// Two directions across the curve in space, component by component: they are smooth in s, and nowhere along it.
  template <class R> JetOf<R> across(int direction, int component, const R& s) const {
    return across_[std::size_t(3 * direction + component)].at(s);
  }
  /// Points of it, from its beginning to its end.
  struct Sample {
    double s;
    Vec<3> r;
  };
  const std::vector<Sample>& samples() const { return samples_; }
  /// Whether it lies in the plane of x and y, through the origin.
  bool is_flat() const;
  /// Whether it is closed and flat, and bends to the same side at all samples.
  bool is_round() const;

  template <class Kind> struct Of final : CurveKind {
    Kind k;
    explicit Of(Kind kind = {}) : k(std::move(kind)) {}
    Info info() const override { return Kind::info; }
    void fields(Fields& f) override { k.fields(f); }
    void check() override { k.check(); }
    double end() const override { return k.end(); }
    bool is_closed() const override { return k.is_closed(); }
    CurveAt at(double s) const override { return k(s); }
    CurveAtOf<Recorded> at([[maybe_unused]] const Recorded& s) const override {
      if constexpr (requires { k(s); })
        return k(s);
      else
        throw not_recorded("curve", Kind::info);
    }
    int pieces() const override { return k.pieces(); }
    std::unique_ptr<CurveKind> clone() const override { return std::make_unique<Of>(k); }
  };

 private:
  static std::unique_ptr<CurveKind> prepared(std::unique_ptr<CurveKind> kind) {
    kind->check();
    return kind;
  }
  void find_across();
  template <class Search> double find(const Search&) const;

  std::unique_ptr<CurveKind> kind_;
  std::vector<Sample> samples_;
  std::vector<CubicSpline> across_;  // three components of one direction, then of the other
};
}  // namespace mubody
