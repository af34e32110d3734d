// Motions through singular positions: parallelograms, kites and others, against closed forms.
#include <fmt/format.h>

#include "mubody/analyses/kinematic.h"
#include "tests/analyses/study.h"
#include "tests/extrapolation.h"

namespace mubody::testing {
namespace {
double angle_of(Real x, Real y) { return double(std::atan2(y, x)); }

// A four-bar of rods of 1 kg; the crank turns about the origin, the rocker about (ground, 0).  C is where coupler and
// rocker meet.
struct Bars {
  double crank, coupler, rocker, ground;
  std::function<Vector<2>(Real theta)> C;
};

// C is a crank's length above the bearing of the rocker, and goes along: flat at 0 and 180 degrees.
Bars parallelogram_of(double crank, double ground) {
  return {crank, ground, crank, ground, [=](Real theta) {
            return Vector<2>{ground + crank * std::cos(theta), crank * std::sin(theta)};
          }};
}
// Crank and ground of one length, coupler and rocker of another: C is on the bisector of the crank's angle.  The two long
// rods lie on each other where the crank is on the ground.
Bars kite_of(double crank, double coupler) {
  return {crank, coupler, coupler, crank, [=](Real theta) {
            const Real s = std::sin(theta / 2), c = std::cos(theta / 2);
            const Real along = crank * c + std::sqrt(Real(coupler) * coupler - Real(crank) * crank * s * s);
            return Vector<2>{along * c, along * s};
          }};
}
double inertia_of(double length) { return length * length / 12; }

Mechanism bars(const Bars& b, double theta, double omega) {
  const Vector<2> C = b.C(theta);
  const Vector<2> B{b.crank * std::cos(theta), b.crank * std::sin(theta)};
  const auto rod = [](const char* name, double length, const Vector<2>& from, const Vector<2>& to) {
    return body(name, 1, inertia_of(length), double(from[0] + to[0]) / 2, double(from[1] + to[1]) / 2,
                angle_of(to[0] - from[0], to[1] - from[1]));
  };
  Mechanism m;
  m.gravity = {0, -g, 0};
  m.bodies = {rod("crank", b.crank, {0, 0}, B), rod("coupler", b.coupler, B, C),
              rod("rocker", b.rocker, {Real(b.ground), 0}, C)};
  m.add_joint("A", revolute(marker(ground, 0, 0), marker(1, -b.crank / 2, 0)));
  m.add_joint("B", revolute(marker(1, b.crank / 2, 0), marker(2, -b.coupler / 2, 0)));
  m.add_joint("C", revolute(marker(2, b.coupler / 2, 0), marker(3, b.rocker / 2, 0)));
  m.add_joint("D", revolute(marker(ground, b.ground, 0), marker(3, -b.rocker / 2, 0)));
  m.bodies[0].omega.z() = omega;
  m.prepare();
  return m;
}

// A smooth function of the crank's angle, differentiated by differences of order eight in extended precision.
Real slope(const std::function<Real(Real)>& f, Real x) {
  const Real h = 2e-3L, weights[] = {4 / 5.L, -1 / 5.L, 4 / 105.L, -1 / 280.L};
  Real sum = 0;
  for (int k = 1; k <= 4; ++k) sum += weights[k - 1] * (f(x + k * h) - f(x - k * h));
  return sum / h;
}

// Inertia of the one freedom, T = ½ J θ'², and potential.
struct Freedom1 {
  std::function<Real(Real)> J, V;
};
Freedom1 freedom_of(const Bars& b) {
  const auto J = [b](Real theta) {
    const auto part = [&](int k) { return slope([&](Real x) { return b.C(x)[std::size_t(k)]; }, theta); };
    const Real cx = part(0), cy = part(1), bx = -b.crank * std::sin(theta), by = b.crank * std::cos(theta);
    const Vector<2> C = b.C(theta);
    const Real dx = C[0] - b.crank * std::cos(theta), dy = C[1] - b.crank * std::sin(theta);
    const Real coupler = (dx * (cy - by) - dy * (cx - bx)) / (Real(b.coupler) * b.coupler);
    const Real rocker = ((C[0] - b.ground) * cy - C[1] * cx) / (Real(b.rocker) * b.rocker);
    return Real(b.crank) * b.crank / 3 + ((bx + cx) * (bx + cx) + (by + cy) * (by + cy)) / 4 +
           inertia_of(b.coupler) * coupler * coupler + (cx * cx + cy * cy) / 4 +
           inertia_of(b.rocker) * rocker * rocker;
  };
  const auto V = [b](Real theta) { return g_real * (b.crank * std::sin(theta) + b.C(theta)[1]); };
  return {J, V};
}

// A crank that turns at the speed `omega` from the angle `theta`, with a row every quarter of a turn, and some between.
Study turned_study(const Bars& b, double theta, double omega) {
  Mechanism m = bars(b, theta, omega);
  m.add_joint("motor", motor(ground, 1, polynomial({theta, omega})));
  m.prepare();
  Study s = study(m, 4 * pi / omega);
  for (int k = 0; k <= 8; ++k)
    for (const double more : {0., 1e-7, 1e-4, 0.003, 0.04, 0.21, 0.5})
      if (const double t = (k * pi / 2 + more) / omega; t <= s.analysis.end) s.output.times.push_back(t);
  return s;
}

const std::vector<Bars>& shapes() {
  static const std::vector<Bars> all{parallelogram_of(1, 2), parallelogram_of(0.3, 1), parallelogram_of(2, 0.7),
                                     kite_of(1, 2),          kite_of(0.4, 0.5),        kite_of(1, 5)};
  return all;
}
std::string name_of(const Bars& b) {
  return fmt::format("{}, {}, {}, {}", b.crank, b.coupler, b.rocker, b.ground);
}

struct Errors {
  double place = 0, moment = 0;
};
Errors errors_of(const Bars& b, const Results& r, double theta, double omega) {
  const Freedom1 f = freedom_of(b);
  const auto t = r.times(), x = r.column("rocker.x"), y = r.column("rocker.y"),
             m = r.column("motor.on_crank.m");
  Errors worst;
  for (std::size_t k = 0; k < t.size(); ++k) {
    const Real at = theta + Real(omega) * t[k];
    const Vector<2> C = b.C(at);
    worst.place = std::max(
        {worst.place, std::abs(x[k] - double(b.ground + C[0]) / 2), std::abs(y[k] - double(C[1]) / 2)});
    const Real moment = slope(f.J, at) * omega * omega / 2 + slope(f.V, at);
    worst.moment = std::max(worst.moment, std::abs(m[k] - double(moment)));
  }
  return worst;
}
}  // namespace

// Quarter turns from 90 degrees are rows exactly in the flat positions.
TEST(singular, kinematic_motions_go_through_flat_positions_and_have_rows_in_them) {
  for (const Bars& b : shapes())
    for (const double theta : {pi / 2, 0.3}) {
      Study s = turned_study(b, theta, 2 * pi);
      s.analysis.type = analysis_of(Kinematic{});
      const Results r = run(s);
      ASSERT_TRUE(r.outcome) << name_of(b) << ": " << r.outcome.why;
      EXPECT_TRUE(r.trusted) << name_of(b) << ": " << r.verdict;
      const Errors e = errors_of(b, r, theta, 2 * pi);
      EXPECT_LT(e.place, 1e-12) << name_of(b);
      EXPECT_LT(e.moment, 2e-5) << name_of(b);  // of 20 N m, beside reactions of 1e8 N in rows 1e-7 rad away
      const bool parallel = b.crank == b.rocker;
      EXPECT_EQ(r.events.size(), parallel ? 4u : 2u) << name_of(b);
      for (const Event& x : r.events) {
        EXPECT_EQ(x.kind, Event::singular_position);
        const double half_turns = (theta + 2 * pi * x.t) / (parallel ? pi : 2 * pi);
        EXPECT_NEAR(half_turns, std::round(half_turns), 1e-6) << name_of(b);
      }
    }
}

TEST(singular, forward_motions_with_a_driver_go_through_flat_positions) {
  for (const Bars& b : shapes())
    for (const double theta : {pi / 2, 0.3})
      for (const double rtol : {1e-7, 1e-9, 1e-11}) {
        Study s = turned_study(b, theta, 3);
        std::erase_if(s.output.times, [&](double t) {  // next to flat positions, where reactions have no bound
          return std::abs(std::sin(theta + 3 * t)) < 1e-3;
        });
        s.analysis.control.rtol = rtol;
        const Results r = run(s);
        EXPECT_TRUE(r.trusted) << name_of(b) << ": " << r.verdict;
        const Errors e = errors_of(b, r, theta, 3);
        EXPECT_LT(e.place, 1e-10) << name_of(b) << " at " << rtol;
        EXPECT_LT(e.moment, 1e-4) << name_of(b) << " at " << rtol;
      }
}

// A tighter tolerance never makes it worse.
TEST(singular, free_motions_gain_digits_with_the_tolerance) {
  for (const Bars& b : {parallelogram_of(1, 2), kite_of(1, 2), kite_of(0.4, 0.5)}) {
    const Freedom1 f = freedom_of(b);
    const Equation<2> equation = [&](const Vector<2>& x) {
      return Vector<2>{x[1], -(slope(f.J, x[0]) * x[1] * x[1] / 2 + slope(f.V, x[0])) / f.J(x[0])};
    };
    const double end = 3, omega = 6;
    const auto truth = double(solve_exactly<2>(equation, {1, omega}, end, 200)[0]);
    for (const double rtol : {1e-8, 1e-9, 1e-10, 1e-11, 1e-12}) {
      Study s = study(bars(b, 1, omega), end);
      s.analysis.assembly.hold = {"crank.angle", "crank.omega"};
      s.analysis.control.rtol = rtol;
      s.output.step = end;
      const Results r = run(s);
      EXPECT_TRUE(r.trusted) << name_of(b) << ": " << r.verdict;
      EXPECT_LT(std::abs(r.column("crank.angle").back() - truth), std::max(300 * rtol, 2e-9))
          << name_of(b) << " at " << rtol;
    }
  }
}

// Rods that are not quite equal: the motion bends in front of what would be a singular position, and goes on with coupler
// and rocker on the same side of each other.
TEST(singular, a_kinematic_motion_follows_a_bend_beside_a_singular_position) {
  for (const double more : {1e-2, 1e-3, 1e-4}) {
    Bars b = parallelogram_of(1, 2);
    b.rocker = 1 + more;
    Mechanism m = bars(b, pi / 2, 0);
    m.add_joint("motor", motor(ground, 1, polynomial({pi / 2, 2 * pi})));
    m.prepare();
    Study s = study(m, 2);
    s.analysis.type = analysis_of(Kinematic{});
    s.output.step = 0.1;
    const Results r = run(s);
    ASSERT_TRUE(r.outcome) << more << ": " << r.outcome.why;
    EXPECT_TRUE(r.events.empty()) << more;
    const auto coupler = r.column("coupler.angle"), rocker = r.column("rocker.angle");
    for (std::size_t k = 0; k < coupler.size(); ++k) EXPECT_GT(std::sin(rocker[k] - coupler[k]), 0) << more;
  }
}

TEST(singular, a_dead_point_is_one_event) {
  struct Rockers {
    double crank, coupler, rocker, ground;
  };
  for (const Rockers& r : {Rockers{2.5, 1.5, 2, 3.5}, Rockers{3, 1, 2, 3}, Rockers{1, 0.6, 0.9, 1.4}}) {
    // The crank at 50 degrees, C above; it turns until coupler and rocker are in line.
    const double theta = 50 * pi / 180;
    const auto C = [r](Real at) {
      const Real dx = r.ground - r.crank * std::cos(at), dy = -r.crank * std::sin(at), d = std::hypot(dx, dy);
      const Real along = (d * d + r.coupler * r.coupler - r.rocker * r.rocker) / (2 * d);
      const Real up = std::sqrt(r.coupler * r.coupler - along * along);
      return Vector<2>{r.crank * std::cos(at) + (along * dx - up * dy) / d,
                       r.crank * std::sin(at) + (along * dy + up * dx) / d};
    };
    Mechanism m = bars({r.crank, r.coupler, r.rocker, r.ground, C}, theta, 0);
    m.add_joint("motor", motor(ground, 1, polynomial({theta, 0.5})));
    m.prepare();
    Study s = study(m, 8);
    s.analysis.type = analysis_of(Kinematic{});
    s.output.step = 0.01;
    const Results found = run(s);
    EXPECT_EQ(found.outcome.kind, Outcome::singular);
    ASSERT_EQ(found.events.size(), 1u);
    EXPECT_EQ(found.events[0].kind, Event::dead_point);
    const double straight = std::pow(r.coupler + r.rocker, 2), sides = 2 * r.crank * r.ground;
    const double reach = std::acos((r.crank * r.crank + r.ground * r.ground - straight) / sides);
    EXPECT_NEAR(found.outcome.at, (reach - theta) / 0.5, 1e-7);
  }
}
}  // namespace mubody::testing
