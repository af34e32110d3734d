// Frequency responses of `modes` against transfer functions in closed form.
#include <complex>
#include <functional>

#include "mubody/reading/read_model.h"
#include "tests/analyses/study.h"

namespace mubody::testing {
namespace {
using Complex = std::complex<double>;

Results responses(const std::string& text, const std::vector<std::string>& settings = {}) {
  return run(
      io::read_study_text("gravity = [0, 0]\n[analysis]\ntype = \"modes\"\n" + text, "test.toml", settings));
}

/// Compares gain and phase of a pair with a transfer function at all frequencies.  Phases are compared without whole turns.
void expect_response(const Results& r, const std::string& pair, const std::function<Complex(Complex s)>& truth,
                     double tolerance) {
  const Table* const table = r.find("frequency_response");
  ASSERT_TRUE(table) << r.verdict;
  const auto frequency = table->column("frequency"), gain = table->column(pair + ".gain"),
             phase = table->column(pair + ".phase");
  ASSERT_GT(table->rows(), 100u);
  for (std::size_t k = 0; k < table->rows(); ++k) {
    const Complex wanted = truth(Complex(0, 2 * pi * frequency[k]));
    EXPECT_LT(std::abs(std::polar(gain[k], phase[k]) - wanted), tolerance * std::abs(wanted))
        << pair << " at " << frequency[k] << " Hz";
    if (k > 0) {
      EXPECT_GT(frequency[k], frequency[k - 1]);
      EXPECT_LT(std::abs(phase[k] - phase[k - 1]), pi + 1e-9) << pair << " at " << frequency[k] << " Hz";
    }
  }
}

// m ẍ + c ẋ + k x = f, and what the ground feels.
std::string oscillator(const std::string& force, double damping = 0.6) {
  return fmt::format(R"toml(
[bodies]
mass = {{mass = 2, inertia = 1, position = [1, 0]}}
[joints]
rail = {{type = "translational", bodies = ["ground", "mass"], at = [1, 0], axis = [1, 0]}}
[inputs]
push = {{value = 3, unit = "N"}}
[forces]
spring = {{type = "spring", bodies = ["ground", "mass"], i = [0, 0], j = [0, 0], stiffness = 50, damping = {}, free_length = 1}}
wind = {{type = "force", body = "mass", force = ["{}", 0]}}
[outputs]
way = "mass.x"
felt = "spring.force"
twice = {{value = "= 2*mass.vx + push", unit = "N"}}
)toml",
                     damping, force);
}

TEST(frequency_response, of_an_oscillator) {
  const Results r = responses(oscillator("= push"));
  ASSERT_NE(r.verdict.find("linearised exactly"), std::string::npos) << r.verdict;
  const auto x = [](Complex s) { return 1. / (2. * s * s + 0.6 * s + 50.); };
  expect_response(r, "way.per.push", x, 1e-12);
  expect_response(
      r, "felt.per.push", [&](Complex s) { return (50. + 0.6 * s) * x(s); }, 1e-12);
  expect_response(
      r, "twice.per.push", [&](Complex s) { return 2. * s * x(s) + 1.; }, 1e-12);
  const Table& table = *r.find("frequency_response");
  ASSERT_EQ(table.columns.size(), 7u);
  EXPECT_EQ(table.columns[1].unit, "m/N");
  EXPECT_EQ(table.columns[2].unit, "rad");
  EXPECT_EQ(table.columns[3].unit, "1");
  // From a decade below 0.8 Hz to one above it.
  EXPECT_DOUBLE_EQ(table.column("frequency").front(), 0.1);
  EXPECT_DOUBLE_EQ(table.column("frequency").back(), 10);
}

TEST(frequency_response, forces_may_be_any_function_of_an_input) {
  const Results r =
      responses(oscillator("= push^2 + mass.x*push"));  // 2·3 + 1 at push = 3, and the spring is softer by 3
  expect_response(
      r, "way.per.push", [](Complex s) { return 7. / (2. * s * s + 0.6 * s + 47.); }, 1e-12);
}

TEST(frequency_response, passes_the_peak_closely) {
  const Results r = responses(oscillator("= push", 0.04));
  const auto gain = r.find("frequency_response")->column("way.per.push.gain");
  const double peak = 1 / (0.04 * std::sqrt(50 / 2.));
  EXPECT_GT(*std::ranges::max_element(gain), 0.999 * peak);
  for (const double x : gain) EXPECT_TRUE(std::isfinite(x));
}

TEST(frequency_response, is_finite_without_damping) {
  const Results r = responses(oscillator("= push", 0), {"analysis.points=1000"});
  for (const double x : r.find("frequency_response")->values) EXPECT_TRUE(std::isfinite(x));
  expect_response(
      r, "way.per.push", [](Complex s) { return 1. / (2. * s * s + 50.); }, 1e-10);
}

// Two eigenvalues meet, where sums over modes divide by zero.
TEST(frequency_response, of_critical_damping) {
  const Results r = responses(oscillator("= push", 2 * std::sqrt(2 * 50.)));
  expect_response(
      r, "way.per.push", [](Complex s) { return 1. / (2. * (s + 5.) * (s + 5.)); }, 1e-12);
}

TEST(frequency_response, of_an_absorber_turns_through_both_resonances) {
  const Results r = responses(R"toml(
points = 400
[bodies]
machine = {mass = 10, inertia = 1, position = [1, 0]}
absorber = {mass = 1, inertia = 1, position = [2, 0]}
[joints]
ra = {type = "translational", bodies = ["ground", "machine"], at = [1, 0], axis = [1, 0]}
rb = {type = "translational", bodies = ["ground", "absorber"], at = [2, 0], axis = [1, 0]}
[forces]
s1 = {type = "spring", bodies = ["ground", "machine"], i = [0, 0], j = [0, 0], stiffness = 4000, damping = 5, free_length = 1}
s2 = {type = "spring", bodies = ["machine", "absorber"], i = [0, 0], j = [0, 0], stiffness = 300, damping = 2, free_length = 1}
[output]
channels = ["machine.x", "absorber.x"]
)toml",
                              {"analysis.inputs=[\"machine.x\", \"absorber.x\"]"});
  const auto own = [](Complex s) { return 1. * s * s + 2. * s + 300.; };
  const auto both = [](Complex s) { return 10. * s * s + 7. * s + 4300.; };
  const auto coupled = [](Complex s) { return 2. * s + 300.; };
  const auto all = [&](Complex s) { return own(s) * both(s) - coupled(s) * coupled(s); };
  expect_response(
      r, "machine.x.per.machine.x", [&](Complex s) { return own(s) / all(s); }, 1e-12);
  expect_response(
      r, "absorber.x.per.machine.x", [&](Complex s) { return coupled(s) / all(s); }, 1e-12);
  expect_response(
      r, "absorber.x.per.absorber.x", [&](Complex s) { return both(s) / all(s); }, 1e-12);
  const auto phase = r.find("frequency_response")->column("absorber.x.per.machine.x.phase");
  EXPECT_LT(phase.back(), -1.4 * pi) << "the phase goes on below minus a half turn";
}

