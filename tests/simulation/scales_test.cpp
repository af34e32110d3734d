// Mechanisms of a micrometre and of a thousand kilometres, far from the origin, and after many turns: they give the
// digits of their twin of one metre near the origin.                                    docs/theory/scales.md
#include "mubody/mechanism/scales.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/mechanism/groups.h"
#include "mubody/precompute/precompute.h"
#include "mubody/precompute/run/run_real_time.h"
#include "mubody/reading/read_model.h"
#include "mubody/simulation/begin.h"
#include "tests/example.h"
#include "tests/scaled.h"

namespace mubody::testing {
namespace {
constexpr double factors[] = {1e-6, 1e-3, 1e3, 1e6};

Study scaled_study(const std::string& body, double s) {
  return io::read_study_text(body + fmt::format("\n[parameters]\ns = {:.17g}\n", s), "test.toml");
}

// The crank of 0.3 m and the rod of 1 m turn about pins, the slider moves along x; in a model of size s.
const std::string slider_crank_joints = R"toml(
[joints]
A = {type = "revolute", bodies = ["ground", "crank"], i = [0, 0], j = ["= -0.15*s", 0]}
B = {type = "revolute", bodies = ["crank", "rod"], i = ["= 0.15*s", 0], j = ["= -0.5*s", 0]}
C = {type = "revolute", bodies = ["rod", "slider"], i = ["= 0.5*s", 0], j = [0, 0]}
D = {type = "translational", bodies = ["ground", "slider"], i = {at = [0, 0], axis = [1, 0]}, j = {at = [0, 0], axis = [1, 0]}}
)toml";

struct Twin {
  const char* name;
  std::string text;
};

// Lengths and gravity with s, inertias with its square, masses as they are: every angle stays as it is.
const Twin twins[] = {{"four-bar", R"toml(
gravity = [0, "= -9.81*s"]
[bodies]
crank = {mass = 1, inertia = "= s^2/12", position = [0, "= 0.5*s"], angle = "90 deg", velocity = ["= 0.5*s", 0], omega = -1}
rocker = {mass = 1, inertia = "= s^2/12", position = ["= 1.2*s", "= 0.35*s"], angle = "90 deg", velocity = ["= 0.5*s", 0], omega = "= -1/1.3"}
coupler = {mass = 1, inertia = "= s^2/12", position = ["= 0.6*s", "= s"], velocity = ["= s", 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "crank"], i = [0, 0], j = ["= -0.5*s", 0]}
D = {type = "revolute", bodies = ["ground", "rocker"], i = ["= 1.2*s", "= -0.3*s"], j = ["= -0.65*s", 0]}
B = {type = "revolute", bodies = ["crank", "coupler"], i = ["= 0.5*s", 0], j = ["= -0.6*s", 0]}
C = {type = "revolute", bodies = ["rocker", "coupler"], i = ["= 0.65*s", 0], j = ["= 0.6*s", 0]}
[analysis]
end = 3)toml"},
                      {"slider-crank", R"toml(
gravity = [0, "= -9.81*s"]
[bodies]
crank = {mass = 1, inertia = "= s^2/12", position = ["= 0.15*s", 0], omega = 6, velocity = [0, "= 0.9*s"]}
rod = {mass = 1, inertia = "= s^2/12", position = ["= 0.8*s", 0], omega = -1.8, velocity = [0, "= 0.9*s"]}
slider = {mass = 1, inertia = "= s^2/12", position = ["= 1.3*s", 0]}
)toml" + slider_crank_joints +
                                           R"toml(
[forces]
spring = {type = "spring", bodies = ["ground", "slider"], i = ["= 3*s", 0], j = [0, 0], stiffness = 20, free_length = "= 2*s", damping = 0.1}
[analysis]
end = 3)toml"},
                      {"double pendulum", R"toml(
gravity = [0, "= -9.81*s"]
[bodies]
a = {mass = 1, inertia = "= 0.1*s^2", position = ["= 0.5*s", 0]}
b = {mass = 1, inertia = "= 0.1*s^2", position = ["= 1.5*s", 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "a"], i = [0, 0], j = ["= -0.5*s", 0]}
B = {type = "revolute", bodies = ["a", "b"], i = ["= 0.5*s", 0], j = ["= -0.5*s", 0]}
[analysis]
end = 1.5)toml"},
                      {"heavy top", R"toml(
gravity = [0, 0, "= -9.81*s"]
[bodies]
top = {mass = 1, inertia = ["= 0.2*s^2", "= 0.2*s^2", "= 0.1*s^2"], position = ["= 0.6*s", 0, "= 0.8*s"], orientation = {axis = [0, 1, 0], angle = "= asin(0.6)"}, omega = [0, 0, 10]}
[joints]
tip = {type = "spherical", bodies = ["ground", "top"], i = [0, 0, 0], j = [0, 0, "= -s"]}
[analysis]
end = 1)toml"}};

// A double pendulum of 2 m whose pin is at (s, s).
constexpr const char* pendulum_at_s = R"toml(
gravity = [0, -9.81]
[bodies]
a = {mass = 1, inertia = 0.1, position = ["= s + 0.5", "= s"]}
b = {mass = 1, inertia = 0.1, position = ["= s + 1.5", "= s"]}
[joints]
A = {type = "revolute", bodies = ["ground", "a"], i = ["= s", "= s"], j = [-0.5, 0]}
B = {type = "revolute", bodies = ["a", "b"], i = [0.5, 0], j = [-0.5, 0]}
[analysis]
end = 1.5)toml";

