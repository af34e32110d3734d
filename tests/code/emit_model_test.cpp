// Models as C: they build without warnings, here and for ARM, and repeat a run of the library.
#include "mubody/code/emit_model.h"

#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/c_folder.h"
#include "tests/example.h"

namespace mubody::testing {
namespace {
/// A folder with the C of a model.
class ModelInC : public CFolder {
 public:
  explicit ModelInC(const EmittedModel& c) : CFolder("-O0") { take(c); }
};

struct OfExample {
  std::string name;
  double within = 1e-12;
};
class EmittedExample : public ::testing::TestWithParam<OfExample> {};

TEST_P(EmittedExample, repeats_a_run_of_the_library) {
  if (!has_program("cc")) GTEST_SKIP() << "no C compiler";
  EmitModelOptions o;
  o.name = "m";
  const Study study = example(GetParam().name);
  o.step = std::min(1e-3, (study.analysis.end - study.analysis.start) / 1000);
  const ModelInC c(emit_model(study, o));
  EXPECT_LT(c.tested(), GetParam().within);
  if (!has_program(CFolder::arm)) GTEST_SKIP() << "no compiler for ARM";
  EXPECT_EQ(c.compile_for_arm(), 0);
}
INSTANTIATE_TEST_SUITE_P(all, EmittedExample,
                         ::testing::Values(OfExample{"four_bar"}, OfExample{"andrews"},
                                           OfExample{"crank_slider"}, OfExample{"spatial_slider_crank"},
                                           OfExample{"bricard"}, OfExample{"front_suspension"},
                                           OfExample{"stiff_bushing", 1e-11}, OfExample{"iltis_suspension"},
                                           OfExample{"cart_pole"}, OfExample{"crane"},
                                           OfExample{"slider_crank_driven"}, OfExample{"excavator"},
                                           OfExample{"heavy_top"}, OfExample{"differential"},
                                           OfExample{"cam_flat_follower"}, OfExample{"rolling_tyre"}),
                         [](const auto& of) { return of.param.name; });

/// Rows of points of a curve, for a model file.
template <class At> std::string points(int count, const At& at) {
  std::string rows;
  for (int k = 0; k < count; ++k) {
    rows += k > 0 ? ", [" : "[[";
    for (const double x : at(k)) rows += fmt::format("{:.17g}, ", x);
    rows += "]";
  }
  return rows + "]";
}
std::string ellipse(double a, double b, double x = 0) {
  return "{type = \"spline\", closed = true, points = " +
         points(24,
                [&](int k) {
                  const double angle = k * std::numbers::pi / 12;
                  return std::array{x + a * std::cos(angle), b * std::sin(angle)};
                }) +
         "}";
}
/// A cam on a shaft, and what lies on it: guided along y, with a spring.
std::string with_cam(const std::string& contact) {
  return R"toml(
[bodies]
cam    = {mass = 1, inertia = 1e-3, omega = 40}
tappet = {mass = 0.3, inertia = 1e-4, position = [0, 0.06]}
[joints]
shaft = {type = "revolute", bodies = ["ground", "cam"], at = [0, 0]}
guide = {type = "translational", bodies = ["ground", "tappet"], at = [0, 0], axis = [0, 1]}
)toml" + contact +
         R"toml(
[forces]
spring = {type = "spring", bodies = ["ground", "tappet"], i = [0, 0.3], j = [0, 0], stiffness = 3000, free_length = 0.25}
)toml";
}
struct OfCurve {
  std::string name, model;
};
/// Every joint with a curve, and every kind of curve.
std::vector<OfCurve> curve_models() {
  const std::string bead = "[bodies]\nbead = {mass = 0.4, inertia = ";
  return {
      {"roller",
       with_cam("contact = {type = \"point_on_curve\", bodies = [\"cam\", \"tappet\"], i = [0, 0], j = "
                "[0, 0], radius = 0.01, curve = " +
                ellipse(0.05, 0.04, 0.01) + "}")},
      {"face",
       with_cam("contact = {type = \"flat_on_curve\", bodies = [\"cam\", \"tappet\"], i = {at = [0, 0], axis "
                "= [1, 0]}, j = {at = [0, 0], axis = [1, 0]}, curve = " +
                ellipse(0.05, 0.04, 0.01) + "}")},
      {"two_curves",
       with_cam("contact = {type = \"curve_on_curve\", bodies = [\"cam\", \"tappet\"], i = [0, 0], j = "
                "[0, 0], curve_i = " +
                ellipse(0.05, 0.04, 0.01) +
                ", curve_j = {type = \"arc\", "
                "centre = [0, 0.005], radius = 0.02}}")},
      {"beyond_an_end",  // it leaves the arc after a tenth of a second
       bead + "0.1, position = [0, -0.5], velocity = [3, 0]}\n[joints]\nwire = {type = \"point_on_curve\", "
              "bodies = "
              "[\"ground\", \"bead\"], i = [0, 0], j = [0, 0], curve = {type = \"arc\", radius = 0.5, from = "
              "\"-150 deg\", to = \"-60 deg\"}}\n"},
      {"line",
       bead + "0.1, position = [0, 0], velocity = [1, 1]}\n[joints]\nwire = {type = \"point_on_curve\", bodies "
              "= [\"ground\", \"bead\"], i = [0, 0], j = [0.02, 0.1], curve = {type = \"line\", from = [0.02, "
              "0.1], to = [1, 0.6]}}\n"},
      {"helix",
       "gravity = [0, 0, -9.81]\n" + bead +
           "[0.1, 0.1, 0.2], position = [0.5, 0, 0]}\n[joints]\nwire = {type = \"point_on_curve\", bodies = "
           "[\"ground\", \"bead\"], i = [0, 0, 0], j = [0, 0, 0], curve = {type = \"spline\", points = " +
           points(20,
                  [](int k) {
                    const double angle = (k - 10) * std::numbers::pi / 8;
                    return std::array{0.5 * std::cos(angle), 0.5 * std::sin(angle), 0.1 * angle};
                  }) +
           "}}\n"},
  };
}
class EmittedCurve : public ::testing::TestWithParam<OfCurve> {};

