// A model file that is parsed once, and its variants.
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "mubody/reading/read_model.h"
#include "mubody/sweep/in_lanes.h"

namespace mubody::testing {
namespace {
class Model : public ::testing::Test {
 protected:
  Model()
      : path((std::filesystem::temp_directory_path() / ("mubody-model-" + std::to_string(getpid()) + ".toml"))
                 .string()) {
    std::ofstream(path) << R"(gravity = [0, -9.81]
[parameters]
L = 2
[bodies]
rod = {mass = 1, inertia = 0.3, position = ["= L/2", 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0]}
[analysis]
end = 1
)";
  }
  ~Model() override { std::filesystem::remove(path); }
  std::string path;
};

TEST_F(Model, has_variants_that_leave_it_alone) {
  const io::ModelText text(path, {"analysis.end=3"});
  const Study changed = text.with({"parameters.L=4", "gravity.1=-1.6", "bodies.rod.mass=2 g"});
  EXPECT_DOUBLE_EQ(changed.mechanism.bodies[0].start.at.x(), 2);
  EXPECT_DOUBLE_EQ(changed.mechanism.gravity.y(), -1.6);
  EXPECT_DOUBLE_EQ(changed.mechanism.gravity.x(), 0);
  EXPECT_DOUBLE_EQ(changed.mechanism.bodies[0].mass, 0.002);
  EXPECT_DOUBLE_EQ(changed.analysis.end, 3);
  EXPECT_DOUBLE_EQ(changed.with("L", 6).mechanism.bodies[0].start.at.x(), 3);
  EXPECT_DOUBLE_EQ(changed.with("L", 6).mechanism.gravity.y(), -1.6);
  EXPECT_DOUBLE_EQ(text.with({}).mechanism.bodies[0].start.at.x(), 1);
  EXPECT_EQ(text.full_key("L"), "parameters.L");
  EXPECT_EQ(text.full_key("gravity.1"), "gravity.1");
  EXPECT_THROW((void)text.with({"gravity.2=1"}), ModelError);
  EXPECT_THROW((void)text.with({"gravity.-1=1"}), ModelError);
  EXPECT_THROW((void)text.with({"bodies.rod.0=1"}), ModelError);
  EXPECT_THROW(io::ModelText("/nowhere.toml"), ModelError);
}

TEST_F(Model, tells_why_it_cannot_run_in_lanes) {
  const auto why = [&](const std::vector<std::string>& settings, const std::string& keep) {
    const io::ModelText text(path, settings);
    const SweepPlan plan({read_variable("parameters.L=1,2", io::Quotes::shown)}, {});
    std::string reason = "in lanes";
    (void)plan_lanes({text, plan, read_kept({keep}, example_of(text, plan))}, reason);
    return reason;
  };
  EXPECT_EQ(why({}, "rod.angle"), "in lanes");
  EXPECT_EQ(why({"analysis.integrator=adams"}, "rod.angle"), "the integrator is 'adams'");
  EXPECT_EQ(why({"analysis.treatment=standard"}, "rod.angle"), "the treatment is 'standard'");
  EXPECT_EQ(why({}, "pin.position"), "'pin.position' is kept");
  EXPECT_EQ(why({"bodies.rod.inertia=0"}, "rod.angle"), "in lanes");
}

TEST(lanes, tell_what_examples_have_that_they_do_not_take) {
  const auto why = [&](const std::string& example, const std::vector<std::string>& keep = {}) {
    const io::ModelText text(std::string(MUBODY_SOURCE_DIR) + "/examples/" + example + "/model.toml");
    const SweepPlan plan({read_variable("gravity.1=-9.9,-9.8", io::Quotes::shown)}, {});
    std::string reason = "in lanes";
    (void)plan_lanes({text, plan, read_kept(keep, example_of(text, plan))}, reason);
    return reason;
  };
  EXPECT_EQ(why("spatial_slider_crank"), "in lanes");
  EXPECT_EQ(why("iltis_suspension"), "a formula or a signal has corners");
  EXPECT_EQ(why("four_bar_in_space"), "in lanes");
  EXPECT_EQ(why("four_bar_in_space", {"C.on_coupler.fz"}),
            "'C.on_coupler.fz' is kept, which redundant equations leave open");
  EXPECT_EQ(why("bouncing_ball"), "bodies touch or stick");
  EXPECT_EQ(why("crane"), "in lanes");
}
}  // namespace
}  // namespace mubody::testing
