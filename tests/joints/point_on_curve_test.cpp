// Beads on wires, rollers and flat faces on cams.
#include "mubody/joints/point_on_curve.h"

#include <set>

#include "mubody/joints/curve_on_curve.h"
#include "mubody/joints/curves/circular_arc.h"
#include "mubody/joints/curves/registry.h"
#include "mubody/joints/curves/spline_curve.h"
#include "mubody/joints/curves/straight_line.h"
#include "mubody/joints/flat_on_curve.h"
#include "mubody/joints/revolute.h"
#include "mubody/joints/slot.h"
#include "mubody/joints/translational.h"
#include "mubody/recording/derivative.h"
#include "tests/evaluated.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
const char* const formulations[] = {"body", "cartesian", "joint"};

CircularArc circle(double radius, double x = 0, double y = 0) {
  CircularArc c;
  c.radius = radius;
  c.centre << x, y, 0;
  return c;
}

/// A spline through points of a curve.
template <class At> BodyCurve through(int dim, int points, bool closed, const At& at) {
  SplineCurve spline;
  spline.closed = closed;
  spline.points.columns.resize(std::size_t(dim));
  for (int k = 0; k < points; ++k)
    for (int c = 0; c < dim; ++c) spline.points.columns[std::size_t(c)].push_back(at(k)[c]);
  return BodyCurve(spline);
}

TEST(body_curve, nearest_and_farthest_points) {
  const BodyCurve round(circle(2, 1, 0)), line(StraightLine{.from = {0, 1, 0}, .to = {3, 1, 0}});
  const CurveAt top = round(round.nearest({1, 7, 0})), right = round(round.farthest({1, 1e-3, 0}));
  EXPECT_TRUE(same(top.r, {1, 2, 0}));
  EXPECT_NEAR(right.r.x(), 1 + 2 * std::cos(1e-3), 1e-9);
  EXPECT_TRUE(same(line(line.nearest({5, 4, 0})).r, {5, 1, 0}));  // beyond its end it goes on
  EXPECT_TRUE(same(line(line.nearest({-70, 4, 0})).r, {-70, 1, 0}, 100));
}

// Every kind, also beyond the ends of an open one and around a closed one; its derivatives are those of its recording.
TEST(body_curve, recorded_is_that_of_doubles) {
  CircularArc open = circle(0.7, 0.1, 0.2);
  open.from = -1, open.to = 2;
  const auto wave = [](int k) { return Vec<3>(0.3 * k, std::sin(k), 0.2 * std::cos(2 * k)); };
  const auto loop = [](int k) {
    return Vec<3>(std::cos(k * EIGEN_PI / 4), std::sin(k * EIGEN_PI / 4), 0.1 * (k % 2));
  };
  const BodyCurve curves[] = {BodyCurve(circle(2, 1, 0)), BodyCurve(open),
                              BodyCurve(StraightLine{.from = {0, 1, 0}, .to = {3, 1, 2}}),
                              through(3, 9, false, wave), through(3, 8, true, loop)};
  std::set<std::string_view> seen;
  for (const BodyCurve& curve : curves) {
    seen.insert(curve.kind().info().name);
    Computation g;
    const Recorded s = Recorded::input(g, 0);
    const CurveAtOf<Recorded> recorded = curve(s);
    std::vector<Recorded> wanted;
    std::vector<int> of;
    for (const auto* part : {&recorded.r, &recorded.d, &recorded.dd, &recorded.ddd})
      for (const Recorded& x : *part) wanted.push_back(x), of.push_back(x.node_in(g));
    const std::vector<int> changes = directional(g, of, {{s.node_in(g), g.constant(1)}});
    for (const int c : changes) wanted.emplace_back(g, c);
    for (double at = -1.51; at < 9; at += 0.17) {
      const CurveAt known = curve(at);
      const std::vector<double> found = evaluated(g, {{at}}, wanted);
      for (int k = 0; k < 3; ++k) {
        const double parts[] = {known.r[k], known.d[k], known.dd[k], known.ddd[k]};
        for (std::size_t p = 0; p < 4; ++p) {
          EXPECT_NEAR(found[3 * p + std::size_t(k)], parts[p], 1e-13 * (1 + std::abs(parts[p])));
          if (p > 0) {
            EXPECT_NEAR(found[12 + 3 * (p - 1) + std::size_t(k)], parts[p], 1e-12 * (1 + std::abs(parts[p])));
          }
        }
      }
    }
  }
  for (const CurveEntry& entry : curve_kinds())
    EXPECT_TRUE(seen.contains(entry.info.name)) << entry.info.name << " has no example";
}