TEST_P(EmittedCurve, repeats_a_run_of_the_library) {
  if (!has_program("cc")) GTEST_SKIP() << "no C compiler";
  const Study study = io::read_study_text(GetParam().model, GetParam().name + ".toml");
  EXPECT_LT(ModelInC(emit_model(study, {.name = "m", .step = 2e-4, .steps = 2000})).tested(), 1e-12);
}
TEST_P(EmittedCurve, finds_its_place_in_single_precision) {
  if (!has_program("cc")) GTEST_SKIP() << "no C compiler";
  const Study study = io::read_study_text(GetParam().model, GetParam().name + ".toml");
  EXPECT_LT(ModelInC(emit_model(study, {.name = "m", .single = true, .step = 1e-3, .steps = 100})).tested(),
            1e-3);
}
// A step that is far too long for the place to be found: the state stays as it was.
TEST_P(EmittedCurve, takes_no_step_that_loses_the_place) {
  if (!has_program("cc")) GTEST_SKIP() << "no C compiler";
  if (GetParam().model.find("wire") != std::string::npos) GTEST_SKIP() << "it goes on straight beyond its ends";
  const Study study = io::read_study_text(GetParam().model, GetParam().name + ".toml");
  const ModelInC c(emit_model(study, {.name = "m", .step = 2e-4, .steps = 1}));
  c.write("main.c", R"(#include "m.h"
#include <string.h>
int main(void) {
  m_state s, before;
  double h = 1e-3;
  m_start(&s);
  before = s;
  for (; m_step(&s, h) == 0; h *= 2) {
    if (h > 1e3) return 1;
    s = before;
  }
  return memcmp(&s, &before, sizeof s) != 0;
}
)");
  ASSERT_EQ(c.compile("main.c m.c -o m -lm"), 0);
  EXPECT_EQ(c.shell("./m"), 0);
}
INSTANTIATE_TEST_SUITE_P(all, EmittedCurve, ::testing::ValuesIn(curve_models()),
                         [](const auto& of) { return of.param.name; });

TEST(emitted_model, in_single_precision) {
  if (!has_program("cc")) GTEST_SKIP() << "no C compiler";
  EmitModelOptions o;
  o.name = "m";
  o.single = true;
  EXPECT_LT(ModelInC(emit_model(example("four_bar"), o)).tested(), 1e-3);
}

// Ten steps between instants, for so long that a plain sum of steps misses one: every instant comes with its own step.
TEST(emitted_model, samples_signals_at_their_steps_for_long) {
  if (!has_program("cc")) GTEST_SKIP() << "no C compiler";
  const Study study = io::read_study_text(R"toml(
[bodies]
wheel = {mass = 1, inertia = 0.5}
[joints]
pin = {type = "revolute", bodies = ["ground", "wheel"], at = [0, 0]}
[signals]
clock = {value = "= t", sample = 0.01, unit = "s"}
)toml",
                                          "wheel.toml");
  for (const bool single : {false, true}) {
    EmitModelOptions o;
    o.name = "m";
    o.single = single;
    const ModelInC c(emit_model(study, o));
    c.write("main.c", R"(#include "m.h"
int main(void) {
  m_state s;
  long k;
  m_start(&s);
  for (k = 1; k <= (sizeof(m_real) < sizeof(double) ? 100000 : 1000000); ++k) {
    if (m_step(&s, (m_real)1e-3) != 0) return 1;
    if (s.instants[0] != 1 + k / 10) return 2;
  }
  return 0;
}
)");
    ASSERT_EQ(c.compile("-O1 main.c m.c -o m -lm"), 0);
    EXPECT_EQ(c.shell("./m"), 0) << (single ? "float" : "double");
  }
}

