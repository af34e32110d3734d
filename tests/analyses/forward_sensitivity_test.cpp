// Derivatives of motions against a variational equation that is integrated by itself, and against differences of motions.
#include <array>
#include <ctime>
#include <fstream>
#include <map>

#include "mubody/reading/read_model.h"
#include "tests/analyses/study.h"

namespace mubody::testing {
namespace {
const char* const damped_pendulum = R"toml(
gravity = [0, -9.81]
[parameters]
l = 1.2
m = 1.5
J = 0.2
c = 0.3
[bodies]
rod = {mass = "= m", inertia = "= J", position = ["= l", 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], i = [0, 0], j = ["= -l", 0]}
[forces]
drag = {type = "torsion_spring", bodies = ["ground", "rod"], damping = "= c"}
[analysis]
type = "forward_sensitivity"
start_values = ["rod.angle", "rod.omega"]
end = 3
integrator = "verner"
rtol = 1e-12
[output]
step = 0.5
channels = ["rod.angle", "rod.omega", "pin.on_rod.fx"]
)toml";

// θ̈ = −(m g l cos θ + c ω) / I, I = J + m l², and its derivatives by l, m, J, c, θ₀ and ω₀: y = (θ, ω, θ_p, ω_p).
using Swing = std::array<double, 14>;
Swing swing_rates(const Swing& y) {
  const double l = 1.2, m = 1.5, J = 0.2, c = 0.3, I = J + m * l * l;
  const double cosine = std::cos(y[0]), a = -(m * g * l * cosine + c * y[1]) / I;
  const double by_angle = m * g * l * std::sin(y[0]) / I, by_speed = -c / I;
  const std::array<double, 6> own{
      -m * g * cosine / I - a * 2 * m * l / I, -g * l * cosine / I - a * l * l / I, -a / I, -y[1] / I, 0, 0};
  Swing d{y[1], a};
  for (std::size_t p = 0; p < 6; ++p) {
    d[2 + 2 * p] = y[3 + 2 * p];
    d[3 + 2 * p] = by_angle * y[2 + 2 * p] + by_speed * y[3 + 2 * p] + own[p];
  }
  return d;
}
Swing swung(double end, int steps) {
  Swing y{};
  y[2 + 2 * 4] = 1, y[3 + 2 * 5] = 1;
  const auto plus = [](Swing x, double h, const Swing& k) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += h * k[i];
    return x;
  };
  const double h = end / steps;
  for (int n = 0; n < steps; ++n) {
    const Swing k1 = swing_rates(y), k2 = swing_rates(plus(y, h / 2, k1)), k3 = swing_rates(plus(y, h / 2, k2)),
                k4 = swing_rates(plus(y, h, k3));
    y = plus(plus(plus(plus(y, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
  }
  return y;
}

TEST(forward_sensitivity, of_a_pendulum_with_drag) {
  const Results r = run(io::read_study_text(damped_pendulum, "test.toml"));
  ASSERT_TRUE(r.trusted) << r.verdict;
  const Table& table = *r.find("sensitivity");
  for (const std::size_t row : {std::size_t(2), std::size_t(6)}) {
    const Swing y = swung(table.at(row, 0), int(row) * 10000);
    int p = 0;
    for (const char* by : {"l", "m", "J", "c", "rod.angle", "rod.omega"}) {
      const auto i = std::size_t(2 + 2 * p++);
      EXPECT_NEAR(table.column(std::string("rod.angle/") + by)[row], y[i], 1e-10 * (1 + std::abs(y[i]))) << by;
      EXPECT_NEAR(table.column(std::string("rod.omega/") + by)[row], y[i + 1], 1e-10 * (1 + std::abs(y[i + 1])))
          << by;
    }
  }
}

// The largest difference between derivatives at the end and extrapolated differences of motions, relative to the largest
// derivative by that parameter, or value by its size, of a channel of that unit.
double apart(Study study, std::string& where) {
  study.analysis.integrator = "verner";
  study.analysis.control.rtol = 1e-13;
  study.analysis.control.step.reset();
  study.analysis.estimate = false;
  const Results r = run(study);
  EXPECT_TRUE(r.trusted) << r.verdict;
  const Table& table = *r.find("sensitivity");
  double worst = 0;
  for (const auto& [name, value] : study.parameters) {
    const double h = 1e-3 * (value != 0 ? std::abs(value) : 1);
    std::array<Results, 6> runs;
    for (int k = 0; k < 6; ++k) {
      Study other = study.with(name, value + h * std::array{-3, -2, -1, 1, 2, 3}[std::size_t(k)]);
      other.analysis.integrator = "verner";
      other.analysis.control = study.analysis.control;
      other.analysis.estimate = false;
      runs[std::size_t(k)] = run_forward(other);
    }
    std::map<std::string, double> size;
    std::vector<std::tuple<std::string, std::string, double, double>> found;
    for (const Column& c : table.columns) {
      if (!c.name.ends_with("/" + name)) continue;
      const std::string channel = c.name.substr(0, c.name.rfind('/'));
      std::array<double, 6> f;
      try {
        for (std::size_t k = 0; k < 6; ++k) f[k] = runs[k].column(channel).back();
      } catch (const std::out_of_range&) {
        continue;  // powers are not among the channels of a run
      }
      const double differences = (45 * (f[3] - f[2]) - 9 * (f[4] - f[1]) + (f[5] - f[0])) / (60 * h);
      found.emplace_back(c.name, c.unit, table.column(c.name).back(), differences);
      size[c.unit] =
          std::max({size[c.unit], std::abs(differences), std::abs(f[3]) / (value != 0 ? std::abs(value) : 1)});
    }
    EXPECT_GT(found.size(), 5u);
    for (const auto& [column, unit, direct, differences] : found)
      if (const double gap = std::abs(direct - differences) / size[unit]; gap > worst)
        worst = gap, where = column;
  }
  return worst;
}

Study with_sensitivity(const std::string& name, double end, std::vector<std::string> more = {}) {
  more.push_back("analysis.type=forward_sensitivity");
  more.push_back("analysis.end=" + std::to_string(end));
  return example(name, more);
}

TEST(forward_sensitivity, of_a_four_bar_linkage) {
  std::string where;
  EXPECT_LT(apart(with_sensitivity("four_bar", 2), where), 1e-8) << where;
}
TEST(forward_sensitivity, of_a_spatial_slider_crank) {
  std::string where;
  EXPECT_LT(apart(with_sensitivity("spatial_slider_crank", 0.5), where), 1e-8) << where;
}
TEST(forward_sensitivity, of_a_spring_mass_damper) {
  std::string where;
  EXPECT_LT(apart(with_sensitivity("spring_mass_damper", 1), where), 1e-8) << where;
}

// A carriage on a wheel that turns: the hub couples bodies by numbers that are 1 and -1, and a vertical spring and damper
// carries them.
const char* const carriage_on_a_wheel = R"toml(
gravity = [0, 0, -9.81]
[parameters]
z = 0.292
k = 200000
c = 300
spin = 60
[bodies]
carriage = {mass = 385, inertia = [10, 10, 10], position = [0, 0, "= z"]}
wheel = {mass = 15, inertia = [0.5, 0.9, 0.5], position = [0, 0, "= z"], omega = [0, "= spin", 0]}
[joints]
rail = {type = "translational", bodies = ["ground", "carriage"], at = [0, 0, 0], axis = [0, 0, 1]}
hub = {type = "revolute", bodies = ["carriage", "wheel"], at = [0, 0, "= z"], axis = [0, 1, 0], motor = {torque = 5}}
[forces]
tyre = {type = "tyre", bodies = ["ground", "wheel"], i = [0, 0, 0], j = [0, 0, 0], radius = 0.31, stiffness = "= k", damping = "= c"}
[analysis]
type = "forward_sensitivity"
end = 2
[output]
step = 0.5
)toml";

// Along its way down the carriage is a damped oscillator, whose motion is linear in its start.
struct ByHeight {
  double height, speed, acceleration;
  explicit ByHeight(double t) {
    const double k = 200000, c = 300, m = 400, d = c / (2 * m), w = std::sqrt(k / m - d * d);
    const double fading = std::exp(-d * t), s = std::sin(w * t);
    height = fading * (std::cos(w * t) + d / w * s);
    speed = -fading * (k / m) / w * s;
    acceleration = -(k * height + c * speed) / m;
  }
};

TEST(forward_sensitivity, of_a_carriage_on_a_wheel_in_closed_form) {
  Study study = io::read_study_text(carriage_on_a_wheel, "test.toml");
  study.analysis.control.rtol = 1e-12;
  const Results r = run(study);
  ASSERT_TRUE(r.trusted) << r.verdict;
  const Table& table = *r.find("sensitivity");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const ByHeight by(table.at(row, 0));
    for (const std::string body : {"carriage", "wheel"}) {
      EXPECT_NEAR(table.column(body + ".z/z")[row], by.height, 1e-9) << body << row;
      EXPECT_NEAR(table.column(body + ".vz/z")[row], by.speed, 1e-9 * 22) << body << row;
      EXPECT_NEAR(table.column(body + ".az/z")[row], by.acceleration, 1e-9 * 500) << body << row;
    }
    EXPECT_NEAR(table.column("hub.on_wheel.fz/z")[row], -385 * by.acceleration, 1e-9 * 2e5) << row;
    EXPECT_NEAR(table.column("hub.on_carriage.fz/z")[row], 385 * by.acceleration, 1e-9 * 2e5) << row;
  }
}

// Derivatives converge as the motion does: with a method of the fourth order 16 times as near for half the step.
TEST(forward_sensitivity, converges_with_the_order_of_the_method) {
  Study study = io::read_study_text(carriage_on_a_wheel, "test.toml");
  study.analysis.integrator = "rk4";
  study.analysis.estimate = false;
  std::vector<double> errors;
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    study.analysis.control.step = h;
    const Results r = run(study);
    errors.push_back(std::abs(r.find("sensitivity")->column("wheel.z/z").back() - ByHeight(2).height));
  }
  EXPECT_LT(errors.front(), 1e-4);
  for (std::size_t k = 1; k < errors.size(); ++k) EXPECT_NEAR(errors[k - 1] / errors[k], 16, 3);
}

TEST(forward_sensitivity, of_a_carriage_on_a_wheel) {
  std::string where;
  EXPECT_LT(apart(io::read_study_text(carriage_on_a_wheel, "test.toml"), where), 1e-8) << where;
}

// In balance nothing moves but by round-off, in which the two motions need not agree.
TEST(forward_sensitivity, trusts_a_motion_at_rest) {
  Study study = io::read_study_text(carriage_on_a_wheel, "test.toml").with("z", 0.31 - 400 * 9.81 / 200000);
  const Results r = run(study);
  EXPECT_TRUE(r.trusted) << r.verdict;
  EXPECT_NEAR(r.find("sensitivity")->column("wheel.z/z").back(), ByHeight(2).height, 1e-7);
}

// The same derivatives are the matrix C of modes: both bodies accelerate alike with every state, and the hub carries one.
TEST(forward_sensitivity, has_the_outputs_of_modes) {
  std::string model = carriage_on_a_wheel;
  const std::string own = "forward_sensitivity";
  model.replace(model.find(own), own.size(), "modes");
  Study study = io::read_study_text(model, "test.toml");
  study.output.channels = {"carriage.az", "wheel.az", "hub.on_carriage.fz"};
  const Results r = run(study);
  const Table& C = *r.find("C");
  ASSERT_EQ(C.rows(), 3u);
  double largest = 0;
  for (std::size_t k = 0; k < C.columns.size(); ++k) {
    largest = std::max(largest, std::abs(C.at(0, k)));
    EXPECT_NEAR(C.at(1, k), C.at(0, k), 1e-12 * 25) << k;
    EXPECT_NEAR(C.at(2, k), 385 * C.at(0, k), 1e-12 * 1e4) << k;
  }
  EXPECT_NEAR(largest, 200000 / 400.0 / std::sqrt(400), 1e-10);  // k/m, of a state that is √m z
}

// Nothing holds a body that is thrown, pushed and spins: z = F t²/(2 m) − g t²/2, and half the turn is w t / 2.
TEST(forward_sensitivity, of_a_free_body_in_space) {
  const Results r = run(io::read_study_text(R"toml(
gravity = [0, 0, -9.81]
[parameters]
m = 2
F = 30
w = 20
[bodies]
top = {mass = "= m", inertia = [0.5, 0.9, 0.5], omega = [0, "= w", 0]}
[forces]
push = {type = "force", body = "top", at = [0, 0, 0], force = [0, 0, "= F"]}
[analysis]
type = "forward_sensitivity"
end = 2
rtol = 1e-12
[output]
step = 0.5
)toml",
                                            "test.toml"));
  ASSERT_TRUE(r.trusted) << r.verdict;
  const Table& table = *r.find("sensitivity");
  const double m = 2, F = 30, w = 20;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double t = table.at(row, 0);
    EXPECT_NEAR(table.column("top.z/m")[row], -F * t * t / (2 * m * m), 1e-9) << t;
    EXPECT_NEAR(table.column("top.z/F")[row], t * t / (2 * m), 1e-9) << t;
    EXPECT_NEAR(table.column("top.e0/w")[row], -t / 2 * std::sin(w * t / 2), 1e-9) << t;
    EXPECT_NEAR(table.column("top.e2/w")[row], t / 2 * std::cos(w * t / 2), 1e-9) << t;
  }
}

