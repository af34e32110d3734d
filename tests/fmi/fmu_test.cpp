// The library of FMUs beside a Simulation in the same process.
#include <chrono>
#include <dlfcn.h>
#include <fstream>
#include <map>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mubody/fmi/export_fmu.h"
#include "mubody/fmus/fmi2.h"
#include "mubody/fmus/fmi3.h"
#include "mubody/fmus/loaded_fmu.h"
#include "mubody/fmus/unzip.h"
#include "mubody/fmus/xml_tree.h"
#include "mubody/text/text_file.h"
#include "mubody/text/write_file.h"
#include "tests/example.h"
#include "tests/sanitized.h"

namespace mubody::testing {
namespace {
namespace fs = std::filesystem;

/// An FMU of an example, unpacked in a folder.
struct Unit {
  fs::path folder;
  io::FmuDescription description;

  Unit(const std::string& name, io::FmiVersion version)
      : Unit(name, fs::path(MUBODY_SOURCE_DIR) / "examples" / name / "model.toml", version) {}
  Unit(const std::string& name, const fs::path& model, io::FmiVersion version) {
    // Tests run beside each other.
    folder = fs::path(::testing::TempDir()) /
             fmt::format("fmu_{}_{}_{}", ::testing::UnitTest::GetInstance()->current_test_info()->name(), name,
                         version == io::FmiVersion::v3 ? 3 : 2);
    const std::string library = io::read_file(io::fmu_library(), {"the library", 2048, false});
    const io::ZipArchive archive(io::export_fmu({model, {}, {}, version, library}).bytes);
    for (const auto& e : archive.entries()) {
      fs::create_directories((folder / e.name).parent_path());
      io::write_file(folder / e.name, archive.content(e));
    }
    std::vector<std::string> complaints;
    description = io::read_fmu_description(io::read_xml(archive.content(*archive.find("modelDescription.xml"))),
                                           complaints);
    EXPECT_TRUE(complaints.empty());
  }
  ~Unit() { fs::remove_all(folder); }
  unsigned reference(const std::string& name) const { return description.find(name)->reference; }
  void* library() const {
    const char* const platform = description.version == 3 ? "binaries/x86_64-linux" : "binaries/linux64";
    return dlopen((folder / platform / (*description.cosimulation + ".so")).c_str(), RTLD_NOW);
  }
};

bool is_built() { return !io::fmu_library().empty(); }

TEST(fmu, steps_cost_little_more_than_those_of_a_simulation) {
  if (!is_built()) GTEST_SKIP() << "the library of FMUs is not built";
  const Unit unit("four_bar", io::FmiVersion::v2);
  auto fmu = io::LoadedFmu::open(unit.folder, unit.description, {});
  void* component = nullptr;
  void* const code = unit.library();
  ASSERT_TRUE(code);
  const auto step = reinterpret_cast<decltype(&io::fmi2::fmi2DoStep)>(dlsym(code, "fmi2DoStep"));
  const auto make = reinterpret_cast<decltype(&io::fmi2::fmi2Instantiate)>(dlsym(code, "fmi2Instantiate"));
  const auto enter = reinterpret_cast<decltype(&io::fmi2::fmi2EnterInitializationMode)>(
      dlsym(code, "fmi2EnterInitializationMode"));
  const auto begin = reinterpret_cast<decltype(&io::fmi2::fmi2ExitInitializationMode)>(
      dlsym(code, "fmi2ExitInitializationMode"));
  const std::string resources = "file://" + (unit.folder / "resources").string();
  component =
      make("one", io::fmi2::co_simulation, unit.description.token.c_str(), resources.c_str(), nullptr, 0, 0);
  ASSERT_TRUE(component);
  ASSERT_EQ(enter(component), io::fmi2::ok);
  ASSERT_EQ(begin(component), io::fmi2::ok);
  Simulation sim(example("four_bar"));
  const double h = 1e-3;
  const int steps = 500;
  using Clock = std::chrono::steady_clock;
  double of_fmu = 1, of_simulation = 1;  // [s] for one step, at best
  int k = 0;
  for (int repeat = 0; repeat < 20; ++repeat) {
    const Clock::time_point a = Clock::now();
    for (int n = 0; n < steps; ++n) sim.advance_to((k + n) * h + h);
    const Clock::time_point b = Clock::now();
    for (int n = 0; n < steps; ++n) step(component, (k + n) * h, h, 1);
    const Clock::time_point c = Clock::now();
    k += steps;
    of_simulation = std::min(of_simulation, std::chrono::duration<double>(b - a).count() / steps);
    of_fmu = std::min(of_fmu, std::chrono::duration<double>(c - b).count() / steps);
  }
  reinterpret_cast<decltype(&io::fmi2::fmi2FreeInstance)>(dlsym(code, "fmi2FreeInstance"))(component);
  RecordProperty("microseconds", std::to_string((of_fmu - of_simulation) * 1e6));
  if (!is_sanitized) {
    EXPECT_LT(of_fmu - of_simulation, 2e-6) << of_fmu << " and " << of_simulation;
  }
}

TEST(fmu, returns_early_at_events_where_that_is_allowed) {
  if (!is_built()) GTEST_SKIP() << "the library of FMUs is not built";
  const Unit unit("bouncing_ball", io::FmiVersion::v3);
  void* const code = unit.library();
  ASSERT_TRUE(code);
  using namespace io::fmi3;
  const auto make =
      reinterpret_cast<decltype(&fmi3InstantiateCoSimulation)>(dlsym(code, "fmi3InstantiateCoSimulation"));
  const auto begin =
      reinterpret_cast<decltype(&fmi3EnterInitializationMode)>(dlsym(code, "fmi3EnterInitializationMode"));
  const auto go =
      reinterpret_cast<decltype(&fmi3ExitInitializationMode)>(dlsym(code, "fmi3ExitInitializationMode"));
  const auto step = reinterpret_cast<decltype(&fmi3DoStep)>(dlsym(code, "fmi3DoStep"));
  const std::string resources = (unit.folder / "resources/").string();
  io::fmi3::Instance c = make("one", unit.description.token.c_str(), resources.c_str(), false, false, true,
                              true, nullptr, 0, nullptr, nullptr, nullptr);
  ASSERT_TRUE(c);
  ASSERT_EQ(begin(c, false, 0, 0, false, 0), ok);
  ASSERT_EQ(go(c), ok);
  ASSERT_EQ(reinterpret_cast<decltype(&fmi3EnterStepMode)>(dlsym(code, "fmi3EnterStepMode"))(c), ok);
  std::vector<double> early_times;
  const double end = 2;
  for (double t = 0; t < end;) {
    bool event = false, ends = false, early = false;
    double last = t;
    ASSERT_EQ(step(c, t, end - t, true, &event, &ends, &early, &last), ok);
    if (early) early_times.push_back(last);
    ASSERT_GT(last, t);
    t = last;
  }
  reinterpret_cast<decltype(&fmi3FreeInstance)>(dlsym(code, "fmi3FreeInstance"))(c);
  Simulation sim(example("bouncing_ball"));
  ASSERT_TRUE(sim.advance_to(end));
  ASSERT_EQ(early_times.size(), sim.events().size());
  ASSERT_GT(early_times.size(), 2u);
  for (std::size_t k = 0; k < early_times.size(); ++k) EXPECT_NEAR(early_times[k], sim.events()[k].t, 1e-9);
}

TEST(fmu, instances_in_several_threads_share_nothing) {
  if (!is_built()) GTEST_SKIP() << "the library of FMUs is not built";
  const Unit unit("four_bar", io::FmiVersion::v2);
  void* const code = unit.library();
  ASSERT_TRUE(code);
  using namespace io::fmi2;
  const auto make = reinterpret_cast<decltype(&fmi2Instantiate)>(dlsym(code, "fmi2Instantiate"));
  const auto enter =
      reinterpret_cast<decltype(&fmi2EnterInitializationMode)>(dlsym(code, "fmi2EnterInitializationMode"));
  const auto begin =
      reinterpret_cast<decltype(&fmi2ExitInitializationMode)>(dlsym(code, "fmi2ExitInitializationMode"));
  const auto step = reinterpret_cast<decltype(&fmi2DoStep)>(dlsym(code, "fmi2DoStep"));
  const auto get = reinterpret_cast<decltype(&fmi2GetReal)>(dlsym(code, "fmi2GetReal"));
  const auto free_instance = reinterpret_cast<decltype(&fmi2FreeInstance)>(dlsym(code, "fmi2FreeInstance"));
  const std::string resources = "file://" + (unit.folder / "resources").string();
  const unsigned angle = unit.reference("crank.angle");
  const auto angle_at_the_end = [&] {
    void* const c =
        make("one", co_simulation, unit.description.token.c_str(), resources.c_str(), nullptr, 0, 0);
    if (!c) return std::nan("");
    bool good = enter(c) == ok && begin(c) == ok;
    for (int k = 0; k < 10; ++k) good &= step(c, k * 0.01, 0.01, 1) == ok;
    double value = std::nan("");
    good &= get(c, &angle, 1, &value) == ok;
    free_instance(c);
    return good ? value : std::nan("");
  };
  const double alone = angle_at_the_end();
  ASSERT_TRUE(std::isfinite(alone));
  std::vector<double> angles(100);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < 4; ++k)
    threads.emplace_back([&, k] {
      for (std::size_t n = k; n < angles.size(); n += 4) angles[n] = angle_at_the_end();
    });
  for (std::thread& t : threads) t.join();
  for (double a : angles) EXPECT_EQ(a, alone);
}

// a has a range, b an end that follows from a.
constexpr const char* ranged_pendulum = R"toml(
gravity = [0, -9.81]
[parameters]
a = {value = "2 m", min = "100 cm", max = "= 3"}
b = {value = 0.5, min = 0, max = "= a"}
c = 4
[bodies]
rod = {mass = "= c", inertia = 1, position = ["= a", "= b"]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0]}
)toml";