// At a horizontal radius a bead on a circle falls freely; elsewhere it is a pendulum, and the wire holds it.
TEST(point_on_curve, a_bead_on_a_circle_is_a_pendulum) {
  for (const char* formulation : formulations)
    for (const bool plane : {true, false}) {
      const double R = 0.4, angle = -0.6, m = 0.3, omega = 3;
      Model model = plane ? in_plane() : in_space({0, -g, 0});
      const Vec<3> out(std::cos(angle), std::sin(angle), 0), along(-out.y(), out.x(), 0);
      const Vec<3> v = R * omega * along;
      const BodyRef bead = plane ? model.body("bead", {.mass = m,
                                                       .inertia = 1,
                                                       .position = {R * out.x(), R * out.y()},
                                                       .velocity = {v.x(), v.y()}})
                                 : model.body("bead", {.mass = m,
                                                       .inertia = {1, 1, 1},
                                                       .position = {R * out.x(), R * out.y(), 0},
                                                       .velocity = {v.x(), v.y(), 0}});
      PointOnCurve wire;
      wire.curve = BodyCurve(circle(R));
      model.joint("wire", wire, model.ground().at(0, 0), bead.at(0, 0));
      Motion at(model, {.formulation = formulation, .rtol = 1e-11, .atol = 1e-13});
      const double tangential = -g * along.y(), radial = -R * omega * omega;
      EXPECT_TRUE(same(at("bead.ax"), tangential * along.x() + radial * out.x(), 100)) << formulation;
      EXPECT_TRUE(same(at("bead.ay"), tangential * along.y() + radial * out.y(), 100)) << formulation;
      const double push = m * (radial + g * out.y());
      EXPECT_TRUE(same(at("wire.on_bead.fx"), push * out.x(), 100));
      EXPECT_TRUE(same(at("wire.on_bead.fy"), push * out.y(), 100));
      at.to(1);
      EXPECT_NEAR(std::hypot(at("bead.x"), at("bead.y")), R, 1e-9);
      const double energy = 0.5 * std::pow(R * omega, 2) + g * R * out.y();
      EXPECT_NEAR(0.5 * (std::pow(at("bead.vx"), 2) + std::pow(at("bead.vy"), 2)) + g * at("bead.y"), energy,
                  1e-8);
    }
}

TEST(point_on_curve, a_line_is_a_slot) {
  std::vector<double> x;
  for (const bool by_curve : {true, false}) {
    Model model = in_plane();
    const BodyRef arm = model.body("arm", {.mass = 2, .inertia = 0.3});
    const BodyRef pin = model.body("pin", {.mass = 0.4, .inertia = 0.01, .position = {0.5, 0.1}});
    model.joint("A", Revolute{}, model.ground().at(0, 0), arm.at(0, 0));
    if (by_curve) {
      PointOnCurve rail;
      rail.curve = BodyCurve(StraightLine{.from = {0, 0.1, 0}, .to = {0.2, 0.1, 0}});
      model.joint("rail", rail, arm.at(0, 0), pin.at(0, 0));
    } else {
      model.joint("rail", Slot{}, arm.at(0, 0.1), pin.at(0, 0));
    }
    Motion at(model, {.rtol = 1e-11, .atol = 1e-13});
    x.push_back(at("pin.ay"));
    at.to(0.4);
    x.push_back(at("pin.x"));
  }
  EXPECT_TRUE(same(x[0], x[2], 50));
  EXPECT_NEAR(x[1], x[3], 1e-9);
}