void expect_same_digits(const Results& twin, const Results& r, const std::string& label) {
  ASSERT_TRUE(twin.accuracy && r.accuracy) << label;
  EXPECT_EQ(twin.trusted, r.trusted) << label << ": " << r.verdict;
  EXPECT_EQ(twin.freedom.actual, r.freedom.actual) << label;
  EXPECT_EQ(twin.freedom.rank, r.freedom.rank) << label;
  for (const ChannelAccuracy::Kind kind : {ChannelAccuracy::position, ChannelAccuracy::velocity,
                                           ChannelAccuracy::acceleration, ChannelAccuracy::force}) {
    const ChannelAccuracy *a = twin.accuracy->worst(kind), *b = r.accuracy->worst(kind);
    ASSERT_TRUE(a && b) << label;
    constexpr double least = 1e-13;
    const double ratio = std::max(b->share(), least) / std::max(a->share(), least);
    EXPECT_LT(ratio, 10) << label << ", " << b->channel << ": " << b->share() << " and " << a->share();
    EXPECT_GT(ratio, 0.1) << label << ", " << b->channel << ": " << b->share() << " and " << a->share();
  }
}

/// The largest difference of a table from that of its twin of one metre, relative to the largest number of the same unit.
double largest_share(const Table& one, const Table& t, double s) {
  double worst = 0;
  for (std::size_t c = 1; c < one.columns.size(); ++c) {
    if (one.columns[c].residual) continue;
    const double by = scale_of(one.columns[c].unit, s);
    double size = 0, apart = 0;
    for (std::size_t other = 1; other < one.columns.size(); ++other)
      for (std::size_t r = 0; r < one.rows() && one.columns[other].unit == one.columns[c].unit; ++r)
        size = std::max(size, std::abs(one.at(r, other)));
    for (std::size_t r = 0; r < one.rows(); ++r)
      apart = std::max(apart, std::abs(t.at(r, c) / by - one.at(r, c)));
    // At rest accelerations are round-off, which derivatives in lanes leave as they find it.
    constexpr double least = 1e-3;
    if (size > 0) worst = std::max(worst, apart / std::max(size, least));
  }
  return worst;
}

// Powers of two: where every number is multiplied by what its unit says, not a bit changes.
const double powers[] = {std::ldexp(1.0, -20), std::ldexp(1.0, 20)};

void expect_same_motion(const Results& one, const Results& r, double s, double tolerance,
                        const std::string& label) {
  ASSERT_EQ(bool(one.outcome), bool(r.outcome)) << label << ": " << r.outcome.why;
  EXPECT_EQ(one.trusted, r.trusted) << label << ": " << r.verdict;
  EXPECT_EQ(one.freedom.actual, r.freedom.actual) << label;
  EXPECT_EQ(one.freedom.rank, r.freedom.rank) << label;
  EXPECT_EQ(one.events.size(), r.events.size()) << label;
  for (const char* name : {"bodies", "points", "joints", "forces"}) {
    const Table *a = one.find(name), *b = r.find(name);
    if (!a) continue;
    ASSERT_TRUE(b && a->rows() == b->rows()) << label;
    EXPECT_LT(largest_share(*a, *b, s), tolerance) << label << ", " << name;
  }
}

