// Modes and the linear model against closed forms and against the nonlinear motion.
#include <algorithm>
#include <complex>

#include "mubody/reading/read_model.h"
#include "tests/analyses/study.h"

namespace mubody::testing {
namespace {
Study modes(const std::string& text, const std::vector<std::string>& settings = {}) {
  return io::read_study_text(text + "\n[analysis]\ntype = \"modes\"\n", "test.toml", settings);
}
/// Natural frequencies [rad/s] that are not zero.
std::vector<double> frequencies(const Results& r) {
  std::vector<double> all;
  for (const double f : r.column("frequency"))
    if (f > 0) all.push_back(2 * pi * f);
  return all;
}
MatX matrix(const Results& r, const std::string& name) {
  const Table* t = r.find(name);
  if (!t) return {};
  MatX m(t->rows(), t->columns.size());
  for (Eigen::Index k = 0; k < m.rows(); ++k)
    for (Eigen::Index l = 0; l < m.cols(); ++l) m(k, l) = t->at(std::size_t(k), std::size_t(l));
  return m;
}

// Two uniform rods of 1 m: ω² = (g / l) (3 ∓ 6/√7).
constexpr const char* double_pendulum = R"toml(
gravity = [0, -9.81]
[bodies]
upper = {mass = 1, inertia = "= 1/12", position = [0, -0.5], angle = "= -pi/2"}
lower = {mass = 1, inertia = "= 1/12", position = [0, -1.5], angle = "= -pi/2"}
[joints]
A = {type = "revolute", bodies = ["ground", "upper"], i = [0, 0], j = [-0.5, 0]}
B = {type = "revolute", bodies = ["upper", "lower"], i = [0.5, 0], j = [-0.5, 0]}
)toml";

TEST(modes, double_pendulum_of_rods) {
  const Results r = run(modes(double_pendulum));
  ASSERT_TRUE(r.trusted) << r.verdict;
  const auto w = frequencies(r);
  ASSERT_EQ(w.size(), 2U);
  const double slow = std::sqrt(g * (3 - 6 / std::sqrt(7))), fast = std::sqrt(g * (3 + 6 / std::sqrt(7)));
  EXPECT_NEAR(w[0], slow, 1e-8 * slow);
  EXPECT_NEAR(w[1], fast, 1e-8 * fast);
  for (const double zeta : r.column("damping_ratio")) EXPECT_NEAR(zeta, 0, 1e-9);
  // The equation of motion of the lower rod, φ2 (1/2 − μ/3) = φ1 μ/2 with μ = ω² l / g, gives the shapes.
  const auto upper = r.column("upper.angle.re"), lower = r.column("lower.angle.re");
  for (std::size_t k = 0; k < 2; ++k) {
    const double mu = w[k] * w[k] / g;
    EXPECT_NEAR(lower[k] / upper[k], (mu / 2) / (0.5 - mu / 3), 1e-7);
  }
}

TEST(modes, a_twofold_pin_changes_nothing) {
  const Results r =
      run(modes(std::string(double_pendulum) +
                "A2 = {type = \"revolute\", bodies = [\"ground\", \"upper\"], i = [0, 0], j = [-0.5, 0]}\n"));
  ASSERT_TRUE(r.trusted) << r.verdict;
  const auto w = frequencies(r);
  ASSERT_EQ(w.size(), 2U);
  EXPECT_NEAR(w[0], std::sqrt(g * (3 - 6 / std::sqrt(7))), 1e-8);
  EXPECT_NEAR(w[1], std::sqrt(g * (3 + 6 / std::sqrt(7))), 1e-7);
}

TEST(modes, from_anywhere_by_way_of_the_equilibrium) {
  const Results r =
      run(modes(double_pendulum, {"bodies.upper.angle== -1.1", "bodies.lower.angle== -2",
                                  "bodies.upper.position=[0.2, -0.45]", "analysis.about=equilibrium"}));
  ASSERT_TRUE(r.trusted) << r.verdict;
  const auto w = frequencies(r);
  ASSERT_EQ(w.size(), 2U);
  EXPECT_NEAR(w[0], std::sqrt(g * (3 - 6 / std::sqrt(7))), 1e-8);
}

// Three bodies on stiff springs float freely: besides three rigid motions there are four frequencies.
// Differences give the stiffness to 1e-13 of the largest, which as a frequency would be 1e-4 Hz.
TEST(modes, free_motions_have_no_frequency) {
  const Results r = run(modes(R"toml(
gravity = [0, 0]
[bodies]
a = {mass = 1, inertia = 0.1, position = [0.3, 0.1]}
b = {mass = 2, inertia = 0.2, position = [1.1, 0.4]}
c = {mass = 2, inertia = 0.2, position = [1.7, 0.8]}
[joints]
J = {type = "revolute", bodies = ["a", "b"], at = [0.7, 0.2]}
[forces]
s1 = {type = "spring", bodies = ["b", "c"], i = [0.3, 0], j = [-0.1, 0], stiffness = 1e6}
s2 = {type = "spring", bodies = ["b", "c"], i = [0.3, 0.3], j = [-0.1, 0.2], stiffness = 1e5}
s3 = {type = "spring", bodies = ["b", "c"], i = [-0.3, 0.3], j = [0.1, -0.2], stiffness = 1e5}
t = {type = "torsion_spring", joint = "J", stiffness = 1000}
)toml"));
  ASSERT_TRUE(r.trusted) << r.verdict;
  EXPECT_EQ(frequencies(r).size(), 4U) << r.verdict;
  for (const double zeta : r.column("damping_ratio")) EXPECT_NEAR(zeta, 0, 1e-9);
  EXPECT_EQ(r.verdict.find("no mode grows; 4 frequencies"), 0U) << r.verdict;
}

// Two masses on rails of their own; a soft spring holds one of them.
std::string soft_beside_stiff(const std::string& stiff) {
  return R"toml(
gravity = [0, 0]
[bodies]
a = {mass = 1, inertia = 1, position = [1, 0]}
b = {mass = 1, inertia = 1, position = [2, 0]}
[joints]
ra = {type = "translational", bodies = ["ground", "a"], at = [1, 0], axis = [1, 0]}
rb = {type = "translational", bodies = ["ground", "b"], at = [2, 0], axis = [1, 0]}
[forces]
soft = {type = "spring", bodies = ["ground", "a"], i = [0, 0], j = [0, 0], stiffness = 1e-3, free_length = 1}
)toml" + stiff;
}

TEST(modes, a_soft_spring_is_seen_beside_a_stiff_one_on_another_mass) {
  for (const char* stiffness : {"1e3", "1e6", "1e9", "1e12", "1e15"}) {
    const Results r =
        run(modes(soft_beside_stiff(std::string("stiff = {type = \"spring\", bodies = [\"ground\", \"b\"], i = "
                                                "[0, 0], j = [0, 0], free_length = 2, "
                                                "stiffness = ") +
                                    stiffness + "}\n")));
    ASSERT_EQ(frequencies(r).size(), 2U) << stiffness << ": " << r.verdict;
    EXPECT_NEAR(frequencies(r)[0], std::sqrt(1e-3), 1e-10) << stiffness;
    EXPECT_GT(r.accuracy->digits(), 9) << stiffness;
  }
}

// Where the stiff spring moves with the soft one, round-off of the sum hides the soft one sooner or later.
TEST(modes, a_soft_spring_that_round_off_hides_is_not_called_a_free_motion) {
  for (const char* stiffness : {"1e3", "1e6", "1e9", "1e12", "1e15"}) {
    const Results r = run(modes(soft_beside_stiff(
        std::string(
            "stiff = {type = \"spring\", bodies = [\"a\", \"b\"], i = [0, 0], j = [0, 0], free_length = 1, "
            "stiffness = ") +
        stiffness + "}\n")));
    if (frequencies(r).size() == 2) {
      const double k = std::stod(stiffness), s = 1e-3;  // ω² = 2 s k / (s + 2 k + √(s² + 4 k²))
      const double truth = std::sqrt(2 * s * k / (s + 2 * k + std::hypot(s, 2 * k)));
      const double error = std::abs(frequencies(r)[0] - truth);
      const double told = 2 * std::acos(-1) * r.accuracy->channels[0].error;
      EXPECT_LT(error, 3 * told + 1e-10) << stiffness << ": " << r.verdict;
      EXPECT_LT(told, 0.2 * truth) << stiffness;
    } else {
      EXPECT_GE(std::stod(stiffness), 1e9);
      EXPECT_NE(r.verdict.find("or slower than"), std::string::npos) << r.verdict;
    }
  }
}

// λ = −ω (1 ± √(2δ)) with c = 2ω (1 + δ): where two eigenvalues meet, much shows in them of what is not known of c.
TEST(modes, next_to_critical_damping_errors_are_not_hidden) {
  for (const char* share : {"1e-2", "1e-4", "1e-6", "1e-8", "1e-10", "1e-12", "-1e-12", "-1e-10", "-1e-6"}) {
    const double more = std::stod(share), omega = std::sqrt(7.);
    const Results r = run(modes(R"toml([bodies]
p = {mass = 1, inertia = 1, position = [1, 0]}
[joints]
rail = {type = "translational", bodies = ["ground", "p"], at = [0, 0], axis = [1, 0]}
[forces]
s = {type = "spring", bodies = ["ground", "p"], i = [0, 0], j = [0, 0], stiffness = 7, free_length = 1, damping = "= 2*sqrt(7)*(1 + )toml" +
                                std::string(share) + ")\"}\n"));
    const std::vector<double> all = frequencies(r);
    ASSERT_EQ(all.size(), more > 0 ? 2U : 1U) << more << ": " << r.verdict;
    const double slow = more > 0 ? omega / (1 + more + std::sqrt(more * (2 + more))) : omega;  // |λ₁ λ₂| = ω²
    for (std::size_t k = 0; k < all.size(); ++k) {
      const double told = 2 * pi * r.accuracy->channels[k].error;
      EXPECT_LT(std::abs(all[k] - (k == 0 ? slow : 7 / slow)), 3 * told + 1e-15) << more;
      EXPECT_LT(told, 3e-7 * omega) << more;
    }
  }
}

TEST(modes, slow_mechanisms_have_modes_too) {
  const Results r = run(modes(R"toml([bodies]
p = {mass = 1, inertia = 1, position = [2, 0]}
[joints]
rail = {type = "translational", bodies = ["ground", "p"], at = [0, 0], axis = [1, 0]}
[forces]
s = {type = "spring", bodies = ["ground", "p"], i = [0, 0], j = [0, 0], stiffness = 1e-18, free_length = 1}
)toml"));
  ASSERT_EQ(frequencies(r).size(), 1U) << r.verdict;
  EXPECT_NEAR(frequencies(r)[0], 1e-9, 1e-17);
}

// A ladder of N masses and springs between walls: ω_k = 2 √(k/m) sin(kπ / 2(N + 1)).  With dampers in proportion, c = β k: ζ = β ω / 2.
TEST(modes, chain_of_masses_and_springs) {
  constexpr int masses = 8;
  const double stiffness = 300, mass = 1.5, beta = 2e-3;
  std::string bodies = "gravity = [0, 0]\n[bodies]\n", joints = "[joints]\n", forces = "[forces]\n";
  for (int k = 0; k <= masses; ++k) {
    const std::string n = std::to_string(k), next = std::to_string(k + 1);
    if (k > 0) {
      bodies += "m" + n + " = {mass = 1.5, inertia = 1, position = [" + n + ", 0]}\n";
      joints += "rail" + n + " = {type = \"translational\", bodies = [\"ground\", \"m" + n + "\"], at = [" + n +
                ", 0], axis = [1, 0]}\n";
    }
    const std::string left = k == 0 ? "ground" : "m" + n, right = k == masses ? "ground" : "m" + next;
    forces += "s" + n + " = {type = \"spring\", bodies = [\"" + left + "\", \"" + right +
              "\"], i = [0, 0], j = [" + (k == masses ? "9" : "0") + ", 0], stiffness = 300, damping = 0.6}\n";
  }
  const Results r = run(modes(bodies + joints + forces));
  ASSERT_TRUE(r.trusted) << r.verdict;
  const auto w = frequencies(r), zeta = r.column("damping_ratio");
  ASSERT_EQ(w.size(), std::size_t(masses));
  for (int k = 1; k <= masses; ++k) {
    const double exact = 2 * std::sqrt(stiffness / mass) * std::sin(k * pi / (2 * (masses + 1)));
    EXPECT_NEAR(w[std::size_t(k - 1)], exact, 1e-8 * exact);
    EXPECT_NEAR(zeta[std::size_t(k - 1)], beta * exact / 2, 1e-8);
    // Shapes are sines.
    const double ratio = r.column("m2.x.re")[std::size_t(k - 1)] / r.column("m1.x.re")[std::size_t(k - 1)];
    EXPECT_NEAR(ratio, std::sin(2 * k * pi / 9) / std::sin(k * pi / 9), 1e-6);
  }
}

// A rotor held elastically at its middle: I_t θ̈ ∓ i I_p Ω θ̇ + k θ = 0 in θ = θx + i θy splits tilting into
// ω = (√(I_p² Ω² + 4 I_t k) ± I_p Ω) / 2 I_t.
TEST(modes, a_spinning_rotor_whirls_forwards_and_backwards) {
  for (const double spin : {0., 30., 200.}) {
    const Results r = run(modes(R"toml(
gravity = [0, 0, 0]
[bodies]
rotor = {mass = 4, inertia = [0.03, 0.03, 0.05], position = [0, 0, 0], omega = [0, 0, )toml" +
                                std::to_string(spin) + R"toml(]}
[forces]
bearing = {type = "bushing", bodies = ["ground", "rotor"], i = [0, 0, 0], j = [0, 0, 0], stiffness = [1e4, 1e4, 2e4, 300, 300, 0]}
)toml"));
    ASSERT_TRUE(r.trusted) << r.verdict;
    const double It = 0.03, gyro = 0.05 * spin, root = std::sqrt(gyro * gyro + 4 * It * 300);
    std::vector<double> expected{(root - gyro) / (2 * It), (root + gyro) / (2 * It), 50, 50, std::sqrt(5000.)};
    std::ranges::sort(expected);
    const auto w = frequencies(r);
    ASSERT_EQ(w.size(), expected.size()) << spin;
    for (std::size_t k = 0; k < w.size(); ++k) EXPECT_NEAR(w[k], expected[k], 1e-8 * expected[k]) << spin;
  }
}

// A sleeping top on a ball joint, upright: I λ² − i C Ω λ − m g l = 0, I about the tip.  Stable if (C Ω)² > 4 I m g l.
TEST(modes, a_sleeping_top_wakes_below_its_critical_spin) {
  const double I = 0.02 + 1.5 * 0.3 * 0.3, C = 0.016, load = 1.5 * g * 0.3;
  for (const double spin : {400., 60.}) {
    const Results r = run(modes(R"toml(
gravity = [0, 0, -9.81]
[bodies]
top = {mass = 1.5, inertia = [0.02, 0.02, 0.016], position = [0, 0, 0.3], omega = [0, 0, )toml" +
                                std::to_string(spin) + R"toml(]}
[joints]
tip = {type = "spherical", bodies = ["ground", "top"], i = [0, 0, 0], j = [0, 0, -0.3]}
)toml"));
    ASSERT_TRUE(r.trusted) << r.verdict;
    const std::complex<double> i(0, 1),
        root = std::sqrt(std::complex<double>(4 * I * load - C * C * spin * spin));
    const std::complex<double> exact[] = {(i * C * spin + root) / (2 * I), (i * C * spin - root) / (2 * I)};
    const auto re = r.column("real"), im = r.column("imaginary");
    for (const auto& value : exact) {
      double nearest = 1e9;
      for (std::size_t k = 0; k < re.size(); ++k)
        nearest = std::min(nearest, std::hypot(re[k] - value.real(), im[k] - value.imag()));
      EXPECT_LT(nearest, 1e-8 * std::abs(value)) << spin << " " << value;
    }
    EXPECT_EQ(r.verdict.find("unstable") != std::string::npos, spin < 200) << r.verdict;
  }
}

// A disc that rolls straight on, upright: (A + m r²) λ² = m g r − C (C + m r²) Ω² / A for its lean (Neimark & Fufaev
// 1972): it falls below Ω² = A m g r / (C (C + m r²)).
TEST(modes, a_rolling_disc_falls_when_it_is_slow) {
  const double m = 2, rad = 0.3, A = m * rad * rad / 4, C = m * rad * rad / 2;
  for (const double spin : {1.0, 12.0}) {
    const Results r = run(modes(R"toml(
gravity = [0, 0, -9.81]
[parameters]
spin = )toml" + std::to_string(spin) +
                                R"toml(
[bodies.disc]
mass = 2
inertia = [0.045, 0.045, 0.09]
position = [0, 0, 0.3]
orientation = {z = [0, 1, 0], x = [1, 0, 0]}
velocity = ["= 0.3*spin", 0, 0]
omega = [0, 0, "= spin"]
[joints]
floor = {type = "rolling", bodies = ["ground", "disc"], i = {at = [0, 0, 0], axis = [0, 0, 1]}, j = {at = [0, 0, 0], axis = [0, 0, 1]}, radius = 0.3}
)toml"));
    ASSERT_TRUE(r.trusted) << r.verdict;
    const double square = (m * g * rad - C * (C + m * rad * rad) * spin * spin / A) / (A + m * rad * rad);
    const std::complex<double> value = std::sqrt(std::complex<double>(square));
    const auto re = r.column("real"), im = r.column("imaginary");
    double nearest = 1e9;
    for (std::size_t k = 0; k < re.size(); ++k)
      nearest = std::min(nearest, std::hypot(re[k] - value.real(), im[k] - value.imag()));
    EXPECT_LT(nearest, 1e-8 * std::abs(value)) << spin;
    EXPECT_EQ(r.verdict.find("unstable") != std::string::npos, square > 0) << r.verdict;
  }
}

// A rod that turns freely about a pin goes on turning: the motion alone adds no stiffness.
TEST(modes, steady_turning_has_no_stiffness) {
  const Results r = run(modes(R"toml(
gravity = [0, 0]
[bodies]
rod = {mass = 1, inertia = 0.1, position = [0.6, 0.8], angle = 0.5, velocity = [-4, 3], omega = 5}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0]}
)toml"));
  ASSERT_TRUE(r.trusted) << r.verdict;
  EXPECT_TRUE(frequencies(r).empty());
  const MatX A = matrix(r, "A");
  EXPECT_LT((A - (MatX(2, 2) << 0, 1, 0, 0).finished()).norm(), 1e-8);
}

// A small force is switched on: the linear model against the equations of motion.  The double pendulum is symmetric, so
// that what the linear model leaves out is of third order: amplitude 1e-4 squared.
TEST(modes, the_step_response_of_the_linear_model_is_that_of_small_motion) {
  const std::string force =
      "[forces]\npush = {type = \"force\", body = \"lower\", force = [1e-3, 0], axes = \"global\"}\n";
  const std::string output =
      "[output]\nchannels = [\"lower.x\", \"upper.omega\", \"A.on_upper.fx\"]\nstep = 0.25\n";
  const Results r = run(modes(std::string(double_pendulum) + output, {"analysis.inputs=[\"lower.x\"]"}));
  ASSERT_TRUE(r.trusted) << r.verdict;
  const MatX A = matrix(r, "A"), B = matrix(r, "B"), C = matrix(r, "C"), D = matrix(r, "D");
  ASSERT_EQ(B.cols(), 1);
  ASSERT_EQ(C.rows(), 3);
  const Results motion = run(io::read_study_text(
      std::string(double_pendulum) + force + output + "[analysis]\nend = 2\nrtol = 1e-12\natol = 1e-14\n",
      "test.toml"));
  ASSERT_TRUE(motion.trusted) << motion.verdict;
  const char* channels[] = {"lower.x", "upper.omega", "A.on_upper.fx"};
  VecX x = VecX::Zero(A.rows());
  const auto rate = [&](const VecX& s) -> VecX { return A * s + B * 1e-3; };
  const double h = 1e-3;
  double compared = 0;
  for (int step = 0; step <= 2000; ++step) {
    if (step % 250 == 0)
      for (int k = 0; k < 3; ++k) {
        const double before = r.find("channels")->column(channels[k])[0];
        const double linear = before + (C.row(k) * x)(0) + D(k, 0) * 1e-3;
        const double exact = motion.find("channels")->column(channels[k])[std::size_t(step / 250)];
        EXPECT_NEAR(linear, exact, 1e-10) << channels[k] << " at step " << step;
        compared = std::max(compared, std::abs(exact - before));
      }
    const VecX k1 = rate(x), k2 = rate(x + h / 2 * k1), k3 = rate(x + h / 2 * k2), k4 = rate(x + h * k3);
    x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  EXPECT_GT(compared, 1e-5);  // the motion was large enough to compare
}

/// C (iω − A)⁻¹ B + D, with real and imaginary parts below each other.
std::complex<double> response(const Results& r, double omega) {
  const MatX A = matrix(r, "A"), C = matrix(r, "C");
  const Eigen::Index n = A.rows();
  MatX shifted(2 * n, 2 * n);
  shifted << -A, -omega * MatX::Identity(n, n), omega * MatX::Identity(n, n), -A;
  VecX right = VecX::Zero(2 * n);
  right.head(n) = matrix(r, "B").col(0);
  const VecX x = Lu(shifted).solve(right);
  return {C.row(0).dot(x.head(n)) + matrix(r, "D")(0, 0), C.row(0).dot(x.tail(n))};
}

// m ẍ = −k x − c ẋ − f: an actuator that pulls shortens the spring.
TEST(modes, an_actuator_is_an_input) {
  const std::string model = R"toml(
gravity = [0, 0]
[bodies]
mass = {mass = 2, inertia = 1, position = [1, 0]}
[joints]
rail = {type = "translational", bodies = ["ground", "mass"], at = [1, 0], axis = [1, 0]}
[forces]
muscle = {type = "spring", bodies = ["ground", "mass"], i = [0, 0], j = [0, 0], stiffness = 50, damping = 0.6}
wind = {type = "force", body = "mass", force = ["= -0.1*mass.vx", 0], axes = "global"}
)toml";
  for (const char* output : {"mass.x", "muscle.force", "mass.ax"}) {
    const auto with = [&](const char* input) {
      const Results r = run(modes(model + "[output]\nchannels = [\"" + output + "\"]\n",
                                  {std::string("analysis.inputs=[\"") + input + "\"]"}));
      EXPECT_TRUE(r.trusted) << r.verdict;
      return r;
    };
    const Results muscle = with("muscle"), wind = with("wind.x"), push = with("mass.x");
    EXPECT_EQ(muscle.find("B")->columns[0].unit, "N");
    for (const double omega : {0.5, 5., 20.}) {
      const std::complex<double> i(0, 1), x = 1. / (50. - 2 * omega * omega + i * omega * (0.6 + 0.1));
      const std::string name = output;
      const auto per_push = name == "mass.x"    ? x
                            : name == "mass.ax" ? -omega * omega * x
                                                : (50. + i * omega * 0.6) * x;
      const auto per_pull = -per_push + (name == "muscle.force" ? 1. : 0.);  // the pull itself is felt at once
      EXPECT_LT(std::abs(response(push, omega) - per_push), 1e-9) << output;
      EXPECT_LT(std::abs(response(wind, omega) - per_push), 1e-9) << output;
      EXPECT_LT(std::abs(response(muscle, omega) - per_pull), 1e-9) << output;
    }
  }
}

// A carriage is driven along a rail and shakes a mass on a spring: x = (k + iωc) / (k + iωc − mω²) times its
// position, whose second derivative is the input.
TEST(modes, a_driver_is_an_input) {
  const Results r = run(modes(R"toml(
gravity = [0, 0]
[bodies]
carriage = {mass = 3, inertia = 1, position = [0, 0]}
mass = {mass = 2, inertia = 1, position = [1, 0]}
[joints]
rail = {type = "translational", bodies = ["ground", "carriage"], at = [0, 0], axis = [1, 0]}
track = {type = "translational", bodies = ["ground", "mass"], at = [1, 0], axis = [1, 0]}
[drivers]
shaker = {type = "coordinate", body = "carriage", coordinate = "x", value = 0}
[forces]
spring = {type = "spring", bodies = ["carriage", "mass"], i = [0, 0], j = [0, 0], stiffness = 50, damping = 0.6}
[output]
channels = ["mass.x"]
)toml",
                              {"analysis.inputs=[\"shaker\"]"}));
  ASSERT_TRUE(r.trusted) << r.verdict;
  const Table* A = r.find("A");
  ASSERT_EQ(A->columns.size(), 4U);
  EXPECT_EQ(A->columns[2].name, "shaker");
  EXPECT_EQ(A->columns[3].name, "shaker.rate");
  EXPECT_EQ(r.find("B")->columns[0].unit, "m/s2");
  EXPECT_EQ(r.find("modes")->rows(), 1U) << "the driver is no mode";
  for (const double omega : {0.5, 5., 20.}) {
    const std::complex<double> k(50, 0.6 * omega);
    EXPECT_LT(std::abs(response(r, omega) - k / (k - 2 * omega * omega) / (-omega * omega)), 1e-9) << omega;
  }
}

// The support of a pendulum is driven sideways: J θ̈ + m g l θ = −m l ẍ, with the force on the support in D as well:
// F = (M + m) ẍ + m l θ̈.
TEST(modes, a_driven_support_moves_a_pendulum) {
  const std::string model = R"toml(
gravity = [0, -9.81]
[bodies]
support = {mass = 3, inertia = 1, position = [0, 0]}
rod = {mass = 1.5, inertia = 0.2, position = [0, -0.4]}
[joints]
rail = {type = "translational", bodies = ["ground", "support"], at = [0, 0], axis = [1, 0]}
pin = {type = "revolute", bodies = ["support", "rod"], i = [0, 0], j = [0, 0.4]}
[drivers]
shaker = {type = "coordinate", body = "support", coordinate = "x", value = 0}
[output]
)toml";
  const Results angle = run(modes(model + "channels = [\"rod.angle\"]\n", {"analysis.inputs=[\"shaker\"]"})),
                force = run(
                    modes(model + "channels = [\"shaker.on_support.fx\"]\n", {"analysis.inputs=[\"shaker\"]"}));
  ASSERT_TRUE(angle.trusted) << angle.verdict;
  const double J = 0.2 + 1.5 * 0.16, ml = 1.5 * 0.4;
  for (const double omega : {0.5, 3., 20.}) {
    const double theta = -ml / (ml * g - J * omega * omega);
    EXPECT_LT(std::abs(response(angle, omega) - theta), 1e-8 * std::abs(theta)) << omega;
    EXPECT_LT(std::abs(response(force, omega) - (4.5 - ml * omega * omega * theta)), 1e-7) << omega;
  }
}

// A small pull of an actuator in the nonlinear motion and in the linear model.
TEST(modes, an_actuator_moves_a_pendulum_as_the_linear_model_says) {
  const auto model = [](const char* pull) {
    return std::string(double_pendulum) +
           "[forces]\nmuscle = {type = \"torsion_spring\", bodies = [\"upper\", \"lower\"], stiffness = 4, "
           "actuator = " +
           pull + "}\n[output]\nchannels = [\"lower.angle\"]\nstep = 0.5\n";
  };
  const Results r = run(modes(model("0"), {"analysis.inputs=[\"muscle\"]"}));
  ASSERT_TRUE(r.trusted) << r.verdict;
  const MatX A = matrix(r, "A"), B = matrix(r, "B"), C = matrix(r, "C");
  const Results motion = run(
      io::read_study_text(model("1e-3") + "[analysis]\nend = 1\nrtol = 1e-12\natol = 1e-14\n", "test.toml"));
  const auto exact = motion.find("channels")->column("lower.angle");
  VecX x = VecX::Zero(A.rows());
  const auto rate = [&](const VecX& s) -> VecX { return A * s + B * 1e-3; };
  const double h = 1e-3;
  for (int step = 1; step <= 1000; ++step) {
    const VecX k1 = rate(x), k2 = rate(x + h / 2 * k1), k3 = rate(x + h / 2 * k2), k4 = rate(x + h * k3);
    x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    if (step % 500 != 0) continue;
    const double moved = exact[std::size_t(step / 500)] - exact[0];
    EXPECT_NEAR((C * x)(0), moved, 1e-5 * std::abs(moved)) << "amplitude squared";
    EXPECT_GT(std::abs(moved), 1e-5);
  }
}

TEST(modes, an_input_that_is_none_is_explained) {
  const auto message = [](const std::string& input) -> std::string {
    try {
      modes(std::string(double_pendulum) +
                "[forces]\npush = {type = \"force\", body = \"lower\", force = [0, 0], axes = \"global\"}\n",
            {"analysis.inputs=[\"" + input + "\"]"});
    } catch (const ModelError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(message("lower.z").find(
                "analysis: inputs: no coordinate, force, driver or input 'lower.z'; did you mean"),
            std::string::npos)
      << message("lower.z");
  EXPECT_NE(message("push").find("'push' has components: 'push.x'"), std::string::npos) << message("push");
  EXPECT_EQ(message("push.y"), "");
}
}  // namespace
}  // namespace mubody::testing
