// The crank-slider of the dissertation: tables, motion and energy.
#include <fstream>

#include <nlohmann/json.hpp>

#include "mubody/reading/real_time_file.h"
#include "tests/precompute/models.h"

namespace mubody::testing {
namespace {
class CrankSlider : public ::testing::TestWithParam<double> {};

// th12, th23: angles of joints 12 and 23; tx34 = 4 − x of the slider; d, dd: derivatives by the crank's angle; J and
// Q11 = −dJ/dθ.  Computed from closed forms in two ways, which agree to round-off.
TEST_P(CrankSlider, agrees_with_the_closed_form_within_the_bound) {
  const double bound = GetParam();
  const Study study = example("crank_slider");
  PrecomputeOptions o;
  o.independent = {"J01.angle"};
  o.bound = bound;
  const Precomputed made = precompute(study, o);
  // V is several hundred joules, and its slope a difference of such numbers: 1e-12 is beyond its digits.
  EXPECT_LE(made.model.certified, std::max(bound, 2e-11));
  ASSERT_EQ(made.model.regions.size(), 1u);
  EXPECT_TRUE(made.model.regions[0].variables[0].periodic);

  std::ifstream file(MUBODY_SOURCE_DIR "/tests/precompute/data/crank_slider.json");
  const auto reference = nlohmann::json::parse(file);
  RealTime run(made.model, study.mechanism);
  VecX q(9), u(9), a(9);
  const double zero = 0;
  std::vector<double> values(2), slopes(2);
  ASSERT_EQ(reference["rows"].size(), 25u);
  for (const auto& row : reference["rows"]) {
    RealTime::State s;
    s.theta[0] = row["deg"].get<double>() * EIGEN_PI / 180;
    s.rate[0] = 1;
    run.positions(s, q);
    run.velocities(s, u);
    run.body_accelerations(s, &zero, a);
    const auto is = [&](const char* name, double value) {
      EXPECT_NEAR(value, row[name].get<double>(), bound) << name << " at " << row["deg"];
    };
    is("th12", q[5] - q[2]);
    is("th23", q[8] - q[5]);
    is("tx34", 4 - q[6]);
    is("d12", u[5] - u[2]);
    is("d23", u[8] - u[5]);
    is("dtx", -u[6]);
    is("dd12", a[5] - a[2]);
    is("dd23", a[8] - a[5]);
    is("ddtx", -a[6]);
    made.model.regions[0].dynamics[0].table.evaluate(s.theta.data(), values.data(), slopes.data(), nullptr);
    is("J", values[0]);
    is("Q11", -slopes[0]);
  }
}
INSTANTIATE_TEST_SUITE_P(bounds, CrankSlider, ::testing::Values(1e-4, 1e-8, 1e-12));

TEST(crank_slider, moves_as_the_full_model_does) {
  const Study study = example("crank_slider");
  PrecomputeOptions o;
  o.bound = 1e-11;
  const Precomputed made = precompute(study, o);
  const Results fast = run_real_time(made.model, study), full = run(study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  EXPECT_TRUE(fast.trusted) << fast.verdict;
  for (const char* body : {"crank", "rod", "slider"})
    for (const char* what : {".x", ".y", ".angle"})
      EXPECT_LT(apart(fast, full, std::string(body) + what), 1e-8) << body << what;
  for (const char* column : {"crank.omega", "slider.vx", "J12.angle"})
    EXPECT_LT(apart(fast, full, column), 1e-7) << column;
  // Reactions of several hundred newtons, by inverse dynamics.
  EXPECT_LT(apart(fast, full, "J01.on_crank.fx"), 1e-5);
  EXPECT_LT(apart(fast, full, "J34.on_slider.fy"), 1e-5);
  const std::vector<double> energy = fast.column("total");
  const auto [least, most] = std::minmax_element(energy.begin(), energy.end());
  EXPECT_LT(*most - *least, 1e-8);
}

TEST(crank_slider, keeps_its_energy_with_coarse_tables) {
  // J and V come with their own slopes, so that energy does not drift however coarse they are.
  const Study study = example("crank_slider");
  PrecomputeOptions o;
  o.bound = 1e-2;
  const Precomputed made = precompute(study, o);
  RealTime run(made.model, study.mechanism);
  RealTime::State s = run.start();
  const double before = run.kinetic(s) + run.potential(s);
  for (int k = 0; k < 100000; ++k) ASSERT_TRUE(run.step(s, 1e-4));
  EXPECT_NEAR(run.kinetic(s) + run.potential(s), before, 1e-8);
  EXPECT_GT(std::abs(s.theta[0]), 7);  // more than one revolution
}

TEST(crank_slider, can_be_kept_in_a_file) {
  const Study study = example("crank_slider");
  PrecomputeOptions o;
  o.bound = 1e-3;
  Precomputed made = precompute(study, o);
  made.model.text = "a text";
  const std::string bytes = io::real_time_bytes(made.model);
  const RealTimeModel back = io::real_time_from(bytes, "x.rt");
  EXPECT_EQ(io::real_time_bytes(back), bytes);
  EXPECT_EQ(back.text, "a text");
  for (const std::size_t at : {std::size_t(3), std::size_t(30), bytes.size() / 2, bytes.size() - 1}) {
    std::string damaged = bytes;
    damaged[at] ^= 1;
    EXPECT_THROW(io::real_time_from(damaged, "x.rt"), ModelError) << at;
    EXPECT_THROW(io::real_time_from(bytes.substr(0, at), "x.rt"), ModelError) << at;
  }
}
}  // namespace
}  // namespace mubody::testing