struct CamDrive {
  double e = 0.02, R = 0.05, angle = 0.8, omega = 30, m = 0.4;
  Model model = in_plane();
  BodyRef cam = model.body("cam", {.mass = 1, .inertia = 0.01, .angle = angle, .omega = {0, 0, omega}});
  CamDrive() { model.joint("A", Revolute{}, model.ground().at(0, 0), cam.at(0, 0)); }
  BodyRef tappet(double y, double v) {
    const BodyRef body =
        model.body("tappet", {.mass = m, .inertia = 0.001, .position = {0, y}, .velocity = {0, v}});
    model.joint("G", Translational{}, with_line(model.ground().at(0, 0), Vec<3>::UnitY()),
                with_line(body.at(0, 0), Vec<3>::UnitY()));
    return body;
  }
};

// An eccentric with a roller is a crank and a rod of length R + ρ:  y = e sin θ + √((R + ρ)² − e² cos² θ).
TEST(point_on_curve, a_roller_on_an_eccentric_is_a_slider_crank) {
  const double roller = 0.015;
  for (const char* formulation : formulations) {
    CamDrive d;
    const double L = d.R + roller, c = std::cos(d.angle), s = std::sin(d.angle), w = d.omega;
    const double root = std::sqrt(L * L - d.e * d.e * c * c), slope = d.e * c + d.e * d.e * c * s / root;
    PointOnCurve contact;
    contact.curve = BodyCurve(circle(d.R, d.e, 0));
    contact.radius = roller;
    const BodyRef tappet = d.tappet(d.e * s + root, slope * w);
    d.model.joint("contact", contact, d.cam.at(0, 0), tappet.at(0, 0));
    Motion at(d.model, {.formulation = formulation, .rtol = 1e-11, .atol = 1e-13});
    const double bend =
        -d.e * s + d.e * d.e * ((c * c - s * s) / root - std::pow(d.e * c * s, 2) / std::pow(root, 3));
    EXPECT_NEAR(at("tappet.ay"), slope * at("cam.alpha") + bend * w * w, 1e-10);
    EXPECT_NEAR(0.01 * at("cam.alpha"), -slope * d.m * (at("tappet.ay") + g), 1e-11);
    at.to(0.4);
    const double end = at("cam.angle");
    EXPECT_NEAR(at("tappet.y"), d.e * std::sin(end) + std::sqrt(L * L - std::pow(d.e * std::cos(end), 2)),
                1e-9);
  }
}

// An eccentric lifts a flat face by its centre alone: y = R + e sin θ, and pushes it beside its axis, below the centre.
TEST(flat_on_curve, an_eccentric_lifts_a_flat_face_harmonically) {
  for (const char* formulation : formulations) {
    CamDrive d;
    const double c = std::cos(d.angle), s = std::sin(d.angle), w = d.omega;
    FlatOnCurve face;
    face.curve = BodyCurve(circle(d.R, d.e, 0));
    const BodyRef tappet = d.tappet(d.R + d.e * s, d.e * c * w);
    d.model.joint("face", face, d.cam.at(0, 0), tappet.at(0, 0));
    Motion at(d.model, {.formulation = formulation, .rtol = 1e-11, .atol = 1e-13});
    EXPECT_NEAR(at("tappet.ay"), d.e * c * at("cam.alpha") - d.e * s * w * w, 1e-11);
    const double push = d.m * (at("tappet.ay") + g);
    EXPECT_NEAR(at("face.on_tappet.fy"), push, 1e-11);
    EXPECT_NEAR(at("face.on_tappet.m"), d.e * c * push, 1e-11);
    EXPECT_NEAR(at("face.on_cam.m"), -d.e * c * push, 1e-11);
    at.to(0.4);
    EXPECT_NEAR(at("tappet.y"), d.R + d.e * std::sin(at("cam.angle")), 1e-9);
  }
}

