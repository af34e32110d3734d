// Property files of tyres.
#include "mubody/text/property_file.h"

#include <fstream>

#include "mubody/forces/tyre_magic.h"
#include "tests/example.h"

namespace mubody::testing {
namespace {
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
}  // namespace
}  // namespace mubody::testing
