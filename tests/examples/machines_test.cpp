// Machines that are drawn by their lengths, against the geometry of triangles.
#include <algorithm>

#include "tests/examples/example.h"

namespace mubody::testing {
namespace {
using Point = Vec<2>;

/// Where circles about two points meet, on the left of the way from the first to the second; on its right for a side of −1.
Point meeting(const Point& a, double from_a, const Point& b, double from_b, double side) {
  const double L = (b - a).norm(), along = (from_a * from_a - from_b * from_b + L * L) / (2 * L);
  const Point e = (b - a) / L, left(-e.y(), e.x());
  return a + along * e + side * std::sqrt(from_a * from_a - along * along) * left;
}

TEST(windscreen_wiper, blades_swing_together_between_the_stretched_positions_of_the_crank) {
  const Results r = run_example("windscreen_wiper");
  const std::vector<double> angle = r.column("left.angle"), other = r.column("right.angle");
  const Point axis(0.3, 0);
  for (std::size_t k = 0; k < angle.size(); ++k) {
    const double turned = 1.5 * pi * 0.01 * double(k);  // 45 rpm
    const Point A = 0.05 * Point(std::cos(turned), std::sin(turned)), B = meeting(A, 0.285, axis, 0.08, 1);
    EXPECT_NEAR(angle[k], std::atan2(B.y(), B.x() - axis.x()), 1e-12);
    EXPECT_NEAR(other[k], angle[k], 1e-12);
  }
  const auto stretched = [](double reach) {
    return pi - std::acos((0.09 + 0.0064 - reach * reach) / (2 * 0.3 * 0.08));
  };
  const auto [least, most] = std::ranges::minmax(angle);
  EXPECT_NEAR(least, stretched(0.285 + 0.05), 2e-3) << "rows lie beside the end of the swing";
  EXPECT_NEAR(most, stretched(0.285 - 0.05), 2e-3);
}

// With bars at the angle h: 4 l² = L² (1 + 8 sin² h).
TEST(scissor_lift, deck_rises_with_the_cylinder_and_rests_on_its_force) {
  const double L = 2, first = std::sqrt(3.0), last = 2.5, bar = 7850 * L * 0.1 * 0.04, barrel = 40, rod = 45;
  const Results r = run_example("scissor_lift");
  const std::vector<double> y = r.column("deck.y");
  const auto sine = [&](double l) { return std::sqrt((4 * l * l / (L * L) - 1) / 8); };
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double x = std::clamp((0.01 * double(k) - 0.5) / 4, 0., 1.);
    EXPECT_NEAR(y[k], 2 * L * sine(first + (last - first) * x * x * x * (10 + x * (6 * x - 15))), 1e-12);
  }
  // Virtual work of all weights, as l changes: the height of M is 3/2 L sin h, and barrel and rod lie on the line to it.
  for (const double t : {0., 5.}) {
    const double l = t == 0 ? first : last, s = sine(l), ds = l / (2 * L * L * s), half = 0.46 * first;
    const double rise = 1.5 * L * (ds / l - s / (l * l));  // of a point of that line at the distance 1
    const double force =
        9.81 * ((4 * bar + 2 * 500) * L * ds + barrel * half * rise + rod * (1.5 * L * ds - half * rise));
    const double fx = value_at(r, "cylinder.on_rod.fx", t), fy = value_at(r, "cylinder.on_rod.fy", t);
    EXPECT_NEAR(std::hypot(fx, fy), force, 1e-7) << t;
    EXPECT_NEAR(fy / fx, 3 * s / std::sqrt(1 - s * s), 1e-12) << t;
  }
}

/// The pins of the excavator for given lengths of its cylinders.
struct Arm {
  Point A{0, 1}, P{0.7, 0.6}, Q, C, K, S, W, U, V, R, X, Z;
  Arm(double lift, double crowd, double curl)
      : Q(meeting(A, 2.8, P, lift, 1)), C(meeting(A, 5.3, Q, 2.7, -1)), K(meeting(A, 3.3, C, 2.9, 1)),
        S(meeting(C, 0.8, K, crowd, -1)), W(meeting(C, 2.4, S, 3.15, 1)), U(meeting(C, 0.6, W, 2.8, 1)),
        V(C + 0.8 * (W - C)), R(meeting(U, curl, V, 0.6, 1)), X(meeting(R, 0.6, W, 0.45, 1)),
        Z(meeting(W, 1.4, X, 1.6, -1)) {}
  /// Energy of the weights: plates of three or four corners, and rods.
  double potential() const {
    const auto area = [](const Point& a, const Point& b, const Point& c) {
      return 0.5 * ((b - a).x() * (c - a).y() - (b - a).y() * (c - a).x());
    };
    const double one = area(A, Q, C), two = area(A, C, K);
    const Point boom = (one * (A + Q + C) + two * (A + C + K)) / (3 * (one + two));
    return 9.81 * (1500 * boom.y() + 700 * (S + W + U).y() / 3 + 500 * (W + Z + X).y() / 3 +
                   40 * (V + R).y() / 2 + 30 * (R + X).y() / 2);
  }
};

TEST(excavator, teeth_go_where_the_cylinders_lead_them) {
  const Results r = run_example("excavator");
  const std::vector<double> x = r.column("teeth.x"), y = r.column("teeth.y");
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double t = 0.02 * double(k);
    const Arm arm(2.6 + 0.25 * std::sin(0.8 * t), 2.5 + 0.25 * std::sin(1.1 * t),
                  2.2 + 0.2 * std::sin(1.7 * t));
    EXPECT_NEAR(x[k], arm.Z.x(), 1e-10) << t;
    EXPECT_NEAR(y[k], arm.Z.y(), 1e-10) << t;
  }
}

// At rest each cylinder pushes with the change of the potential energy with its length.
TEST(excavator, cylinders_at_rest_carry_the_weights) {
  const Results r =
      run_example("excavator", {"drivers.lift.length=2.6", "drivers.crowd.length=2.5",
                                "drivers.curl.length=2.2", "parameters.dig=0", "analysis.end=0.02"});
  const double h = 1e-5;
  const Arm arm(2.6, 2.5, 2.2);
  const auto push = [&](const std::string& channel, const Point& from, const Point& to) {
    const Point force(value_at(r, channel + ".fx", 0), value_at(r, channel + ".fy", 0));
    return force.dot((to - from).normalized());
  };
  const auto slope = [h](double a, double b, double c) {
    const Arm longer(2.6 + a * h, 2.5 + b * h, 2.2 + c * h), shorter(2.6 - a * h, 2.5 - b * h, 2.2 - c * h);
    return (longer.potential() - shorter.potential()) / (2 * h);
  };
  const double allowed = 1e-3;  // [N] of 1e5 N, for differences with that step
  EXPECT_NEAR(push("lift.on_boom", arm.P, arm.Q), slope(1, 0, 0), allowed);
  EXPECT_NEAR(push("crowd.on_stick", arm.K, arm.S), slope(0, 1, 0), allowed);
  EXPECT_NEAR(push("curl.on_rocker", arm.U, arm.R), slope(0, 0, 1), allowed);
}
}  // namespace
}  // namespace mubody::testing