double end_of(const Results& r, const char* channel) { return r.column(channel).back(); }
}  // namespace

TEST(scales, lengths_of_a_micrometre_and_of_a_thousand_kilometres_give_the_same_digits) {
  for (const Twin& twin : twins)
    for (const char* formulation : {"body", "cartesian", "joint"}) {
      const auto run_at = [&](double s) {
        Study study = scaled_study(twin.text, s);
        AnalysisOptions& o = study.analysis;
        o.formulation.index =
            int(std::ranges::find(o.formulation.words, formulation) - o.formulation.words.begin());
        o.estimate_usual = true;
        return run(study);
      };
      const Results one = run_at(1);
      EXPECT_TRUE(one.trusted) << twin.name << ": " << one.verdict;
      for (const double s : factors) {
        const Results r = run_at(s);
        const std::string label = fmt::format("{}, {}, {:g}", twin.name, formulation, s);
        ASSERT_TRUE(r.outcome) << label << ": " << r.outcome.why;
        expect_same_digits(one, r, label);
        EXPECT_NEAR(r.scales.length, s * one.scales.length, 1e-12 * r.scales.length) << label;
        EXPECT_NEAR(r.scales.time, one.scales.time, 1e-12) << label;
        EXPECT_NEAR(double(r.statistics.steps), double(one.statistics.steps),
                    3 + 0.02 * double(one.statistics.steps))
            << label;
      }
    }
}

// The examples in other sizes, with every analysis.
TEST(scales, examples_of_any_size_move_alike) {
  struct Case {
    const char* name;
    std::vector<std::string> settings{};
    double tolerance = 1e-9;
  };
  // Reactions of redundant joints are the smallest of many, and accelerations at rest are round-off.
  for (const Case& x :
       {Case{"four_bar", {"analysis.end=2"}}, Case{"andrews", {"analysis.end=0.01"}},
        Case{"bricard", {"analysis.end=2"}, 1e-7}, Case{"heavy_top", {"analysis.end=0.5"}},
        Case{"spatial_slider_crank", {"analysis.end=0.5"}}, Case{"bouncing_ball"},
        Case{"stiff_bushing", {"analysis.end=0.5"}}, Case{"rolling_disc", {"analysis.end=0.5"}},
        Case{"cardan_shaft"}, Case{"slider_crank_driven"}, Case{"quick_return"},
        Case{"slider_crank_driven", {"analysis.type=inverse"}}, Case{"four_bar", {"analysis.type=equilibrium"}},
        Case{"front_suspension", {"analysis.end=0.1"}, 1e-7},
        Case{"four_bar", {"analysis.end=2", "analysis.treatment={type='partitioning', by='lu'}"}, 1e-6},
        Case{"four_bar", {"analysis.end=2", "analysis.treatment={type='partitioning', by='svd'}"}, 1e-6},
        Case{"bricard", {"analysis.end=1", "analysis.treatment={type='augmented'}"}, 1e-5}}) {
    const Study study = example(x.name, x.settings);
    const Results one = run(study);
    EXPECT_TRUE(one.outcome) << x.name << ": " << one.outcome.why;
    for (const double s : powers) {
      std::string label = fmt::format("{}, {:g}", x.name, s);
      for (const std::string& setting : x.settings) label += ", " + setting;
      expect_same_motion(one, run(scaled(study, s)), s, x.tolerance, label);
    }
  }
}

TEST(scales, frequencies_do_not_depend_on_the_size) {
  for (const char* name : {"double_pendulum", "front_suspension", "spring_mass_damper"}) {
    const Study study = example(name, {"analysis.type=modes"});
    const Results one = run(study);
    const std::vector<double> truth = one.column("frequency");
    ASSERT_FALSE(truth.empty());
    for (const double s : powers) {
      const Results r = run(scaled(study, s));
      EXPECT_EQ(one.trusted, r.trusted) << name << ", " << s << ": " << r.verdict;
      const std::vector<double> now = r.column("frequency");
      ASSERT_EQ(now.size(), truth.size()) << name << ", " << s;
      for (std::size_t k = 0; k < now.size(); ++k)
        EXPECT_NEAR(now[k], truth[k], 1e-8 * truth.back()) << name << ", " << s;
    }
  }
}

