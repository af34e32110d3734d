// Units in which numbers are shown.
#include "mubody/model/shown_units.h"

#include <numbers>

#include <gtest/gtest.h>

namespace mubody::testing {
namespace {
TEST(shown_units, take_the_place_of_their_quantity) {
  const ShownUnits units({"deg", "mm", "rpm", "kN", "N mm", "kJ"});
  const auto expect = [&](const char* si, const char* unit, double factor) {
    EXPECT_EQ(units.of(si).unit, unit) << si;
    EXPECT_DOUBLE_EQ(units.of(si).factor, factor) << si;
  };
  expect("rad", "deg", 180 / std::numbers::pi);
  expect("m", "mm", 1000);
  expect("rad/s", "rpm", 30 / std::numbers::pi);
  expect("N", "kN", 1e-3);
  expect("N m", "N mm", 1000);
  expect("J", "kJ", 1e-3);
  expect("m/s", "m/s", 1);
  expect("m|rad", "m|rad", 1);
  expect("1", "1", 1);
  EXPECT_FALSE(ShownUnits().any());
}

TEST(shown_units, lead_back_to_si) {
  const auto expect = [](const char* unit, const char* si, double factor) {
    EXPECT_EQ(in_si(unit).unit, si) << unit;
    EXPECT_DOUBLE_EQ(in_si(unit).factor, factor) << unit;
  };
  expect("deg", "rad", std::numbers::pi / 180);
  expect("mm/s", "m/s", 1e-3);
  expect("rpm", "rad/s", std::numbers::pi / 30);
  expect("N mm", "N m", 1e-3);
  expect("mJ", "J", 1e-3);
  expect("m/s2", "m/s2", 1);
  expect("m|rad", "m|rad", 1);
  expect("widgets", "widgets", 1);
}

TEST(shown_units, are_refused_in_words) {
  EXPECT_EQ(why_not_shown({"deg"}), "");
  EXPECT_EQ(why_not_shown({"mm", "cm"}), "'mm' and 'cm' are units of the same quantity: give one of them");
  EXPECT_EQ(why_not_shown({"kJ", "kN m"}), "");
  EXPECT_EQ(why_not_shown({"1"}), "'1' is not a unit");
  EXPECT_EQ(why_not_shown({"Nx"}).substr(0, 17), "unknown unit 'Nx'");
}
}  // namespace
}  // namespace mubody::testing
