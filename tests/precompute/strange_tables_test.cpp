// Files of precomputed models that somebody has made up: their checksums are right, and nothing else need be.
#include <functional>
#include <limits>
#include <random>

#include "mubody/reading/real_time_file.h"
#include "tests/precompute/models.h"

namespace mubody::testing {
namespace {
/// A spring whose force is applied at run time, and a motion all the way round.
const char* const rotor = R"toml(
name = "rotor"
gravity = [0, -9.81]
[bodies]
rotor = {mass = 1, inertia = 0.1, position = [0.5, 0], omega = 10}
[joints]
A = {type = "revolute", bodies = ["ground", "rotor"], at = [0, 0]}
[forces]
coil = {type = "torsion_spring", bodies = ["ground", "rotor"], stiffness = 0.1, free_angle = 0}
wind = {type = "moment", body = "rotor", moment = "= 0.1*sin(t)"}
[analysis]
end = 0.1
)toml";

const Study& rotor_study() {
  static const Study study = io::read_study_text(rotor, "rotor.toml");
  return study;
}

/// A whole file, made once: every mutation begins with it.
const RealTimeModel& whole() {
  static const RealTimeModel model = [] {
    PrecomputeOptions o;
    o.bound = 1e-2;
    RealTimeModel made = precompute(rotor_study(), o).model;
    made.text = rotor;
    made.file = "rotor.toml";
    return made;
  }();
  return model;
}

/// The table with other parts.
struct Parts {
  std::vector<int> arguments;
  std::vector<Axis> axes;
  int degree, quantities;
  std::vector<double> numbers;
  std::vector<int> tree{};

