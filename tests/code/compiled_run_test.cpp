// Motions that generated code computes: the same as without it, from code that is compiled once.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <unistd.h>

#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/compiled/compiled_equations.h"
#include "mubody/compiled/shared_code.h"
#include "mubody/integrators/runge_kutta.h"
#include "mubody/reading/read_model.h"
#include "mubody/simulation/simulation.h"
#include "tests/example.h"

namespace mubody {
namespace {
using testing::example;
namespace fs = std::filesystem;
constexpr const char* code_computed = "generated code computed the motion";

bool says(const Results& r, std::string_view text) {
  return std::ranges::any_of(r.remarks, [&](const std::string& x) { return x.find(text) != x.npos; });
}

/// A folder for code of its own.
class Cache {
 public:
  Cache() : folder_(fs::path(::testing::TempDir()) / ("mubody-code-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  ~Cache() {
    unsetenv("XDG_CACHE_HOME");
    fs::remove_all(folder_);
  }
  void cut_libraries(std::uintmax_t size) const {
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      if (entry.path().extension() == ".so") fs::resize_file(entry.path(), size);
  }
  int libraries() const {
    int count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      count += entry.path().extension() == ".so";
    return count;
  }

 private:
  fs::path folder_;
};

Study steps(const std::string& name, double step, int count, std::vector<std::string> settings = {}) {
  settings.push_back("analysis.type=forward");
  Study study = example(name, settings);
  study.analysis.integrator = "rk4";
  study.analysis.control = {.step = step};
  study.analysis.end = study.analysis.start + count * step;
  study.output.step = count * step / 8;
  study.output.times.clear();
  return study;
}

struct Case {
  const char* example;
  double step;
};
class CompiledExample : public ::testing::TestWithParam<Case> {};

TEST_P(CompiledExample, moves_as_without_code) {
  if (io::c_compiler().empty()) GTEST_SKIP() << "no C compiler";
  const Cache cache;
  Study study = steps(GetParam().example, GetParam().step, 3000);
  const Results plain = run(study);
  study.analysis.compiled = true;
  const Results fast = run(study);
  ASSERT_TRUE(plain.outcome && fast.outcome);
  EXPECT_TRUE(says(fast, code_computed));
  EXPECT_EQ(plain.statistics.steps, fast.statistics.steps);
  EXPECT_LT(fast.statistics.violation_share, 1e-14);
  for (std::size_t t = 0; t < plain.tables.size(); ++t) {
    const Table &a = plain.tables[t], &b = fast.tables[t];
    ASSERT_EQ(a.rows(), b.rows());
    if (a.name == "violations") continue;  // round-off itself
    std::map<std::string, double> sizes;   // by unit: small numbers may be what is left of large ones
    for (std::size_t c = 0; c < a.columns.size(); ++c)
      for (std::size_t r = 0; r < a.rows(); ++r) {
        double& size = sizes.try_emplace(a.columns[c].unit, 1).first->second;
        size = std::max(size, std::abs(a.at(r, c)));
      }
    for (std::size_t c = 0; c < a.columns.size(); ++c) {
      const double size = sizes.at(a.columns[c].unit);
      for (std::size_t r = 0; r < a.rows(); ++r)
        EXPECT_NEAR(a.at(r, c), b.at(r, c), 1e-11 * size) << a.name << " " << a.columns[c].name << " row " << r;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(all, CompiledExample,
                         ::testing::Values(Case{"four_bar", 1e-3}, Case{"andrews", 1e-6},
                                           Case{"spatial_slider_crank", 1e-4},
                                           Case{"slider_crank_driven", 1e-4},
                                           Case{"slider_crank_singular", 1e-3}, Case{"rolling_disc", 1e-3},
                                           Case{"rolling_tyre", 2e-4}, Case{"cardan_shaft", 1e-4}),
                         [](const auto& one) { return std::string(one.param.example); });

// The system counts turns only where it is needed, at a few rows here, and must not lose any in between.  One top tumbles, another
// swings through right angles of the second of its joint's angles, where the others jump by half a turn.
TEST(CompiledRun, counts_turns_as_without_code) {
  if (io::c_compiler().empty()) GTEST_SKIP() << "no C compiler";
  const Cache cache;
  const Study crank = steps("spatial_slider_crank", 2e-3, 3000),
              tumbles = steps("heavy_top", 1e-3, 3000, {"bodies.top.omega=[0, 25, 0]"}),
              swings = steps("heavy_top", 1e-3, 3000,
                             {"bodies.top.omega=[0, 9, 0]", "bodies.top.velocity=[2.7, 0, 0]",
                              "bodies.top.position=[0, 0, 0.3]", "bodies.top.orientation.angles=[0, 0, 0]"});
  for (Study study : {crank, tumbles, swings}) {
    const Results plain = run(study);
    study.analysis.compiled = true;
    const Results fast = run(study);
    ASSERT_TRUE(plain.outcome && fast.outcome);
    EXPECT_TRUE(says(fast, code_computed));
    const Table &a = *plain.find("joints"), &b = *fast.find("joints");
    double farthest = 0;
    for (std::size_t c = 0; c < a.columns.size(); ++c) {
      if (a.columns[c].unit != "rad") continue;
      for (std::size_t r = 0; r < a.rows(); ++r) {
        farthest = std::max(farthest, std::abs(a.at(r, c)));
        EXPECT_NEAR(a.at(r, c), b.at(r, c), 1e-6) << a.columns[c].name << " row " << r;
      }
    }
    EXPECT_GT(farthest, 3.14);
  }
}

TEST(CompiledRun, shares_code_among_mechanisms_of_other_sizes) {
  if (io::c_compiler().empty()) GTEST_SKIP() << "no C compiler";
  const Cache cache;
  Study study = steps("four_bar", 1e-3, 20);
  for (const double mass : {1.0, 1.3, 2.7}) {
    study.mechanism.bodies[0].mass = mass;
    study.analysis.compiled = true;
    const Results fast = run(study);
    study.analysis.compiled = false;
    const Results plain = run(study);
    EXPECT_TRUE(says(fast, code_computed));
    EXPECT_NEAR(fast.column("crank.angle").back(), plain.column("crank.angle").back(), 1e-13);
  }
  EXPECT_EQ(cache.libraries(), 2);  // a mass of 1 is left out of products
}

TEST(CompiledRun, says_why_there_is_no_code) {
  Study study = steps("four_bar", 1e-3, 20);
  study.analysis.compiled = true;
  study.analysis.make_shortcut = {};
  EXPECT_TRUE(says(run(study), "without generated code: the program that computes it has no compiler"));
  study.analysis.make_shortcut = io::compiled_equations;
  study.analysis.formulation.index = 1;
  EXPECT_TRUE(says(run(study), "without generated code: generated code has body coordinates alone"));
  Study ball = example("bouncing_ball");
  ball.analysis.end = 0.1;
  ball.analysis.compiled = true;
  EXPECT_TRUE(says(run(ball), "without generated code: "));
}

TEST(CompiledRun, needs_a_compiler) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  unsetenv("CC");
  Study study = steps("four_bar", 1e-3, 20);
  study.analysis.compiled = true;
  const Results r = run(study);
  setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(r.outcome);
  EXPECT_TRUE(says(r, "there is no C compiler"));
}

// What is set from outside is not part of the code: the system itself goes on from there.
TEST(CompiledRun, takes_inputs_while_stepping) {
  if (io::c_compiler().empty()) GTEST_SKIP() << "no C compiler";
  const Cache cache;
  Study study = io::read_study_text(R"toml(
gravity = [0, -9.81]
[bodies]
rod = {mass = 1.5, inertia = 0.2, position = [0.5, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], i = [0, 0], j = [-0.5, 0]}
[forces]
push = {type = "force", body = "rod", at = [0.5, 0], force = [0, 0.3]}
[analysis]
type = "forward"
integrator = "rk4"
step = 1e-3
)toml",
                                    "rod.toml");
  double angles[2];
  for (const bool compiled : {false, true}) {
    study.analysis.compiled = compiled;
    Simulation sim(study);
    const Input push = sim.input("push.force.y");
    EXPECT_TRUE(sim.advance_to(0.2));
    const Snapshot saved = sim.save();
    EXPECT_TRUE(sim.advance_to(0.4));
    sim.restore(saved);
    sim[push] = 2;
    EXPECT_TRUE(sim.advance_to(0.4));
    sim.restore(saved);
    sim[push] = 2;
    EXPECT_TRUE(sim.advance_to(0.4));
    angles[compiled] = sim[sim.output("rod.angle")];
  }
  EXPECT_NEAR(angles[0], angles[1], 1e-13);
}

// What somebody has cut off is compiled anew.
TEST(CompiledRun, does_not_load_damaged_code) {
  if (io::c_compiler().empty()) GTEST_SKIP() << "no C compiler";
  const Cache cache;
  Study study = steps("four_bar", 1e-3, 20);
  study.analysis.compiled = true;
  for (const bool damaged : {false, true}) {
    if (damaged) cache.cut_libraries(5000);
    EXPECT_TRUE(says(run(study), code_computed));
  }
  EXPECT_EQ(cache.libraries(), 1);
}

// A state of one with code is none of one without: it has numbers of its own.
TEST(CompiledRun, refuses_snapshots_of_the_other_way) {
  if (io::c_compiler().empty()) GTEST_SKIP() << "no C compiler";
  const Cache cache;
  Study study = steps("four_bar", 1e-3, 20);
  Simulation plain(study);
  study.analysis.compiled = true;
  Simulation fast(study);
  EXPECT_THROW(plain.restore(fast.save()), ModelError);
  EXPECT_THROW(fast.restore(plain.save()), ModelError);
  EXPECT_TRUE(fast.advance(0.01));
}

// Rows, looks between them and snapshots leave no trace in the motion: what is known of an accepted state from its correction
// is that of no other state.
TEST(CompiledRun, motion_does_not_depend_on_who_looks) {
  if (io::c_compiler().empty()) GTEST_SKIP() << "no C compiler";
  const Cache cache;
  for (const char* integrator : {"rk4", "dormand-prince"}) {
    Study study = steps("four_bar", 1e-3, 300);
    study.analysis.integrator = integrator;
    study.analysis.control = {.step = 1e-3, .max_step = 0.01};
    study.analysis.compiled = true;
    std::vector<double> ends;
    for (const double share : {1., 1 / 7., 1 / 64.}) {
      study.output.step = 0.3 * share;
      const Results r = run(study);
      EXPECT_TRUE(says(r, code_computed));
      const Table& bodies = r.tables[0];
      ends.push_back(bodies.at(bodies.rows() - 1, 1));
      EXPECT_EQ(ends.back(), ends.front()) << integrator;
    }
    Simulation sim(study);
    EXPECT_TRUE(sim.advance_to(0.1));
    const Snapshot saved = sim.save();
    const Output angle = sim.output("crank.angle");
    EXPECT_TRUE(sim.advance_to(0.2));
    const double first = sim[angle];
    sim.restore(saved);
    EXPECT_TRUE(sim.advance_to(0.2));
    EXPECT_EQ(sim[angle], first) << integrator;
  }
}

// Every explicit method, by its own table.
TEST(CompiledRun, takes_the_steps_of_all_tables) {
  if (io::c_compiler().empty()) GTEST_SKIP() << "no C compiler";
  const Cache cache;
  for (const IntegratorEntry& entry : integrator_kinds()) {
    if (!find_tableau(entry.info.name)) continue;
    Study study = steps("four_bar", 1e-4, 500);
    study.analysis.integrator = entry.info.name;
    Results both[2];
    for (const bool compiled : {false, true}) {
      study.analysis.compiled = compiled;
      both[compiled] = run(study);
    }
    EXPECT_TRUE(says(both[1], code_computed));
    EXPECT_EQ(both[0].statistics.evaluations, both[1].statistics.evaluations) << entry.info.name;
    const Table &a = both[0].tables[0], &b = both[1].tables[0];
    ASSERT_EQ(a.rows(), b.rows());
    for (std::size_t c = 0; c < a.columns.size(); ++c)
      EXPECT_NEAR(a.at(a.rows() - 1, c), b.at(b.rows() - 1, c), 1e-10) << entry.info.name << a.columns[c].name;
  }
  EXPECT_EQ(cache.libraries(), 1);
}

// Far from the origin gaps of round-off are larger, and no reason for corrections.
TEST(CompiledRun, corrects_as_often_as_without_code) {
  if (io::c_compiler().empty()) GTEST_SKIP() << "no C compiler";
  const Cache cache;
  Study study = steps("four_bar", 1e-3, 200);
  for (RigidBody& b : study.mechanism.bodies) b.start.at[0] += 3000;
  for (const char* name : {"A", "D"})
    for (auto& joint : study.mechanism.joints)
      if (joint.name == name) joint.what->i().at[0] += 3000;
  const Results plain = run(study);
  study.analysis.compiled = true;
  const Results fast = run(study);
  EXPECT_TRUE(says(fast, code_computed));
  EXPECT_NEAR(double(fast.statistics.corrections), double(plain.statistics.corrections), 20);
}
}  // namespace
}  // namespace mubody
