// What a model file says about reports, and units of its tables.
#include <gtest/gtest.h>

#include "mubody/reading/read_model.h"

namespace mubody::testing {
namespace {
TEST(report_section, has_plots_and_units) {
  const Study s = io::read_study_text(R"toml(
gravity = [0, -9.81]
[bodies]
rod = {mass = 1, inertia = 1, position = [1, 0]}
[output]
units = ["deg"]
[report]
units = ["mm", "kN"]
plots = [["rod.x", "rod.y"], {title = "Energies", channels = ["kinetic", "total"]}, {channels = ["rod.omega"]}]
)toml",
                                      "model.toml");
  EXPECT_EQ(s.output.units, std::vector<std::string>{"deg"});
  EXPECT_EQ(s.report.units, (std::vector<std::string>{"mm", "kN"}));
  ASSERT_EQ(s.report.plots.size(), 3U);
  EXPECT_EQ(s.report.plots[0].channels, (std::vector<std::string>{"rod.x", "rod.y"}));
  EXPECT_EQ(s.report.plots[0].title, "");
  EXPECT_EQ(s.report.plots[1].title, "Energies");
  EXPECT_EQ(s.report.plots[2].channels, std::vector<std::string>{"rod.omega"});
}
}  // namespace
}  // namespace mubody::testing