  explicit Parts(const LookupTable& t)
      : arguments(t.arguments()), axes(t.axes()), degree(t.degree()), quantities(t.quantities()),
        numbers(t.coefficients()) {}
  LookupTable table() const { return {arguments, axes, degree, quantities, numbers, tree}; }
  /// With one cell of its own along the axis, and the others in a tree after it.
  void grow(std::vector<int> nodes) {
    axes[0] = Axis(axes[0].low(), axes[0].high(), false, 1);
    tree = std::move(nodes);
  }
};

void change(LookupTable& t, const std::function<void(Parts&)>& how) {
  Parts parts(t);
  how(parts);
  t = parts.table();
}

/// Uses a model as a run does.
void use(const RealTimeModel& m, const Mechanism& mechanism) {
  RealTime run(m, mechanism);
  RealTime::State s = run.start();
  const BodyLayout layout(mechanism.dim);
  const auto bodies = Eigen::Index(mechanism.bodies.size());
  VecX q(layout.coordinates * bodies), u(layout.velocities * bodies);
  for (int k = 0; k < 20; ++k) {
    run.positions(s, q);
    run.velocities(s, u);
    run.kinetic(s), run.potential(s), run.series_error(s), run.turning();
    run.operations(), run.reads(), run.leapt(s), run.out_of_range(s);
    if (!run.step(s, 1e-3)) break;
  }
}

/// The message for a model that has been written, read and used; empty if nothing is wrong.
std::string trial(const RealTimeModel& m) {
  try {
    use(io::real_time_from(io::real_time_bytes(m), "x.rt"), rotor_study().mechanism);
  } catch (const ModelError& e) {
    return e.what();
  }
  return {};
}

struct Strange {
  const char* name;
  std::function<void(RealTimeModel&)> how;
};

const std::vector<Strange>& strange_models() {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  static const std::vector<Strange> all{
      {"no_variables", [](RealTimeModel& m) { m.start.clear(), m.start_rate.clear(); }},
      {"n128", [](RealTimeModel& m) { m.start.assign(128, 1), m.start_rate.assign(128, 1); }},
      {"n128_everywhere",
       [](RealTimeModel& m) {
         m.start.assign(128, 1), m.start_rate.assign(128, 1);
         for (Region& r : m.regions) r.variables.resize(128, r.variables[0]);
       }},
      {"rates_of_other_size", [](RealTimeModel& m) { m.start_rate.push_back(0); }},
      {"nan_in_the_start", [](RealTimeModel& m) { m.start[0] = nan; }},
      {"infinite_rate", [](RealTimeModel& m) { m.start_rate[0] = std::numeric_limits<double>::infinity(); }},
      {"nan_in_a_table",
       [](RealTimeModel& m) { change(m.regions[0].bodies[0].table, [](Parts& p) { p.numbers[0] = nan; }); }},
      {"body_zero", [](RealTimeModel& m) { m.regions[0].bodies[0].bodies[0] = 0; }},
      {"body_of_another_model", [](RealTimeModel& m) { m.regions[0].bodies[0].bodies[0] = 1000; }},
      {"negative_body", [](RealTimeModel& m) { m.regions[0].bodies[0].bodies[0] = -5; }},
      {"body_twice", [](RealTimeModel& m) { m.regions[0].bodies.push_back(m.regions[0].bodies[0]); }},
      {"no_body", [](RealTimeModel& m) { m.regions[0].bodies.clear(); }},
      {"force_of_another_model", [](RealTimeModel& m) { m.run_time.at(0) = 77; }},
      {"negative_force", [](RealTimeModel& m) { m.run_time.at(0) = -1; }},
      {"force_twice", [](RealTimeModel& m) { m.run_time.push_back(m.run_time.at(0)); }},
      {"no_force", [](RealTimeModel& m) { m.run_time.clear(); }},
      {"scalar_beyond", [](RealTimeModel& m) { m.regions[0].scalars.at(0).scalars.at(0) = 50; }},
      {"no_scalars", [](RealTimeModel& m) { m.regions[0].scalars.clear(); }},
      {"no_axes",
       [](RealTimeModel& m) {
         change(m.regions[0].dynamics[0].table, [](Parts& p) {
           p.axes.clear(), p.arguments.clear();
           p.numbers.resize(std::size_t(p.quantities));
         });
       }},
      {"no_dynamics", [](RealTimeModel& m) { m.regions[0].dynamics.clear(); }},
      {"arguments_without_axes",
       [](RealTimeModel& m) {
         change(m.regions[0].dynamics[0].table, [](Parts& p) { p.arguments = {0, 0}; });
       }},
      {"argument_beyond",
       [](RealTimeModel& m) { change(m.regions[0].dynamics[0].table, [](Parts& p) { p.arguments = {9}; }); }},
      {"no_quantities",
       [](RealTimeModel& m) {
         change(m.regions[0].dynamics[0].table, [](Parts& p) { p.quantities = 0, p.numbers.clear(); });
       }},
      {"negative_quantities",
       [](RealTimeModel& m) { change(m.regions[0].dynamics[0].table, [](Parts& p) { p.quantities = -2; }); }},
      {"fewer_quantities",
       [](RealTimeModel& m) {
         change(m.regions[0].dynamics[0].table, [](Parts& p) {
           p.quantities = 1;
           p.numbers.resize(p.numbers.size() / 2);
         });
       }},
      {"degree_minus_one", [](RealTimeModel& m) { m.degree = -1; }},
      {"degree_of_a_table",
       [](RealTimeModel& m) {
         change(m.regions[0].dynamics[0].table, [](Parts& p) { p.degree = -1, p.numbers.clear(); });
       }},
      {"fewer_numbers",
       [](RealTimeModel& m) { change(m.regions[0].bodies[0].table, [](Parts& p) { p.numbers.resize(3); }); }},
      {"cells_that_wrap",
       [](RealTimeModel& m) {
         change(m.regions[0].dynamics[0].table, [](Parts& p) {
           p.axes[0] = Axis(0, 1, false, std::vector<int>{1 << 30, 1 << 30, 1 << 30, (1 << 30) - 1, 1, 1});
         });
       }},
      {"tree_without_root",
       [](RealTimeModel& m) { change(m.regions[0].dynamics[0].table, [](Parts& p) {
                                p.tree = {-1, 0};
                              }); }},
      {"tree_that_goes_in_circles",
       [](RealTimeModel& m) {
         change(m.regions[0].dynamics[0].table, [](Parts& p) { p.grow({0, 0, -1, 0, -1, 0}); });
       }},
      {"tree_that_leads_out",
       [](RealTimeModel& m) {
         change(m.regions[0].dynamics[0].table, [](Parts& p) { p.grow({0, 1, -1, 0}); });
       }},
      {"tree_along_no_axis",
       [](RealTimeModel& m) {
         change(m.regions[0].dynamics[0].table, [](Parts& p) { p.grow({3, 1, -1, 0, -1, 0}); });
       }},
      {"tree_to_other_numbers",
       [](RealTimeModel& m) {
         change(m.regions[0].dynamics[0].table, [](Parts& p) { p.grow({0, 1, -1, 0, -1, 1000000}); });
       }},
      {"tree_with_one_branch_twice",
       [](RealTimeModel& m) {
         change(m.regions[0].dynamics[0].table, [](Parts& p) { p.grow({0, 1, 0, 3, 0, 3, -1, 0, -1, 0}); });
       }},
      {"small_gain", [](RealTimeModel& m) { m.gain.clear(); }},
      {"small_sign", [](RealTimeModel& m) { m.sign.pop_back(); }},
      {"small_gain_of_scalars", [](RealTimeModel& m) { m.scalar_gain.clear(); }},
      {"start_region", [](RealTimeModel& m) { m.start_region = 3; }},
      {"no_regions", [](RealTimeModel& m) { m.regions.clear(); }},
      {"border_beyond",
       [](RealTimeModel& m) {
         m.regions[0].above = {5, 0, 0, 0};
       }},
      {"border_before",
       [](RealTimeModel& m) {
         m.regions[0].below = {-7, 0, 0, 0};
       }},
      {"border_without_table",
       [](RealTimeModel& m) {
         m.regions[0].below = {0, 1e9, 0, 0};
       }},
      {"empty_range", [](RealTimeModel& m) { m.regions[0].variables[0].high = m.regions[0].variables[0].low; }},
      {"order_without_series",
       [](RealTimeModel& m) {
         m.regions[0].bodies[0].order = {1, 1, 1};
       }},
      {"stiff_without_springs",
       [](RealTimeModel& m) {
         m.stiff.push_back({"A.angle", "rad", true});
       }},
      {"much_design",
       [](RealTimeModel& m) {
         m.design.assign(100000, {"a", 1, 1});
       }},
      {"design_without_series",
       [](RealTimeModel& m) {
         m.design.push_back({"a", 1, 1});
       }},
      {"absolute_path", [](RealTimeModel& m) { m.file = "/etc/passwd"; }},
      {"escape_in_a_name", [](RealTimeModel& m) { m.regions[0].variables[0].name = "\x1B[31m"; }},
      {"line_in_a_unit", [](RealTimeModel& m) { m.regions[0].variables[0].unit = "rad\nmubody: all is well"; }},
      {"line_in_the_name", [](RealTimeModel& m) { m.name = "a\nb"; }}};
  return all;
}

TEST(strange_tables, begin_with_a_whole_model) {
  EXPECT_EQ(trial(whole()), "");
  EXPECT_GE(whole().run_time.size(), 2u);
  EXPECT_FALSE(whole().regions[0].scalars.empty());
}

TEST(strange_tables, are_refused_whatever_is_wrong_with_them) {
  for (const Strange& strange : strange_models()) {
    RealTimeModel m = whole();
    strange.how(m);
    const std::string message = trial(m);
    EXPECT_NE(message.find("damaged"), std::string::npos) << strange.name << ": " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << strange.name << ": " << message;
  }
}

TEST(strange_tables, are_those_of_their_model) {
  const Study other = example("four_bar");
  EXPECT_THROW(RealTime(whole(), other.mechanism), ModelError);
}

TEST(strange_tables, of_any_bytes_never_break_anything) {
  const std::string bytes = io::real_time_bytes(whole());
  const std::string body = bytes.substr(io::with_checksum("").size());
  std::mt19937 random(7);
  int accepted = 0;
  for (int k = 0; k < 2000; ++k) {
    std::string changed = body;
    for (unsigned times = 1 + random() % 3; times > 0; --times) {
      const std::size_t at = random() % changed.size();
      switch (random() % 4) {
        case 0: changed[at] = char(random()); break;
        case 1: changed[at] ^= char(1U << random() % 8); break;
        case 2: changed.replace(at / 8 * 8, 8, 8, random() % 2 != 0 ? '\xFF' : '\0'); break;
        default: changed.erase(at, random() % 64); break;
      }
    }
    try {
      // A stranger can compute the checksum as well.
      use(io::real_time_from(io::with_checksum(changed), "x.rt"), rotor_study().mechanism);
      ++accepted;
    } catch (const ModelError& e) {
      EXPECT_EQ(std::string_view(e.what()).find('\n'), std::string_view::npos) << e.what();
    }
  }
  EXPECT_GT(accepted, 100);  // many bytes are digits of numbers, and the mutations get past the checks
}
}  // namespace
}  // namespace mubody::testing
