// Mass, centre and inertia of shapes, by closed forms, by their surfaces and by adding up.
#include <numbers>

#include "mubody/shapes/bar.h"
#include "mubody/shapes/cone.h"
#include "mubody/shapes/cuboid.h"
#include "mubody/shapes/cylinder.h"
#include "mubody/shapes/plate.h"
#include "mubody/shapes/registry.h"
#include "mubody/shapes/rod.h"
#include "mubody/shapes/sphere.h"
#include "mubody/shapes/tube.h"
#include "tests/near.h"

namespace mubody::testing {
namespace {
using std::numbers::pi;
using Matrix = Eigen::Matrix3d;

/// The largest difference of two solids, as a share of the size of what is compared.
double difference(const MassProperties& a, const MassProperties& b) {
  const double length = std::sqrt(b.inertia.norm() / b.mass);
  return std::max({std::abs(a.mass - b.mass) / b.mass, (a.centre - b.centre).norm() / length,
                   (a.inertia - b.inertia).norm() / b.inertia.norm()});
}

/// A surface of flat faces, which are convex and go counter-clockwise as seen from outside.
Surface polyhedron(std::vector<Vec<3>> points, const std::vector<std::vector<std::uint32_t>>& faces) {
  Surface s;
  s.points = std::move(points);
  for (const auto& face : faces) s.face(face);
  return s;
}

const Quaternion askew = Quaternion(Eigen::AngleAxisd(0.7, Vec<3>(1, -2, 0.5).normalized()));
const Vec<3> away(3, -7, 11);

/// A solid by its surface, turned and moved away, against its closed form.
void expect_solid(Surface s, const MassProperties& closed_form, double tolerance = 1e-12) {
  EXPECT_FALSE(find_flaw(s));
  EXPECT_LT(difference(mass_properties(s), closed_form), tolerance);
  s.move(askew, away);
  EXPECT_LT(difference(mass_properties(s), closed_form.moved(askew, away)), tolerance);
}

TEST(surface, has_the_inertia_of_a_box) {
  const double a = 2, b = 3, c = 5, V = a * b * c;
  const Matrix I =
      Vec<3>(V * (b * b + c * c) / 12, V * (c * c + a * a) / 12, V * (a * a + b * b) / 12).asDiagonal();
  expect_solid(Cuboid{a, b, c}.surface(), {V, Vec<3>::Zero(), I});
}

TEST(surface, has_the_inertia_of_a_regular_tetrahedron) {
  // Edge e = 2 √2: V = e³/(6 √2), I = m e²/20 about any axis through the centre.
  const double e = 2 * std::sqrt(2.0), V = e * e * e / (6 * std::sqrt(2.0));
  expect_solid(polyhedron({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}},
                          {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}),
               {V, Vec<3>::Zero(), V * e * e / 20 * Matrix::Identity()});
}

TEST(surface, has_the_inertia_of_a_regular_octahedron) {
  // Edge e = √2: V = √2 e³/3, I = m e²/10.
  const double e = std::sqrt(2.0), V = std::sqrt(2.0) * e * e * e / 3;
  expect_solid(
      polyhedron({{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
                 {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}, {1, 0, 5}, {2, 1, 5}, {3, 2, 5}, {0, 3, 5}}),
      {V, Vec<3>::Zero(), V * e * e / 10 * Matrix::Identity()});
}

TEST(surface, has_the_inertia_of_a_square_pyramid) {
  // Base a x a, height h: V = a² h/3, centre h/4 above the base, I_zz = m a²/10, I_xx = m (a²/20 + 3 h²/80).
  const double a = 2, h = 3, V = a * a * h / 3;
  const Matrix I =
      Vec<3>(V * (a * a / 20 + 3 * h * h / 80), V * (a * a / 20 + 3 * h * h / 80), V * a * a / 10).asDiagonal();
  expect_solid(polyhedron({{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 3}},
                          {{3, 2, 1, 0}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}),
               {V, Vec<3>(0, 0, h / 4), I});
}

TEST(surface, has_the_inertia_of_a_triangular_prism) {
  // Legs a along x and b along y, height h: in its plane ∫ x² = m a²/18, ∫ y² = m b²/18, ∫ x y = −m a b/36.
  const double a = 3, b = 2, h = 4, V = a * b * h / 2;
  Matrix moments = Matrix::Zero();
  moments.diagonal() = V * Vec<3>(a * a / 18, b * b / 18, h * h / 12);
  moments(0, 1) = moments(1, 0) = -V * a * b / 36;
  expect_solid(polyhedron({{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, h}, {a, 0, h}, {0, b, h}},
                          {{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}}),
               MassProperties::of_moments(V, Vec<3>(a / 3, b / 3, h / 2), moments));
}

TEST(surface, has_the_inertia_of_a_hexagonal_prism) {
  // Side s: A = 3 √3 s²/2, I_zz = 5/12 m s², ∫ x² = ∫ y² = 5/24 m s².
  const double s = 0.7, h = 1.3, V = 1.5 * std::sqrt(3.0) * s * s * h;
  std::vector<Vec<2>> corners;
  for (int k = 0; k < 6; ++k) corners.emplace_back(s * std::cos(k * pi / 3), s * std::sin(k * pi / 3));
  const Vec<3> moments = V * Vec<3>(5 * s * s / 24, 5 * s * s / 24, h * h / 12);
  expect_solid(extruded(corners, {}, -h / 2, h / 2),
               MassProperties::of_moments(V, Vec<3>::Zero(), moments.asDiagonal()));
}

TEST(surface, far_from_the_origin_loses_no_more_digits_than_its_points) {
  Surface s = Cuboid{1, 2, 3}.surface();
  s.move(Quaternion::Identity(), Vec<3>(1000, 2000, -3000));
  EXPECT_LT(
      difference(mass_properties(s), Cuboid{1, 2, 3}.unit().moved(Quaternion::Identity(), {1000, 2000, -3000})),
      1e-12);
}

TEST(surface, says_where_it_is_open_and_which_triangles_disagree) {
  const Surface whole = Cuboid{1, 1, 1}.surface();
  EXPECT_FALSE(find_flaw(whole));
  Surface open = whole;
  open.triangles.erase(open.triangles.begin() + 5);
  ASSERT_TRUE(find_flaw(open));
  EXPECT_EQ(find_flaw(open)->kind, Flaw::open);
  Surface turned = whole;
  std::swap(turned.triangles[4][0], turned.triangles[4][1]);
  ASSERT_TRUE(find_flaw(turned));
  EXPECT_EQ(find_flaw(turned)->kind, Flaw::opposite);
  EXPECT_TRUE(find_flaw(turned)->triangle == 4 || find_flaw(turned)->other == std::size_t(4));
}

/// Surfaces of n and 2 n sides; their error goes with 1/n², so that it can be taken away but for terms of 1/n⁴.
template <class Make> MassProperties extrapolated(const Make& make) {
  const MassProperties coarse = mass_properties(make(400)), fine = mass_properties(make(800));
  return {(4 * fine.mass - coarse.mass) / 3, (4 * fine.centre - coarse.centre) / 3,
          (4 * fine.inertia - coarse.inertia) / 3};
}

TEST(cylinder, is_the_limit_of_its_surface) {
  const Cylinder c{0.3, 0.2};
  const auto make = [&](int n) { return revolved({{0, -0.1}, {0.3, -0.1}, {0.3, 0.1}, {0, 0.1}}, false, n); };
  EXPECT_LT(difference(extrapolated(make), c.unit()), 1e-8);
  EXPECT_LT(difference(mass_properties(c.surface()), c.unit()), 1e-2);
}

TEST(tube, is_the_limit_of_its_surface_and_a_difference_of_cylinders) {
  const Tube t{0.3, 0.25, 0.4};
  const auto make = [&](int n) {
    return revolved({{0.25, -0.2}, {0.3, -0.2}, {0.3, 0.2}, {0.25, 0.2}}, true, n);
  };
  EXPECT_LT(difference(extrapolated(make), t.unit()), 1e-8);
  const MassProperties sum = t.unit() + Cylinder{0.25, 0.4}.unit();
  EXPECT_LT(difference(sum, Cylinder{0.3, 0.4}.unit()), 1e-14);
}

TEST(cone, is_the_limit_of_its_surface) {
  const Cone whole{0.4, 0, 0.9}, cut{0.4, 0.1, 0.9};
  EXPECT_LT(difference(extrapolated([](int n) {
                         return revolved({{0, -0.45}, {0.4, -0.45}, {0, 0.45}}, false, n);
                       }),
                       whole.unit()),
            1e-8);
  EXPECT_LT(difference(extrapolated([](int n) {
                         return revolved({{0, -0.45}, {0.4, -0.45}, {0.1, 0.45}, {0, 0.45}}, false, n);
                       }),
                       cut.unit()),
            1e-8);
  // A cone of equal ends is a cylinder; a cone and what is cut off its tip are a longer cone.
  EXPECT_LT(difference(Cone{0.4, 0.4, 0.9}.unit(), Cylinder{0.4, 0.9}.unit()), 1e-14);
  const MassProperties low = Cone{0.4, 0.2, 0.5}.unit(),
                       tip = Cone{0.2, 0, 0.5}.unit().moved(Quaternion::Identity(), Vec<3>(0, 0, 0.5));
  EXPECT_LT(difference(low + tip, Cone{0.4, 0, 1}.unit().moved(Quaternion::Identity(), Vec<3>(0, 0, 0.25))),
            1e-14);
}

TEST(sphere, is_the_limit_of_its_surface) {
  const auto make = [](int n) {
    std::vector<Vec<2>> line;
    for (int k = 0; k <= n / 2; ++k)
      line.emplace_back(k == 0 || k == n / 2 ? 0 : std::sin(2 * pi * k / n), -std::cos(2 * pi * k / n));
    return revolved(line, false, n);
  };
  EXPECT_LT(difference(extrapolated(make), Sphere{1}.unit()), 1e-8);
}

TEST(rod, is_a_thin_cylinder) {
  const MassProperties thin = Rod{0, 2}.unit();
  EXPECT_TRUE(same(thin.mass, 2));
  EXPECT_TRUE(same(thin.inertia(0, 0), 2 * 4.0 / 12));
  EXPECT_EQ(thin.inertia(2, 2), 0);
  const MassProperties round = Rod{1e-6, 2}.unit();
  EXPECT_LT(difference(round.scaled(2 / round.mass), thin), 1e-11);
  EXPECT_TRUE(Rod{}.surface().points.empty());
}

TEST(bar, is_a_box) { EXPECT_LT(difference(Bar{0.1, 0.2, 3}.unit(), Cuboid{0.1, 0.2, 3}.unit()), 1e-15); }

std::vector<Vec<2>> corners_of_l() { return {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 4}, {0, 4}}; }

TEST(plate, of_an_l_is_two_rectangles) {
  Plate p{0.5, corners_of_l()};
  p.check();
  const MassProperties two = Cuboid{3, 1, 0.5}.unit().moved(Quaternion::Identity(), {1.5, 0.5, 0}) +
                             Cuboid{1, 3, 0.5}.unit().moved(Quaternion::Identity(), {0.5, 2.5, 0});
  EXPECT_LT(difference(p.unit(), two), 1e-14);
  expect_solid(p.surface(), two);
  std::reverse(p.corners.begin(), p.corners.end());
  EXPECT_LT(difference(p.unit(), two), 1e-14);
  expect_solid(p.surface(), two);
}

TEST(plate, with_holes_and_what_is_in_them_is_whole) {
  Plate p{0.5, corners_of_l(), {{{0.5, 2}, 0.3}, {{0.5, 0.5}, 0.2}, {{2, 0.4}, 0.25}}};
  p.check();
  MassProperties sum = p.unit();
  for (const RoundHole& h : p.holes)
    sum = sum + Cylinder{h.radius, 0.5}.unit().moved(Quaternion::Identity(), Vec<3>(h.at.x(), h.at.y(), 0));
  EXPECT_LT(difference(sum, Plate{0.5, corners_of_l()}.unit()), 1e-14);
  // On its surface holes have 24 corners.
  double drawn = 6.0 * 0.5;
  for (const RoundHole& h : p.holes) drawn -= 12 * std::sin(pi / 12) * h.radius * h.radius * 0.5;
  EXPECT_FALSE(find_flaw(p.surface()));
  EXPECT_NEAR(mass_properties(p.surface()).mass, drawn, 1e-13);
}

TEST(plate, without_thickness_has_an_area) {
  const Plate p{0, {{0, 0}, {3, 0}, {0, 2}}};
  EXPECT_TRUE(same(p.unit().mass, 3));
  EXPECT_TRUE(same(p.unit().inertia(2, 2), 3 * (9 + 4) / 18.0));
  EXPECT_TRUE(p.surface().points.empty());
}

TEST(shapes, all_have_surfaces_that_are_closed_and_hold_their_volume) {
  for (const ShapeEntry& e : shape_kinds()) {
    const auto shape = e.make();
    shape->reach(2);
    shape->cover({{0, 0}, {1, 0}, {0, 1}});
    EXPECT_EQ(shape->info().name, e.info.name);
    if (shape->is_thin()) {
      EXPECT_TRUE(shape->surface().points.empty()) << e.info.name;
      EXPECT_GT(shape->unit().mass, 0) << e.info.name;
    }
  }
}

TEST(lines_seen, of_a_box_are_its_outline) {
  EXPECT_EQ(lines_seen(Cuboid{1, 2, 3}.surface(), Vec<3>::UnitZ()).size(), 4u);
  EXPECT_EQ(lines_seen(Cuboid{1, 2, 3}.surface(), Vec<3>(1, 1, 1)).size(), 9u);
}
}  // namespace
}  // namespace mubody::testing
