// Property files of tyres, and files of roads.
#include "mubody/text/property_file.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "mubody/forces/tyre_fiala.h"
#include "mubody/forces/tyre_magic.h"
#include "tests/example.h"

namespace mubody::testing {
namespace {
namespace fs = std::filesystem;

const MagicFormula& formula_in(const Study& s) {
  for (const auto& force : s.mechanism.forces)
    if (const auto* tyre = dynamic_cast<const ForceOf<TyreMagic>*>(&*force.what)) return tyre->force.formula;
  throw std::runtime_error("there is no such tyre");
}

TEST(property_file, numbers_comments_and_strings) {
  const std::string path = ::testing::TempDir() + "tyre.tir";
  std::ofstream(path) << "$ a comment\n[UNITS]\nLENGTH = 'meter' $ with one more\r\n! = 3\n  pdx1=-.105E+01\n"
                         "{radial width}\n 1.0 0.4\nFNOMIN = +4000 ! nominal\n";
  const io::Node table = io::read_property_file("tyre.tir", path);
  ASSERT_EQ(table.keys.size(), 3u);
  EXPECT_EQ(table.find("LENGTH")->text, "meter");
  EXPECT_EQ(table.find("PDX1")->number, -1.05);
  EXPECT_EQ(table.find("FNOMIN")->number, 4000);
  EXPECT_EQ(table.find("FNOMIN")->mark.line, 8);
}

// Of the file of an example what the tyre knows arrives; what the model writes beside it counts.
TEST(property_file, fills_the_coefficients_of_a_tyre) {
  const MagicFormula c = formula_in(example("rolling_tyre"));
  EXPECT_EQ(c.PKY1, -14);
  EXPECT_EQ(c.QDZ1, 0.09);
  EXPECT_EQ(c.LMUX, 1);
  EXPECT_EQ(c.PVX1, 0);
  const Study other = example("rolling_tyre", {"forces.tyre.coefficients={file = \"tyre.tir\", LMUX = 0.5}"});
  EXPECT_EQ(formula_in(other).LMUX, 0.5);
  EXPECT_EQ(formula_in(other).PKY1, -14);
}

// A road comes as a file as well: all points of a grid, in millimetres if its names say so.
TEST(property_file, road_of_a_grid_in_a_file) {
  const fs::path folder = fs::path(::testing::TempDir()) / "road_of_a_grid";
  fs::create_directories(folder);
  std::ofstream(folder / "road.csv") << "x[m],y[m],z[mm]\n0,0,0\n0,1,0\n2,0,20\n2,1,20\n";
  std::ofstream(folder / "model.toml") << R"toml(gravity = [0, 0, -9.81]
[bodies]
w = {mass = 20, inertia = [1, 1, 1], position = [0.5, 0.5, 0.3]}
[forces.t]
type = "tyre_fiala"
bodies = ["ground", "w"]
i = {at = [0, 0, 0], axis = [0, 0, 1]}
j = {at = [0, 0, 0], axis = [0, 1, 0]}
radius = 0.3
stiffness = 2e5
slip_stiffness = 1e5
cornering_stiffness = 6e4
mu = 1
road = {grid = "road.csv"}
)toml";
  const Study s = io::read_study((folder / "model.toml").string());
  const auto& tyre = dynamic_cast<const ForceOf<TyreFiala>&>(*s.mechanism.forces[0].what).force;
  EXPECT_FALSE(tyre.road.is_plane());
  EXPECT_NEAR(tyre.road.at(0.5, 0.5).z, 0.005, 1e-15);
  EXPECT_NEAR(tyre.road.at(0.5, 0.5).dx, 0.01, 1e-15);
}
}  // namespace
}  // namespace mubody::testing