// The place at which they touch changes with the parameters, and is found by recorded corrections.
TEST(forward_sensitivity, of_cams_with_a_face_and_with_a_roller) {
  for (const bool face : {true, false}) {
    const std::string own =
        face
            ? R"toml({type = "flat_on_curve", i = {at = [0, 0], axis = [1, 0]}, j = {at = [0, 0], axis = [1, 0]}, )toml"
            : R"toml({type = "point_on_curve", i = [0, 0], j = [0, 0], radius = 0.01, )toml";
    const std::string model =
        R"toml(
gravity = [0, -9.81]
[parameters]
R = 0.03
e = 0.01
k = 2e4
y = )toml" +
        std::string(face ? "\"= R\"" : "\"= sqrt((R + 0.01)^2 - e^2)\"") +
        R"toml(
[bodies]
cam    = {mass = 1.2, inertia = 1e-2, omega = 60}
tappet = {mass = 0.25, inertia = 1e-4, position = [0, "= y"]}
[joints]
A     = {type = "revolute", bodies = ["ground", "cam"], at = [0, 0]}
guide = {type = "translational", bodies = ["ground", "tappet"], at = [0, 0], axis = [0, 1]}
on    = )toml" +
        own + R"toml(bodies = ["cam", "tappet"], curve = {type = "arc", centre = ["= e", 0], radius = "= R"}}