TEST(scales, tables_of_any_size_have_the_same_digits) {
  for (const std::string name : {"four_bar", "crank_slider", "double_pendulum", "slider_crank_driven"}) {
    const Study study = example(name.c_str(), {"analysis.end=1"});
    const auto made = [](const Study& x) {
      Precomputed p = precompute(x, {});
      EXPECT_LE(p.model.certified, p.model.bound);
      return p.model;
    };
    const RealTimeModel model = made(study);
    const Results one = run_real_time(model, study);
    for (const double s : powers) {
      if (name == "double_pendulum" && s > 1) continue;  // tables of two freedoms take long
      const Study other = scaled(study, s);
      const RealTimeModel tables = made(other);
      EXPECT_EQ(tables.bytes(), model.bytes()) << name << ", " << s;
      expect_same_motion(one, run_real_time(tables, other), s, 1e-6, fmt::format("{}, {:g}", name, s));
    }
  }
}

// A mass on a spring without inertia is a particle, at any size.
TEST(scales, particles_are_found_at_any_size) {
  constexpr const char* text = R"toml(
gravity = [0, "= -9.81*s"]
[bodies]
bob = {mass = 1, position = ["= s", 0]}
[forces]
spring = {type = "spring", bodies = ["ground", "bob"], i = [0, 0], j = [0, 0], stiffness = 100, free_length = "= s"}
[analysis]
end = 1)toml";
  const double truth = end_of(run(scaled_study(text, 1)), "bob.y");
  for (const double s : factors) {
    const Results r = run(scaled_study(text, s));
    EXPECT_TRUE(r.trusted) << s << ": " << r.verdict;
    EXPECT_EQ(r.freedom.actual, 2) << s;
    EXPECT_NEAR(end_of(r, "bob.y") / s, truth, 1e-7) << s;
  }
}

// The driver turns the crank once in a second; x = r cos φ + √(l² − r² sin² φ).
TEST(scales, drivers_turn_a_slider_crank_of_any_size) {
  const std::string text = slider_crank_joints + R"toml(
[bodies]
crank = {mass = 1, inertia = "= s^2/12", position = ["= 0.15*s", 0]}
rod = {mass = 1, inertia = "= s^2/12", position = ["= 0.8*s", 0]}
slider = {mass = 1, inertia = "= s^2/12", position = ["= 1.3*s", 0]}
[drivers]
motor = {type = "angle", joint = "A", value = "= 2*pi*t"}
[analysis]
type = "kinematic"
end = 1
[output]
step = 0.05)toml";
  for (const double s : {1e-6, 1e-3, 1.0, 1e3, 1e6}) {
    const Results r = run(scaled_study(text, s));
    EXPECT_TRUE(r.outcome) << s << ": " << r.outcome.why;
    EXPECT_TRUE(r.trusted) << s << ": " << r.verdict;
    EXPECT_EQ(r.freedom.actual, 0) << s;
    EXPECT_TRUE(r.freedom.redundant.empty()) << s;
    EXPECT_TRUE(r.events.empty()) << s;
    const std::vector<double> x = r.column("slider.x"), t = r.times();
    for (std::size_t k = 0; k < t.size(); ++k) {
      const double phi = 2 * std::acos(-1) * t[k];
      const double exact = 0.3 * std::cos(phi) + std::sqrt(1 - 0.09 * std::pow(std::sin(phi), 2));
      EXPECT_NEAR(x[k] / s, exact, 1e-13) << s << ", t = " << t[k];
    }
  }
}

