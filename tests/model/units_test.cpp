#include "mubody/model/units.h"

#include <gtest/gtest.h>

#include "tests/reference.h"

namespace mubody::testing {
namespace {

std::string refusal(std::string_view text, std::string_view expected) {
  try {
    to_si(text, expected);
  } catch (const UnitError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(units, table) {
  struct Row {
    const char *text, *expected;
    double si;
  };
  const Row rows[] = {
      {"60 deg", "rad", pi / 3},
      {"60°", "rad", pi / 3},
      {"1 rev", "rad", 2 * pi},
      {"5 mrad", "rad", 5e-3},
      {"0.5 mm", "m", 5e-4},
      {"0.5mm", "m", 5e-4},
      {"2 cm", "m", 0.02},
      {"3 km", "m", 3000},
      {"7 um", "m", 7e-6},
      {"7 µm", "m", 7e-6},
      {"12 in", "m", 0.3048},
      {"1 ft", "m", 0.3048},
      {"2 lb", "kg", 0.90718474},
      {"1 lbf", "N", 4.4482216152605},
      {"250 g", "kg", 0.25},
      {"3 kg", "kg", 3},
      {"2 t", "kg", 2000},
      {"5000 rpm", "rad/s", 5000 * pi / 30},
      {"120 rpm", "Hz", 2},
      {"10 Hz", "Hz", 10},
      {"2 kHz", "1/s", 2000},
      {"90 deg/s", "rad/s", pi / 2},
      {"2 rev/min", "rad/s", pi / 15},
      {"1.2e3 N/mm", "N/m", 1.2e6},
      {"3 N s/m", "N s/m", 3},
      {"3 kN*s/m", "N s/m", 3000},
      {"2 N*m/rad", "N m/rad", 2},
      {"2 N m/deg", "N m/rad", 360 / pi},
      {"2 N m", "N m/rad", 2},
      {"2 N m s/rad", "N m s", 2},
      {"9.81 m/s^2", "m/s^2", 9.81},
      {"9.81 m/s2", "m/s^2", 9.81},
      {"9.81 m/s²", "m/s2", 9.81},
      {"9.81 m s^-2", "m/s^2", 9.81},
      {"4 kg m2", "kg m^2", 4},
      {"4 kg·m²", "kg m^2", 4},
      {"4 g mm^2", "kg m^2", 4e-9},
      {"7.8 g/cm^3", "kg/m^3", 7800},
      {"36 km/h", "m/s", 10},
      {"2 h", "s", 7200},
      {"3 min", "s", 180},
      {"5 ms", "s", 5e-3},
      {"5 us", "s", 5e-6},
      {"2 bar", "Pa", 2e5},
      {"3 MPa", "Pa", 3e6},
      {"210 GPa", "N/m^2", 210e9},
      {"5 N/mm^2", "Pa", 5e6},
      {"2 kN", "N", 2000},
      {"3 mN", "N", 3e-3},
      {"5 J", "N m", 5},
      {"5 Nm", "N m", 5},
      {"5 W", "J/s", 5},
      {"2 kW", "W", 2000},
      {"5 N/(m s)", "N/m/s", 5},
      {"51/s", "Hz", 51},
      {"5 1/s", "Hz", 5},
      {"-3 deg", "rad", -pi / 60},
      {"+3 m", "m", 3},
      {" .5 ", "m", 0.5},
      {"5", "mm", 5e-3},
      {"7", "", 7},
      {"7", "1", 7},
      {"7 1", "1", 7},
      {"2 rad/s^2", "rad/s^2", 2},
      {"4 m/m", "1", 4},
  };
  for (const Row& row : rows) {
    try {
      EXPECT_NEAR(to_si(row.text, row.expected), row.si, 1e-14 * std::abs(row.si)) << row.text;
    } catch (const UnitError& e) {
      ADD_FAILURE() << row.text << " as " << row.expected << ": " << e.what();
    }
  }
}

TEST(units, wrong_dimension) {
  EXPECT_EQ(refusal("5 mm", "rad"), "unit 'mm' is a length, expected an angle (rad)");
  EXPECT_EQ(refusal("5 deg", "m"), "unit 'deg' is an angle, expected a length (m)");
  EXPECT_EQ(refusal("5 mm", "1"), "unit 'mm' is a length, expected a pure number");
  EXPECT_EQ(refusal("5 deg", ""), "unit 'deg' is an angle, expected a pure number");
  EXPECT_EQ(refusal("5 N", "N m"), "unit 'N' is a force, expected a torque or energy (N m)");
  EXPECT_EQ(refusal("5 m/s", "m/s^2"), "unit 'm/s' is a velocity, expected an acceleration (m/s^2)");
  EXPECT_EQ(refusal("5 kg m^5", "kg"), "unit 'kg m^5' is a quantity in kg m^5, expected a mass (kg)");
}

TEST(units, cycles_are_not_radians) {
  EXPECT_EQ(refusal("5 Hz", "rad/s"),
            "unit 'Hz' is a frequency, expected an angular velocity (rad/s): write rad/s, deg/s or rpm");
  EXPECT_EQ(refusal("5 rad/s", "Hz"),
            "unit 'rad/s' is an angular velocity, expected a frequency (Hz): write Hz or rpm");
  EXPECT_EQ(refusal("5 Hz/s", "rad/s^2"),
            "unit 'Hz/s' is a quantity in s^-2, expected an angular acceleration (rad/s^2)");
  EXPECT_EQ(refusal("5 Nm/Hz", "N m s/rad"),
            "unit 'Nm/Hz' is a quantity in kg m^2 s^-1, expected a rotational damping constant (N m s/rad)");
}

TEST(units, unknown) {
  EXPECT_EQ(refusal("5 mn", "m"), "unknown unit 'mn'; did you mean 'mm'?");
  EXPECT_EQ(refusal("5 mn", "N"), "unknown unit 'mn'; did you mean 'mN'?");
  EXPECT_EQ(refusal("5 n/mm", "N/m"), "unknown unit 'n'; did you mean 'N'?");
  EXPECT_EQ(refusal("5 degr", "rad"), "unknown unit 'degr'; did you mean 'deg'?");
  EXPECT_EQ(refusal("5 furlong", "m"), "unknown unit 'furlong'");
  EXPECT_EQ(refusal("5 kin", "m"), "unknown unit 'kin'; did you mean 'in'?");  // no prefixes on inches
}

TEST(units, not_a_quantity) {
  for (const std::string text : {"abc", "", "m", "-", "inf", "nan m", "-inf", "1e999 m"})
    EXPECT_EQ(refusal(text, "m"), "'" + text + "' is not a number with a unit");
  for (const std::string unit : {"m^", "m^x", "m)", "(m", "m 2", "m*", "m^99", "m//s", "11/s", "$"})
    EXPECT_EQ(refusal("5 " + unit, "m"), "'" + unit + "' is not a unit");
  EXPECT_EQ(refusal("5 N/m s", "N s/m"), "unit 'N/m s' is ambiguous; put what is divided by into parentheses");
}

TEST(units, descriptions) {
  EXPECT_EQ(describe(parse_unit("N/mm").dim), "a stiffness");
  EXPECT_EQ(describe(parse_unit("Nm/deg").dim), "a rotational stiffness");
  EXPECT_EQ(describe(parse_unit("kg m2").dim), "a moment of inertia");
  EXPECT_EQ(describe(parse_unit("kg/m^3").dim), "a density");
  EXPECT_EQ(describe(Dimension{}), "a pure number");
  EXPECT_EQ(parse_quantity("2 km").si, 2000);
  EXPECT_EQ(parse_quantity("2 km").dim, (Dimension{0, 1, 0, 0}));
}
}  // namespace
}  // namespace mubody::testing
