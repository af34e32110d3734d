#pragma once
// A shape: a solid of which bodies are made.  Each is one header in this folder:
//
//   struct Cylinder {
//     static constexpr Info info{"cylinder", "a round bar or a disc"};
//     static constexpr Stand stand = Stand::axis;
//     double radius = 0, width = 0;
//     void fields(Fields&);
//     void check() const;                       throws FieldError
//     void reach(double length);                for Stand::axis and Stand::ends
//     void cover(const std::vector<Vec<2>>&);   for Stand::corners
//     bool is_thin() const;                     has a length or an area, but no volume
//     MassProperties unit() const;              of density 1; of a thin one per length or area
//     Surface surface() const;                  empty where it is thin
//   };
//
// A shape lies in its own axes: the origin is in its middle, z is its axis.
#include <memory>

#include "mubody/model/errors.h"
#include "mubody/model/fields.h"
#include "mubody/shapes/surface.h"

namespace mubody {
/// How a shape is placed.
enum class Stand {
  point,   // its middle is at one place
  axis,    // the same, or its axis goes from one place to another
  ends,    // its axis goes from one place to another
  corners  // its corners are three or more places in a plane
};

class AnyShape {
 public:
  virtual ~AnyShape() = default;
  virtual Info info() const = 0;
  virtual Stand stand() const = 0;
  virtual void fields(Fields&) = 0;
  virtual void check() const = 0;
  virtual void reach(double length) = 0;
  virtual void cover(const std::vector<Vec<2>>& corners) = 0;
  virtual void pierce(const std::vector<RoundHole>& holes) = 0;
  virtual bool is_thin() const = 0;
  virtual MassProperties unit() const = 0;
  virtual Surface surface() const = 0;
};

template <class S> class ShapeOf final : public AnyShape {
 public:
  explicit ShapeOf(S shape = {}) : shape_(std::move(shape)) {}
  Info info() const override { return S::info; }
  Stand stand() const override { return S::stand; }
  void fields(Fields& f) override { shape_.fields(f); }
  void check() const override { shape_.check(); }
  void reach(double length) override {
    if constexpr (requires { shape_.reach(length); }) shape_.reach(length);
  }
  void cover(const std::vector<Vec<2>>& corners) override {
    if constexpr (requires { shape_.cover(corners); }) shape_.cover(corners);
  }
  void pierce(const std::vector<RoundHole>& holes) override {
    if constexpr (requires { shape_.pierce(holes); }) shape_.pierce(holes);
  }
  bool is_thin() const override {
    if constexpr (requires { shape_.is_thin(); }) return shape_.is_thin();
    return false;
  }
  MassProperties unit() const override { return shape_.unit(); }
  Surface surface() const override { return shape_.surface(); }

 private:
  S shape_;
};

/// A size that must be more than zero.
inline void require_positive(double value, const char* field) {
  require(std::isfinite(value) && value > 0, field, "must be positive");
}
}  // namespace mubody