// The same pendulum at the origin and a thousand kilometres from it.
TEST(scales, a_place_far_from_the_origin_costs_no_digits) {
  const auto run_at = [&](double s, double rtol) {
    Study study = scaled_study(pendulum_at_s, s);
    study.analysis.control.rtol = rtol;
    return run(study);
  };
  const Results truth = run_at(0, 1e-13), near = run_at(0, 1e-9), far = run_at(1e6, 1e-9);
  EXPECT_TRUE(far.trusted) << far.verdict;
  EXPECT_NEAR(far.scales.length, near.scales.length, 1e-9);
  const double error = std::abs(end_of(near, "b.angle") - end_of(truth, "b.angle"));
  // Round-off of positions, 1e-10 m, grows with the motion.
  EXPECT_NEAR(end_of(far, "b.angle"), end_of(truth, "b.angle"), 10 * error + 1e-8);
}

// Implicit steps take their differences where the round-off of positions is 1e-7 m, which index 3 divides by the step; the
// steps themselves have an error of 3e-3 rad.
TEST(scales, implicit_steps_converge_far_from_the_origin) {
  for (const auto& [integrator, treatment] :
       {std::pair("rk4", "generalized-alpha"), std::pair("gear4", "projection")}) {
    const auto angle_at = [&](double s) {
      const Results r = run(io::read_study_text(
          fmt::format("{}\n[parameters]\ns = {:.17g}\n", pendulum_at_s, s), "test.toml",
          {"analysis.end=1", "analysis.step=1e-2", fmt::format("analysis.integrator={}", integrator),
           fmt::format("analysis.treatment={}", treatment)}));
      EXPECT_TRUE(r.outcome) << treatment << ", " << s << ": " << r.outcome.why;
      return end_of(r, "b.angle");
    };
    EXPECT_NEAR(angle_at(1e9), angle_at(0), 1e-3) << treatment;
  }
}

// Two discs on a shaft that turns: the twist between them oscillates as if it stood still, 0.01 cos 10 t.  At 1e5 rad/s
// it turns by 1e7 rad, whose round-off is 1e-9 rad.
TEST(scales, an_angle_is_not_measured_against_its_turns) {
  constexpr const char* text = R"toml(
[bodies]
a = {mass = 1, inertia = 1, angle = 1, omega = "= s"}
b = {mass = 1, inertia = 1, angle = 1.01, omega = "= s"}
[joints]
A = {type = "revolute", bodies = ["ground", "a"], i = [0, 0], j = [0, 0]}
B = {type = "revolute", bodies = ["ground", "b"], i = [0, 0], j = [0, 0]}
[forces]
k = {type = "torsion_spring", bodies = ["a", "b"], stiffness = 50, free_angle = 0}
[analysis]
end = 100)toml";
  for (const char* integrator : {"dormand-prince", "verner", "shampine-gordon", "adams", "bdf", "radau"}) {
    if (!find_integrator(integrator)) continue;  // built without SUNDIALS
    const auto error_at = [&](double speed) {
      Study study = scaled_study(text, speed);
      study.analysis.integrator = integrator;
      const Results r = run(study);
      EXPECT_TRUE(r.outcome) << integrator << ": " << r.outcome.why;
      const std::vector<double> t = r.times(), twist = r.column("k.angle");
      double worst = 0;
      for (std::size_t k = 0; k < t.size(); ++k)
        worst = std::max(worst, std::abs(twist[k] - 0.01 * std::cos(10 * t[k])));
      return worst;
    };
    const double still = error_at(0), last_place = 100 * std::numeric_limits<double>::epsilon();
    for (const double speed : {1e3, 1e4, 1e5})
      EXPECT_LT(error_at(speed), 15 * still + 1e-8 + 10 * last_place * speed)
          << integrator << ", " << speed << ", at rest " << still;
  }
}