[forces]
spring = {type = "spring", bodies = ["ground", "tappet"], i = [0, 0.2], j = [0, 0], stiffness = "= k", free_length = 0.2}
[analysis]
type = "forward_sensitivity"
end = 0.2
)toml";
    std::string where;
    EXPECT_LT(apart(io::read_study_text(model, "cam"), where), 1e-8) << where;
  }
}

/// What ten parameters may cost, in runs: motions side by side are as fast as the vectors of the processor are wide.
double runs_for_ten_parameters() {
#if defined(__x86_64__) && defined(__GNUC__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f")) return 6;
  if (__builtin_cpu_supports("avx2")) return 12;
#endif
  return 20;
}

// Ten parameters of the four-bar linkage at the cost of six runs of the program, at most, where vectors have 64 bytes.
TEST(forward_sensitivity, cost_of_ten_parameters) {
  std::ifstream file(model_of("four_bar"));
  std::string model{std::istreambuf_iterator<char>(file), {}};
  const auto replace = [&](const std::string& from, const std::string& to) {
    const std::size_t at = model.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    model.replace(at, from.size(), to);
  };
  replace("mass = 1.00, inertia = 0.30", "mass = \"= m1\", inertia = \"= J1\"");
  replace("mass = 2.25, inertia = 2.00", "mass = \"= m2\", inertia = \"= J2\"");
  replace("mass = 2.20, inertia = 1.35", "mass = \"= m3\", inertia = \"= J3\"");
  replace("[parameters]\n", "[parameters]\nm1 = 1.0\nJ1 = 0.3\nm2 = 2.25\nJ2 = 2.0\nm3 = 2.2\nJ3 = 1.35\n");
  replace("type = \"forward\"",
          "type = \"forward_sensitivity\"\n"
          "parameters = [\"a\", \"b\", \"c\", \"d\", \"m1\", \"m2\", \"m3\", \"J1\", \"J2\", \"J3\"]");
  const Study study = io::read_study_text(model, "test.toml");
  const auto seconds = [](const auto& f) {
    double best = 1e9;
    for (int k = 0; k < 3; ++k) {
      const std::clock_t before = std::clock();
      f();
      best = std::min(best, double(std::clock() - before) / CLOCKS_PER_SEC);
    }
    return best;
  };
  // As the program runs it, with an estimate of the error of the motion.
  for (const bool as_the_program : {false, true}) {
    Study one = study;
    one.analysis.estimate_usual = as_the_program;
    const double all = seconds([&] { EXPECT_TRUE(run(one).trusted); });
    const double single = seconds([&] { EXPECT_TRUE(run_forward(one).trusted); });
    std::printf("ten parameters: %.1f ms, one run%s: %.1f ms, ratio %.2f\n", 1e3 * all,
                as_the_program ? " with its estimate" : "", 1e3 * single, all / single);
    EXPECT_LT(all, (as_the_program ? 1 : 2) * runs_for_ten_parameters() * single);
  }
}
}  // namespace
}  // namespace mubody::testing
