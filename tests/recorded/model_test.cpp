// The equations of every example as a graph: at the states of a run they give the accelerations, reactions and other
// channels that the run has.
#include <map>
#include <set>

#include <fmt/format.h>

#include "mubody/analyses/run.h"
#include "mubody/code/recorded_study.h"
#include "mubody/formulations/body.h"
#include "mubody/joints/curve_on_curve.h"
#include "mubody/joints/curves/circular_arc.h"
#include "tests/evaluated.h"
#include "tests/example.h"

namespace mubody::testing {
namespace {
/// The numbers of a body in the tables of a run.
class Rows {
 public:
  explicit Rows(const Results& r) {
    for (const Table& t : r.tables)
      for (std::size_t c = 1; c < t.columns.size(); ++c) at_.emplace(t.columns[c].name, std::pair(&t, c));
  }
  bool has(const std::string& channel) const { return at_.contains(channel); }
  double operator()(const std::string& channel, std::size_t row) const {
    const auto& [table, column] = at_.at(channel);
    return table->at(row, column);
  }

 private:
  std::map<std::string, std::pair<const Table*, std::size_t>> at_;
};

template <int D> void take_state(const Mechanism& m, const Rows& rows, std::size_t row, double* q, double* u) {
  using F = Body<D>;
  for (const RigidBody& b : m.bodies) {
    for (const char* name : F::coordinate_names) *q++ = rows(b.name + "." + name, row);
    for (const char* name : F::velocity_names) *u++ = rows(b.name + "." + name, row);
  }
}

std::vector<std::string> all_examples() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(examples()))
    if (std::filesystem::exists(model_of(entry.path().filename().string())))
      names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

class Example : public ::testing::TestWithParam<std::string> {};

TEST_P(Example, has_the_channels_of_its_run) {
  // Constraints hold to round-off, so that accelerations are those of the state alone.
  Study study = example(GetParam());
  study.analysis.treatment = AnalysisOptions().treatment;
  study.analysis.assembly = {};
  RecordedStudy recorded;
  try {
    recorded = record(study);
  } catch (const ModelError& e) {
    // Nothing else is refused.
    const std::string_view why = e.what();
    EXPECT_TRUE(why.find("that touch") != why.npos || why.find("friction sticks") != why.npos) << why;
    return;
  }
  const RecordedModel& m = recorded.model;
  if (m.nz > 0 || !m.sampled.empty()) return;  // results do not have the states of signals; see EmittedExample
  const Results r = run(study);
  const Rows rows(r);
  std::vector<double> inputs = recorded.arguments();
  const std::size_t count = r.tables.front().rows();
  std::set<std::string> open;  // reactions that redundant equations leave open
  for (const Reaction& c : r.reactions)
    if (c.unique == Reaction::no || recorded.left_out > 0) open.insert(c.channel);
  double worst = 0;
  std::string where;
  std::map<std::string, double> size;
  for (std::size_t row = 0; row < count; ++row)
    for (const auto& c : m.channels)
      if (rows.has(c.name)) size[c.unit] = std::max(size[c.unit], std::abs(rows(c.name, row)));
  // Where nothing speeds up, accelerations are the difference of terms of this size.
  size["rad/s2"] = std::max(size["rad/s2"], std::pow(size["rad/s"], 2));
  for (std::size_t row = 0; row < count; ++row) {
    inputs[0] = r.tables.front().at(row, 0);
    double *q = inputs.data() + m.first_q(), *u = inputs.data() + m.first_u();
    m.dim == 2 ? take_state<2>(study.mechanism, rows, row, q, u)
               : take_state<3>(study.mechanism, rows, row, q, u);
    const std::vector<double> x = evaluated(*m.graph, inputs);
    for (const auto& c : m.channels) {
      if (!rows.has(c.name) || open.contains(c.name)) continue;
      // Where turns are counted from step to step, rows are too far apart.
      double gap = x[std::size_t(c.node)] - rows(c.name, row);
      if (m.dim == 3 && c.unit == "rad") gap = wrapped(gap);
      const double error = std::abs(gap) / (1e-3 + (c.unit == "N m" ? size["N m"] + size["N"] : size[c.unit]));
      if (!(error <= worst)) worst = error, where = fmt::format("{} at {} s", c.name, inputs[0]);
    }
    for (const auto& k : m.kept) inputs[std::size_t(k.input)] = x[std::size_t(k.next)];
  }
  // Close to a singular position round-off of the state is large in what follows from it.
  EXPECT_LT(worst, GetParam() == "slider_crank_singular" ? 1e-4 : 1e-9) << where;
}

// Two discs that overlap by more than a tenth of their radii: the place at which they would touch is not known.
TEST(recorded_model, refuses_a_place_that_cannot_be_followed) {
  CircularArc circle;
  circle.radius = 1;
  CurveOnCurve joint;
  joint.curve_i = joint.curve_j = BodyCurve(circle);
  joint.j.body = 1;
  Mechanism m;
  m.bodies = {{.name = "disc", .mass = 1, .inertia = Eigen::Matrix3d::Identity()}};
  m.bodies[0].start.at.x() = 2;
  m.add_joint("discs", joint);
  m.prepare();
  EXPECT_EQ(record(m, {.t = 0, .q = Vec<3>(2, 0, 0), .u = Vec<3>(0, 0, 0)}).phi.size(), 1u);
  EXPECT_THROW(record(m, {.t = 0, .q = Vec<3>(1.7, 0, 0), .u = Vec<3>(0, 0, 0)}), ModelError);
}

INSTANTIATE_TEST_SUITE_P(all, Example, ::testing::ValuesIn(all_examples()),
                         [](const auto& name) { return name.param; });
}  // namespace
}  // namespace mubody::testing