// Two satellites on circles of 7000 km, one 100 m behind the other: their distance stays as it is.
TEST(scales, satellites_are_measured_by_their_distance) {
  const double mu = 3.986004418e14, radius = 7e6, lag = 100 / radius, speed = std::sqrt(mu / radius);
  const auto satellite = [&](const char* name, double angle) {
    return fmt::format(
        "{} = {{mass = 1, inertia = 1, position = [{:.17g}, {:.17g}], velocity = [{:.17g}, {:.17g}]}}\n", name,
        radius * std::cos(angle), radius * std::sin(angle), -speed * std::sin(angle), speed * std::cos(angle));
  };
  const auto pull = [&](const char* name) {
    return fmt::format(
        "{0}_pull = {{type = \"force\", body = \"{0}\", force = [\"= -{1:.17g}*{0}.x/({0}.x^2 + "
        "{0}.y^2)^1.5\", "
        "\"= -{1:.17g}*{0}.y/({0}.x^2 + {0}.y^2)^1.5\"]}}\n",
        name, mu);
  };
  const double period = 2 * std::acos(-1) * radius / speed;
  Study study = io::read_study_text("[bodies]\n" + satellite("first", 0) + satellite("second", -lag) +
                                        "[forces]\n" + pull("first") + pull("second") +
                                        fmt::format("[analysis]\nend = {:.17g}\n", period),
                                    "test.toml");
  const Results r = run(study);
  ASSERT_TRUE(r.outcome) << r.outcome.why;
  EXPECT_NEAR(r.scales.length, 100, 1e-3);
  const double dx = end_of(r, "first.x") - end_of(r, "second.x"),
               dy = end_of(r, "first.y") - end_of(r, "second.y");
  const double exact = 2 * radius * std::sin(lag / 2);
  EXPECT_NEAR(std::hypot(dx, dy), exact, 1e-5 * exact);
}

TEST(scales, follow_from_geometry_mass_and_motion) {
  const Study study = scaled_study(twins[2].text, 1);
  const Scales geometry = scales_of(study.mechanism);
  EXPECT_DOUBLE_EQ(geometry.length, 0.5);  // from a pin to the centre of mass
  EXPECT_DOUBLE_EQ(geometry.mass, 2);
  const Begun b = begin(study, "forward");
  EXPECT_DOUBLE_EQ(b.results.scales.time, std::sqrt(geometry.length * 2 / 9.81));
}
TEST(scales, are_no_round_off_and_no_eccentricity) {
  for (const char* at : {"0.3", "0.300001", "\"= 0.1 + 0.2\""}) {
    const Study study = io::read_study_text(fmt::format(R"toml([bodies]
disc = {{mass = 1, inertia = 0.01, position = [{}, 0], omega = 1}}
[joints]
pin = {{type = "revolute", bodies = ["ground", "disc"], at = [0.3, 0]}})toml",
                                                        at),
                                            "test.toml");
    EXPECT_NEAR(run(study).scales.length, 0.1, 1e-9) << at;
  }
}

// Each group has the sizes that it has alone.
TEST(scales, of_groups_are_those_without_the_others) {
  const std::vector<std::pair<const char*, const char*>> parts{
      {"a = {mass = 2, inertia = 0.5, position = [3, 0]}",
       "pa = {type = \"revolute\", bodies = [\"ground\", \"a\"], at = [3, 0.25]}"},
      {"b = {mass = 5, inertia = 0.1, position = [0, 70]}\nc = {mass = 1, inertia = 0, position = [0, 74]}",
       "pb = {type = \"distance\", bodies = [\"b\", \"c\"], i = [0, 0], j = [0, 0]}"},
      {"e = {mass = 3, inertia = 12, position = [-8, 5]}", ""}};
  const auto read = [](const std::string& bodies, const std::string& joints) {
    return io::read_study_text("[bodies]\n" + bodies + "\n[joints]\n" + joints + "\n", "test.toml").mechanism;
  };
  std::string bodies, joints;
  for (const auto& [body, joint] : parts)
    bodies += std::string(body) + "\n", joints += std::string(joint) + "\n";
  const Mechanism all = read(bodies, joints);
  std::vector<int> group_of_body;
  const int groups = count_groups(all, group_of_body);
  ASSERT_EQ(groups, 3);
  const std::vector<Scales> of_groups = scales_of_groups(all, group_of_body, groups);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Scales own = scales_of(read(parts[k].first, parts[k].second));
    EXPECT_DOUBLE_EQ(of_groups[k].length, own.length) << k;
    EXPECT_DOUBLE_EQ(of_groups[k].mass, own.mass) << k;
  }
  EXPECT_DOUBLE_EQ(of_groups[0].length, 0.25);
  EXPECT_DOUBLE_EQ(of_groups[1].length, 4);
  EXPECT_DOUBLE_EQ(of_groups[2].length, 2);
  EXPECT_DOUBLE_EQ(scales_of(all).mass, 11);
}
}  // namespace mubody::testing
