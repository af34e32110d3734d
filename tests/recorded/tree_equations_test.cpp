// Recordings in joint coordinates say what those in body coordinates say.
#include "mubody/code/recorded_study.h"
#include "mubody/recording/tape.h"
#include "tests/example.h"

namespace mubody::testing {
namespace {
/// All channels at the start.
std::map<std::string, double> channels(const RecordedStudy& s) {
  std::vector<int> nodes;
  for (const auto& c : s.model.channels) nodes.push_back(c.node);
  const Tape tape(*s.model.graph, {"channels", nodes});
  TapeWork work(tape);
  work.set_parameters(tape, s.model.graph->parameters().data());
  std::vector<double> y(nodes.size());
  tape(s.arguments().data(), y.data(), work);
  std::map<std::string, double> out;
  for (std::size_t k = 0; k < y.size(); ++k) out[s.model.channels[k].name] = y[k];
  return out;
}

class InJointCoordinates : public ::testing::TestWithParam<const char*> {};

TEST_P(InJointCoordinates, all_channels_are_those_of_body_coordinates) {
  const Study study = example(GetParam());
  RecordOptions o;
  const RecordedStudy bodies = record(study, o);
  o.parts.emplace();
  const RecordedStudy joints = record(study, o);
  EXPECT_LT(joints.model.nu, bodies.model.nu);
  const auto wanted = channels(bodies);
  for (const auto& [name, value] : channels(joints))
    EXPECT_NEAR(value, wanted.at(name), 1e-9 * (1 + std::abs(wanted.at(name)))) << name;
}
INSTANTIATE_TEST_SUITE_P(Examples, InJointCoordinates,
                         ::testing::Values("four_bar", "double_pendulum", "andrews", "heavy_top",
                                           "spatial_slider_crank", "iltis_suspension", "rolling_tyre",
                                           "slider_crank_driven", "front_suspension", "cart_pole", "crane",
                                           "excavator", "cardan_shaft", "stewart_platform"),
                         [](const auto& one) { return one.param; });
}  // namespace
}  // namespace mubody::testing