TEST(fmu, keeps_parameters_in_their_ranges) {
  if (!is_built()) GTEST_SKIP() << "the library of FMUs is not built";
  const fs::path model = fs::path(::testing::TempDir()) / "ranged.toml";
  io::write_file(model, ranged_pendulum);
  for (const io::FmiVersion version : {io::FmiVersion::v2, io::FmiVersion::v3}) {
    const Unit unit("ranged", model, version);
    const io::DescribedVariable &a = *unit.description.find("a"), &b = *unit.description.find("b"),
                                &c = *unit.description.find("c");
    EXPECT_EQ(a.min, 1);
    EXPECT_EQ(a.max, 3);
    EXPECT_EQ(a.start, "2");
    EXPECT_EQ(a.unit, "m");
    EXPECT_EQ(b.min, 0);
    EXPECT_FALSE(b.max);
    EXPECT_FALSE(c.min || c.max);

    // What is done before the motion begins, and the last words of the FMU if that fails.
    const auto refused = [&](const std::map<std::string, double>& values) -> std::string {
      std::string said;
      const auto fmu = io::LoadedFmu::open(unit.folder, unit.description,
                                           {.message = [&](const std::string& m) { said = m; }});
      fmu->instantiate("one");
      try {
        for (const auto& [name, value] : values) fmu->set(unit.reference(name), value);
        fmu->enter_initialization(0, {}, {});
        fmu->exit_initialization();
      } catch (const io::FmuError& e) {
        fmu->free_instance();
        return std::string(e.what()) + "; " + said;
      }
      EXPECT_EQ(fmu->get(unit.reference("a")), values.at("a"));
      fmu->free_instance();
      return "";
    };
    const std::string set = version == io::FmiVersion::v2 ? "fmi2SetReal" : "fmi3SetFloat64";
    EXPECT_EQ(refused({{"a", 3}}), "");
    EXPECT_EQ(refused({{"a", 1}, {"b", 1}}), "");
    EXPECT_EQ(refused({{"a", 2.5}, {"b", 2.4}}), "");
    EXPECT_EQ(refused({{"a", 3.5}}),
              set +
                  " returned error; logStatusError: parameter 'a': 3.5 is outside of the range: expected from "
                  "100 cm to 3; choose such a value, or change 'max' of the parameter");
    const std::string dependent = refused({{"a", 1.5}, {"b", 1.6}});
    EXPECT_NE(dependent.find("parameter 'b': 1.6 is outside of the range: expected from 0 to 1.5"),
              std::string::npos)
        << dependent;
  }
  fs::remove(model);
}
}  // namespace
}  // namespace mubody::testing