// A carriage that a driver moves shakes a mass on a spring.
TEST(frequency_response, of_a_driver_is_to_its_motion) {
  const Results r = responses(R"toml(
[bodies]
carriage = {mass = 3, inertia = 1, position = [0, 0]}
mass = {mass = 2, inertia = 1, position = [1, 0]}
[joints]
rail = {type = "translational", bodies = ["ground", "carriage"], at = [0, 0], axis = [1, 0]}
track = {type = "translational", bodies = ["ground", "mass"], at = [1, 0], axis = [1, 0]}
[drivers]
shaker = {type = "coordinate", body = "carriage", coordinate = "x", value = 0}
[forces]
spring = {type = "spring", bodies = ["carriage", "mass"], i = [0, 0], j = [0, 0], stiffness = 50, damping = 0.6, free_length = 1}
[output]
channels = ["mass.x", "shaker.on_carriage.fx"]
)toml",
                              {"analysis.inputs=[\"shaker\"]"});
  const auto spring = [](Complex s) { return 50. + 0.6 * s; };
  const auto x = [&](Complex s) { return spring(s) / (2. * s * s + spring(s)); };
  expect_response(r, "mass.x.per.shaker", x, 1e-11);
  expect_response(
      r, "shaker.on_carriage.fx.per.shaker", [&](Complex s) { return 3. * s * s + spring(s) * (1. - x(s)); },
      1e-9);
  EXPECT_EQ(r.find("frequency_response")->columns[1].unit, "1");
  EXPECT_EQ(r.find("frequency_response")->columns[3].unit, "N/m");
}

