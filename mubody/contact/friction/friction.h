#pragma once
// A friction law gives the force against sliding from the normal force and the slip; it never sees the bodies.
//
//   docs/theory/friction.md
//
// The force has the sign of the slip and acts against it: −force on the body whose slip it is.  Its power is
// force·slip.  Each law is one header in this folder with `info`, `fields`, `check` and either
//
//   double coefficient(double speed) const;                 [–], force over normal force at a slip speed [m/s], 0 at 0
//
// for a law without memory, or, with `static constexpr int states = 1`, a bristle deflection z [m] that is state:
//
//   double force(Slip, Bristle z) const;                    [–], for a normal force of one newton
//   double rate(Slip, Bristle z) const;                     [m/s], of z
//   double stored(double z) const, spring(double z) const;  [J/N, –], energy in the bristles and its slope
//
// All are for one direction.  In the plane that is all; in space each of the three global directions has its own slip and
// its own z, so that z is a vector that does not depend on how surfaces are parametrised, and all know the speed of the
// slip and the bend of the bristles as a whole.  A force, a rate and a dissipation then belong to the direction, and the
// dissipations of all together are never negative.
//
// z is zero at every first touch.  A normal force that pulls causes no friction.
//
// A law that sticks and slips by different formulas has `double beyond(Slip, Bristle, bool slipped) const`: positive where it
// slips, given whether it slipped so far.  A motion holds it in one of the two and locates where that changes.
#include <cmath>
#include <memory>

#include "mubody/math/corners.h"
#include "mubody/model/errors.h"
#include "mubody/model/fields.h"

namespace mubody {
/// Sliding in one tangential direction.
struct Slip {
  double along = 0;  // velocity in this direction [m/s]
  double speed = 0;  // magnitude of the whole slip [m/s]

  Slip(double v) : along(v), speed(std::abs(v)) {}  // NOLINT: in the plane a number is a slip
  Slip(double v, double whole) : along(v), speed(whole) {}
};

/// The bend of bristles in one tangential direction.
struct Bristle {
  double along = 0;    // deflection in this direction [m]
  double length = 0;   // of the whole deflection [m]
  bool slips = false;  // of a law that sticks and slips

  Bristle(double z)
      : along(z), length(std::abs(z)), in_plane_(true) {}  // NOLINT: in the plane a number is a bend
  Bristle(double z, double whole, double bending) : along(z), length(whole), bending_(bending) {}
  /// The speed at which the slip bends it further, z·v/|z|; negative where it gives way [m/s].
  double bending(const Slip& v) const {
    if (length == 0) return v.speed;
    if (in_plane_) return along < 0 ? -v.along : v.along;
    return bending_;
  }

 private:
  double bending_ = 0;
  bool in_plane_ = false;
};

/// The common interface of the kinds of friction.
class FrictionKind {
 public:
  virtual ~FrictionKind() = default;
  virtual Info info() const = 0;
  virtual void fields(Fields&) = 0;
  virtual void check() const = 0;
  virtual int states() const = 0;                                           // per direction: 0 or 1
  virtual double force(double normal, Slip slip, Bristle z = 0) const = 0;  // [N]
  virtual double rate(double normal, Slip slip, Bristle z) const = 0;       // dz/dt [m/s]
  virtual double stored(double normal, double z) const = 0;                 // [J]
  /// Whether it sticks and slips by different formulas; then slips() tells which it is, by the k-th corner.
  virtual bool changes() const = 0;
  virtual bool slips(Slip slip, Bristle z, Corners corners, std::size_t k) const = 0;
  virtual std::unique_ptr<FrictionKind> clone() const = 0;

  /// Power turned into heat [W] under a steady normal force: the power put in less that stored in bristles.
  double dissipated(double normal, Slip slip, Bristle z = 0) const {
    const double power = force(normal, slip, z) * slip.along;
    return states() == 0 ? power : power - spring(normal, z.along) * rate(normal, slip, z);
  }

 protected:
  virtual double spring(double normal, double z) const = 0;  // d stored / dz [N]
};

class Friction {
 public:
  /// Coulomb's friction with that coefficient [-] and a ramp at low speed.
  explicit Friction(double mu);
  template <class Kind>
  requires requires { Kind::info; }
  explicit Friction(Kind kind) : kind_(std::make_unique<Of<Kind>>(std::move(kind))) { kind_->check(); }
  explicit Friction(std::unique_ptr<FrictionKind> kind) : kind_(std::move(kind)) {}
  Friction(const Friction& o) : kind_(o.kind_->clone()) {}
  Friction(Friction&&) noexcept = default;
  Friction& operator=(Friction o) noexcept {
    kind_ = std::move(o.kind_);
    return *this;
  }
  ~Friction() = default;

  FrictionKind& operator*() { return *kind_; }
  const FrictionKind& operator*() const { return *kind_; }
  FrictionKind* operator->() { return kind_.get(); }
  const FrictionKind* operator->() const { return kind_.get(); }

  template <class Kind> struct Of final : FrictionKind {
    static constexpr bool remembers = requires { Kind::states; };
    Kind k;
    explicit Of(Kind kind = {}) : k(std::move(kind)) {}
    Info info() const override { return Kind::info; }
    void fields(Fields& f) override { k.fields(f); }
    void check() const override { k.check(); }
    int states() const override { return remembers ? 1 : 0; }
    double force(double normal, Slip slip, [[maybe_unused]] Bristle z) const override {
      if (!(normal > 0)) return 0;
      if constexpr (remembers)
        return normal * k.force(slip, z);
      else
        return slip.speed > 0 ? normal * k.coefficient(slip.speed) * (slip.along / slip.speed) : 0;
    }
    double rate([[maybe_unused]] double normal, [[maybe_unused]] Slip slip,
                [[maybe_unused]] Bristle z) const override {
      if constexpr (remembers)
        return normal > 0 ? k.rate(slip, z) : 0;
      else
        return 0;
    }
    double stored([[maybe_unused]] double normal, [[maybe_unused]] double z) const override {
      if constexpr (remembers)
        return normal > 0 ? normal * k.stored(z) : 0;
      else
        return 0;
    }
    static constexpr bool sticks_and_slips = requires(const Kind& kind, Slip v, Bristle z) {
      kind.beyond(v, z, true);
    };
    bool changes() const override { return sticks_and_slips; }
    bool slips([[maybe_unused]] Slip slip, [[maybe_unused]] Bristle z, [[maybe_unused]] Corners corners,
               [[maybe_unused]] std::size_t n) const override {
      if constexpr (sticks_and_slips)
        return corners.above(n, k.beyond(slip, z, corners.was(n) > 0));
      else
        return false;
    }
    std::unique_ptr<FrictionKind> clone() const override { return std::make_unique<Of>(k); }

   protected:
    double spring([[maybe_unused]] double normal, [[maybe_unused]] double z) const override {
      if constexpr (remembers)
        return normal > 0 ? normal * k.spring(z) : 0;
      else
        return 0;
    }
  };

 private:
  std::unique_ptr<FrictionKind> kind_;
};
}  // namespace mubody
