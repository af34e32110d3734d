#pragma once
// Laws with random parameters of a size that occurs in machines.
#include <ostream>

#include <gtest/gtest.h>

#include "mubody/contact/contact.h"
#include "tests/random.h"
#include "tests/reference.h"

namespace mubody {
// The names of test parameters; overloads are found by argument type.
inline void PrintTo(const ContactLawEntry& e, std::ostream* out) { *out << e.info.name; }
inline void PrintTo(const FrictionEntry& e, std::ostream* out) { *out << e.info.name; }
}  // namespace mubody

namespace mubody::testing {
/// Gives every parameter of a law a random value, whose range follows from its name and unit.
class Draw final : public Fields {
 public:
  explicit Draw(Random& random) : random_(random) {}

  void visit(const Field& f, double& x) override {
    if (f.name == "mu")
      x = mu_ = random_(0.01, 0.8);
    else if (f.name == "mu_static")
      x = mu_ * random_(1, 2);
    else if (f.name == "exponent")
      x = random_(1, 2);
    else if (f.name == "restitution")
      x = random_(0.02, 1);
    else if (f.name == "shape")
      x = random_(0.5, 3);
    else if (f.name == "full")
      x = random_(1.1e-3, 1e-2);
    else if (f.name == "ramp")
      x = random_(1e-6, 1e-4);
    else if (f.unit == "m/s")
      x = random_.decades(1e-4, 1e-3);
    else if (f.unit == "1/m")
      x = random_.decades(1e3, 1e6);
    else if (f.unit == "s/m" || f.unit == "N s/m")
      x = random_.decades(1, 1e3);
    else
      FAIL() << "no idea what '" << f.name << "' in '" << f.unit << "' is";
  }
  void visit(const Field& f, std::optional<double>& x) override {
    x = f.name == "mu_static" ? mu_ * random_(1, 2) : random_.decades(1e5, 1e11);
  }
  void visit(const Field&, int&) override { FAIL(); }
  void visit(const Field&, bool&) override { FAIL(); }
  void visit(const Field&, std::string&) override { FAIL(); }
  void visit(const Field&, Choice&) override { FAIL(); }
  void visit(const Field&, Vec<3>&) override { FAIL(); }
  void visit(const Field&, std::vector<double>&) override { FAIL(); }
  void visit(const Field&, std::vector<std::string>&) override { FAIL(); }
  void visit(const Field&, Data&) override { FAIL(); }
  void visit(const Field&, Marker&) override { FAIL(); }
  void visit(const Field&, std::vector<Coupled>&) override { FAIL(); }
  void visit(const Field&, BodyCurve&) override { FAIL(); }
  void visit(const Field&, Function&) override { FAIL(); }
  void visit(const Field&, std::vector<Function>&) override { FAIL(); }
  void visit(const Field&, Signal&) override { FAIL(); }
  void visit(const Field&, std::vector<Signal>&) override { FAIL(); }
  void visit(const Field&, Law&) override { FAIL(); }
  void visit(const Field&, std::optional<Function>&) override { FAIL(); }
  void visit(const Field&, std::optional<Law>&) override { FAIL(); }
  void visit(const Field&, ContactLaw&) override { FAIL(); }
  void visit(const Field&, std::optional<Friction>&) override { FAIL(); }
  void visit(const Field&, Nested&) override { FAIL(); }

 private:
  Random& random_;
  double mu_ = 0;
};

/// The jump of f in [0, 1], found by closing in on the steepest place; zero for a continuous function.
template <class F> double jump_of(F f) {
  double from = 0, to = 1, worst = 0;
  for (int zoom = 0; zoom < 13; ++zoom) {
    constexpr int n = 16;
    double at = from;
    worst = 0;
    for (int k = 0; k < n; ++k) {
      const double a = from + (to - from) * k / n, b = from + (to - from) * (k + 1) / n;
      if (const double rise = std::abs(f(b) - f(a)); rise > worst) worst = rise, at = a;
    }
    to = at + (to - from) / n;
    from = at;
  }
  return worst;
}

/// The message of check(), if it refuses.
template <class Kind> std::string refusal(const Kind& kind) {
  try {
    kind.check();
  } catch (const FieldError& e) {
    return e.field + ": " + e.what();
  }
  return "accepted";
}
}  // namespace mubody::testing