// A torque as an input: what the C does with it, and that a number that is none leaves the state as it was.
TEST(emitted_model, takes_inputs_and_stops_at_what_is_no_number) {
  if (!has_program("cc")) GTEST_SKIP() << "no C compiler";
  const Study study = io::read_study_text(R"toml(
[bodies]
wheel = {mass = 1, inertia = 0.5}
[joints]
pin = {type = "revolute", bodies = ["ground", "wheel"], at = [0, 0]}
[forces]
motor = {type = "moment", bodies = ["ground", "wheel"], moment = "= push"}
[inputs]
push = {unit = "N m"}
)toml",
                                          "wheel.toml");
  EmitModelOptions o;
  o.name = "m";
  const ModelInC c(emit_model(study, o));
  c.write("main.c", R"(#include "m.h"
#include <math.h>
#include <string.h>
int main(void) {
  m_state s, before;
  double y[m_OUTPUTS];
  int k;
  m_start(&s);
  if (strcmp(m_input_name(0), "push") != 0) return 1;
  s.x[m_INPUTS] = 3;
  for (k = 0; k < 1000; ++k)
    if (m_step(&s, 1e-3) != 0) return 2;
  m_outputs(&s, y);
  if (fabs(y[m_find_output("wheel.omega")] - 6) > 1e-12) return 3;
  if (fabs(y[m_find_output("wheel.angle")] - 3) > 1e-12) return 4;
  before = s;
  s.x[m_INPUTS] = NAN, before.x[m_INPUTS] = NAN;
  if (m_step(&s, 1e-3) != 1) return 5;
  return memcmp(&s, &before, sizeof s) != 0;
}
)");
  ASSERT_EQ(c.compile("main.c m.c -o m -lm"), 0);
  EXPECT_EQ(c.shell("./m"), 0);
}

// The source for graphics processors, with their words defined away: threads in turn, each with a start of its own.
TEST(emitted_model, for_graphics_processors_steps_many_alike) {
  if (!has_program("c++")) GTEST_SKIP() << "no C++ compiler";
  EmitModelOptions o;
  o.name = "m";
  o.cuda = true;
  const EmittedModel cuda = emit_model(example("four_bar"), o);
  o.cuda = false;
  const ModelInC c(emit_model(example("four_bar"), o));
  c.write("k.h", cuda.header);
  std::string source = cuda.source;
  source.replace(source.find("m.h"), 3, "k.h");
  c.write("k.cpp", R"(#define __device__
#define __global__
struct Index { unsigned x; };
static Index blockIdx, blockDim, threadIdx;
)" + source + R"(
#include <stdio.h>
int main() {
  const int count = 6;
  static double x[m_NUMBERS * count];
  static long instants[(m_SAMPLED + 1) * count];
  int codes[count];
  blockDim.x = 4;
  for (int begins = 1; begins >= 0; --begins)
    for (unsigned b = 0; b < 2; ++b)
      for (unsigned t = 0; t < 4; ++t) {
        blockIdx.x = b, threadIdx.x = t;
        if (begins)
          m_begin(count, x, instants);
        else
          m_advance(count, 1e-3, 100, x, instants, codes);
      }
  m_state s;
  m_start(&s);
  for (int n = 0; n < 100; ++n) m_step(&s, 1e-3);
  for (int k = 0; k < count; ++k) {
    if (codes[k] != 0) return 1;
    for (int n = 0; n < m_NUMBERS; ++n)
      if (x[n * count + k] != s.x[n]) return 2;
  }
  printf("%.3e\n", m_self_test());
  return m_self_test() < 1e-12 ? 0 : 3;
}
)");
  ASSERT_EQ(c.shell("c++ -std=c++17 -O1 -Wall -Wextra k.cpp -o k"), 0);
  EXPECT_EQ(c.shell("./k > out.txt"), 0);
}

TEST(emitted_model, refuses_what_touches) {
  try {
    emit_model(example("bouncing_ball"), {.name = "m"});
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_NE(std::string_view(e.what()).find("touch"), std::string_view::npos) << e.what();
  }
}
}  // namespace
}  // namespace mubody::testing
