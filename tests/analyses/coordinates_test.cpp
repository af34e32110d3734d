// Inverse dynamics and equilibrium in all coordinates: the same numbers to round-off, and those of closed forms.
#include <algorithm>
#include <map>

#include "mubody/reading/read_model.h"
#include "tests/analyses/study.h"

namespace mubody::testing {
namespace {
const std::vector<std::string> other_coordinates{"cartesian", "joint"};

// Largest number of a unit in a table; forces and moments that cancel leave round-off of the largest.
std::map<std::string, double> sizes_of(const Table& table) {
  std::map<std::string, double> sizes;
  for (std::size_t k = 0; k < table.columns.size(); ++k)
    for (std::size_t row = 0; row < table.rows(); ++row) {
      double& size = sizes[table.columns[k].unit];
      size = std::max(size, std::abs(table.at(row, k)));
    }
  return sizes;
}

// All numbers of a table, but for reactions that redundant equations leave open.
void expect_same(const Results& a, const Results& b, const std::string& name, const std::string& where) {
  const Table *x = a.find(name), *y = b.find(name);
  ASSERT_TRUE(x && y) << where << ' ' << name;
  ASSERT_EQ(x->columns.size(), y->columns.size()) << where << ' ' << name;
  ASSERT_EQ(x->rows(), y->rows()) << where << ' ' << name;
  auto sizes = sizes_of(*x);
  const double forces = std::max({1., sizes["N"], sizes["N m"]});
  for (std::size_t k = 0; k < x->columns.size(); ++k) {
    const Column& c = x->columns[k];
    ASSERT_EQ(c.name, y->columns[k].name) << where;
    const auto reaction = std::ranges::find(a.reactions, c.name, &Reaction::channel);
    if (reaction != a.reactions.end() && reaction->unique != Reaction::yes) continue;
    const double size = c.unit.starts_with("N") ? forces : std::max(1., sizes[c.unit]);
    for (std::size_t row = 0; row < x->rows(); ++row)
      EXPECT_NEAR(x->at(row, k), y->at(row, k), 2e-9 * size) << where << ' ' << c.name << ", row " << row;
  }
}

Results in(const std::string& model, const std::string& analysis, const std::string& coordinates,
           const std::string& step) {
  Study s = example(model, {"analysis.type=" + analysis, "analysis.formulation=" + coordinates,
                            "analysis.estimate=false", "output.step=" + step});
  s.analysis.extremes = false;  // rows are compared
  const Results r = run(s);
  EXPECT_TRUE(r.trusted) << model << " in " << coordinates << ": " << r.verdict;
  EXPECT_EQ(r.formulation.word, coordinates) << model;
  EXPECT_TRUE(std::ranges::none_of(
      r.remarks, [](const std::string& x) { return x.find("computed in body coordinates") == 0; }));
  return r;
}

// Plane and space, with loops and without; the leg has efforts of its joints, excavator and platform drivers of length.
TEST(inverse, is_the_same_in_all_coordinates) {
  for (const auto& [model, step] : {std::pair("slider_crank_driven", "0.01"), std::pair("human_leg", "0.05"),
                                    std::pair("excavator", "0.5"), std::pair("windscreen_wiper", "0.1"),
                                    std::pair("cardan_shaft", "0.1"), std::pair("stewart_platform", "0.5")}) {
    const Results body = in(model, "inverse", "body", step);
    for (const std::string& coordinates : other_coordinates) {
      const Results r = in(model, "inverse", coordinates, step);
      for (const char* table : {"drives", "bodies", "joints"})
        expect_same(body, r, table, model + (" in " + coordinates));
      if (body.find("efforts")) expect_same(body, r, "efforts", model + (" in " + coordinates));
    }
  }
}

// The crank of the example lies level at the start and turns evenly: virtual work of the weights of crank and rod, of 0.8 and
// 0.6 kg, whose centres both rise with half the speed of the crank pin, r = 0.1 m.
TEST(inverse, holds_a_level_crank_in_all_coordinates) {
  for (const char* coordinates : {"body", "cartesian", "joint"}) {
    const Results r = in("slider_crank_driven", "inverse", coordinates, "0.1");
    EXPECT_NEAR(r.column("motor.drive").front(), (0.8 + 0.6) * 9.81 * 0.1 / 2, 1e-12) << coordinates;
  }
}

// A rod in space turns about an inclined axis through its end, angle t²: with the inertia J about the axis, the moment is
// 2 J + m g·(axis × arm).  J = 0.4 sin²β + 2 (0.5 sin β)², β the angle of 60° between axis and rod.
TEST(inverse, moves_a_rod_about_an_inclined_axis_in_all_coordinates) {
  for (const std::string coordinates : {"body", "cartesian", "joint"}) {
    const Results r = run(io::read_study_text(R"toml(
gravity = [0, 0, -9.81]
[bodies]
rod = {mass = 2, inertia = [1e-3, 0.4, 0.4], position = [0.5, 0, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0, 0], axis = [0.5, 0, "= sqrt(3)/2"]}
[drivers]
motor = {type = "angle", joint = "pin", value = "= t^2"}
[analysis]
type = "inverse"
end = 1
[output]
step = 0.25
)toml",
                                              "test.toml", {"analysis.formulation=" + coordinates}));
    ASSERT_TRUE(r.trusted) << coordinates << ": " << r.verdict;
    const auto drive = r.column("motor.drive"), time = r.column("time");
    const double c = 0.5, s = std::sqrt(3) / 2;  // of the angle between axis and rod
    const double J = 1e-3 * c * c + 0.4 * s * s + 2 * 0.25 * s * s;
    for (std::size_t k = 0; k < time.size(); ++k) {
      // Height of the centre, 0.5 m along the rod turned by θ about the axis (Rodrigues), and its slope.
      const double theta = time[k] * time[k], slope = 0.5 * c * s * std::sin(theta);
      EXPECT_NEAR(drive[k], 2 * J + 2 * 9.81 * slope, 1e-11) << coordinates << ' ' << time[k];
    }
  }
}

// Plane and space, springs, contacts, loops with redundant equations, and trees without equations.
TEST(equilibrium, is_the_same_in_all_coordinates) {
  for (const std::string model :
       {"crank_slider", "double_pendulum", "natural_four_bar", "door", "ratchet", "four_bar_in_space",
        "front_suspension", "iltis_suspension", "five_bar_pendulum", "spatial_slider_crank", "mesh_pendulum"}) {
    const Results body = in(model, "equilibrium", "body", "1");
    for (const std::string& coordinates : other_coordinates) {
      const Results r = in(model, "equilibrium", coordinates, "1");
      for (const char* table : {"bodies", "joints", "energy"})
        expect_same(body, r, table, model + (" in " + coordinates));
      const auto a = body.find("stability")->column("eigenvalue"),
                 b = r.find("stability")->column("eigenvalue");
      ASSERT_EQ(a.size(), b.size()) << model;
      for (std::size_t k = 0; k < a.size(); ++k)
        EXPECT_NEAR(b[k], a[k], 1e-7 * std::abs(a.back())) << model << " in " << coordinates;
    }
  }
}

// A torsion spring winds a wheel up by more than a turn: M = k (φ − φ0) is balanced at φ0 + M / k.
TEST(equilibrium, counts_turns_in_all_coordinates) {
  for (const std::string coordinates : {"body", "cartesian", "joint"}) {
    const Results r = run(io::read_study_text(R"toml(
[bodies]
wheel = {mass = 1, inertia = 0.1, position = [0, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "wheel"], at = [0, 0]}
[forces]
spring = {type = "torsion_spring", bodies = ["ground", "wheel"], stiffness = 2, free_angle = 0}
load = {type = "moment", body = "wheel", moment = 20}
[analysis]
type = "equilibrium"
)toml",
                                              "test.toml", {"analysis.formulation=" + coordinates}));
    ASSERT_TRUE(r.trusted) << coordinates << ": " << r.verdict;
    EXPECT_NEAR(r.column("wheel.angle").at(0), 10, 1e-11) << coordinates;
    EXPECT_NEAR(r.find("stability")->column("eigenvalue").at(0), 20, 1e-8) << coordinates;
  }
}

// What does not rest is named as in body coordinates.
TEST(equilibrium, without_a_hold_is_told_in_the_same_words_in_all_coordinates) {
  const auto why = [](const std::string& coordinates) {
    return run(example("tumbling_body", {"analysis.type=equilibrium", "gravity=[0, 0, -9.81]",
                                         "analysis.formulation=" + coordinates}))
        .outcome.why;
  };
  const std::string body = why("body");
  EXPECT_NE(body.find("body.z would accelerate with -9.81 m/s²"), std::string::npos) << body;
  for (const std::string& coordinates : other_coordinates) {
    const std::string other = why(coordinates);
    EXPECT_NE(other.find("body.z would accelerate with -9.81 m/s²"), std::string::npos) << other;
  }
}
}  // namespace
}  // namespace mubody::testing
