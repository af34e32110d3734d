#pragma once
// Coupler: one equation between the coordinates of other joints, which it names: gears, belts and chains without their
// geometry, a differential, a thread, a cam.
//
//   docs/theory/couplers.md
//
//   Φ = Σ r_k s_k − c         with ratios; one equation for any number of joints
//   Φ = s_2 − f(s_1) − c      with a function of the first joint's coordinate
//
// s_k is the turn or slide that joint k leaves, counted over turns.  Φ is measured as the first coordinate is, with a
// function as the second.  On each coordinate the coupler acts with −λ ∂Φ/∂s_k, which does no work in sum.
#include "mubody/joints/joint.h"

namespace mubody {
struct Coupler {
  static constexpr Info info{"coupler",
                             "coordinates of other joints keep a ratio, or one is a function of another"};
  static constexpr Use use = Use::joint;
  static constexpr int forbids(int) { return 1; }
  static constexpr int allows(int D) { return D == 2 ? 2 : 5; }
  static constexpr std::string_view backlash = "coupler_backlash";
  Marker i, j;  // only while it couples nothing yet
  std::vector<Coupled> couples;
  std::vector<double> ratios;
  std::optional<Function> function;
  std::optional<double> offset;

  /// Adds a joint: its name, with the coordinate where it leaves several, and its ratio.
  Coupler& add(std::string joint, double ratio) {
    couples.push_back({std::move(joint)});
    ratios.push_back(ratio);
    return *this;
  }

  void fields(Fields& f) {
    f.required("joints", couples, "",
               "the joints, as \"pin\", or \"nut.slide\" where a joint leaves several motions");
    f.optional("ratios", ratios, "1",
               "one for each joint: the sum of ratio times coordinate [rad, m] stays constant",
               "this, or function");
    f.curve("function", function, unit(1), unit(0),
            "the coordinate of the second joint as a function of that of the first, which is x",
            "this, or ratios");
    f.optional("offset", offset, unit(function ? 1 : 0), "value of the sum, or what is added to the function",
               "as at the start");
  }
  void draw(Sketch& s) const { s.nothing("a coupler has no place of its own"); }
  void check() const {
    require(couples.size() >= 2, "joints", "must name two coordinates or more");
    require(couples.size() <= most_coupled, "joints",
            "couples at most " + std::to_string(most_coupled) + " coordinates");
    for (std::size_t k = 0; k < couples.size(); ++k)
      for (std::size_t l = 0; l < k; ++l)
        if (couples[k].name == couples[l].name)
          throw FieldError("joints", k, "'" + couples[k].name + "' is there twice");
    require(!function || ratios.empty(), "function", "takes the place of 'ratios': give one of them");
    require(function || !ratios.empty(), "",
            "missing 'ratios', one number for each joint, or 'function', which the second joint follows");
    require(!function || couples.size() == 2, "joints",
            "must be two with a function: the second follows the first");
    require(function || ratios.size() == couples.size(), "ratios",
            "expected one for each of the " + std::to_string(couples.size()) + " joints, got " +
                std::to_string(ratios.size()));
    for (std::size_t k = 0; k < ratios.size(); ++k)
      if (!std::isfinite(ratios[k]) || ratios[k] == 0)
        throw FieldError("ratios", k, "must not be zero: leave the joint out");
  }
  void start(const Pose&, const Pose&) {
    if (offset) return;
    std::array<Jet, most_coupled> s{};
    std::array<double, most_coupled> slopes{};
    for (std::size_t k = 0; k < couples.size(); ++k) s[k].x = couples[k].start;
    offset = 0;
    offset = relate<double>({s.data(), couples.size()}, slopes).x;
  }

  /// Φ with its rates from the coordinates with theirs, and by how much it changes with each of them.
  template <class R> JetOf<R> relate(std::span<const JetOf<R>> s, std::span<R> slopes) const {
    if (function) {
      const JetOf<R> f = (*function)(s[0].x);
      slopes[0] = -f.v, slopes[1] = 1;
      return {s[1].x - f.x - *offset, s[1].v - f.v * s[0].v, s[1].a - f.v * s[0].a - f.a * s[0].v * s[0].v};
    }
    JetOf<R> sum{-*offset};
    for (std::size_t k = 0; k < s.size(); ++k) {
      slopes[k] = ratios[k];
      sum.x += ratios[k] * s[k].x, sum.v += ratios[k] * s[k].v, sum.a += ratios[k] * s[k].a;
    }
    return sum;
  }
  bool is_linear() const { return !function; }
  /// Whether the equation measures a length, else an angle.
  bool is_length() const {
    const std::size_t k = function ? 1 : 0;
    return k < couples.size() && !is_turn(couples[k].motion);
  }

 private:
  // Of the k-th coordinate; in lists, where there is none, what it may be.
  std::string_view unit(std::size_t k) const {
    return k < couples.size() ? unit_of(couples[k].motion) : "rad or m";
  }
};
}  // namespace mubody
