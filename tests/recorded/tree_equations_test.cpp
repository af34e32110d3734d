// Recordings in joint coordinates say what those in body coordinates say.
#include "mubody/code/recorded_study.h"
#include "mubody/recording/tape.h"
#include "mubody/simulation/simulation.h"
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
// So they do on the way, where nothing is at rest or aligned.
TEST_P(InJointCoordinates, accelerations_are_those_of_body_coordinates_on_the_way) {
  Study study = example(GetParam());
  study.analysis.estimate = false;
  Simulation run(study);
  ASSERT_TRUE(run.advance(0.37 * (study.analysis.end - study.analysis.start)));
  RecordOptions o;
  o.parts.emplace();
  RecordedStudy s = record(study, o);
  if (s.left_out > 0) return;  // record() finds what is redundant, at the start
  const BodyLayout layout(study.mechanism.dim);
  std::vector<double> q, u;
  for (const RigidBody& b : s.mechanism.bodies) {
    for (const auto& name : layout.coordinate_names)
      q.push_back(run[run.output(b.name + "." + std::string(name))]);
    for (const auto& name : layout.velocity_names)
      u.push_back(run[run.output(b.name + "." + std::string(name))]);
  }
  RecordingStart start{run.time(), Eigen::Map<VecX>(q.data(), Eigen::Index(q.size())),
                       Eigen::Map<VecX>(u.data(), Eigen::Index(u.size()))};
  start.parts.emplace();
  s.start = run.time();
  s.model = record(s.mechanism, start);
  s.z.setZero(s.model.nz), s.inputs.clear();
  std::vector<int> both = s.model.a_of_tree;
  both.insert(both.end(), s.model.a_of_bodies.begin(), s.model.a_of_bodies.end());
  const Tape tape(*s.model.graph, {"accelerations", both});
  TapeWork work(tape);
  work.set_parameters(tape, s.model.graph->parameters().data());
  std::vector<double> y(both.size());
  tape(s.arguments().data(), y.data(), work);
  double size = 1;
  for (const double a : y) size = std::max(size, std::abs(a));
  for (std::size_t k = 0; k < y.size() / 2; ++k) EXPECT_NEAR(y[k], y[y.size() / 2 + k], 1e-8 * size) << k;
}
INSTANTIATE_TEST_SUITE_P(Examples, InJointCoordinates,
                         ::testing::Values("four_bar", "double_pendulum", "andrews", "heavy_top",
                                           "spatial_slider_crank", "iltis_suspension", "rolling_tyre",
                                           "slider_crank_driven", "front_suspension", "cart_pole", "crane",
                                           "excavator", "cardan_shaft", "stewart_platform"),
                         [](const auto& one) { return one.param; });
}  // namespace
}  // namespace mubody::testing