// A pendulum that hangs from a carriage: the free motion of the carriage has no frequency.
TEST(frequency_response, of_what_moves_freely) {
  const Results r = responses(R"toml(
frequencies = ["0.01 Hz", "10 Hz"]
[bodies]
carriage = {mass = 3, inertia = 1}
bob = {mass = 1, inertia = 0, position = [0, -0.5]}
[joints]
rail = {type = "translational", bodies = ["ground", "carriage"], at = [0, 0], axis = [1, 0]}
pin = {type = "revolute", bodies = ["carriage", "bob"], at = [0, 0]}
[inputs]
push = 0
[forces]
motor = {type = "force", body = "carriage", force = ["= push", 0]}
[outputs]
way = "carriage.x"
)toml",
                              {"gravity=[0, -9.81]"});
  expect_response(
      r, "way.per.push",
      [](Complex s) { return (0.5 * s * s + 9.81) / (s * s * (3. * 0.5 * s * s + 4. * 9.81)); }, 1e-9);
}

// A contact cannot be recorded: differences are taken, also with the input.
TEST(frequency_response, by_differences_where_the_model_cannot_be_recorded) {
  std::string text = oscillator("= push^2");
  text.insert(
      text.find("[outputs]"),
      "stop = {type = \"line_contact\", bodies = [\"ground\", \"mass\"], i = {at = [9, 0], axis = [0, 1]}, "
      "radius = 0.1, law = {type = \"flores\", restitution = 0.9}}\n");
  const Results r = responses(text);
  ASSERT_EQ(r.verdict.find("linearised exactly"), std::string::npos) << r.verdict;
  expect_response(
      r, "way.per.push", [](Complex s) { return 6. / (2. * s * s + 0.6 * s + 50.); }, 1e-7);
}

TEST(frequency_response, needs_inputs_and_outputs_with_names) {
  std::string text = oscillator("= 1");
  const std::string without_outputs = text.substr(0, text.find("[outputs]"));
  EXPECT_FALSE(responses(without_outputs).find("frequency_response"));
  text.replace(text.find("[inputs]"), std::string("[inputs]\npush = {value = 3, unit = \"N\"}").size(),
               "[parameters]\npush = 3");
  const Results r = responses(text);
  EXPECT_FALSE(r.find("frequency_response"));
  EXPECT_EQ(r.find("C")->rows(), 3u) << "outputs of the model are those of the linear model";
}

TEST(frequency_response, refuses_ranges_that_are_none) {
  for (const char* wrong : {"[1]", "[2, 1]", "[0, 1]", "[-1, 1]", "[1, 2, 3]"})
    EXPECT_THROW(responses(oscillator("= push"), {std::string("analysis.frequencies=") + wrong}), ModelError)
        << wrong;
  EXPECT_THROW(responses(oscillator("= push"), {"analysis.points=0"}), ModelError);
  EXPECT_THROW(
      responses(oscillator("= push"), {"analysis.frequencies=[1e-300, 1e300]", "analysis.points=1000"}),
      ModelError);
}
}  // namespace
}  // namespace mubody::testing