// Two circles that touch are as far apart as a rod of both radii, and so is a circle on a spline that is nearly one.
TEST(curve_on_curve, circles_are_joined_by_a_rod) {
  for (const char* formulation : formulations) {
    CamDrive d;
    const double roller = 0.015, L = d.R + roller, c = std::cos(d.angle), s = std::sin(d.angle), w = d.omega;
    const double root = std::sqrt(L * L - d.e * d.e * c * c), slope = d.e * c + d.e * d.e * c * s / root;
    CurveOnCurve contact;
    contact.curve_i = BodyCurve(circle(d.R, d.e, 0));
    contact.curve_j = BodyCurve(circle(roller));
    const BodyRef tappet = d.tappet(d.e * s + root, slope * w);
    d.model.joint("contact", contact, d.cam.at(0, 0), tappet.at(0, 0));
    Motion at(d.model, {.formulation = formulation, .rtol = 1e-11, .atol = 1e-13});
    const double bend =
        -d.e * s + d.e * d.e * ((c * c - s * s) / root - std::pow(d.e * c * s, 2) / std::pow(root, 3));
    EXPECT_NEAR(at("tappet.ay"), slope * at("cam.alpha") + bend * w * w, 1e-10);
    EXPECT_NEAR(0.01 * at("cam.alpha"), -slope * d.m * (at("tappet.ay") + g), 1e-11);
    at.to(0.4);
    const double end = at("cam.angle");
    EXPECT_NEAR(at("tappet.y"), d.e * std::sin(end) + std::sqrt(L * L - std::pow(d.e * std::cos(end), 2)),
                1e-9);
  }
}

// The reach of an ellipse with half axes a and b is √(a² cos² + b² sin²), which lifts a flat face so.
TEST(flat_on_curve, an_ellipse_lifts_by_its_reach) {
  const double a = 0.05, b = 0.03;
  CamDrive d;
  FlatOnCurve face;
  face.curve = through(2, 96, true, [&](int k) {
    return Vec<3>(a * std::cos(2 * pi * k / 96), b * std::sin(2 * pi * k / 96), 0);
  });
  const auto lift = [&](double angle) { return std::hypot(a * std::sin(angle), b * std::cos(angle)); };
  const double slope = (a * a - b * b) * std::sin(2 * d.angle) / 2 / lift(d.angle);
  const BodyRef tappet = d.tappet(lift(d.angle), slope * d.omega);
  d.model.joint("face", face, d.cam.at(0, 0), tappet.at(0, 0));
  Motion at(d.model, {.rtol = 1e-10, .atol = 1e-12});
  for (const double t : {0., 0.1, 0.3}) {
    at.to(t);
    EXPECT_NEAR(at("tappet.y"), lift(at("cam.angle")), 1e-7) << t;
  }
}

// A bead on a helix of radius R and lead h falls with −g h² / (R² + h²).
TEST(point_on_curve, a_bead_on_a_helix) {
  const double R = 0.3, h = 0.1;
  Model model = in_space();
  const BodyRef bead = model.body("bead", {.mass = 0.3, .inertia = {1, 1, 1}, .position = {R, 0, 0}});
  PointOnCurve wire;
  wire.curve = through(3, 801, false, [&](int k) {
    const double angle = (k - 400) * 2 * pi / 80;
    return Vec<3>(R * std::cos(angle), R * std::sin(angle), h * angle);
  });
  model.joint("wire", wire, model.ground().at(0, 0, 0), bead.at(0, 0));
  const double fall = -g * h * h / (R * R + h * h);
  for (const char* formulation : formulations) {
    Motion at(model, {.formulation = formulation, .rtol = 1e-10, .atol = 1e-12});
    EXPECT_NEAR(at("bead.az"), fall, 2e-4)
        << formulation;  // the spline is a helix to the fourth power of its steps
    at.to(0.5);
    EXPECT_NEAR(at("bead.z"), fall * 0.125, 1e-5) << formulation;
    EXPECT_NEAR(std::hypot(at("bead.x"), at("bead.y")), R, 1e-6);
  }
}
}  // namespace
}  // namespace mubody::testing
