#pragma once
// Random elements and random states: every kind in a registry is tested without knowing what it is.
#include <random>

#include <gtest/gtest.h>

#include "mubody/forces/laws/polynomial_law.h"
#include "mubody/functions/harmonic.h"
#include "mubody/functions/signal.h"
#include "mubody/system/build.h"
#include "mubody/system/registry.h"

namespace mubody::testing {
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()(double from = -1, double to = 1) {
    return std::uniform_real_distribution<double>(from, to)(engine_);
  }
  VecX vector(int n) {
    return VecX::NullaryExpr(n, [&] { return (*this)(); });
  }

 private:
  std::mt19937 engine_;
};

/// Fills the parameters of any element with random values; markers sit on bodies 1 and 2.
class RandomFields final : public Fields {
 public:
  RandomFields(Random& random, int variant) : random_(random), variant_(variant) {}

  void visit(const Field& f, double& x) override {
    x = random_(0.4, 1.6);
    if (f.name.starts_with("radius_")) centres += x;
  }
  void visit(const Field&, int&) override {}
  void visit(const Field&, bool& x) override { x = variant_ % 2 == 1; }
  void visit(const Field&, std::string&) override {}
  void visit(const Field&, Choice& c) override { c.index = variant_ % int(c.words.size()); }
  void visit(const Field&, Vec<3>& v) override { v << random_(), random_(), 0; }
  void visit(const Field&, std::vector<double>& v) override { v = {random_(), random_(), random_()}; }
  void visit(const Field&, Data& d) override {  // time and as many columns as the widest element takes
    d.columns.assign(variant_ % 3 == 0 ? 3 : 5, {});
    for (int row = 0; row < 8; ++row)
      for (std::size_t k = 0; k < d.columns.size(); ++k) d.columns[k].push_back(k == 0 ? row - 3.0 : random_());
  }
  void visit(const Field& f, Marker& m) override {
    m.body = f.name == "i" ? 1 : 2;
    m.at << random_(), random_(), 0;
    m.turn = turn_about_z(random_(-3, 3));
  }
  void visit(const Field&, Function& f) override { f = wave(); }
  void visit(const Field&, std::vector<Function>& f) override { f = {wave(), wave()}; }
  void visit(const Field&, Signal& s) override { s = formula(); }
  void visit(const Field&, std::vector<Signal>& s) override { s = {formula(), formula()}; }
  void visit(const Field&, Law&) override {}
  void visit(const Field&, std::optional<double>& x) override { x = random_(0.5, 1.5); }
  void visit(const Field&, std::optional<Function>& f) override { f = wave(); }
  void visit(const Field&, std::optional<Law>&) override {}

  double centres = 0;  // distance that the radii of a gear pair ask for

 private:
  Function wave() {
    Harmonic h;
    h.amplitude = random_(0.1, 0.4);
    h.omega = random_(1, 4);
    h.phase = random_(-3, 3);
    h.offset = random_(1, 2);
    return Function(h);
  }
  Signal formula() {
    const std::string names[] = {"t", "b.x", "b.omega"};
    return Signal(Expression::parse("3*sin(t) + b.x^2 - 2*b.omega", names),
                  {{Marker{2, Vec<3>::Zero(), Quaternion::Identity()}, StateVariable::x},
                   {Marker{2, Vec<3>::Zero(), Quaternion::Identity()}, StateVariable::omega}});
  }

  Random& random_;
  int variant_;
};

/// Two free bodies with random mass and place.
inline Mechanism two_bodies(Random& random) {
  Mechanism m;
  for (const char* name : {"a", "b"}) {
    RigidBody b;
    b.name = name;
    b.mass = random(0.5, 2);
    b.inertia(2, 2) = random(0.2, 1);
    const double angle = random(-2, 2);
    b.start = {Vec<3>(random(-2, 2), random(-2, 2), 0), turn_about_z(angle), angle};
    m.bodies.push_back(b);
  }
  return m;
}

inline int variants() { return 3; }  // every word of the choices in use

/// Returns the distance of the two markers that the parameters ask for; 0 if any will do.
template <class Element> double randomize(Element& element, Random& random, int variant) {
  RandomFields fields(random, variant);
  element.fields(fields);
  return fields.centres;
}
}  // namespace mubody::testing
